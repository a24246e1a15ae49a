// READ, receivers that are not ready, completion queues, delayed acknowledges, the message rate and adaptive time-outs,
// to the picosecond.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// Two hosts on one 100G link of 1 us, payload 1000.
struct TwoHosts : FabricBench {
  TwoHosts() { scenario.frame.mtu = 1000_B; }
  void build() {
    hosts("h", 2);
    link("h1", "h2");
  }
  void lose(const char* from, DropKind kind, std::int64_t nth) {
    scenario.faults.emplace_back(DropFault{LinkId{0U}, node(from), kind, nth, {}});
  }
};

std::vector<Time> finishes_of(const RunResults& results) {
  std::vector<Time> finishes;
  for (const TransferRow& row : results.transfer_rows) finishes.emplace_back(row.finish_ps.value());
  std::sort(finishes.begin(), finishes.end());
  return finishes;
}

/// Wire time at 100G is 80 ps per byte. A full SEND packet is 1000 + 82 B, a reply 86 B.
constexpr Duration full_packet = Duration{1082 * 80};
constexpr Duration acknowledge = Duration{86 * 80};
constexpr Duration round_trip = full_packet + 1_us + acknowledge + 1_us;  // 2093.44 ns
/// A READ's request is 62 + 16 + 20 B, its First, Last and Only response 4 B larger than a Middle one.
constexpr Duration read_request = Duration{98 * 80};
constexpr Duration read_only = Duration{1086 * 80};

}  // namespace

TEST_CASE("a READ completes when its last response is there, and its data count at the requester") {
  TwoHosts bench;
  bench.build();
  bench.operation = Operation::read;
  bench.flow("h1", "h2", 4000_B);
  const RunResults results = bench.run();
  CHECK(results.sound);
  // The request, one way, First, two Middle, Last, one way back. There is no acknowledge.
  CHECK(finish_of(results, "h2") == Time{0} + read_request + 1_us + 2 * read_only + 2 * full_packet + 1_us);
  CHECK(results.transfer_rows.at(0).to == "h1");  // the data flow to the requester
  CHECK(results.transfer_rows.at(0).ideal_ps == results.transfer_rows.at(0).finish_ps);
  CHECK(host_of(results, "h1")->received_payload_bytes == 4000);
  CHECK(host_of(results, "h2")->sent_payload_bytes == 4000);
  CHECK(host_of(results, "h1")->sent_packets == 1);
  CHECK(host_of(results, "h2")->sent_packets == 4);
}

TEST_CASE("READs beyond max_reads wait for one to complete") {
  for (const int most : {1, 16}) {
    CAPTURE(most);
    TwoHosts bench;
    bench.nic.max_reads = most;
    bench.build();
    bench.operation = Operation::read;
    bench.flow("h1", "h2", 1000_B).messages = 3;
    const RunResults results = bench.run();
    const Duration one = read_request + 1_us + read_only + 1_us;
    // One at a time, or three requests in a row whose responses follow each other.
    CHECK(finishes_of(results).back() == Time{0} + (most == 1 ? 3 * one : one + 2 * read_only));
  }
}

