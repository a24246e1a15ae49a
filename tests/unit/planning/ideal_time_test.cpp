#include "planning/ideal_time.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace soya;
using namespace soya::literals;

namespace {

/// The recursion of the header's first lines, packet by packet and hop by hop.
Duration by_recursion(const std::vector<PathHop>& hops, const std::vector<FrameRun>& frames) {
  std::vector<Duration> free(hops.size(), Duration{0});
  Duration arrival{0};
  for (const FrameRun& run : frames) {
    for (std::int64_t i = 0; i < run.count; ++i) {
      arrival = Duration{0};
      for (std::size_t h = 0; h < hops.size(); ++h) {
        const Duration start = std::max(arrival + hops[h].latency_before, free[h]);
        free[h] = start + serialisation(run.wire, hops[h].rate);
        arrival = free[h] + hops[h].one_way;
      }
    }
  }
  return arrival;
}

std::vector<FrameRun> write_of(Bytes mtu, Bytes size) {
  return message_frames(FrameSizes{FrameConfig{.mtu = mtu}}, Operation::write, size);
}

}  // namespace

TEST_CASE("a message is cut into First, Middle and Last packets") {
  // 62 B of headers and 20 B of gap; RETH 16 B on First and Only.
  CHECK(write_of(1000_B, 0_B) == std::vector<FrameRun>{{1, 98_B}});
  CHECK(write_of(1000_B, 1_B) == std::vector<FrameRun>{{1, 102_B}});  // padded to 4 B
  CHECK(write_of(1000_B, 1000_B) == std::vector<FrameRun>{{1, 1098_B}});
  CHECK(write_of(1000_B, 1001_B) == std::vector<FrameRun>{{1, 1098_B}, {1, 86_B}});
  CHECK(write_of(1000_B, 2000_B) == std::vector<FrameRun>{{1, 1098_B}, {1, 1082_B}});
  CHECK(write_of(4096_B, 1_MiB) == std::vector<FrameRun>{{1, 4194_B}, {254, 4178_B}, {1, 4178_B}});
}

TEST_CASE("1 MiB over one 100G link of no length takes 85.56672 us on the wire") {
  const std::vector<PathHop> link{{100_Gbps, 0_ps, 0_ps}};
  // 256 x 4178 B + 16 B of RETH = 1 069 584 B at 80 ps.
  CHECK(delivery_time(link, write_of(4096_B, 1_MiB)) == Duration{1'069'584 * 80});
  CHECK(delivery_time(link, write_of(4096_B, 1_MiB)) == 85'566'720_ps);
}

TEST_CASE("one packet pays every hop's wire, cable and pipeline once") {
  const std::vector<PathHop> hops{{100_Gbps, 15_ns, 0_ps}, {400_Gbps, 150_ns, 500_ns}, {100_Gbps, 15_ns, 500_ns}};
  const std::vector<FrameRun> packet{{1, 1000_B}};
  // 80 + 20 + 80 ns on the wires, 180 ns of cable, 1000 ns in two switches.
  CHECK(delivery_time(hops, packet) == 1360_ns);
}

