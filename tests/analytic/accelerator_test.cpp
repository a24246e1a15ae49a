// What a pair of accelerators makes of a long link: throughput, buffer, losses, and what it costs when the buffer is
// small.
#include <doctest/doctest.h>

#include <algorithm>

#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// h1 - x - y - h2 at 100G: 1 us to the accelerators, 1.5 ms between them: 3 ms there and back. SEND at mtu 4096: a
/// packet of 4096 B is a frame of 4158 B and takes 4178 x 80 ps = 334.24 ns of wire.
struct Haul : FabricBench {
  explicit Haul(Bytes buffer, bool accelerated = true) {
    nic.queue_depth = 16;
    hosts("h", 2);
    if (accelerated) {
      accelerators("x", "y", buffer);
    } else {
      defaults.buffer.size = 128'000'000_B;
      add_switch("x");
      add_switch("y");
    }
    link("h1", "x");
    link("y", "h2");
    delay = 1'500_us;
    link("x", "y");
  }
  void messages(std::int64_t count, const std::string& from = "h1", const std::string& to = "h2") {
    flow(from, to, 65'536_B).messages = count;
  }
  /// The nth data packet or acknowledge from `from` to `to` is lost.
  void lose(const std::string& from, const std::string& to, DropKind kind, std::int64_t nth) {
    scenario.faults.emplace_back(DropFault{link_between(from, to), node(from), kind, nth, {}});
  }
};

constexpr std::int64_t frame = 4158;
constexpr double efficiency = 4096.0 / 4178.0;

const AcceleratorRow& row_of(const RunResults& results, const std::string& name) {
  const auto found = std::ranges::find(results.accelerators, name, &AcceleratorRow::name);
  REQUIRE(found != results.accelerators.end());
  return *found;
}

/// All that was acknowledged was delivered, once, and nothing failed.
void check_kept(const RunResults& results, std::int64_t payload) {
  CHECK(results.sound);
  CHECK(results.transfers.finished == results.transfers.count);
  std::int64_t delivered = 0;
  for (const AcceleratorFlowRow& row : results.accelerator_flows) {
    CHECK(row.delivered_bytes == row.acknowledged_bytes);
    delivered += row.delivered_bytes;
  }
  CHECK(delivered == payload);
  std::int64_t placed = 0;
  for (const HostRow& row : results.hosts) placed += row.received_payload_bytes;
  CHECK(placed == payload);
}

}  // namespace

