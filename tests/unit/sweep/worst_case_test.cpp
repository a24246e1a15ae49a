#include "sweep/worst_case.hpp"

#include <doctest/doctest.h>

#include "support/units_io.hpp"

using namespace soya;

namespace {

WorstCase short_cable(ThresholdKind threshold) {
  WorstCase what;
  what.rate = 100_Gbps;
  what.one_way = 25_ns;  // 5 m
  what.threshold = threshold;
  return what;
}

}  // namespace

TEST_CASE("5 m at 100G without response time: two frames with a static threshold, three with a dynamic one") {
  // A = 2 x 25 ns x 12.5 B/ns + 4178 + 84 = 4887 B of wire: frames start at 0 and 4178, so 2 x 4158 B.
  const WorstCaseAnswer fixed = smallest_lossless(short_cable(ThresholdKind::static_));
  CHECK(fixed.smallest == 8316_B);
  CHECK(fixed.monotone);
  CHECK(fixed.phase == WorstCasePhase{1_ps, std::nullopt});
  // And the trigger frame itself: 3 x 4158 B. The other group's frame is in half a frame time (334.24 ns) before it.
  const WorstCaseAnswer dynamic = smallest_lossless(short_cable(ThresholdKind::dynamic));
  CHECK(dynamic.smallest == 12'474_B);
  CHECK(dynamic.monotone);
  CHECK(dynamic.phase == WorstCasePhase{1_ps, 167.12_ns});
}

TEST_CASE("what is lost is told with its phase, its time and its need") {
  const WorstCase what = short_cable(ThresholdKind::static_);
  CHECK_FALSE(first_loss(what, 8316_B));
  const auto lost = first_loss(what, 8315_B);
  REQUIRE(lost);
  CHECK(lost->phase.reverse == 1_ps);
  // Two frames of 334.24 ns behind the trigger; the first of them fits.
  CHECK(lost->after == 668.48_ns);
  CHECK(lost->needed == 8316_B);
}

TEST_CASE("a slow reverse wire, VLAN tag and IPv6 count") {
  WorstCase what = short_cable(ThresholdKind::static_);
  what.reverse_rate = 25_Gbps;
  what.frame.vlan = true;
  what.frame.ip = IpVersion::v6;
  // F = 4096 + 62 + 4 + 20 = 4182, W = 4202. While the reverse wire carries W + 84 bytes the other carries four times
  // as many: A = 625 + 4 x 4286 = 17 769 = 4.23 W, so 5 frames.
  CHECK(smallest_lossless(what).smallest == 5 * 4182_B);
}

TEST_CASE("of two ways that differ the sum counts, whichever is the longer") {
  // A = (25 + 400) ns x 12.5 B/ns + 4178 + 84 = 5313 + 4262 = 9575 B = 2.3 W, so 3 frames; twice 25 ns would be 2,
  // twice 400 ns 4.
  WorstCase what = short_cable(ThresholdKind::static_);
  what.way_back = 400_ns;
  CHECK(smallest_lossless(what).smallest == 3 * 4158_B);
  what.one_way = 400_ns;
  what.way_back = 25_ns;
  CHECK(smallest_lossless(what).smallest == 3 * 4158_B);
}

TEST_CASE("cells count whole") {
  WorstCase what = short_cable(ThresholdKind::static_);
  what.cell = 256_B;
  // 4158 B take 17 cells of 256 B.
  CHECK(smallest_lossless(what).smallest == 2 * 17 * 256_B);
}

TEST_CASE("a case with too much in flight is known as one, and a search ends when told to") {
  WorstCase what = short_cable(ThresholdKind::static_);
  // A = 2 x 167.77216 ms x 12.5 B/ns + 4178 + 84 = 4 194 308 262 B, of which a frame takes 4158.
  what.one_way = Duration{167'772'160'000};
  CHECK(frames_in_flight(what) == 1'008'732);
  CHECK(can_simulate(what));
  CHECK_THROWS_AS((void)smallest_lossless(what, [] { return true; }), SearchStopped);
  CHECK_THROWS_AS((void)first_loss(what, 1_B, [] { return true; }), SearchStopped);
  // Of 66 B there are 63 550 125: as many bytes, too many frames.
  what.frame.mtu = 1_B;
  CHECK(frames_in_flight(what) > most_frames_in_flight);
  CHECK_FALSE(can_simulate(what));
  // A million frames, each in a cell of 1 GiB, are more than any buffer.
  what.frame.mtu = 4096_B;
  what.cell = Bytes{std::int64_t{1} << 30};
  CHECK_FALSE(can_simulate(what));
}
