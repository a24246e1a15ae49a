// Whole fabrics under load against what the slowest wire needs: incast, ring of neighbours, a buffer that must pause.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/diagnostic.hpp"
#include "support/fabric_bench.hpp"
#include "support/timeline.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// 100G: 80 ps per byte. Payload 4096: 4178 B on the wire, the first of a WRITE 16 B more, an acknowledge 86 B.
constexpr std::int64_t data_wire = 4178;
constexpr Duration data{data_wire * 80};
constexpr Duration first{(data_wire + 16) * 80};
constexpr Duration acknowledge{86 * 80};

/// 16 hosts, four per leaf, four spines, every link 100G and 1 us, every packet acknowledged.
struct Clos : FabricBench {
  Clos() {
    nic.ack_every = 1;
    operation = Operation::write;
    LeafSpineConfig config;
    config.leaves = 4;
    config.spines = 4;
    config.hosts_per_leaf = 4;
    config.host_link = config.fabric_link = link_kind();
    leaf_spine(config);
  }
};

Time last_finish(const RunResults& results) {
  Time last{0};
  for (const TransferRow& row : results.transfer_rows) last = std::max(last, Time{row.finish_ps.value()});
  return last;
}

double relative(Duration measured, Duration expected) {
  return measured.seconds() / expected.seconds();
}

}  // namespace

TEST_CASE("15 to 1 over a leaf-spine fabric takes the receiver's wire and one path") {
  constexpr std::int64_t packets = 800;
  Clos bench;
  for (int h = 2; h <= 16; ++h) bench.flow("host" + std::to_string(h), "host1", Bytes{packets * 4096});
  const RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(results.pfc.pause_frames > 0);
  CHECK(results.drops.lossless == 0);

  const Duration wire{15 * (packets * data_wire + 16) * 80};
  const Duration path = 4 * 1_us + 3 * first + 4 * (1_us + acknowledge);
  CHECK(relative(last_finish(results) - Time{0}, wire + path) == doctest::Approx(1).epsilon(0.001));

  // Sharper: the three senders on the receiver's leaf fill its egress from one packet time and 1 us on, and from then
  // it is never idle, whatever is paused. The last acknowledge crosses two links or four, alone.
  const Duration delivered = first + 1_us + wire + 1_us;
  const Duration back = last_finish(results) - (Time{0} + delivered);
  CHECK((back == 2 * (acknowledge + 1_us) || back == 4 * (acknowledge + 1_us)));
  CHECK(link_of(results, "leaf1", "host1")->frames >= 15 * packets);
  CHECK(host_of(results, "host1")->received_payload_bytes == 15 * packets * 4096);
}

TEST_CASE("a ring of neighbours takes data and acknowledges of one wire and one path") {
  // Every NIC sends its own packets and an acknowledge for each of its neighbour's.
  constexpr std::int64_t packets = 2000;
  Clos bench;
  for (int h = 1; h <= 16; ++h) {
    bench.flow("host" + std::to_string(h), "host" + std::to_string(h % 16 + 1), Bytes{packets * 4096});
  }
  const RunResults results = bench.run();
  CHECK(results.sound);
  const Duration wire{packets * (data_wire + 86) * 80};
  const Duration path = 4 * 1_us + 3 * first + 4 * (1_us + acknowledge);
  CHECK(relative(last_finish(results) - Time{0}, wire + path) == doctest::Approx(1).epsilon(0.001));
  for (int h = 1; h <= 16; ++h) {
    const std::string host = "host" + std::to_string(h);
    CHECK(host_of(results, host)->sent_packets == 2 * packets);
    CHECK(link_of(results, host, "leaf" + std::to_string((h + 3) / 4))->utilisation <= 1.0);
  }
}

TEST_CASE("no goodput exceeds payload over wire bytes") {
  // One flow alone, 4096 of 4178 B: 98.04 Gbps less what the two crossings cost.
  Clos bench;
  bench.flow("host1", "host2", Bytes{2000 * 4096});
  const RunResults results = bench.run();
  const double ceiling = 100.0 * 4096 / 4178;
  CHECK(results.transfers.goodput_gbps_max < ceiling);
  const Duration crossing = 1_us + data + 1_us + 2 * (acknowledge + 1_us);
  const Duration whole = Duration{2000 * data_wire * 80 + 16 * 80} + crossing;
  CHECK(results.transfers.goodput_gbps_max == doctest::Approx(2000 * 4096 * 8 / whole.seconds() * 1e-9).epsilon(1e-4));
}

namespace {

/// 63 senders of 1 MB each and one receiver on a switch with 64 ports.
struct BigIncast : FabricBench {
  explicit BigIncast(Bytes buffer) {
    defaults.buffer.size = buffer;
    defaults.buffer.reserved = 4096_B;
    defaults.headroom.size = 37'500_B;
    add_switch("s");
    hosts("h", 64);
    for (int h = 1; h <= 64; ++h) link("h" + std::to_string(h), "s");
    for (int h = 2; h <= 64; ++h) flow("h" + std::to_string(h), "h1", 1_MB);
  }
};

}  // namespace

TEST_CASE("a 63 to 1 incast into 16 MiB pauses its senders and drops nothing") {
  BigIncast bench{16_MiB};
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  CHECK(results.sound);
  CHECK(results.drops.lossless == 0);
  CHECK(results.pfc.pause_frames >= 63);
  // Shared is 16 777 216 - 64 x 37 500 - 64 x 4096 = 14 115 072 B. Frame by frame all 63 groups fill it alike, and one
  // frame in 63 leaves: u = (shared - 62 u) / 8 at shared / 70 = 201 643 B, 48.5 frames. So a group goes off with its
  // 49th frame, or with its 50th, which finds the threshold passed and lands in headroom.
  constexpr std::int64_t shared = 16'777'216 - 64 * 37'500 - 64 * 4096;
  static_assert(shared / 70 / 4158 == 48);
  for (int h = 2; h <= 64; ++h) {
    const Time xoff = timeline.first({FactKind::xoff, "s", "h" + std::to_string(h)});
    CHECK((xoff == Time{0} + 49 * data + 1_us || xoff == Time{0} + 50 * data + 1_us));
  }
  // Later some groups hold less than others, which may then hold a little more.
  CHECK(results.buffers.shared_peak_bytes >= 49 * 4158);
  CHECK(results.buffers.shared_peak_bytes <= 52 * 4158);
  // All 63 groups are filled alike at the same time; headroom comes on top of shared.
  REQUIRE(results.switches.size() == 1);
  CHECK(results.switches[0].buffer_peak_bytes >= 63 * 48 * 4158);
  CHECK(results.switches[0].buffer_peak_bytes <= shared + 63 * 37'500);
  CHECK(results.switches[0].buffer_size_bytes == 16'777'216);
  // 63 MB at 98 % of 100G, and one way there and back.
  const Duration wire{63LL * (244 * 4178 + (576 + 82)) * 80};
  CHECK(relative(last_finish(results) - Time{0}, wire + 4_us) == doctest::Approx(1).epsilon(0.001));
}

TEST_CASE("a buffer smaller than its headroom and reserved bytes is refused with both numbers") {
  BigIncast bench{1_MiB};
  std::string message;
  try {
    static_cast<void>(bench.run());
  } catch (const ScenarioError& error) {
    message = error.what();
  }
  CHECK(message.find("switch s") != std::string::npos);
  // 64 x 37 500 and 64 x 4096 against 2^20: a threshold of what is left would be negative.
  CHECK(message.find("headroom 2 400 000 + reserved 262 144 > buffer 1 048 576") != std::string::npos);
}
