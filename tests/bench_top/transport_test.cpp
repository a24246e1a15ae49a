// The reliable connection over real links: exact completion times, lost packets, lost acknowledges, PSN wrap.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// Two hosts on one 100G link of 1 us, payload 1000.
struct TwoHosts : FabricBench {
  TwoHosts() {
    scenario.frame.mtu = 1000_B;
  }
  void build() {
    hosts("h", 2);
    link("h1", "h2");
  }
};

/// Wire time at 100G: 80 ps per byte. A full SEND packet is 1000 + 82 B, an acknowledge 86 B.
constexpr Duration full_packet = Duration{1082 * 80};
constexpr Duration acknowledge = Duration{86 * 80};

}  // namespace

TEST_CASE("a message completes when its acknowledge is back") {
  TwoHosts bench;
  bench.build();
  bench.flow("h1", "h2", 4000_B);
  const RunResults results = bench.run();
  CHECK(results.sound);
  // Four packets back to back, one way out, the acknowledge, one way back.
  CHECK(finish_of(results, "h1") == Time{0} + 4 * full_packet + 1_us + acknowledge + 1_us);
  CHECK(results.transfer_rows.at(0).ideal_ps == results.transfer_rows.at(0).finish_ps);
  CHECK(results.transfers.slowdown_p50 == 1.0);
}

TEST_CASE("sizes around the MTU serialise as the table of docs/model.md says") {
  // Wire bytes of a WRITE: 82 per packet, 16 for the RETH, payload padded to 4 B.
  struct Row { std::int64_t size, wire; };
  constexpr Row rows[] = {{0, 98}, {1, 102}, {999, 1098}, {1000, 1098}, {1001, 1184}, {2000, 2180}};
  Time earlier{0};
  for (const Row& row : rows) {
    CAPTURE(row.size);
    TwoHosts bench;
    bench.build();
    bench.operation = Operation::write;
    bench.flow("h1", "h2", Bytes{row.size});
    const RunResults results = bench.run();
    const Time finish = finish_of(results, "h1");
    CHECK(finish == Time{0} + Duration{row.wire * 80} + 1_us + acknowledge + 1_us);
    CHECK(finish >= earlier);
    earlier = finish;
  }
}

