// A fabric that can no longer move ends by itself, and says what waits for what.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/quantity_text.hpp"
#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// `size` switches in a ring with a host each; each host sends to the one two switches on. All links 100 Gbps, 3 m;
/// 100 kB of buffer for each port. From five switches on the shortest path is the way round the ring, on a triangle it
/// is the one link back.
struct RingOfSwitches : FabricBench {
  explicit RingOfSwitches(int size) : size_{size} {
    defaults.buffer.size = 300_KB;
    delay = 15_ns;
    for (int i = 1; i <= size; ++i) {
      host(name("H", i));
      add_switch(name("S", i));
      link(name("H", i), name("S", i));
    }
    for (int i = 1; i <= size; ++i) link(name("S", i), name("S", i + 1));
    for (int i = 1; i <= size; ++i) flow(name("H", i), name("H", i + 2), 10_MB);
  }

  /// The two hops round the ring, whatever is shorter.
  void route_round() {
    for (int i = 1; i <= size_; ++i) route(name("S", i), name("H", i + 2), name("S", i + 1));
  }
  [[nodiscard]] std::string name(const char* stem, int i) const { return stem + std::to_string((i - 1) % size_ + 1); }
  [[nodiscard]] std::vector<FlowConfig>& flows() { return std::get<FlowsConfig>(scenario.jobs.front()).flows; }

 private:
  int size_;
};

}  // namespace

