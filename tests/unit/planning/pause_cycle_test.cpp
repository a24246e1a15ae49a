#include "planning/pause_cycle.hpp"

#include <doctest/doctest.h>

#include "support/units_io.hpp"

using namespace soya;

namespace {

/// 300 km at 100G without response time: frames of 4158 B, 4178 on the wire at 80 ps a byte.
ResumeQuery long_link() {
  return {.rate = 100_Gbps,
          .reverse_rate = 100_Gbps,
          .one_way = 1'500_us,
          .way_back = 1'500_us,
          .response = Duration{0},
          .frame = 4158_B};
}

}  // namespace

TEST_CASE("an XON, its way, and the first frame's way back") {
  // 84 x 80 ps + 1500 us + 4178 x 80 ps + 1500 us.
  CHECK(resume_time(long_link()) == 3'000_us + 6'720_ps + 334'240_ps);
  ResumeQuery slow = long_link();
  slow.reverse_rate = 10_Gbps;
  slow.way_back = 1'700_us;
  slow.response = 2_us;
  CHECK(resume_time(slow) == 3'202_us + 67'200_ps + 334'240_ps);
}

TEST_CASE("what is stored leaves in frames with their gaps") {
  CHECK(drain_time(4158_B, 4158_B, 100_Gbps) == 334'240_ps);
  CHECK(drain_time(10 * 4158_B, 4158_B, 100_Gbps) == 3'342'400_ps);
  CHECK(drain_time(10 * 4158_B, 4158_B, 50_Gbps) == 6'684'800_ps);
  CHECK(drain_time(0_B, 4158_B, 100_Gbps) == Duration{0});
}

TEST_CASE("idle is what the stored bytes do not cover, and never below nothing") {
  CHECK(idle_per_cycle(long_link(), Duration{0}) == resume_time(long_link()));
  CHECK(idle_per_cycle(long_link(), 1'000_us) == resume_time(long_link()) - 1'000_us);
  CHECK(idle_per_cycle(long_link(), 4'000_us) == Duration{0});
}

TEST_CASE("full rate over 300 km needs about 37.5 MB when XON is sent, to the frame") {
  // 3 000 340 960 ps in frames of 334 240 ps: 8976.6, so 8977 frames of 4158 B; 2 x 1.5 ms x 12.5 B/ns are 37.5 MB on
  // the wire, of which 4158 in 4178 are stored.
  CHECK(stored_for_full_rate(long_link()) == 8977 * 4158_B);
  CHECK(idle_per_cycle(long_link(), drain_time(8977 * 4158_B, 4158_B, 100_Gbps)) == Duration{0});
  CHECK(idle_per_cycle(long_link(), drain_time(8976 * 4158_B, 4158_B, 100_Gbps)) > Duration{0});
}
