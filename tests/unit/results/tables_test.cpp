#include "results/tables.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <limits>
#include <set>

#include "results/csv.hpp"
#include "support/sample_results.hpp"
#include "support/temporary_folder.hpp"

using namespace soya;

namespace {

struct Rows final : RowSink {
  void row(std::span<const Value> values) override { rows.emplace_back(values.begin(), values.end()); }
  std::vector<std::vector<Value>> rows;
};

const Table& table(const std::string& name) {
  for (const Table& candidate : result_tables()) {
    if (candidate.name == name) return candidate;
  }
  throw std::out_of_range(name);
}

Rows rows_of(const std::string& name, const RunResults& results, const std::string& variant = "") {
  Rows sink;
  table(name).rows(results, variant, sink);
  return sink;
}

const Value& cell(const std::string& name, const Rows& rows, std::size_t row, const std::string& column) {
  const auto& columns = table(name).columns;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == column) return rows.rows.at(row).at(i);
  }
  throw std::out_of_range(column);
}

}  // namespace

TEST_CASE("sixteen tables in the documented order, each led by its variant, no column twice") {
  std::vector<std::string> names;
  for (const Table& candidate : result_tables()) {
    names.push_back(candidate.name);
    CHECK(candidate.columns.front().name == "variant");
    std::set<std::string> seen;
    for (const TableColumn& column : candidate.columns) CHECK_MESSAGE(seen.insert(column.name).second, column.name);
  }
  CHECK(names == std::vector<std::string>{"run", "host", "link", "tier", "queue", "pause", "switch", "headroom_use",
                                          "reconvergence", "accelerator", "accelerator_flow", "transfer", "collective",
                                          "perftest", "step", "sample"});
}

TEST_CASE("a row has one value per column, of the column's type or NULL where that is allowed") {
  RunResults results = test::starved_results();
  results.steps = test::ddp_results().steps;
  results.collectives = test::ddp_results().collectives;
  results.perftest = test::perftest_results().perftest;
  results.samples.push_back({5, "leaf1/host3 utilisation_share", 0.5});
  results.tiers.push_back({"leaf", "spine", 4, true, 2, 5'461, 10'922, 2.0, 2, 5'461, 10'922, 2.0, {"leaf1 > spine2"}});
  results.pauses.push_back(test::long_pause());
  results.accelerators.push_back(test::accelerator());
  results.accelerator_flows.push_back(test::accelerator_flow());
  for (const Table& candidate : result_tables()) {
    const Rows rows = rows_of(candidate.name, results, "v");
    CHECK_MESSAGE(!rows.rows.empty(), candidate.name);
    for (const auto& row : rows.rows) {
      REQUIRE(row.size() == candidate.columns.size());
      CHECK(std::get<std::string>(row[0]) == "v");
      for (std::size_t i = 0; i < row.size(); ++i) {
        const TableColumn& column = candidate.columns[i];
        const bool null = std::holds_alternative<std::monostate>(row[i]);
        const bool fits = column.type == ColumnType::integer ? std::holds_alternative<std::int64_t>(row[i])
                          : column.type == ColumnType::real  ? std::holds_alternative<double>(row[i])
                                                             : std::holds_alternative<std::string>(row[i]);
        CHECK_MESSAGE((fits || (null && column.nullable)), candidate.name << "." << column.name);
      }
    }
  }
}

TEST_CASE("values come from the field the column is named after") {
  RunResults results = test::starved_results();
  results.seed = std::numeric_limits<std::uint64_t>::max();
  results.transfers.slowdown_p99 = std::numeric_limits<double>::infinity();
  const Rows run = rows_of("run", results);
  REQUIRE(run.rows.size() == 1);
  CHECK(cell("run", run, 0, "seed") == Value{"18446744073709551615"});
  CHECK(cell("run", run, 0, "sound") == Value{std::int64_t{0}});
  CHECK(cell("run", run, 0, "complete") == Value{std::int64_t{1}});
  CHECK(cell("run", run, 0, "why_not") == Value{results.why_not[0] + "\n" + results.why_not[1]});
  CHECK(cell("run", run, 0, "drops_lossless_frames") == Value{std::int64_t{5}});
  CHECK(cell("run", run, 0, "slowdown_p99") == Value{});

  const Rows links = rows_of("link", results);
  REQUIRE(links.rows.size() == 16);
  CHECK(cell("link", links, 1, "from_node") == Value{"札幌-host2"});
  CHECK(cell("link", links, 1, "pause_frames_p3") == Value{std::int64_t{4}});
  CHECK(cell("link", links, 1, "pause_frames_p4") == Value{std::int64_t{0}});

  const Rows transfers = rows_of("transfer", results);
  CHECK(cell("transfer", transfers, 2, "finish_ps") == Value{});
  CHECK(cell("transfer", transfers, 2, "slowdown") == Value{});
  CHECK(cell("transfer", transfers, 3, "finish_ps") == Value{std::int64_t{1'354'000'000}});
  CHECK(transfer_values(results.transfer_rows[3], "x").size() == table("transfer").columns.size());
}

TEST_CASE("CSV quotes what RFC 4180 says, ends records with CRLF, leaves NULL empty") {
  const std::vector<Value> values{std::string{"a,b"},
                                  std::string{"say \"hi\""},
                                  std::string{"two\nlines"},
                                  std::string{"札幌"},
                                  std::int64_t{-7},
                                  0.1,
                                  1e300,
                                  Value{},
                                  std::string{}};
  CHECK(csv_record(values) == "\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",札幌,-7,0.1,1e+300,,\r\n");
  CHECK(csv_header(table("sample")) == "variant,time_ps,series,value\r\n");
}

TEST_CASE("docs/results.md carries the tables as declared") {
  const std::filesystem::path page = std::filesystem::path{SOYA_SOURCE_DIR} / "docs" / "results.md";
  const std::string begin = "<!-- tables: written from sim/results/tables.cpp, UPDATE_SNAPSHOTS=1 renews them -->\n\n";
  std::string text = test::read_text(page);
  const std::size_t start = text.find(begin);
  REQUIRE_MESSAGE(start != std::string::npos, page.string());
  if (std::getenv("UPDATE_SNAPSHOTS") != nullptr) {
    test::write_text(page, text.substr(0, start) + begin + tables_markdown());
    text = test::read_text(page);
  }
  CHECK(text.substr(start + begin.size()) == tables_markdown());
}
