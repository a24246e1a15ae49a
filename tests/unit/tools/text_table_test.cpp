#include "soya/text_table.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace soya::cli;

TEST_CASE("a table lines up by columns, also with wide names, and has no blanks at line ends") {
  TextTable table{{{"node", Align::left, 8}, {"bytes", Align::right}}};
  table.add({"札幌", "1"});
  table.add({"leaf1", "1 000 000"});
  CHECK(table.text() ==
        "  node       bytes\n"
        "  札幌           1\n"
        "  leaf1  1 000 000\n");
}

TEST_CASE("cells longer than their column's limit are cut inside, since names differ at their ends") {
  TextTable table{{{"n", Align::left, 4}}};
  table.add({"host123"});
  CHECK(table.text() == "  n\n  ho…3\n");
}

TEST_CASE("numbers are grouped by three, in front of the point only") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1 000");
  CHECK(grouped(67'100'672) == "67 100 672");
  CHECK(grouped(-20'790) == "-20 790");
  CHECK(grouped(-999) == "-999");
  CHECK(milliseconds(1362.1) == "1 362.100");
  CHECK(milliseconds(0.0005) == "0.001");
  CHECK(milliseconds(std::numeric_limits<double>::quiet_NaN()) == "-");
}

TEST_CASE("times and sizes take the unit that fits") {
  CHECK(duration_text(0) == "0 ps");
  CHECK(duration_text(999) == "999 ps");
  CHECK(duration_text(243'200) == "243.200 ns");
  CHECK(duration_text(85'566'720) == "85.567 us");
  CHECK(duration_text(3'000'000'000) == "3.000 ms");
  CHECK(duration_text(2'724'200'000'000) == "2.724 s");
  CHECK(duration_text(999'999'999) == "1.000 ms");
  CHECK(size_text(1023) == "1023 B");
  CHECK(size_text(1024) == "1 KiB");
  // 64 B each for 8192 x 8191 flows.
  CHECK(size_text(64LL * 8192 * 8191) == "4 GiB");
  CHECK(size_text(12'897'485) == "12.3 MiB");
  CHECK(size_text(1024 * 1024 - 1) == "1 MiB");
  CHECK(size_text(std::numeric_limits<long long>::max()) == "8 EiB");
  CHECK(exact_size_text(0) == "0 B");
  CHECK(exact_size_text(10'000'000) == "10 MB");
  CHECK(exact_size_text(1'500'000) == "1.5 MB");
  CHECK(exact_size_text(64 * 1024) == "64 KiB");
  CHECK(exact_size_text(1'048'577) == "1 048 577 B");
}
