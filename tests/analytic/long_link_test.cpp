// Links that are not the same each way, at exact instants.
#include <doctest/doctest.h>

#include <cmath>
#include <utility>

#include "engine/stall_time.hpp"
#include "support/fabric_bench.hpp"
#include "support/timeline.hpp"

using namespace soya;
using namespace soya::test;

namespace {

constexpr Duration packet{1082 * 80};  // 1000 B and 82 B of headers and gap at 80 ps a byte
constexpr Duration acknowledge{86 * 80};

/// a and z at one switch each, with a long link between them: 1.5 ms there.
struct TwoSites : FabricBench {
  TwoSites() {
    scenario.frame.mtu = 1000_B;
    defaults.buffer.size = 512_MiB;
    for (const char* name : {"s", "t"}) add_switch(name);
    for (const char* name : {"a", "z"}) host(name);
    link("a", "s");
    link("z", "t");
    delay = 1'500_us;
    link("s", "t");
  }
  LinkConfig& haul() { return scenario.topology.links.back(); }
};

}  // namespace

TEST_CASE("data take the way there, acknowledges the way back, and the ideal time knows both") {
  TwoSites bench;
  bench.haul().reverse_delay = 1'703_us;
  bench.flow("a", "z", 10'000_B);
  const RunResults there = bench.run();
  // The last of ten packets leaves after ten packet times and takes two more hops; its acknowledge takes three.
  const Duration hops = 2 * packet + 3 * acknowledge + 4 * 1_us;
  CHECK(finish_of(there, "a") == Time{0} + 10 * packet + hops + 1'500_us + 1'703_us);
  CHECK(there.transfer_rows.at(0).ideal_ps == *there.transfer_rows.at(0).finish_ps);

  TwoSites other;
  other.haul().reverse_delay = 1'703_us;
  other.flow("z", "a", 10'000_B);
  Timeline timeline{other.scenario.topology};
  const RunResults back = other.run(timeline);
  // The other way the sum is the same, but the first frame is at s after the way back.
  CHECK(finish_of(back, "z") == finish_of(there, "a"));
  CHECK(timeline.times({FactKind::frame_started, "s", "a"}).front() == Time{0} + 2 * packet + 1_us + 1'703_us);
}

TEST_CASE("a standstill is one only after twice the round trip of both ways") {
  TwoSites bench;
  for (NicConfig& nic : bench.scenario.nics) nic.timeout = 1_us;
  bench.haul().reverse_delay = 1'703_us;
  bench.flow("a", "z", 1'000_B);
  // A frame of 1062 B and its gap each way, and no switch latency.
  CHECK(automatic_stall_time(bench.scenario) == 2 * (2 * packet + 1'500_us + 1'703_us));
}

TEST_CASE("automatic headroom covers the sum of both ways") {
  // Ten ms of data, held behind t: what is sent after the XOFF decision is 3.203 ms and two frames' worth.
  TwoSites bench;
  bench.haul().reverse_delay = 1'703_us;
  bench.defaults.buffer.threshold = StaticThreshold{64_KiB};
  for (SwitchConfig& one : bench.scenario.switches) one.buffer.threshold = StaticThreshold{64_KiB};
  bench.flow("a", "z", 60'000'000_B);
  bench.hold("t", "z", Time{0}, Time{0} + 10_ms);
  const RunResults results = bench.run();
  CHECK(results.sound);
  // 3203 us x 12 500 B/us + 1082 + 84 and two frames of 1062 B.
  const QueueRow* queue = queue_of(results, "t", "s", 3);
  CHECK(queue->headroom_auto_bytes == 40'037'500 + 1082 + 84 + 2 * 1062);
  // All but the frames that the budget rounds up are used: of 40 038 666 B on the wire whole frames of 1062 in 1082.
  CHECK(queue->headroom_peak_bytes > 40'037'500 / 1082 * 1062);
  CHECK(queue->headroom_peak_bytes <= queue->headroom_auto_bytes);
}

TEST_CASE("each way of a link loses by itself, as often as its chance says, whatever the order of a file") {
  // Some 10^5 frames each way, most of them sent again: go-back-N over 3 ms. 4 sigma of n p.
  const auto lost = [](bool swapped, std::uint64_t seed) {
    TwoSites bench;
    bench.scenario.seed = seed;
    for (NicConfig& nic : bench.scenario.nics) nic.timeout = 10_ms;
    if (swapped) std::swap(bench.haul().a, bench.haul().b);
    bench.haul().loss = LossConfig{.packets = {1e-3}};
    bench.flow("a", "z", 10'000'000_B);
    bench.flow("z", "a", 10'000'000_B);
    const RunResults results = bench.run();
    CHECK(results.sound);
    CHECK(host_of(results, "z")->received_payload_bytes == 10'000'000);
    CHECK(host_of(results, "a")->received_payload_bytes == 10'000'000);
    const LinkRow* there = link_of(results, "s", "t");
    const LinkRow* back = link_of(results, "t", "s");
    for (const LinkRow* row : {there, back}) {
      const double expected = 1e-3 * static_cast<double>(row->frames);
      CHECK(std::abs(static_cast<double>(row->lost_frames) - expected) < 4 * std::sqrt(expected));
    }
    CHECK(results.drops.link == there->lost_frames + back->lost_frames);
    return std::pair{there->lost_frames, back->lost_frames};
  };
  const auto first = lost(false, 1);
  CHECK(lost(true, 1) == first);
  CHECK(first.first != first.second);
  CHECK(lost(false, 2) != first);
}