TEST_CASE("a circular wait ends as stalled, with the cycle and what each flow has delivered") {
  // Each ring link is offered its own host's flow and that of the host before: twice its rate.
  RingOfSwitches bench{3};
  bench.route_round();
  const RunResults results = bench.run();
  CHECK_FALSE(results.sound);
  CHECK(results.complete);
  CHECK(results.transfers.finished == 0);
  CHECK(results.drops.lossless == 0);
  REQUIRE(results.why_not.size() == 5);
  CHECK(results.why_not[0].starts_with("pause cycle S1>S2>S3>S1 on priority 3 since "));
  CHECK(results.why_not[0].ends_with(" us"));
  CHECK(results.why_not[1].starts_with("stalled: at "));
  // Twice the time-out of 4.096 us x 2^14.
  CHECK(results.why_not[1].ends_with(" no data frame had started for 134.217728 ms"));
  for (int i = 1; i <= 3; ++i) {
    const std::string to = bench.name("H", i + 2);
    const std::int64_t delivered = host_of(results, to)->received_payload_bytes;
    CHECK(delivered > 0);
    CHECK(results.why_not[static_cast<std::size_t>(i) + 1] == "flow H" + std::to_string(i) + ">" + to +
                                                                  "/0: 1 of 1 messages unfinished, " +
                                                                  grouped(delivered) + " of 10 000 000 B delivered");
  }
  // Pauses are refreshed all the while, 168 us apart on six ports; the run still ends in well under a second.
  CHECK(results.events < 100'000);
  CHECK(results.simulated_ps < (150_ms).picoseconds());
}

TEST_CASE("a circular wait is told within a second, however long the time-outs are") {
  RingOfSwitches bench{3};
  bench.route_round();
  for (NicConfig& nic : bench.scenario.nics) nic.timeout_exponent = 31;  // 8796 s
  const RunResults results = bench.run();
  REQUIRE(results.why_not.size() == 5);
  CHECK(results.why_not[0].starts_with("pause cycle S1>S2>S3>S1 on priority 3 since "));
  CHECK(results.why_not[1].ends_with(" no data frame had started for 1 s"));
  // The buffers are full within 100 kB / 12.5 B/ns, 8 us, and then nothing moves.
  CHECK(results.simulated_ps < (1_s + 1_ms).picoseconds());
  // Every 168 us six ports ask again: the frame ends, arrives, and the next one is due.
  CHECK(results.events < (1_s).picoseconds() / (168_us).picoseconds() * 6 * 4);
}

TEST_CASE("a limit that a scenario gives holds for a circular wait, too") {
  RingOfSwitches bench{3};
  bench.route_round();
  bench.scenario.stop.stalled_after = 2_s;
  const RunResults results = bench.run();
  REQUIRE(results.why_not.size() == 5);
  CHECK(results.why_not[1].ends_with(" no data frame had started for 2 s"));
}

TEST_CASE("a longer cycle is named from its first name on, whatever the order of the file and the priority") {
  RingOfSwitches bench{6};
  bench.scenario.pfc.priorities = PrioritySet{0b0010'0000};
  for (FlowConfig& flow : bench.flows()) flow.priority = Priority{5};
  std::reverse(bench.scenario.topology.links.begin(), bench.scenario.topology.links.end());
  for (LinkConfig& link : bench.scenario.topology.links) {
    link.a = NodeId{11 - link.a.index()};
    link.b = NodeId{11 - link.b.index()};
  }
  std::vector<NodeConfig>& nodes = bench.scenario.topology.nodes;
  std::reverse(nodes.begin(), nodes.end());
  for (FlowConfig& flow : bench.flows()) {
    flow.from = HostId{5 - flow.from.index()};
    flow.to = HostId{5 - flow.to.index()};
  }
  const RunResults results = bench.run();
  REQUIRE_FALSE(results.why_not.empty());
  CHECK(results.why_not[0].starts_with("pause cycle S1>S2>S3>S4>S5>S6>S1 on priority 5 since "));
  CHECK(results.why_not.back() == "… and 1 more unfinished");
}

TEST_CASE("the same triangle finishes over its direct links") {
  const RunResults results = RingOfSwitches{3}.run();
  CHECK(results.sound);
  CHECK(results.transfers.finished == 3);
}

TEST_CASE("the same triangle finishes where one flow of the three goes the direct way") {
  RingOfSwitches bench{3};
  bench.route_round();
  bench.scenario.topology.routes.pop_back();
  const RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(results.transfers.finished == 3);
}

TEST_CASE("the same ring finishes where the flows fit into the buffers") {
  RingOfSwitches bench{3};
  bench.route_round();
  for (FlowConfig& flow : bench.flows()) flow.size = 8_KB;
  const RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(results.transfers.finished == 3);
}

TEST_CASE("a chain of pauses without a cycle is a stall without a cycle") {
  // The egress to H2 is held; behind it S2 pauses S1, and S1 pauses H1. Until the script is over the run waits, and
  // then goes on to the end.
  FabricBench bench;
  bench.defaults.buffer.size = 200_KB;
  bench.nic.timeout = 1_ms;
  bench.host("H1");
  bench.add_switch("S1");
  bench.add_switch("S2");
  const LinkId last = [&] {
    bench.host("H2");
    bench.link("H1", "S1");
    bench.link("S1", "S2");
    return bench.link("S2", "H2");
  }();
  bench.flow("H1", "H2", 10_MB);
  bench.scenario.faults.emplace_back(HoldFault{last, bench.node("S2"), Time{0}, Time{0} + 20_ms, {}});
  bench.nic.timeout = 1_s;
  const RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(finish_of(results, "H1") > Time{0} + 20_ms);
  // A stop before the release: not stalled, stopped.
  bench.scenario.stop.after = 15_ms;
  const RunResults stopped = bench.run();
  REQUIRE(stopped.why_not.size() == 2);
  CHECK(stopped.why_not[0] == "unfinished at stop.after, 15 ms");
  CHECK(stopped.why_not[1] == "flow H1>H2/0: 1 of 1 messages unfinished, 0 of 10 000 000 B delivered");
}

TEST_CASE("a receiver that is still at work, however slowly, is no stall") {
  // 1000 B packets, 1062 B frames, handled at 1 Mbps: 8.496 ms each. PAUSE at ten frames, XON at none: no data frame
  // starts for 85 ms and more, which is far beyond twice the time-out of 10 ms.
  FabricBench bench;
  bench.scenario.frame.mtu = 1000_B;
  bench.nic.timeout = 10_ms;
  bench.nic.retry_count = 1000;
  bench.nic.receive = SlowReceiver{.rate = Rate{1'000'000}, .buffer = 1_MB, .xoff = 10'620_B, .xon = 0_B};
  bench.hosts("H", 2);
  bench.link("H1", "H2");
  bench.flow("H1", "H2", 100'000_B);
  const RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(finish_of(results, "H1") > Time{0} + 100 * 8'496_us);
}

TEST_CASE("a pause whose XON is lost expires, and is no stall until then") {
  // The egress to H2 is held for 50 us, so that S1 pauses H1 at most 50 us; its XON, the second PFC frame, is lost.
  // H1 starts again when 65 535 quanta, 335.5 us, have passed since the last PAUSE. Twice the time-out is 40 us.
  FabricBench bench;
  bench.defaults.buffer.size = 200_KB;
  bench.nic.timeout = 20_us;
  bench.nic.retry_count = 1000;
  bench.host("H1");
  bench.host("H2");
  bench.add_switch("S1");
  const LinkId first = bench.link("H1", "S1");
  const LinkId last = bench.link("S1", "H2");
  bench.flow("H1", "H2", 1_MB);
  bench.scenario.faults.emplace_back(HoldFault{last, bench.node("S1"), Time{0}, Time{0} + 50_us, {}});
  bench.scenario.faults.emplace_back(DropFault{first, bench.node("S1"), DropKind::pause, 2, {}});
  const RunResults results = bench.run();
  CHECK(results.transfers.finished == 1);
  CHECK(results.why_not == std::vector<std::string>{});
  CHECK(finish_of(results, "H1") > Time{0} + 335'539_ns);
  CHECK(link_of(results, "H1", "S1")->paused_ps >= (335'539_ns).picoseconds());
}

TEST_CASE("while a flow waits a month for its start, nothing happens") {
  FabricBench bench;
  bench.hosts("H", 2);
  bench.link("H1", "H2");
  bench.flow("H1", "H2", 1000_B).start = Time{0} + 30 * 86'400 * 1_s;
  const RunResults results = bench.run();
  CHECK(results.sound);
  // Two hosts start, one wakes; its packet starts and arrives, the acknowledge arrives (it starts at once), both ends
  // learn of it; a stall is looked for after 134 ms, and would be 134 ms after the sleeper wakes, when all is done.
  CHECK(results.events == 2 + 1 + 2 + 1 + 2 + 1);
}

TEST_CASE("days of computation cost no events, and neither does a link that is down for days") {
  FabricBench bench;
  bench.hosts("H", 2);
  const LinkId cable = bench.link("H1", "H2");
  DdpConfig job;
  job.name = "ddp";
  job.hosts = {HostId{0U}, HostId{1U}};
  job.tensors = {{"t", 4, std::nullopt}};
  job.forward = 20 * 86'400 * 1_s;
  job.backward = 10 * 86'400 * 1_s;
  bench.scenario.jobs.emplace_back(job);
  // On two channels each of two ranks sends two slices and two clear-to-sends: 16 messages with five events each
  // (start, arrival, acknowledge, news at both ends) and a few to wake up. A look every 134 ms would be 19 million.
  RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(results.events < 100);
  // Now the link is down when the sleepers wake. The four queue pairs with clear-to-sends send two packets each and try
  // seven times again; then all is over, but the run waits for the script's end, which is when the switches learn of
  // the repair after 150 ms, and twice a time-out of 4.096 us x 2^14, before it says so.
  const Time wakes = Time{0} + 30 * 86'400 * 1_s;
  bench.scenario.faults.emplace_back(LinkDownFault{cable, wakes - 1_s, wakes + 86'400 * 1_s, {}});
  results = bench.run();
  CHECK_FALSE(results.sound);
  const Duration twice_the_timeout = 2 * Duration{4'096'000 * (std::int64_t{1} << 14)};
  CHECK(results.simulated_ps == (wakes + 86'400 * 1_s + 150_ms + twice_the_timeout - Time{0}).picoseconds());
  CHECK(results.events < 100);
}

TEST_CASE("a circular wait is told at once, whoever still sleeps, and whichever fault comes that cannot end it") {
  RingOfSwitches bench{3};
  bench.route_round();
  const RunResults without = bench.run();
  REQUIRE(without.why_not.size() == 5);
  const auto same = [&](const RunResults& with, int looks) {
    CHECK(with.why_not[0] == without.why_not[0]);
    CHECK(with.why_not[1] == without.why_not[1]);
    CHECK(with.simulated_ps == without.simulated_ps);
    CHECK(with.events == without.events + looks);
  };
  // A rank that computes on its own for an hour starts once; so does H1 whose other flow starts in an hour.
  RingOfSwitches ranks = bench;
  DdpConfig job;
  job.name = "alone";
  job.hosts = {ranks.host_id("H1")};
  job.tensors = {{"t", 4, std::nullopt}};
  job.backward = 3600_s;
  ranks.scenario.jobs.emplace_back(job);
  same(ranks.run(), 1);
  RingOfSwitches late = bench;
  late.flow("H1", "H2", 1000_B).start = Time{0} + 3600_s;
  same(late.run(), 0);
  // Links of hosts take no part; a link that comes up and a hold that begins end nothing.
  RingOfSwitches faults = bench;
  faults.scenario.faults.emplace_back(
      LinkDownFault{faults.link_between("H1", "S1"), Time{0} + 3600_s, Time{0} + 3601_s, {}});
  faults.hold("H1", "S1", Time{0} + 3600_s, Time{0} + 3601_s);
  same(faults.run(), 0);
}

TEST_CASE("a circular wait of jobs that start after a sleep is told while others sleep on") {
  RingOfSwitches bench{3};
  bench.route_round();
  for (FlowConfig& flow : bench.flows()) flow.start = Time{0} + 300_ms;
  bench.flow("H1", "H2", 1000_B).start = Time{0} + 3600_s;
  const RunResults results = bench.run();
  REQUIRE(results.why_not.size() == 6);
  CHECK(results.why_not[0].starts_with("pause cycle S1>S2>S3>S1 on priority 3 since 300."));
  CHECK(results.why_not[1].ends_with(" no data frame had started for 134.217728 ms"));
  CHECK(results.simulated_ps < (300_ms + 150_ms).picoseconds());
  CHECK(results.events < 100'000);
}

TEST_CASE("a circular wait waits for the fault that can end it") {
  // When the link from S1 to S2 is down for 1 ms, the pauses on it end: frames start, and are lost.
  RingOfSwitches bench{3};
  bench.route_round();
  const auto down = [&](Duration span) {
    RingOfSwitches with = bench;
    with.scenario.faults.emplace_back(
        LinkDownFault{with.link_between("S1", "S2"), Time{0} + 500_ms, Time{0} + 500_ms + span, {}});
    return with.run();
  };
  const RunResults broken = down(1_ms);
  CHECK(broken.drops.link > 0);
  CHECK(broken.simulated_ps > (500_ms).picoseconds());
  // Down for 1 ns: one frame starts and is lost, during which S2 says again that it is full; a look later all stands.
  const RunResults kept = down(1_ns);
  REQUIRE(kept.why_not.size() == 6);  // with the link that was down
  CHECK(kept.why_not[0].starts_with("pause cycle S1>S2>S3>S1 on priority 3 since 500."));
  CHECK(kept.simulated_ps == (500_ms + 134'217'728_ns).picoseconds());
  // A host's egress held beside the circle: what is behind it counts for the groups of the circle.
  RingOfSwitches held = bench;
  held.hold("S1", "H1", Time{0}, Time{0} + 2_s);
  CHECK(held.run().simulated_ps >= (2_s).picoseconds());
}

TEST_CASE(
    "a stall without a circle is told soon after the last sleeper has woken, with the time that nothing has moved") {
  // The link goes down with the first packet on it. It starts at 0 and again at 100, 200 and 300 us, in vain.
  FabricBench bench;
  bench.nic.timeout = 100_us;
  bench.nic.retry_count = 3;
  bench.hosts("H", 2);
  const LinkId cable = bench.link("H1", "H2");
  bench.flow("H1", "H2", 1000_B);
  bench.scenario.faults.emplace_back(LinkDownFault{cable, Time{0} + 1_ps, std::nullopt, {}});
  DdpConfig job;
  job.name = "alone";
  job.hosts = {bench.host_id("H1")};
  job.tensors = {{"t", 4, std::nullopt}};
  job.backward = 1_s;
  bench.scenario.jobs.emplace_back(job);
  const RunResults results = bench.run();
  REQUIRE(results.why_not.size() == 5);
  CHECK(results.why_not[1].starts_with("cut off from 150"));
  CHECK(results.why_not[1].ends_with(" on, without link H1 - H2: 1 host (H2)"));
  // Twice the time-out, 200 us, after the sleeper has woken at 1 s: 1.0002 s - 0.3 ms.
  CHECK(results.why_not[3] == "stalled: at 1.0002 s no data frame had started for 999.9 ms");
}