TEST_CASE("READ responses take turns with the requests of other queue pairs of their NIC") {
  // h2 sends 20 packets of a SEND. The READ request is there at 7.84 + 1000 ns, while the 12th is on the wire, until
  // 12 x 86.56 = 1038.72 ns, and its queue pair's turn comes after that of the SEND's 13th packet.
  TwoHosts bench;
  bench.build();
  bench.flow("h2", "h1", 20'000_B);
  bench.operation = Operation::read;
  bench.flow("h1", "h2", 1000_B);
  const std::vector<Time> finishes = finishes_of(bench.run());
  CHECK(finishes.at(0) == Time{0} + 13 * full_packet + read_only + 1_us);
  CHECK(finishes.at(1) == Time{0} + 20 * full_packet + read_only + 1_us + acknowledge + 1_us);
}

TEST_CASE("a READ request that is lost is asked again after the time-out") {
  for (const Retransmission scheme : {Retransmission::go_back_n, Retransmission::selective_repeat}) {
    TwoHosts bench;
    bench.nic.timeout = 100_us;
    bench.nic.retransmission = scheme;
    bench.build();
    bench.operation = Operation::read;
    bench.flow("h1", "h2", 1000_B);
    bench.lose("h1", DropKind::data, 1);
    const RunResults results = bench.run();
    CHECK(finish_of(results, "h2") == Time{0} + 100_us + read_request + 1_us + read_only + 1_us);
    CHECK(host_of(results, "h1")->timeouts == 1);
  }
}

TEST_CASE("a READ response that is lost is asked for again from there on") {
  // Responses 1, 2, 4 of 4 are there at 7.84 + 1000 + 86.88 + 3 x 86.56 - 0.32 + ... : the gap shows when Last has
  // come. The second request asks for responses 3 and 4, First and Last, with go-back-N; for response 3, Only, else.
  for (const Retransmission scheme : {Retransmission::go_back_n, Retransmission::selective_repeat}) {
    const bool selective = scheme == Retransmission::selective_repeat;
    TwoHosts bench;
    bench.nic.retransmission = scheme;
    bench.build();
    bench.operation = Operation::read;
    bench.flow("h1", "h2", 4000_B);
    bench.lose("h2", DropKind::data, 3);
    const RunResults results = bench.run();
    const Duration first = read_request + 1_us + 2 * read_only + 2 * full_packet + 1_us;
    CHECK(finish_of(results, "h2") == Time{0} + first + read_request + 1_us + (selective ? 1 : 2) * read_only + 1_us);
    CHECK(results.transfers.retransmitted_packets == (selective ? 1 : 2));
    CHECK(host_of(results, "h1")->received_payload_bytes == 4000);
    CHECK(host_of(results, "h1")->gaps == 1);
    CHECK(host_of(results, "h1")->timeouts == 0);
  }
}

TEST_CASE("without a receive the requester waits the RNR time, and goes on from that message") {
  struct Row {
    Duration repost;
    int naks;
  };
  constexpr Row rows[] = {{10_us, 1}, {20_us, 2}};
  for (const Row& row : rows) {
    CAPTURE(row.naks);
    TwoHosts bench;
    bench.nic.receive_queue = ReceiveQueue{1, row.repost};
    bench.nic.rnr_timer = 10_us;
    bench.build();
    bench.flow("h1", "h2", 1000_B).messages = 2;
    const RunResults results = bench.run();
    CHECK(results.sound);
    // The first is there at 86.56 + 1000 = 1086.56 ns: a receive for the second is there at 11 086.56 or 21 086.56 ns.
    // The second comes at 1173.12 ns; each RNR NAK is back 6.88 + 1000 ns later, and 10 us and 1086.56 ns after that
    // the message is there again: at 13 266.56 ns, and at 25 360 ns.
    const Duration again = acknowledge + 1_us + 10_us + full_packet + 1_us;
    const Duration there = 2 * full_packet + 1_us + row.naks * again;
    CHECK(finishes_of(results).back() == Time{0} + there + acknowledge + 1_us);
    CHECK(host_of(results, "h1")->rnr_naks_received == row.naks);
    CHECK(results.transfers.retransmitted_packets == row.naks);
    CHECK(host_of(results, "h1")->timeouts == 0);
  }
}

TEST_CASE("a WRITE takes no receive, a WRITE with immediate takes one with its last packet") {
  for (const Operation operation : {Operation::write, Operation::write_polled, Operation::write_immediate}) {
    TwoHosts bench;
    bench.nic.receive_queue = ReceiveQueue{1, 1_s};
    bench.nic.rnr_retry = 0;
    bench.build();
    bench.operation = operation;
    bench.flow("h1", "h2", 3000_B).messages = 2;
    CHECK(bench.run().sound == (operation != Operation::write_immediate));
  }
}

TEST_CASE("rnr_retry waits in a row end a queue pair, and the run says where a receive was missing") {
  TwoHosts bench;
  bench.nic.receive_queue = ReceiveQueue{1, 1_s};
  bench.nic.rnr_timer = 10_us;
  bench.nic.rnr_retry = 2;
  bench.build();
  bench.flow("h1", "h2", 1000_B).messages = 2;
  const RunResults results = bench.run();
  CHECK_FALSE(results.sound);
  REQUIRE_FALSE(results.why_not.empty());
  CHECK(results.why_not.front() ==
        "no receive posted at h2: connection h1>h2/0 of h1 gave up after 3 RNR NAKs in a row");
  CHECK(host_of(results, "h1")->rnr_naks_received == 3);
}

TEST_CASE("a wait for a receive that is longer than every time-out is no stall") {
  TwoHosts bench;
  bench.nic.receive_queue = ReceiveQueue{1, 500_ms};
  bench.nic.rnr_timer = 655'360_us;
  bench.nic.timeout = 100_us;
  bench.build();
  bench.flow("h1", "h2", 1000_B).messages = 2;
  const RunResults results = bench.run();
  CHECK(results.sound);
  const Duration refused = 2 * full_packet + 1_us + acknowledge + 1_us;
  CHECK(finishes_of(results).back() == Time{0} + refused + 655'360_us + round_trip);
}

TEST_CASE("a full completion queue keeps completed requests in the send queue, and loses none") {
  // Depth 1 and 10 us each. The first is complete at 2093.44 ns and handled at 12 093.44 ns. The second, sent at
  // 2093.44, is complete at 4186.88 ns, has room at 12 093.44, when the third is sent, and is handled at 22 093.44 ns;
  // the third, complete at 14 186.88 ns, has room at 22 093.44 and is handled at 32 093.44 ns.
  TwoHosts bench;
  bench.nic.queue_depth = 1;
  bench.nic.completion_queue = CompletionQueue{1, 10_us};
  bench.host("h1");
  bench.nic.completion_queue.reset();
  bench.host("h2");
  bench.link("h1", "h2");
  bench.flow("h1", "h2", 1000_B).messages = 3;
  const RunResults results = bench.run();
  const std::vector<Time> expected{Time{0} + 12'093.44_ns, Time{0} + 22'093.44_ns, Time{0} + 32'093.44_ns};
  CHECK(finishes_of(results) == expected);
  const Duration stalled = (12'093.44_ns - 4186.88_ns) + (22'093.44_ns - 14'186.88_ns);
  CHECK(host_of(results, "h1")->completions_stalled_ps == stalled.picoseconds());
  CHECK(host_of(results, "h2")->completions_stalled_ps == 0);
}

TEST_CASE("a delayed acknowledge covers what comes meanwhile, and the last packet's goes at once") {
  // An acknowledge asked for every 16 of 100 packets; packet k is there at k x 86.56 + 1000 ns. With 2 us: asked at 16
  // (2384.96 ns), it goes at 4384.96 and covers 32 (3769.92); asked at 48 (5154.88), it goes at 7154.88 and covers 64
  // (6539.84); asked at 80 (7924.8), it is due at 9924.8, but 96 (9309.76) and the last (9656) have come: one at 9656.
  struct Row {
    Duration delay;
    int acknowledges;
  };
  constexpr Row rows[] = {{0_us, 7}, {2_us, 3}, {1_ms, 1}};
  for (const Row& row : rows) {
    CAPTURE(row.acknowledges);
    TwoHosts bench;
    bench.nic.ack_every = 16;
    bench.nic.ack_delay = row.delay;
    bench.build();
    bench.flow("h1", "h2", 100'000_B);
    const RunResults results = bench.run();
    CHECK(host_of(results, "h2")->sent_packets == row.acknowledges);
    CHECK(finish_of(results, "h1") == Time{0} + 100 * full_packet + 1_us + acknowledge + 1_us);
  }
}

TEST_CASE("a message rate spaces the first packets of messages, without drift") {
  // 7.2 million per second are 138 888.9 ps: the tenth message starts 9 / 7.2 MHz = 1250 ns after the first. An empty
  // SEND is 84 B on the wire.
  TwoHosts bench;
  bench.nic.message_rate = 7'200'000;
  bench.build();
  bench.flow("h1", "h2", 0_B).messages = 10;
  CHECK(finishes_of(bench.run()).back() == Time{0} + 1250_ns + Duration{84 * 80} + 1_us + acknowledge + 1_us);
}

TEST_CASE(
    "a message that has started is not held back by the message rate, and the next one of another queue pair is") {
  TwoHosts bench;
  bench.nic.message_rate = 1'000'000;
  bench.build();
  bench.flow("h1", "h2", 10'000_B).name = "long";
  FlowConfig& other = bench.flow("h1", "h2", 1000_B);
  other.name = "next";
  other.start = Time{0} + 1_ns;
  const std::vector<Time> finishes = finishes_of(bench.run());
  CHECK(finishes.at(0) == Time{0} + 10 * full_packet + 1_us + acknowledge + 1_us);
  CHECK(finishes.at(1) == Time{0} + 1_us + round_trip);
}

TEST_CASE("adaptive time-outs follow the round trip, and double") {
  // The first message measures 2093.44 ns: the time-out is 2093.44 + 4 x 2093.44 / 2 = 6280.32 ns. The second message's
  // acknowledge is lost once, or twice: then the second time-out is twice as long.
  constexpr Duration timeout = 3 * round_trip;
  for (const int losses : {1, 2}) {
    CAPTURE(losses);
    TwoHosts bench;
    bench.nic.queue_depth = 1;
    bench.nic.ack_every = 1;
    bench.nic.timeout = 100_us;
    bench.nic.adaptive_retransmission = true;
    bench.build();
    bench.flow("h1", "h2", 1000_B).messages = 2;
    for (int nth = 2; nth < 2 + losses; ++nth) bench.lose("h2", DropKind::acknowledge, nth);
    const RunResults results = bench.run();
    CHECK(finishes_of(results).back() == Time{0} + round_trip + (losses == 1 ? 1 : 3) * timeout + round_trip);
    CHECK(host_of(results, "h1")->timeouts == losses);
  }
}
