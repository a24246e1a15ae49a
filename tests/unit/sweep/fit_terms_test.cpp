#include "sweep/fit_terms.hpp"

#include <doctest/doctest.h>

#include "unit/sweep/table_points.hpp"

using namespace soya;
using test::headroom_head;
using test::headroom_point;
using test::table_error;

namespace {

SweepTable one_point() {
  return read_table(headroom_head(), test::source_of({headroom_point(0, {300, 8, "dsh", 2})}), {});
}

std::string refused(std::string_view text) {
  return table_error([&] { (void)parse_terms(one_point(), text); });
}

std::string unit_of(std::string_view term, const std::string& unit) {
  const SweepTable table = one_point();
  return coefficient_unit(parse_terms(table, term).front(), table.head.columns, unit);
}

}  // namespace

TEST_CASE("terms are products of powers of columns") {
  const SweepTable table = one_point();
  const std::vector<FitTerm> terms =
      parse_terms(table, "1, rate*length ,length^2/rate, 1/topology.link_types.haul.rate^3,length/length");
  REQUIRE(terms.size() == 5);
  CHECK(value_of(terms[0], table.rows[0]) == 1);
  CHECK(value_of(terms[1], table.rows[0]) == 2'400);      // 8 x 300
  CHECK(value_of(terms[2], table.rows[0]) == 11'250);     // 90 000 / 8
  CHECK(value_of(terms[3], table.rows[0]) == 1.0 / 512);  // 1 / 8^3
  CHECK(value_of(terms[4], table.rows[0]) == 1);
  CHECK(terms[1].name == "rate*length");
  CHECK(terms[4].factors.empty());
}

TEST_CASE("coefficients have units") {
  CHECK(unit_of("1", "bytes") == "bytes");
  CHECK(unit_of("length", "bytes") == "bytes per m");
  CHECK(unit_of("rate*length", "bytes") == "bytes per (gbps m)");
  CHECK(unit_of("length^2", "bytes") == "bytes per m^2");
  CHECK(unit_of("length/rate", "bytes") == "bytes gbps per m");
  CHECK(unit_of("1/rate", "us") == "us gbps");
  CHECK(unit_of("length", "") == "per m");
  CHECK(unit_of("length", "m") == "");
  CHECK(unit_of("seed", "bytes") == "bytes");
  const std::vector<Column> sizes{{"bucket", "bytes"}};
  CHECK(coefficient_unit({"bucket", {{0, 1}}}, sizes, "ms") == "ms per byte");
  CHECK(coefficient_unit({"1/bucket", {{0, -1}}}, sizes, "ms") == "ms bytes");
}

TEST_CASE("what is no term is told") {
  const std::string expected = "expected a term such as 1, rate*length or size^2/rate, got ";
  CHECK(refused("") == expected + "\"\"");
  CHECK(refused("1,,rate") == expected + "\"\"");
  CHECK(refused("rate*") == expected + "\"rate*\"");
  CHECK(refused("rate^x") == expected + "\"rate^x\"");
  CHECK(refused("rate^") == expected + "\"rate^\"");
  CHECK(refused("rate^10") == "expected a power from 1 to 9 in \"rate^10\", got 10");
  CHECK(refused("rate^-1") == "expected a power from 1 to 9 in \"rate^-1\", got -1");
  CHECK(refused("1, 1") == "the term \"1\" stands twice");
  CHECK(refused("lenght") == "unknown column \"lenght\"; did you mean \"length\"?");
  CHECK(refused("mode*rate") ==
        "the column fabric.headroom.mode has words (dsh) and makes no term; fit one of them at a time by --where");
}
