// The benchmark suite's own parts: processes, tables, JSON and budgets.
#include <doctest/doctest.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>

#include "suite/budgets.hpp"
#include "suite/cases.hpp"
#include "suite/hardware_counter.hpp"
#include "suite/json.hpp"
#include "suite/measure.hpp"
#include "suite/table.hpp"
#include "support/temporary_folder.hpp"

using namespace soya;
using namespace soya::bench;

namespace {

Measurement sample() {
  Measurement m;
  m.name = "incast-16";
  m.size = 25'000;
  m.hosts = 16;
  m.packet_hops = 2'000;
  m.packets = 500;
  m.events = 3'000;
  m.peak_pending = 77;
  m.runs = 3;
  m.least_seconds = 0.0001;  // 100 000 ns / 2 000 = 50 ns
  m.median_seconds = 0.00012;
  m.peak_memory_mb = 5.5;
  m.instructions_per_hop = 400.25;
  m.counted_by = "hardware";
  m.end_us = 101;
  m.expected_us = 100;
  m.sound = true;
  return m;
}

End no_end(const Scenario&, const Amount&, const RunResults&) {
  return {};
}

TEST_CASE("every case has a name of its own and grows from its test to its table") {
  std::set<std::string_view> names;
  for (const Case& one : all_cases()) {
    CAPTURE(one.name);
    CHECK(names.insert(one.name).second);
    CHECK(find_case(one.name) == &one);
    CHECK(one.smallest >= 1);
    CHECK(one.smallest <= one.full);
    CHECK(2 * one.counted <= one.full);
  }
  CHECK(find_case("incast") == nullptr);
}

TEST_CASE("a case whose process throws or dies is a measurement that says why") {
  const Case throws{"throws",   "", 1,
                    1,          1,  1,
                    Form::none, 0,  [](const Amount&) -> Scenario { throw std::runtime_error{"no such fabric"}; },
                    no_end};
  const Measurement thrown = measure_apart(throws, {1, 1}, {1});
  CHECK_FALSE(thrown.sound);
  CHECK(thrown.name == "throws");
  CHECK(thrown.why_not == "no such fabric");

  const Case dies{"dies", "", 1, 1, 1, 1, Form::none, 0, [](const Amount&) -> Scenario { std::_Exit(3); }, no_end};
  CHECK(measure_apart(dies, {1, 1}, {1}).why_not == "its process told nothing");

  const Case killed{"killed",
                    "",
                    1,
                    1,
                    1,
                    1,
                    Form::none,
                    0,
                    [](const Amount&) -> Scenario {
                      raise(SIGKILL);
                      return {};
                    },
                    no_end};
  CHECK(measure_apart(killed, {1, 1}, {1}).why_not == "killed: Killed");
}

TEST_CASE("what a process measured is what it tells") {
  const Measurement m = sample();
  const auto json = to_json(m);
  CHECK(json["ns_per_packet_hop"].get<double>() == doctest::Approx(50));
  CHECK(json["events_per_packet_hop"].get<double>() == doctest::Approx(1.5));
  CHECK(to_json(measurement_of(nlohmann::ordered_json::parse(json.dump()))) == json);
  Measurement bare;
  bare.why_not = "nothing";
  CHECK(to_json(measurement_of(to_json(bare))) == to_json(bare));
}

TEST_CASE("a table has a line per measurement") {
  const std::array one{sample()};
  CHECK(table_of(one, TableStyle::markdown) ==
        "| case | hosts | size | packet-hops | ns/hop | median | events/hop | instr./hop | pending | memory MB | "
        "simulated end us | closed form us | off by | sound |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|\n"
        "| incast-16 | 16 | 25 000 | 2 000 | 50.0 | 60.0 | 1.500 | 400 | 77 | 5.5 | 101.000 | 100.000 | +1.000 % | yes "
        "|\n");
  const std::string plain = table_of(one, TableStyle::plain);
  CHECK(plain.substr(0, plain.find('\n')) ==
        "case       hosts    size  packet-hops  ns/hop  median  events/hop  instr./hop  pending  memory MB  "
        "simulated end us  closed form us    off by  sound");
}

TEST_CASE("a bound, a slice and a failure are told apart") {
  std::array some{sample(), sample(), sample()};
  some[0].name = "shift-16";
  some[1].name = "all-reduce-8192";
  some[1].sound = false;
  some[1].expected_us.reset();
  some[2].sound = false;
  some[2].why_not = "a frame was lost";
  some[2].instructions_per_hop.reset();
  const std::string table = table_of(some, TableStyle::markdown);
  CHECK(table.find("| 101.000 | >= 100.000 | +1.000 % | yes |\n") != std::string::npos);
  CHECK(table.find("| 101.000 | - | - | a slice |\n") != std::string::npos);
  CHECK(table.find("| 1.500 | - | 77 | 5.5 | 101.000 | 100.000 | +1.000 % | no: a frame was lost |\n") !=
        std::string::npos);
}

TEST_CASE("budgets are 3 % above what was counted, and hold it to that") {
  const test::TemporaryFolder folder;
  const std::string file = (folder.path() / "budgets.json").string();
  std::array one{sample()};
  write_budgets(file, one);
  // 400.25 x 1.03 = 412.26, in whole instructions 413.
  const Budgets budgets = read_budgets(file);
  CHECK(budgets == Budgets{{"incast-16", 413}});
  CHECK(over_budget(budgets, one) == "");
  one[0].instructions_per_hop = 413.25;
  CHECK(over_budget(budgets, one) == "incast-16: 413.2 instructions per packet-hop, at most 413 expected\n");
  one[0].instructions_per_hop.reset();
  CHECK(over_budget(budgets, one) == "incast-16: not counted\n");
  one[0].name = "ring-16";
  CHECK(over_budget(budgets, one) == "ring-16: no budget\n");
  std::ofstream{file} << "[1]";
  CHECK_THROWS_AS((void)read_budgets(file), std::runtime_error);
  CHECK_THROWS_AS((void)read_budgets(file + "s"), std::runtime_error);
}

TEST_CASE("the budgets that tools/test holds are those of cases") {
  const Budgets budgets = read_budgets(SOYA_SOURCE_DIR "/tests/bench/budgets.json");
  CHECK_FALSE(budgets.empty());
  for (const auto& budget : budgets) {
    CAPTURE(budget.first);
    CHECK(find_case(budget.first) != nullptr);
    CHECK(budget.second > 0);
  }
}

TEST_CASE("a machine counts instructions or says that it does not") {
  HardwareCounter counter;
  counter.start();
  volatile int sum = 0;
  for (int i = 0; i < 10'000; ++i) sum = sum + i;
  const auto counted = counter.stop();
  if (counted) CHECK(*counted >= 10'000);
}

}  // namespace
