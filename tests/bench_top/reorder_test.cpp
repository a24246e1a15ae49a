// Packets that overtake each other: NICs that wait before they take a gap for a loss, and those that do not.
#include <doctest/doctest.h>

#include <string>

#include "support/fabric_bench.hpp"
#include "support/timeline.hpp"

using namespace soya;
using namespace soya::test;

namespace {

constexpr Duration packet{1082 * 80};
constexpr Duration acknowledge{86 * 80};

/// a on l1, z on l2, two ways that l1 and l2 use in turn. The way by s2 takes `longer`.
struct UnevenWays : FabricBench {
  explicit UnevenWays(Duration longer) {
    scenario.frame.mtu = 1000_B;
    nic.retransmission = Retransmission::selective_repeat;
    defaults.routing.policy = RoutingPolicy::spray;
    for (const char* name : {"l1", "l2", "s1", "s2"}) add_switch(name);
    for (const char* name : {"a", "z"}) host(name);
    link("a", "l1");
    link("z", "l2");
    link("l1", "s1");
    link("s1", "l2");
    link("l1", "s2");
    delay = 1_us + longer;
    link("s2", "l2");
  }
  void patience(Duration time) {
    for (NicConfig& one : scenario.nics) one.reorder_timeout = time;
  }
};

}  // namespace

TEST_CASE("a gap that closes within the reorder time-out costs nothing, for all operations") {
  for (const Operation operation : {Operation::write, Operation::send, Operation::write_immediate, Operation::read}) {
    UnevenWays bench{5_us};
    bench.operation = operation;
    bench.patience(10_us);
    bench.flow("a", "z", 1'000'000_B);
    const RunResults results = bench.run();
    CHECK(results.sound);
    CHECK(host_of(results, "a")->naks_received == 0);
    CHECK(results.transfers.retransmitted_packets == 0);
    CHECK(results.transfers.finished == 1);
    const HostRow* placed = host_of(results, operation == Operation::read ? "a" : "z");
    CHECK(placed->received_payload_bytes == 1'000'000);
    CHECK(placed->gaps > 0);
    CHECK(placed->duplicate_packets == 0);
  }
}

TEST_CASE("gaps that close in time make no acknowledges beside those that are asked for") {
  // 1000 packets, of which every 64th and the last ask: 16 acknowledges. Every second packet overtakes another one.
  UnevenWays bench{5_us};
  bench.patience(10_us);
  bench.flow("a", "z", 1'000'000_B);
  const RunResults results = bench.run();
  CHECK(host_of(results, "z")->gaps > 100);
  CHECK(link_of(results, "z", "l2")->wire_bytes == 16 * 86);
}

TEST_CASE("without it each gap is told of at once, and what is late is sent again") {
  for (const Operation operation : {Operation::send, Operation::read}) {
    UnevenWays bench{5_us};
    bench.operation = operation;
    bench.flow("a", "z", 1'000'000_B);
    const RunResults results = bench.run();
    CHECK(results.sound);
    CHECK(results.transfers.retransmitted_packets > 100);
  }
}

TEST_CASE("go-back-N rewinds for nothing where packets overtake each other") {
  UnevenWays bench{5_us};
  for (NicConfig& nic : bench.scenario.nics) nic.retransmission = Retransmission::go_back_n;
  bench.flow("a", "z", 1'000'000_B);
  const RunResults results = bench.run();
  CHECK(results.transfers.retransmitted_packets > 100);
}

TEST_CASE("a gap that stays open is told of when it is as old as the reorder time-out") {
  // One way, so that all comes in order but the fourth packet, which is lost. The fifth opens the gap at z at
  // 5 packets + 1 us, and three more hops of a packet and 1 us each; 30 us later z asks for the fourth.
  UnevenWays bench{0_us};
  bench.patience(30_us);
  for (const char* leaf : {"l1", "l2"}) bench.route(leaf, leaf == std::string{"l1"} ? "z" : "a", "s1");
  bench.flow("a", "z", 10'000_B);
  bench.scenario.faults.emplace_back(DropFault{bench.link_between("a", "l1"), bench.node("a"), DropKind::data, 4, {}});
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  CHECK(results.sound);
  CHECK(results.transfers.retransmitted_packets == 1);
  CHECK(host_of(results, "a")->naks_received == 1);
  CHECK(host_of(results, "a")->timeouts == 0);
  const Time opened = Time{0} + 5 * packet + 1_us + 3 * (packet + 1_us);
  const Time asked = opened + 30_us + 4 * (acknowledge + 1_us);
  CHECK(timeline.times({FactKind::retransmission, "a", "l1"}) == std::vector{asked});
  CHECK(finish_of(results, "a") == asked + 4 * (packet + 1_us) + 4 * (acknowledge + 1_us));
}

TEST_CASE("a READ response that is lost is asked for again when the gap is as old as the time-out") {
  UnevenWays bench{0_us};
  bench.operation = Operation::read;
  bench.patience(30_us);
  for (const char* leaf : {"l1", "l2"}) bench.route(leaf, leaf == std::string{"l1"} ? "z" : "a", "s1");
  bench.flow("a", "z", 10'000_B);
  bench.scenario.faults.emplace_back(DropFault{bench.link_between("z", "l2"), bench.node("z"), DropKind::data, 4, {}});
  const RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(results.transfers.retransmitted_packets == 1);
  CHECK(host_of(results, "a")->timeouts == 0);
  CHECK(host_of(results, "a")->received_payload_bytes == 10'000);
  const Time finish{results.transfer_rows.at(0).finish_ps.value_or(0)};
  CHECK(finish > Time{0} + 30_us);
  CHECK(finish < Time{0} + 60_us);
}
