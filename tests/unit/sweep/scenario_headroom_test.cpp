#include "sweep/scenario_headroom.hpp"

#include <doctest/doctest.h>

#include <atomic>

#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

constexpr Duration slot{4178 * 80};  // of a 4158 B frame at 100G

/// The worst case of tests/analytic/headroom_test.cpp as a scenario: two senders a and b, one receiver z, its egress
/// held for 20 us, and a reverse frame to a that starts 1 ps before a's trigger frame is in. A = 4887 B of wire follow
/// a's trigger, 2 frames; b's PAUSE waits for nothing, and 84 B + 2 x 25 ns are less than one frame time: 1 frame.
struct Held : FabricBench {
  Held() {
    scenario.frame.mtu = 4096_B;
    nic.ack_every = 1'000'000;
    defaults.buffer.reserved = 0_B;
    defaults.buffer.threshold = StaticThreshold{64_KiB};
    add_switch("s");
    delay = 25_ns;
    for (const char* name : {"a", "b", "z"}) {
      host(name);
      link(name, "s");
    }
    FlowConfig& back = flow("z", "a", 1_MB);
    back.priority = Priority{0};
    back.start = Time{0} + slot - 1_ps;
    flow("a", "z", 1_MB);
    flow("b", "z", 1_MB);
    hold("s", "z", Time{0}, Time{0} + 20_us);
  }
  HeadroomConfig& headroom() { return scenario.switches.front().headroom; }
  BufferConfig& buffer() { return scenario.switches.front().buffer; }
  [[nodiscard]] ScenarioHeadroom search(int threads = 1) const {
    SearchOptions options;
    options.threads = threads;
    return search_headroom(scenario, options);
  }
};

}  // namespace

TEST_CASE("ports alike are one kind, searched for the worst case and for the scenario") {
  const ScenarioHeadroom found = Held{}.search();
  CHECK(found.complete);
  CHECK(found.lossless());
  REQUIRE(found.kinds.size() == 1);
  const PortKind& kind = found.kinds.front();
  REQUIRE(kind.ports.size() == 3);
  CHECK(kind.ports[0].node == "s");
  CHECK(kind.ports[0].port == "a");
  CHECK(kind.budget.automatic == 13'203_B);  // A + 2 F
  CHECK(kind.ports[0].configured == 13'203_B);
  CHECK(kind.ports[0].peak == 8316_B);
  CHECK(kind.ports[1].peak == 4158_B);
  CHECK(kind.ports[2].peak == 0_B);
  REQUIRE(kind.worst);
  CHECK(kind.worst->smallest == 8316_B);
  REQUIRE(kind.here);
  CHECK(kind.here->size == 8316_B);
  CHECK(kind.here->monotone);
  CHECK(kind.here->largest == 13'203_B);
  CHECK(found.pools.empty());
}

TEST_CASE("headroom that nothing ever enters can be 0") {
  Held bench;
  bench.scenario.faults.clear();
  std::get<FlowsConfig>(bench.scenario.jobs.front()).flows.pop_back();  // a alone, and z drains as fast as a sends
  const ScenarioHeadroom found = bench.search();
  CHECK(found.kinds.front().here->size == 0_B);
  CHECK(found.kinds.front().here->runs == 1);
  CHECK(found.kinds.front().worst->smallest == 8316_B);
}

TEST_CASE("where the configured headroom loses frames the search goes beyond it") {
  Held bench;
  bench.headroom().size = 936_B;
  const ScenarioHeadroom found = bench.search();
  CHECK_FALSE(found.lossless());
  CHECK(found.kinds.front().ports[0].dropped > 0);
  CHECK(found.kinds.front().ports[0].needed == 8316_B);
  CHECK(found.kinds.front().here->size == 8316_B);
  CHECK(found.kinds.front().here->largest == 2 * 8316_B);  // twice the need as it was measured, or the budget
}

TEST_CASE("where nothing that fits the buffer is enough, the largest size that fits is told") {
  Held bench;
  bench.headroom().size = 936_B;
  bench.buffer().size = 16'000_B;
  const SmallestHere here = *bench.search().kinds.front().here;
  CHECK_FALSE(here.size);
  // Three groups, and room for one frame in shared: (16 000 - 4158) / 3.
  CHECK(here.largest == 3947_B);
}

TEST_CASE("a shared pool is searched as a whole, beside how many groups it covers and how many used it") {
  Held bench;
  bench.headroom().mode = SharedPoolHeadroom{.pool = 13'203_B, .oversubscribe = {1, 1}, .cap = {}};
  const ScenarioHeadroom found = bench.search();
  REQUIRE(found.pools.size() == 1);
  const PoolKind& pool = found.pools.front();
  CHECK(pool.nodes == std::vector<std::string>{"s"});
  CHECK(pool.pool == 13'203_B);
  CHECK(pool.groups == 3);
  CHECK(pool.covered == 1);  // 8316 B each: 13 203 B hold one, not two
  CHECK(pool.groups_peak == 2);
  CHECK(pool.peak == 12'474_B);  // a's two frames and b's one, while z is held
  REQUIRE(pool.here);
  CHECK(pool.here->size == 12'474_B);
  CHECK_FALSE(found.kinds.front().sized_by_port);
  CHECK_FALSE(found.kinds.front().here);
  CHECK(found.kinds.front().worst->smallest == 8316_B);
}

TEST_CASE("a pool covers no group whose cap is below its worst case") {
  Held bench;
  bench.headroom().mode = SharedPoolHeadroom{.pool = 100_KB, .oversubscribe = {1, 1}, .cap = 8315_B};
  CHECK(bench.search().pools.front().covered == 0);
  bench.headroom().mode = SharedPoolHeadroom{.pool = 100_KB, .oversubscribe = {1, 1}, .cap = 8316_B};
  CHECK(bench.search().pools.front().covered == 3);
}

TEST_CASE("any number of threads finds the same with the same runs") {
  Held bench;
  bench.scenario.topology.links.back().delay = 1_us;  // z's port is a kind of its own
  const ScenarioHeadroom one = bench.search(1);
  const ScenarioHeadroom three = bench.search(3);
  REQUIRE(one.kinds.size() == 2);
  REQUIRE(three.kinds.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(one.kinds[i].here->size == three.kinds[i].here->size);
    CHECK(one.kinds[i].here->runs == three.kinds[i].here->runs);
    CHECK(one.kinds[i].worst->smallest == three.kinds[i].worst->smallest);
  }
}

TEST_CASE("a search that is stopped says what it has") {
  const Held bench;
  std::atomic<bool> stop{false};
  SearchOptions options;
  options.stopped = [&] { return stop.load(); };
  options.progress = [&](const SearchProgress& progress) { stop = progress.runs > 0; };
  const ScenarioHeadroom found = search_headroom(bench.scenario, options);
  CHECK_FALSE(found.complete);
  REQUIRE(found.kinds.size() == 1);
  CHECK(found.kinds.front().ports[0].peak == 8316_B);
  CHECK_FALSE(found.kinds.front().here);
  CHECK_FALSE(found.kinds.front().worst);
}

TEST_CASE("without a lossless priority there is nothing to search") {
  Held bench;
  bench.scenario.pfc.priorities = PrioritySet{};
  CHECK_THROWS_AS((void)bench.search(), ScenarioError);
}
