#include "scenario/reaches.hpp"

#include <doctest/doctest.h>

#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;
using namespace soya::reading;

namespace {

/// Two hosts at the ends of a chain of `switches` with 1000 s each; links of 100 Gbps and 1 us.
Distance across(int switches) {
  FabricBench bench;
  bench.defaults.latency = 1000_s;
  bench.host("a");
  for (int i = 0; i < switches; ++i) bench.add_switch("s" + std::to_string(i));
  bench.host("b");
  LinkConfig link = bench.link_kind();
  for (std::size_t n = 0; n + 1 < bench.scenario.topology.nodes.size(); ++n) {
    link.a = NodeId{n};
    link.b = NodeId{n + 1};
    bench.scenario.topology.links.push_back(link);
  }
  return Reaches{bench.scenario}.between(NodeId{0U}, NodeId{bench.scenario.topology.nodes.size() - 1}).value();
}

}  // namespace

TEST_CASE("delays of a path add up, and end before they wrap") {
  const Distance far = across(2000);
  CHECK(far.round_trip == 2 * (2000 * 1000_s + 2001 * 1_us));
  CHECK(far.in_flight() == Bytes{far.round_trip.picoseconds() / 80});  // 80 ps a byte
  // 5000 x 1000 s are 5 x 10^18 ps each way, which is beyond 2^62, and twice that beyond 2^63.
  const Distance farthest = across(5000);
  CHECK(farthest.round_trip == Duration{std::int64_t{1} << 62});
  CHECK(Distance{Rate{100'000'000'000'000}, farthest.round_trip}.in_flight() == Bytes{std::int64_t{1} << 62});
}

TEST_CASE("a round trip has the delay of each way, whoever asks") {
  FabricBench bench;
  bench.add_switch("s");
  for (const char* name : {"a", "b"}) {
    bench.host(name);
    bench.link(name, "s");
  }
  bench.scenario.topology.links[0].reverse_delay = 7_us;  // s to a
  // a to b 1 + 1, b to a 1 + 7.
  Reaches reaches{bench.scenario};
  CHECK(reaches.between(bench.node("a"), bench.node("b")).value().round_trip == 10_us);
  CHECK(reaches.between(bench.node("b"), bench.node("a")).value().round_trip == 10_us);
  // Two links of the longest way and no switch latency, there and back.
  CHECK(reaches.longest_round_trip() == 28_us);
}

TEST_CASE("a sender behind an accelerator waits for its site's links alone") {
  FabricBench bench;
  bench.hosts("h", 2);
  bench.accelerators("x", "y", 1_MiB);
  bench.link("h1", "x");
  bench.link("y", "h2");
  bench.delay = 1'500_us;
  bench.link("x", "y");
  Reaches reaches{bench.scenario};
  // 1 us each way at both sites.
  const Distance relayed = reaches.between(bench.node("h1"), bench.node("h2")).value();
  CHECK(relayed.round_trip == 4_us);
  // A connection that is passed on, such as one with READ, waits for the long link, too.
  CHECK(relayed.passed_on().round_trip == 3'004_us);
  CHECK(relayed.passed_on().in_flight() == Bytes{37'550'000});  // 12.5 B/ns
  CHECK(reaches.longest_round_trip() == 2 * 3 * 1'500_us);
}
