// Selective repeat over real links: what is sent again, and when.
#include <doctest/doctest.h>

#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

struct TwoHosts : FabricBench {
  TwoHosts() {
    scenario.frame.mtu = 1000_B;
    nic.retransmission = Retransmission::selective_repeat;
  }
  void build() {
    hosts("h", 2);
    link("h1", "h2");
  }
  void lose(const char* from, DropKind kind, std::int64_t nth) {
    scenario.faults.emplace_back(DropFault{LinkId{0U}, node(from), kind, nth, {}});
  }
};

constexpr Duration full_packet = Duration{1082 * 80};  // 86.56 ns
constexpr Duration acknowledge = Duration{86 * 80};    // 6.88 ns

}  // namespace

TEST_CASE("one lost packet on a long link is one packet again, and one packet's time longer") {
  for (const Operation operation : {Operation::send, Operation::read}) {
    TwoHosts bench;
    bench.delay = 5_ms;
    bench.nic.reorder_window = 1'000'000;  // more than the 115 708 packets that are under way
    bench.build();
    bench.operation = operation;
    bench.flow("h1", "h2", 300_MB);
    const bool reads = operation == Operation::read;
    const char* sender = reads ? "h2" : "h1";
    const RunResults clean = bench.run();
    bench.lose(sender, DropKind::data, 100'000);
    const RunResults lossy = bench.run();
    CHECK(lossy.transfers.retransmitted_packets == 1);
    CHECK(host_of(lossy, sender)->sent_packets == host_of(clean, sender)->sent_packets + 1);
    CHECK(host_of(lossy, "h1")->naks_received == (reads ? 0 : 1));
    CHECK(host_of(lossy, "h1")->timeouts == 0);
    CHECK(host_of(lossy, reads ? "h1" : "h2")->received_payload_bytes == 300'000'000);
    // The response to the second READ request is an Only: 4 B more.
    CHECK(finish_of(lossy, sender) - finish_of(clean, sender) ==
          full_packet + (reads ? Duration{4 * 80} : Duration{0}));
  }
}

TEST_CASE("the PSN wraps inside the window of 300 km without a NAK, with both schemes and with READ") {
  // 20 000 packets; 2 x 1.5 ms hold 34 657 of 86.56 ns.
  for (const Retransmission scheme : {Retransmission::go_back_n, Retransmission::selective_repeat}) {
    for (const Operation operation : {Operation::send, Operation::read}) {
      TwoHosts bench;
      bench.delay = 1500_us;
      bench.nic.retransmission = scheme;
      bench.nic.initial_psn = 0xFFFF00;
      bench.build();
      bench.operation = operation;
      bench.flow("h1", "h2", 20_MB);
      const RunResults results = bench.run();
      const bool reads = operation == Operation::read;
      CHECK(host_of(results, "h1")->naks_received == 0);
      CHECK(host_of(results, "h1")->gaps + host_of(results, "h2")->gaps == 0);
      CHECK(results.transfers.retransmitted_packets == 0);
      const Duration around = reads ? Duration{98 * 80} + Duration{2 * 4 * 80} : acknowledge;
      CHECK(finish_of(results, reads ? "h2" : "h1") == Time{0} + 20'000 * full_packet + around + 3000_us);
    }
  }
}

TEST_CASE("a packet that is lost again is sent again without a time-out") {
  // Packet 3 is lost; 4 shows it at 4 x 86.56 + 1000 ns, the NAK is back at 2353.12 ns, while the 28th packet is on the
  // wire; the repetition is the 29th and lost, too. The next, 29 of the stream, is there at 30 x 86.56 + 1000 = 3596.8
  // ns and acknowledged with the gap, at 4603.68 ns, while the 54th is on the wire: the 55th is the second repetition.
  TwoHosts bench;
  bench.nic.ack_every = 1;
  bench.build();
  bench.flow("h1", "h2", 100'000_B);
  bench.lose("h1", DropKind::data, 3);
  bench.lose("h1", DropKind::data, 29);
  const RunResults results = bench.run();
  CHECK(results.transfers.retransmitted_packets == 2);
  CHECK(host_of(results, "h1")->timeouts == 0);
  CHECK(host_of(results, "h2")->duplicate_packets == 0);
  CHECK(finish_of(results, "h1") == Time{0} + 102 * full_packet + 1_us + acknowledge + 1_us);
}

TEST_CASE("a lost NAK is made good by the next acknowledge, which names the gap") {
  // Packet 3 and its NAK are lost. The acknowledge that packet 64 asks for says that 3 is missing.
  TwoHosts bench;
  bench.build();
  bench.flow("h1", "h2", 100'000_B);
  bench.lose("h1", DropKind::data, 3);
  bench.lose("h2", DropKind::acknowledge, 1);
  const RunResults results = bench.run();
  CHECK(results.transfers.retransmitted_packets == 1);
  CHECK(host_of(results, "h1")->naks_received == 0);
  CHECK(host_of(results, "h1")->timeouts == 0);
  CHECK(finish_of(results, "h1") == Time{0} + 101 * full_packet + 1_us + acknowledge + 1_us);
}

TEST_CASE("after a time-out only what nothing was heard of is sent again") {
  // Packets 9 and 10 of 10 are lost: no packet after them shows it. 8 asks for an acknowledge, the last that arrives.
  TwoHosts bench;
  bench.nic.ack_every = 4;
  bench.nic.timeout = 100_us;
  bench.build();
  bench.flow("h1", "h2", 10'000_B);
  bench.lose("h1", DropKind::data, 9);
  bench.lose("h1", DropKind::data, 10);
  const RunResults results = bench.run();
  CHECK(results.transfers.retransmitted_packets == 2);
  CHECK(host_of(results, "h1")->timeouts == 1);
  // The acknowledge of 8 is back at 8 x 86.56 + 2006.88 ns: the time-out runs from there.
  const Duration heard = 8 * full_packet + 1_us + acknowledge + 1_us;
  CHECK(finish_of(results, "h1") == Time{0} + heard + 100_us + 2 * full_packet + 1_us + acknowledge + 1_us);
}

TEST_CASE("a reorder window at the far end limits what is outstanding") {
  // One packet at a time: each waits for the acknowledge of the one before.
  TwoHosts bench;
  bench.nic.reorder_window = 1;
  bench.build();
  bench.flow("h1", "h2", 5000_B);
  CHECK(finish_of(bench.run(), "h1") == Time{0} + 5 * (full_packet + 1_us + acknowledge + 1_us));
}

TEST_CASE("a connection repeats selectively only if both of its NICs do") {
  TwoHosts bench;
  bench.host("h1");
  bench.nic.retransmission = Retransmission::go_back_n;
  bench.host("h2");
  bench.link("h1", "h2");
  bench.flow("h1", "h2", 10'000_B);
  bench.lose("h1", DropKind::data, 3);
  CHECK(bench.run().transfers.retransmitted_packets == 8);
}