TEST_CASE("a lost acknowledge is made good by one time-out, and payload is delivered once") {
  // Four packets, an acknowledge for the last only. It is lost; the time-out of 100 us runs from the start of the
  // packet that asked, three packet times after zero; all four are sent again, and the first of them is acknowledged
  // with everything that had arrived.
  for (const Operation operation : {Operation::send, Operation::write}) {
    TwoHosts bench;
    bench.nic.ack_every = 4;
    bench.nic.timeout = 100_us;
    bench.build();
    bench.operation = operation;
    bench.flow("h1", "h2", 4000_B);
    bench.scenario.faults.emplace_back(DropFault{LinkId{0U}, bench.node("h2"), DropKind::acknowledge, 1, {}});
    const RunResults results = bench.run();
    const Duration reth = operation == Operation::write ? Duration{16 * 80} : Duration{0};
    const Duration message = 4 * full_packet + reth;
    CHECK(finish_of(results, "h1") ==
          Time{0} + (message - full_packet) + 100_us + (full_packet + reth) + 1_us + acknowledge + 1_us);
    CHECK(finish_of(results, "h1") <= Time{0} + 102'701.92_ns);
    CHECK(results.transfers.retransmitted_packets == 4);
    CHECK(results.drops.link == 1);
    CHECK(host_of(results, "h2")->received_payload_bytes == 4000);
    CHECK(host_of(results, "h1")->timeouts == 1);
    CHECK(results.sound);
  }
}

TEST_CASE("100 packets with an acknowledge every 16 make 7 acknowledges") {
  TwoHosts bench;
  bench.nic.ack_every = 16;
  bench.build();
  bench.flow("h1", "h2", 100'000_B);
  const RunResults results = bench.run();
  CHECK(host_of(results, "h1")->sent_packets == 100);
  CHECK(host_of(results, "h2")->sent_packets == 7);  // 16, 32, 48, 64, 80, 96 and the last
}

TEST_CASE("one lost packet on a long link costs one rewind of everything sent since") {
  // 100G, 5 ms one way, payload 1000: until the NAK is back the sender sends
  // (2 x 5 ms + 2 packets + acknowledge) / packet = (10 000 000 + 173.12 + 6.88) / 86.56 = 115 529 packets.
  TwoHosts bench;
  bench.delay = 5_ms;
  bench.build();
  bench.flow("h1", "h2", 300_MB);
  bench.scenario.faults.emplace_back(DropFault{LinkId{0U}, bench.node("h1"), DropKind::data, 100'000, {}});
  const RunResults lossy = bench.run();
  CHECK(std::abs(lossy.transfers.retransmitted_packets - 115'529) <= 1);
  CHECK(host_of(lossy, "h1")->naks_received == 1);
  CHECK(host_of(lossy, "h1")->timeouts == 0);
  CHECK(host_of(lossy, "h2")->received_payload_bytes == 300'000'000);
  bench.scenario.faults.clear();
  const RunResults clean = bench.run();
  const Duration extra = finish_of(lossy, "h1") - finish_of(clean, "h1");
  CHECK(extra.seconds() == doctest::Approx(0.010).epsilon(0.001));
  CHECK(lossy.transfers.payload_bytes == clean.transfers.payload_bytes);
}

TEST_CASE("the PSN wraps without a NAK or a retransmission") {
  TwoHosts bench;
  bench.nic.initial_psn = 0xFFFFFE;
  bench.build();
  bench.flow("h1", "h2", 4000_B);
  const RunResults results = bench.run();
  CHECK(results.transfers.retransmitted_packets == 0);
  CHECK(host_of(results, "h1")->naks_received == 0);
  CHECK(finish_of(results, "h1") == Time{0} + 4 * full_packet + 1_us + acknowledge + 1_us);
}

TEST_CASE("a loss at the wrap is made good by a NAK and two packets") {
  TwoHosts bench;
  bench.nic.initial_psn = 0xFFFFFE;
  bench.build();
  bench.flow("h1", "h2", 4000_B);
  bench.scenario.faults.emplace_back(DropFault{LinkId{0U}, bench.node("h1"), DropKind::data, 3, {}});  // PSN 0
  const RunResults results = bench.run();
  CHECK(results.transfers.retransmitted_packets == 2);
  CHECK(host_of(results, "h1")->naks_received == 1);
  // The fourth packet shows the gap: 4 packets + 1 us; NAK back: + acknowledge + 1 us; two packets and the acknowledge.
  CHECK(finish_of(results, "h1") ==
        Time{0} + 4 * full_packet + 1_us + acknowledge + 1_us + 2 * full_packet + 1_us + acknowledge + 1_us);
}

TEST_CASE("a link that stays down exhausts the retries and the run is not sound") {
  TwoHosts bench;
  bench.nic.timeout = 100_us;
  bench.nic.retry_count = 3;
  bench.build();
  bench.flow("h1", "h2", 4000_B);
  bench.scenario.faults.emplace_back(LinkDownFault{LinkId{0U}, Time{0} + 1_ns, std::nullopt, {}});
  const RunResults results = bench.run();
  CHECK_FALSE(results.sound);
  CHECK(results.transfers.finished == 0);
  CHECK_FALSE(results.transfer_rows.at(0).finish_ps.has_value());
  // The original and three retries of four packets; then the queue pair gives up.
  CHECK(host_of(results, "h1")->sent_packets == 16);
  CHECK(results.drops.link == 16);
  CHECK(results.drops.lossless == 0);
}

TEST_CASE("a link that comes back lets the transfer finish") {
  TwoHosts bench;
  bench.nic.timeout = 100_us;
  bench.build();
  bench.flow("h1", "h2", 4000_B);
  bench.scenario.faults.emplace_back(LinkDownFault{LinkId{0U}, Time{0} + 1_ns, Time{0} + 150_us, {}});
  const RunResults results = bench.run();
  CHECK(results.sound);
  // Time-outs run from the start of the fourth packet: the resend of about 100 us is lost, that of 200 us is not.
  const Duration first_timeout = 3 * full_packet + 100_us;
  const Duration second_timeout = first_timeout + 3 * full_packet + 100_us;
  CHECK(finish_of(results, "h1") == Time{0} + second_timeout + 4 * full_packet + 1_us + acknowledge + 1_us);
}

TEST_CASE("queue pairs of a NIC share its port packet by packet") {
  TwoHosts bench;
  bench.build();
  bench.flow("h1", "h2", 10'000_B).name = "one";
  bench.flow("h1", "h2", 10'000_B).name = "two";
  const RunResults results = bench.run();
  std::vector<std::int64_t> finishes;
  for (const TransferRow& row : results.transfer_rows) finishes.push_back(*row.finish_ps);
  std::sort(finishes.begin(), finishes.end());
  // Twenty packets in turn: the last of one flow is the 19th on the wire, of the other the 20th.
  const Duration tail = 1_us + acknowledge + 1_us;
  CHECK(Time{finishes[0]} == Time{0} + 19 * full_packet + tail);
  CHECK(Time{finishes[1]} == Time{0} + 20 * full_packet + tail);
}

TEST_CASE("the send queue's depth bounds goodput on a long link") {
  // depth x message per round trip: RTT + serialisation of one message, as one message's acknowledge admits the next.
  TwoHosts bench;
  bench.delay = 500_us;
  bench.nic.queue_depth = 1;
  bench.build();
  bench.flow("h1", "h2", 100'000_B).messages = 3;
  const RunResults results = bench.run();
  const Duration one = 100 * full_packet + 500_us + acknowledge + 500_us;
  CHECK(results.transfer_rows.size() == 3);
  CHECK(results.simulated_ps == (3 * one).picoseconds());
}

TEST_CASE("two queue pairs of a NIC that time out at one instant both start again") {
  // The acknowledge of a's first packet is back at 86.56 + 1000 + 6.88 + 1000 = 2093.44 ns, when b starts; that of its
  // second packet is lost, as is b's. Both wait for 100 us from 2093.44 ns on.
  TwoHosts bench;
  bench.nic.ack_every = 1;
  bench.nic.timeout = 100_us;
  bench.build();
  bench.flow("h1", "h2", 2000_B).name = "a";
  FlowConfig& b = bench.flow("h1", "h2", 1000_B);
  b.name = "b";
  const Duration round_trip = full_packet + 1_us + acknowledge + 1_us;
  b.start = Time{0} + round_trip;
  for (const int nth : {2, 3}) {
    bench.scenario.faults.emplace_back(DropFault{LinkId{0U}, bench.node("h2"), DropKind::acknowledge, nth, {}});
  }
  const RunResults results = bench.run();
  CHECK(host_of(results, "h1")->timeouts == 2);
  CHECK(results.transfers.retransmitted_packets == 2);
  std::vector<std::int64_t> finishes;
  for (const TransferRow& row : results.transfer_rows) finishes.push_back(row.finish_ps.value());
  std::sort(finishes.begin(), finishes.end());
  CHECK(Time{finishes.at(0)} == Time{0} + round_trip + 100_us + round_trip);
  CHECK(Time{finishes.at(1)} == Time{0} + round_trip + 100_us + full_packet + round_trip);
}
