// Scripted faults in a whole fabric: which frames are lost, what is sent again, and when a held egress goes on.
#include <doctest/doctest.h>

#include <vector>

#include "support/fabric_bench.hpp"
#include "support/snapshot.hpp"
#include "support/timeline.hpp"

using namespace soya;
using namespace soya::test;

namespace {

constexpr Duration packet{1082 * 80};
constexpr Duration acknowledge{86 * 80};

/// a and z on one switch; link 0 is a's, link 1 is z's.
struct Line : FabricBench {
  Line() {
    scenario.frame.mtu = 1000_B;
    nic.timeout = 100_us;
    add_switch("s");
    for (const char* name : {"a", "z"}) {
      host(name);
      link(name, "s");
    }
  }
  void down(LinkId which, Time begin, Time end) { scenario.faults.emplace_back(LinkDownFault{which, begin, end, {}}); }
  void drop(LinkId which, const char* from, DropKind kind, std::int64_t nth) {
    scenario.faults.emplace_back(DropFault{which, node(from), kind, nth, {}});
  }
};

}  // namespace

TEST_CASE("a link that goes down loses what is in flight and what starts meanwhile, and nothing else") {
  // Frames start on a's link at k packets, each needs 1 us and its own time to cross. Down at 20.5 packets: frames that
  // have arrived by then started at or before 20.5 - 1 - 11.55 packets, which is k <= 7. Up at 30.5 packets: k = 31
  // is the first that starts on a link that is up, so 8 to 30 are lost: 23 frames.
  Line bench;
  bench.flow("a", "z", 100'000_B);
  bench.down(LinkId{0U}, Time{0} + 20 * packet + packet / 2, Time{0} + 30 * packet + packet / 2);
  const RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(results.drops.link == 23);
  CHECK(link_of(results, "a", "s")->lost_frames == 23);
  CHECK(link_of(results, "s", "a")->lost_frames == 0);
  CHECK(results.drops.lossless == 0);
  CHECK(host_of(results, "z")->received_payload_bytes == 100'000);
  // z sees the gap when frame 31 has crossed both links; a hears of it two crossings later and goes back to frame 8.
  const Time nak = Time{0} + 32 * packet + 1_us + packet + 1_us + 2 * (acknowledge + 1_us);
  CHECK(host_of(results, "a")->naks_received == 1);
  CHECK(host_of(results, "a")->timeouts == 0);
  // The NAK comes during a frame, which still goes out: `sent` have started by then, and all from 8 on follow again.
  const std::int64_t sent = (nak - Time{0}).picoseconds() / packet.picoseconds() + 1;
  CHECK(results.transfers.retransmitted_packets == sent - 8);
  CHECK(finish_of(results, "a") ==
        Time{0} + (sent + 100 - 8) * packet + 1_us + packet + 1_us + 2 * (acknowledge + 1_us));
}

TEST_CASE("the nth data packet that leaves a node is lost, resent ones count") {
  // Ten packets. The fourth is lost, and so is its repetition: the NAK of the gap is not repeated, so the time-out
  // makes it good. a sends 10, on the NAK 7 again from the fourth on, the first of which is the 11th; then on the
  // time-out 7 once more.
  Line bench;
  bench.flow("a", "z", 10'000_B);
  bench.drop(LinkId{0U}, "a", DropKind::data, 4);
  bench.drop(LinkId{0U}, "a", DropKind::data, 11);
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  CHECK(results.sound);
  CHECK(results.drops.link == 2);
  CHECK(results.transfers.retransmitted_packets == 14);
  CHECK(host_of(results, "a")->naks_received == 1);
  CHECK(host_of(results, "a")->timeouts == 1);
  CHECK(results.transfer_rows.at(0).retransmitted_packets == 14);
  // z learns of the gap from the fifth packet.
  const Time nak = Time{0} + 5 * packet + 1_us + packet + 1_us + 2 * (acknowledge + 1_us);
  CHECK(timeline.times({FactKind::retransmission, "a", "s"}) == std::vector{nak});
  // After the rewind nobody has asked for an acknowledge: the time-out runs from the start of the tenth packet, which
  // is the seventh to be sent again.
  const Time timed_out = nak + 6 * packet + 100_us;
  CHECK(timeline.times({FactKind::timed_out, "a", "s"}) == std::vector{timed_out});
  CHECK(finish_of(results, "a") == timed_out + 7 * packet + 1_us + packet + 1_us + 2 * (acknowledge + 1_us));
  check_snapshot("bench_top/snapshots/drop_twice.txt", timeline.text());
}

TEST_CASE("a lost acknowledge in the middle is covered by the next one") {
  // 40 packets, one acknowledge in ten; the second of four is lost: the third covers it, nothing is sent again.
  Line bench;
  for (NicConfig& nic : bench.scenario.nics) nic.ack_every = 10;
  bench.flow("a", "z", 40'000_B);
  const Time clean = finish_of(bench.run(), "a");
  bench.drop(LinkId{1U}, "z", DropKind::acknowledge, 2);
  const RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(results.drops.link == 1);
  CHECK(results.transfers.retransmitted_packets == 0);
  CHECK(finish_of(results, "a") == clean);
}

TEST_CASE("a lost NAK is made good by the time-out") {
  Line bench;
  bench.flow("a", "z", 10'000_B);
  bench.drop(LinkId{0U}, "a", DropKind::data, 4);
  bench.drop(LinkId{1U}, "z", DropKind::acknowledge, 1);  // the NAK is the first thing z sends
  const RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(host_of(results, "a")->naks_received == 0);
  CHECK(host_of(results, "a")->timeouts == 1);
  // Nothing is acknowledged: the time-out runs from the start of the tenth packet, and all ten are sent again.
  CHECK(results.transfers.retransmitted_packets == 10);
  CHECK(finish_of(results, "a") ==
        Time{0} + 9 * packet + 100_us + 10 * packet + 1_us + packet + 1_us + 2 * (acknowledge + 1_us));
}

TEST_CASE("a held egress of a switch sends nothing from its start to its end") {
  Line bench;
  bench.flow("a", "z", 20'000_B);
  const Time begin = Time{0} + 2_us;
  const Time end = Time{0} + 12_us;
  bench.hold("s", "z", begin, end);
  Timeline timeline{bench.scenario.topology};
  CHECK(bench.run(timeline).sound);
  // The first frame is at the switch at 1 packet + 1 us; until 2 us (2 000 / 86.56 = 23.1 packets, so k packets +
  // 1 us for k = 1 to 11) eleven start, the others from the end of the hold on, back to back.
  std::vector<Time> expected;
  for (int k = 1; k <= 11; ++k) expected.push_back(Time{0} + k * packet + 1_us);
  for (int k = 0; k < 9; ++k) expected.push_back(end + k * packet);
  CHECK(timeline.times({FactKind::frame_started, "s", "z"}) == expected);
}

TEST_CASE("a held NIC sends neither data nor acknowledges") {
  Line bench;
  bench.flow("a", "z", 2000_B);
  const Time end = Time{0} + 7_us;
  bench.hold("a", "s", Time{0}, end);
  bench.hold("z", "s", Time{0}, Time{0} + 20_us);
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  CHECK(timeline.times({FactKind::frame_started, "a", "s"}) == std::vector{end, end + packet});
  CHECK(timeline.times({FactKind::frame_started, "z", "s"}) == std::vector{Time{0} + 20_us});
  CHECK(finish_of(results, "a") == Time{0} + 20_us + 2 * (acknowledge + 1_us));
}

TEST_CASE("a fact of a lost frame names who sent it") {
  Line bench;
  bench.flow("a", "z", 1000_B);
  bench.drop(LinkId{1U}, "s", DropKind::data, 1);
  Timeline timeline{bench.scenario.topology};
  CHECK(bench.run(timeline).sound);
  CHECK(timeline.times({FactKind::frame_lost, "s", "z"}) == std::vector{Time{0} + packet + 1_us});
}