TEST_CASE("64 KiB at depth 16 over 3 ms: 2.79 Gbps without accelerators, line rate with them") {
  Haul plain{64_MiB, false};
  plain.messages(160);
  // 16 x 64 KiB in each round trip of 3 ms, 4 us on the sites' links and 86 us of serialisation.
  CHECK(plain.run().transfers.goodput_gbps_max == doctest::Approx(16 * 65'536 * 8 / 3.0e6).epsilon(0.03));

  Haul haul{64_MiB};
  haul.messages(4000);
  const RunResults results = haul.run();
  check_kept(results, 4000 * 65'536);
  CHECK(results.transfers.goodput_gbps_max == doctest::Approx(100 * efficiency).epsilon(0.01));
  CHECK(*row_of(results, "y").haul_goodput_gbps == doctest::Approx(100 * efficiency).epsilon(0.001));

  // A frame is held from its last byte's arrival until the reply that covers it: 334.24 ns to send it on, 1.5 ms, 102 B
  // of reply in 8.16 ns, 1.5 ms. One arrives every 334.24 ns, so at least 3 ms / 334.24 ns = 8975 are held; a reply
  // covers 16 and may wait for one frame's end: at most (3 ms + 342.4 ns) / 334.24 ns + 1 + 16, which is 8993.
  const std::int64_t held = row_of(results, "x").outbound_peak_bytes;
  CHECK(held >= 8975 * frame);
  CHECK(held <= 8993 * frame);
  CHECK(row_of(results, "x").pausing_ps == 0);
}

TEST_CASE("a transfer completes when the near accelerator has all of it") {
  Haul haul{64_MiB};
  haul.messages(1);
  const RunResults results = haul.run();
  // 16 packets x 334.24 ns and 1 us; 86 B of acknowledge in 6.88 ns and 1 us.
  CHECK(finish_of(results, "h1") == Time{0} + 7'354'720_ps);
  CHECK(*results.transfer_rows[0].slowdown == 1.0);
  // It is delivered after 1.5 ms and two more links: 16 packets and one store-and-forward of 334.24 ns each at x and y,
  // 1 + 1500 + 1 us; its acknowledge is back at y 1 us and 6.88 ns later.
  REQUIRE(results.accelerator_flows.size() == 1);
  CHECK(results.accelerator_flows[0].last_acknowledged_ps == 5'347'840 + 1'000'000);
  CHECK(results.accelerator_flows[0].last_delivered_ps == 18 * 334'240 + 1'502'000'000 + 1'006'880);
  CHECK(results.accelerator_flows[0].acknowledged_ahead_bytes == 65'536);
}

TEST_CASE("a loss on the long link costs one packet again there and none at the sender") {
  for (const std::int64_t nth : {1, 500, 1600}) {
    CAPTURE(nth);
    Haul haul{64_MiB};
    haul.messages(100);
    haul.lose("x", "y", DropKind::data, nth);
    const RunResults results = haul.run();
    check_kept(results, 100 * 65'536);
    CHECK(results.transfers.retransmitted_packets == 0);
    // Nothing follows the last packet, so nobody misses it until the time-out: then the first and the last packet that
    // x knows nothing of go again. It asks once in a message of 16, so that the first is one that y has.
    const std::int64_t unneeded = nth == 1600 ? 1 : 0;
    CHECK(row_of(results, "x").retransmitted_packets == 1 + unneeded);
    CHECK(row_of(results, "y").duplicate_packets == unneeded);
  }
}

TEST_CASE("a packet that is lost again on the long link is sent once more") {
  Haul haul{64_MiB};
  haul.messages(2000);
  haul.lose("x", "y", DropKind::data, 100);
  // Its NAK is back when x has sent 3 ms / 334.24 ns = 8975 more; the packet goes again as one of the next few.
  for (std::int64_t nth = 9'000; nth < 9'200; ++nth) haul.lose("x", "y", DropKind::data, nth);
  const RunResults results = haul.run();
  check_kept(results, 2000 * 65'536);
  CHECK(results.transfers.retransmitted_packets == 0);
  CHECK(row_of(results, "x").retransmitted_packets >= 201);
  CHECK(row_of(results, "x").retransmitted_packets <= 202);
}

TEST_CASE("lost replies and lost packets of the sites' links are made up for") {
  Haul haul{64_MiB};
  for (NicConfig& one : haul.scenario.nics) one.timeout = 1_ms;
  haul.messages(100);
  haul.lose("y", "x", DropKind::acknowledge, 3);
  haul.lose("y", "x", DropKind::acknowledge, 100);
  haul.lose("h1", "x", DropKind::data, 40);
  haul.lose("x", "h1", DropKind::acknowledge, 7);
  haul.lose("y", "h2", DropKind::data, 1600);
  haul.lose("y", "h2", DropKind::data, 900);
  haul.lose("h2", "y", DropKind::acknowledge, 2);
  check_kept(haul.run(), 100 * 65'536);
}

TEST_CASE("a buffer below rate x round trip sets the throughput, pauses the site and loses nothing") {
  Haul haul{4_MiB};
  haul.messages(4000);
  const RunResults results = haul.run();
  check_kept(results, 4000 * 65'536);
  const AcceleratorRow& x = row_of(results, "x");
  CHECK(x.outbound_peak_bytes <= x.buffer_bytes);
  CHECK(row_of(results, "y").inbound_peak_bytes <= x.buffer_bytes);
  CHECK(x.pausing_ps > 0);
  CHECK(x.dropped_frames == 0);
  // The store holds between XON, 4 MiB less 37 578 B of headroom and two frames, and 4 MiB, and turns over once in each
  // round trip: 3 ms, and at most 0.1 ms more while an eighth of it waits for its reply. Of the time between the first
  // packet at y and the last, the first store's worth costs nothing.
  const double payload = 4096.0 / frame;
  const double seconds = static_cast<double>(x.outbound_peak_bytes) * payload;
  const double rest = 4000 * 65'536.0 - seconds;
  const double span = 4000 * 65'536.0 * 8 / *row_of(results, "y").haul_goodput_gbps;  // ns
  CHECK(rest * 8 / span <= 4'194'304 * payload * 8 / 3.0e6);
  CHECK(rest * 8 / span >= (4'194'304 - 37'578 - 2 * frame) * payload * 8 / 3.1e6);
}

TEST_CASE(
    "a long link that is down for less than an accelerator's patience is no stall, however short the NICs' time-outs") {
  // Patience is 8 x 67.1 ms = 537 ms; twice the time-out of the NICs would be 40 ms.
  Haul haul{64_MiB};
  for (NicConfig& one : haul.scenario.nics) one.timeout = 20_ms;
  haul.messages(64);
  haul.scenario.faults.emplace_back(LinkDownFault{haul.link_between("x", "y"), Time{0} + 100_us, Time{0} + 400_ms, {}});
  check_kept(haul.run(), 64 * 65'536);
}

TEST_CASE("where replies leave first when a hold of the long link ends, that instant is no stall") {
  Haul haul{64_MiB};
  haul.messages(16);
  haul.messages(16, "h2", "h1");
  const LinkId link = haul.link_between("x", "y");
  haul.scenario.faults.emplace_back(HoldFault{link, haul.node("x"), Time{0}, Time{0} + 3_s, {}});
  check_kept(haul.run(), 2 * 16 * 65'536);
}

TEST_CASE("a READ is passed on: it takes what it takes over two nodes that store and forward") {
  for (const std::int64_t messages : {1, 40}) {
    CAPTURE(messages);
    Haul plain{64_MiB, false};
    Haul haul{64_MiB};
    for (Haul* one : {&plain, &haul}) {
      one->operation = Operation::read;
      one->messages(messages);
    }
    const RunResults through = haul.run();
    const RunResults without = plain.run();
    REQUIRE(through.sound);
    CHECK(through.accelerator_flows.empty());
    // The switches of `plain` have no pipeline: nodes that store and forward, as accelerators do.
    REQUIRE(through.transfer_rows.size() == static_cast<std::size_t>(messages));
    for (std::size_t i = 0; i < through.transfer_rows.size(); ++i) {
      // What the two tell each other, 102 B in 8.16 ns, may go before a response: not as much as a frame in all.
      const std::int64_t later = *through.transfer_rows[i].finish_ps - *without.transfer_rows[i].finish_ps;
      CHECK(later >= 0);
      CHECK(later < 334'240);
      CHECK((i >= 16 || later == 0));  // the READs that ask at the start
      CHECK(*through.transfer_rows[i].slowdown >= 1.0);
    }
  }
}

TEST_CASE("what is passed on and lost takes no room for ever") {
  // A buffer of 100 kB holds 24 frames; 400 of 3200 responses are lost between the accelerators, four times that much.
  Haul haul{100'000_B};
  for (NicConfig& one : haul.scenario.nics) {
    one.timeout = 10_ms;
    one.retry_count = 1000;
  }
  haul.operation = Operation::read;
  haul.messages(200);
  for (std::int64_t nth = 5; nth < 3200; nth += 8) haul.lose("y", "x", DropKind::data, nth);
  const RunResults results = haul.run();
  CHECK(results.sound);
  CHECK(results.transfers.finished == 200);
  CHECK(results.drops.link == 400);
  CHECK(row_of(results, "x").inbound_peak_bytes <= 100'000);
}

TEST_CASE("both directions at once") {
  Haul haul{64_MiB};
  haul.messages(500);
  haul.messages(500, "h2", "h1");
  const RunResults results = haul.run();
  check_kept(results, 2 * 500 * 65'536);
  CHECK(results.accelerator_flows.size() == 2);
}

TEST_CASE("a long link that stays down leaves what was acknowledged undelivered, and the run says so") {
  Haul haul{64_MiB};
  haul.messages(100);
  haul.scenario.faults.emplace_back(LinkDownFault{haul.link_between("x", "y"), Time{0} + 100_us, std::nullopt, {}});
  const RunResults results = haul.run();
  CHECK(results.transfers.finished == 100);
  CHECK(!results.sound);
  REQUIRE(!results.why_not.empty());
  CHECK(results.why_not[0] ==
        "acknowledged and not delivered: 6 553 600 B of h1>h2/0, which wan_accelerator x acknowledged to h1; the "
        "accelerators gave up");
}