TEST_CASE("a long message is bound by the slowest hop, once") {
  const std::vector<PathHop> hops{{400_Gbps, 1_us, 0_ps}, {100_Gbps, 2_us, 500_ns}, {400_Gbps, 1_us, 500_ns}};
  const std::vector<FrameRun> frames{{1000, 5000_B}};
  // First packet: 100 ns + 1 us + 500 ns, then 1000 x 400 ns, then 2 us + 500 ns + 100 ns + 1 us.
  CHECK(delivery_time(hops, frames) == 1600_ns + 400'000_ns + 3600_ns);
}

TEST_CASE("a small last packet catches up with the large one before it") {
  const std::vector<PathHop> hops{{100_Gbps, 0_ps, 0_ps}, {100_Gbps, 0_ps, 0_ps}};
  const std::vector<FrameRun> frames{{1, 4194_B}, {1, 86_B}};
  // The large packet twice, the small one behind it: 2 x 335.52 + 6.88 ns; not 335.52 + 2 x 6.88.
  CHECK(delivery_time(hops, frames) == Duration{2 * 4194 * 80 + 86 * 80});
}

TEST_CASE("the way back is one acknowledge: the message of case 14") {
  // SEND of 4 x 1000 B at 100G over 1 us: 4 x 86.56 ns + 1 us + 86 B of acknowledge, 6.88 ns, + 1 us.
  const std::vector<PathHop> link{{100_Gbps, 1_us, 0_ps}};
  const std::vector<FrameRun> frames{{4, 1082_B}};
  CHECK(completion_time({link, link}, frames, 86_B) == 346.24_ns + 1_us + 6.88_ns + 1_us);
}

TEST_CASE("closed form and packet-by-packet recursion agree to the picosecond on random paths and messages") {
  const Rate rates[] = {10_Gbps, 25_Gbps, 40_Gbps, 100_Gbps, 200_Gbps, 400_Gbps, 800_Gbps};
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937_64 random{seed};
    std::vector<PathHop> hops(1 + random() % 7);
    for (PathHop& hop : hops) {
      hop = {rates[random() % 7], Duration{static_cast<std::int64_t>(random() % 3'000'000)},
             Duration{static_cast<std::int64_t>(random() % 2 * 500'000)}};
    }
    std::vector<FrameRun> frames(1 + random() % 5);
    for (FrameRun& run : frames) {
      run = {1 + static_cast<std::int64_t>(random() % 60), Bytes{84 + static_cast<std::int64_t>(random() % 4200)}};
    }
    hops.front().latency_before = Duration{0};
    CHECK(delivery_time(hops, frames) == by_recursion(hops, frames));
  }
}

TEST_CASE("sizes around the MTU never take less time than smaller ones") {
  const std::vector<PathHop> hops{{100_Gbps, 15_ns, 0_ps}, {400_Gbps, 150_ns, 500_ns}, {100_Gbps, 15_ns, 500_ns}};
  Duration before{0};
  for (std::int64_t size = 0; size <= 2100; ++size) {
    const Duration time = delivery_time(hops, write_of(1000_B, Bytes{size}));
    CHECK(time >= before);
    CHECK(time == by_recursion(hops, write_of(1000_B, Bytes{size})));
    before = time;
  }
}

TEST_CASE("a rate without whole picoseconds per byte ends within a picosecond of the exact sum") {
  // 10^6 packets of 1106 B at 300G: 29 493 333 333.3 ps.
  const std::vector<PathHop> link{{300_Gbps, 0_ps, 0_ps}};
  const std::vector<FrameRun> frames{{1'000'000, 1106_B}};
  const std::int64_t time = delivery_time(link, frames).picoseconds();
  CHECK(time >= 29'493'333'332);
  CHECK(time <= 29'493'333'333);
}

TEST_CASE("1 TB costs no more than 1 MB to work out, and does not wrap") {
  const std::vector<PathHop> link{{100_Gbps, 0_ps, 0_ps}, {100_Gbps, 0_ps, 500_ns}};
  const Bytes size{1'000'000'000'000};
  const std::vector<FrameRun> frames = write_of(4096_B, size);
  REQUIRE(frames.size() == 3);
  // ceil(10^12 / 4096) = 244 140 625 packets exactly: 82 B each and 16 B of RETH, then one packet more and a pipeline.
  const std::int64_t wire = 1'000'000'000'000 + 244'140'625LL * 82 + 16;
  CHECK(delivery_time(link, frames) == Duration{wire * 80 + 4194 * 80 + 500'000});
}

TEST_CASE("nothing sent, or nowhere to go, takes no time") {
  const std::vector<PathHop> link{{100_Gbps, 1_us, 0_ps}};
  CHECK(delivery_time(link, {}) == Duration{0});
  CHECK(delivery_time({}, write_of(4096_B, 1_MiB)) == Duration{0});
}
