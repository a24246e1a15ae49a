#include "fabric/shared_buffer.hpp"

#include <doctest/doctest.h>

#include "core/check.hpp"
#include "unit/fabric/buffer_setups.hpp"

namespace soya {
namespace {

/// Frames of priority 3 that arrive at port 0 and leave through port 1.
struct OneGroup {
  SharedBuffer buffer;
  explicit OneGroup(const SharedBufferSetup& setup) : buffer{setup} {}

  Admission admit(Bytes frame) { return buffer.admit(port(0), port(1), lossless_priority, frame, Time{0}); }
  std::size_t release(Bytes frame) { return buffer.release(port(0), port(1), lossless_priority, frame, Time{0}).size(); }
  Bytes reserved() const { return buffer.reserved_use(port(0), lossless_priority); }
  Bytes shared() const { return buffer.shared_use(port(0), lossless_priority); }
  Bytes headroom() const { return buffer.headroom_use(port(0), lossless_priority); }
  bool off() const { return buffer.off(port(0), lossless_priority); }
};

}  // namespace

TEST_CASE("a frame goes to reserved, then shared, then headroom, and is dropped when none takes it whole") {
  OneGroup group{small_setup()};
  // 900 fits the 1000 B reserved; 1800 does not.
  CHECK_FALSE(group.admit(900_B).crossed_xoff());
  CHECK(group.reserved() == 900_B);
  // Shared use before the frame is 0, 900, 1800, below 3000 each time; after the third it is 2700, still below.
  for (int i = 0; i < 3; ++i) CHECK_FALSE(group.admit(900_B).crossed_xoff());
  CHECK(group.shared() == 2700_B);
  CHECK_FALSE(group.off());
  // 2700 is below 3000, so the frame is admitted; with 3600 the threshold is reached.
  CHECK(group.admit(900_B).crossed_xoff());
  CHECK(group.shared() == 3600_B);
  CHECK(group.off());
  // Two frames fit 2000 B of headroom. The group is off already: nothing is crossed.
  CHECK_FALSE(group.admit(900_B).crossed_xoff());
  CHECK_FALSE(group.admit(900_B).crossed_xoff());
  CHECK(group.headroom() == 1800_B);
  // A third would make 2700.
  const Admission refused = group.admit(900_B);
  CHECK(refused.drop == DropReason::headroom_exhausted);
  CHECK(refused.missing == 700_B);
  CHECK_FALSE(refused.crossed_xoff());
  CHECK(group.buffer.dropped_frames(port(0), lossless_priority) == 1);
  CHECK(group.buffer.headroom_needed(port(0), lossless_priority) == 2700_B);
  // The shortage of one off period adds up.
  CHECK(group.admit(900_B).missing == 700_B);
  CHECK(group.buffer.headroom_needed(port(0), lossless_priority) == 3600_B);
  CHECK(group.buffer.headroom_peak(port(0), lossless_priority) == 1800_B);
  CHECK(group.buffer.occupancy() == 7 * 900_B);
  CHECK(group.buffer.queue_bytes(port(1), lossless_priority) == 7 * 900_B);
  // 20 000 less twice 2000 of headroom and twice 1000 reserved.
  CHECK(group.buffer.shared_size() == 14'000_B);
  CHECK(group.buffer.free_shared() == 14'000_B - 3600_B);
  group.buffer.check_invariants();
}

TEST_CASE("a frame that passes shows in the peaks alone, and none passes where that would pause or resume") {
  OneGroup group{small_setup()};
  const auto pass = [&](Bytes frame) { return group.buffer.pass(port(0), port(1), lossless_priority, frame); };
  const auto shared_peak = [&] { return group.buffer.shared_peak(port(0), lossless_priority); };
  CHECK(pass(900_B));  // through the 1000 B reserved
  CHECK(shared_peak() == 0_B);
  CHECK(pass(1800_B));  // past them
  CHECK(shared_peak() == 1800_B);
  CHECK(group.buffer.queue_peak(port(1), lossless_priority) == 1800_B);
  CHECK(group.buffer.occupancy_peak() == 1800_B);
  CHECK(is_empty(group.buffer));
  // 900 reserved and 1800 shared: a frame of 100 would be reserved and leave 100 less shared.
  for (int i = 0; i < 3; ++i) REQUIRE_FALSE(group.admit(900_B).dropped());
  CHECK_FALSE(pass(100_B));
  // With 1200 more, shared use reaches the threshold of 3000; with 1199 it does not.
  CHECK_FALSE(pass(1200_B));
  CHECK(shared_peak() == 1800_B);
  CHECK(pass(1199_B));
  CHECK(shared_peak() == 2999_B);
  CHECK(group.buffer.occupancy_peak() == 3899_B);
  CHECK(group.buffer.occupancy() == 2700_B);
  // A group that is off lets none pass; another one does.
  REQUIRE(group.admit(1200_B).crossed_xoff());
  CHECK_FALSE(pass(900_B));
  CHECK(group.buffer.pass(port(1), port(0), lossless_priority, 900_B));
  group.buffer.check_invariants();
}

TEST_CASE(
    "a release empties headroom, then shared, then reserved, and the group is on at the threshold less the offset") {
  OneGroup group{small_setup()};
  for (int i = 0; i < 7; ++i) REQUIRE_FALSE(group.admit(900_B).dropped());
  CHECK(group.release(900_B) == 0);
  CHECK(group.headroom() == 900_B);
  CHECK(group.release(900_B) == 0);
  CHECK(group.headroom() == 0_B);
  CHECK(group.shared() == 3600_B);
  CHECK(group.release(900_B) == 0);  // 2700 is above 2000
  CHECK(group.off());
  CHECK(group.release(900_B) == 1);  // 1800 is not
  CHECK_FALSE(group.off());
  CHECK(group.shared() == 1800_B);
  CHECK(group.release(900_B) == 0);
  CHECK(group.release(900_B) == 0);
  CHECK(group.reserved() == 900_B);
  CHECK(group.release(900_B) == 0);
  CHECK(is_empty(group.buffer));
  CHECK(group.buffer.shared_peak(port(0), lossless_priority) == 3600_B);
  CHECK(group.buffer.queue_peak(port(1), lossless_priority) == 6300_B);
}

TEST_CASE("a release that is larger than what headroom holds goes on in shared and reserved") {
  OneGroup group{small_setup()};
  // Reserved 1000, shared 3000 (threshold reached), headroom 100.
  for (const Bytes frame : {1000_B, 3000_B, 100_B}) REQUIRE_FALSE(group.admit(frame).dropped());
  CHECK(group.reserved() == 1000_B);
  CHECK(group.headroom() == 100_B);
  // 3000 = 100 of headroom + 2900 of shared, which leaves 100: on.
  CHECK(group.release(3000_B) == 1);
  CHECK(group.shared() == 100_B);
  // 1000 = 100 of shared + 900 of reserved.
  CHECK(group.release(1000_B) == 0);
  CHECK(group.shared() == 0_B);
  CHECK(group.reserved() == 100_B);
  CHECK(group.release(100_B) == 0);
  CHECK(is_empty(group.buffer));
}

TEST_CASE("headroom needed counts one off period at a time") {
  OneGroup group{small_setup()};
  for (int period = 0; period < 2; ++period) {
    // Shared 3000: off. Then 1500 fits headroom and 1001 does not: 2501 would have been enough.
    REQUIRE(group.admit(3000_B).crossed_xoff());
    REQUIRE_FALSE(group.admit(1500_B).dropped());
    CHECK(group.admit(1001_B).missing == 501_B);
    CHECK(group.release(1500_B) == 0);
    CHECK(group.release(3000_B) == 1);
  }
  CHECK(group.buffer.headroom_needed(port(0), lossless_priority) == 2501_B);
}

TEST_CASE("frames are counted in whole cells") {
  SharedBufferSetup setup = small_setup();
  SUBCASE("of 208 B: 4158 B are 20 cells") {
    setup.buffer.cell = 208_B;
    setup.buffer.threshold = StaticThreshold{10'000_B};
    OneGroup group{setup};
    REQUIRE_FALSE(group.admit(full_frame).dropped());
    CHECK(group.shared() == 20 * 208_B);
    CHECK(group.buffer.queue_bytes(port(1), lossless_priority) == 4160_B);
    CHECK_FALSE(group.admit(208_B).dropped());
    CHECK(group.reserved() == 208_B);  // exactly one cell stays one
    group.release(full_frame);
    group.release(208_B);
    CHECK(is_empty(group.buffer));
  }
  SUBCASE("of 256 B: 4158 B are 17 cells") {
    setup.buffer.cell = 256_B;
    setup.buffer.threshold = StaticThreshold{10'000_B};
    OneGroup group{setup};
    REQUIRE_FALSE(group.admit(full_frame).dropped());
    CHECK(group.shared() == 17 * 256_B);
    group.release(full_frame);
    CHECK(is_empty(group.buffer));
  }
}

TEST_CASE("a dynamic threshold follows free shared, rounded down") {
  SharedBufferSetup setup = small_setup();
  setup.buffer.threshold = DynamicThreshold{{3, 8}};
  setup.buffer.reserved = 0_B;
  OneGroup group{setup};
  // Shared is 20 000 - 2 x 2000 = 16 000: threshold 6000.
  CHECK(group.buffer.threshold() == 6000_B);
  CHECK_FALSE(group.admit(4001_B).crossed_xoff());
  // 3/8 of 11 999 is 4499.6; 4001 is below 4499.
  CHECK(group.buffer.threshold() == 4499_B);
  // After 363 more, free is 11 636 and the threshold 4363.5: 4364 has reached it.
  CHECK(group.admit(363_B).crossed_xoff());
  CHECK(group.buffer.threshold() == 4363_B);
}

TEST_CASE("a dynamic threshold is reached at its floor and not one byte below") {
  SharedBufferSetup setup = small_setup();
  setup.buffer.threshold = DynamicThreshold{{3, 8}};
  setup.buffer.reserved = 0_B;
  // With u in shared the threshold is floor(3 (16 000 - u) / 8): 4364 (4364.25) at 4362, 4363 (4363.875) at 4363.
  OneGroup below{setup};
  CHECK_FALSE(below.admit(4362_B).crossed_xoff());
  CHECK(below.buffer.threshold() == 4364_B);
  OneGroup at{setup};
  CHECK(at.admit(4363_B).crossed_xoff());
  CHECK(at.buffer.threshold() == 4363_B);
}

TEST_CASE("a release elsewhere raises the threshold and turns another port's group on") {
  SharedBufferSetup setup = uniform_setup(4, one_lossless, 1000_B);
  setup.buffer.size = 20'000_B;  // shared 16 000
  setup.buffer.reserved = 0_B;
  setup.buffer.threshold = DynamicThreshold{{1, 2}};
  setup.buffer.xon_offset = 500_B;
  SharedBuffer buffer{setup};
  // A lossy frame of 10 000 leaves 6000 free. Port 2's 2000 make the threshold 4000 / 2: off. Port 1's 1000 make it
  // 3000 / 2, still above; 500 more make it 2500 / 2: off.
  REQUIRE_FALSE(buffer.admit(port(0), port(3), lossy_priority, 10'000_B, Time{0}).dropped());
  CHECK(buffer.admit(port(2), port(3), lossless_priority, 2000_B, Time{0}).crossed_xoff());
  CHECK(buffer.threshold() == 2000_B);
  CHECK_FALSE(buffer.admit(port(1), port(3), lossless_priority, 1000_B, Time{0}).crossed_xoff());
  CHECK(buffer.admit(port(1), port(3), lossless_priority, 500_B, Time{0}).crossed_xoff());
  CHECK(buffer.threshold() == 1250_B);
  // The lossy frame leaves: threshold 6250, and 2000 and 1500 are both at most 5750. Ascending by port.
  const auto resumed = buffer.release(port(0), port(3), lossy_priority, 10'000_B, Time{0});
  REQUIRE(resumed.size() == 2);
  CHECK(resumed[0] == PriorityGroup{port(1), lossless_priority});
  CHECK(resumed[1] == PriorityGroup{port(2), lossless_priority});
  CHECK(buffer.release(port(1), port(3), lossless_priority, 1000_B, Time{0}).empty());
  CHECK(buffer.release(port(1), port(3), lossless_priority, 500_B, Time{0}).empty());
  CHECK(buffer.release(port(2), port(3), lossless_priority, 2000_B, Time{0}).empty());
  CHECK(is_empty(buffer));
}

TEST_CASE("an offset beyond the threshold resumes at zero shared use") {
  SharedBufferSetup setup = small_setup();
  setup.buffer.xon_offset = 100'000_B;
  OneGroup group{setup};
  REQUIRE_FALSE(group.admit(900_B).dropped());
  REQUIRE_FALSE(group.admit(2999_B).crossed_xoff());
  REQUIRE_FALSE(group.admit(1_B).crossed_xoff());  // fits reserved: 901
  REQUIRE(group.admit(200_B).crossed_xoff());
  CHECK(group.release(3198_B) == 0);  // 1 byte of shared is left
  CHECK(group.release(1_B) == 1);
  CHECK(group.release(901_B) == 0);
  CHECK(is_empty(group.buffer));
}

TEST_CASE("a group with reserved bytes only stays on when others have filled the buffer") {
  SharedBufferSetup setup = small_setup();
  setup.buffer.threshold = DynamicThreshold{{1, 8}};
  setup.buffer.lossy_threshold = StaticThreshold{1'000'000_B};
  OneGroup group{setup};
  REQUIRE_FALSE(group.buffer.admit(port(1), port(0), lossy_priority, 14'000_B, Time{0}).dropped());
  CHECK(group.buffer.threshold() == 0_B);
  CHECK_FALSE(group.admit(900_B).crossed_xoff());
  CHECK_FALSE(group.off());
  // The next frame finds reserved too small and shared full: headroom, off.
  CHECK(group.admit(900_B).crossed_xoff());
  CHECK(group.headroom() == 900_B);
  // Its release empties headroom and finds no shared use: on.
  CHECK(group.release(900_B) == 1);
  CHECK(group.release(900_B) == 0);
  CHECK(group.buffer.release(port(1), port(0), lossy_priority, 14'000_B, Time{0}).empty());
  CHECK(is_empty(group.buffer));
}

TEST_CASE("a group that loses a frame while it is on goes off, and is on at the next release") {
  SharedBufferSetup setup = small_setup();
  setup.group_headroom = {100_B, 100_B};
  setup.buffer.lossy_threshold = StaticThreshold{1'000'000_B};
  OneGroup group{setup};
  // Shared is 20 000 - 2 x 1000 - 2 x 100 = 17 800, and full.
  REQUIRE_FALSE(group.buffer.admit(port(1), port(0), lossy_priority, 17'700_B, Time{0}).dropped());
  REQUIRE_FALSE(group.buffer.admit(port(1), port(0), lossy_priority, 100_B, Time{0}).dropped());
  const Admission lost = group.admit(1001_B);
  CHECK(lost.drop == DropReason::headroom_exhausted);
  CHECK(lost.missing == 901_B);
  CHECK(lost.crossed_xoff());
  CHECK_FALSE(group.admit(1001_B).crossed_xoff());
  const auto resumed = group.buffer.release(port(1), port(0), lossy_priority, 100_B, Time{0});
  REQUIRE(resumed.size() == 1);
  CHECK(resumed[0] == PriorityGroup{port(0), lossless_priority});
  CHECK(group.buffer.release(port(1), port(0), lossy_priority, 17'700_B, Time{0}).empty());
  CHECK(is_empty(group.buffer));
}

TEST_CASE("a frame that does not fit into free shared goes to headroom below the threshold, too") {
  SharedBufferSetup setup = small_setup();
  setup.buffer.threshold = StaticThreshold{1'000'000_B};
  OneGroup group{setup};
  REQUIRE_FALSE(group.admit(13'000_B).crossed_xoff());
  CHECK(group.admit(1001_B).crossed_xoff());  // 1000 B are free
  CHECK(group.headroom() == 1001_B);
}

TEST_CASE("a lossy frame is judged by its egress queue and never pauses anybody") {
  SharedBufferSetup setup = uniform_setup(3, no_lossless, 0_B);
  setup.buffer.size = 10'000_B;
  setup.buffer.lossy_threshold = StaticThreshold{2000_B};
  SharedBuffer buffer{setup};
  CHECK(buffer.shared_size() == 10'000_B);  // nothing is reserved without lossless groups
  // Queue 2 at 0, then 1500 (below 2000), then 3000 (not).
  CHECK_FALSE(buffer.admit(port(0), port(2), lossy_priority, 1500_B, Time{0}).dropped());
  CHECK_FALSE(buffer.admit(port(1), port(2), lossy_priority, 1500_B, Time{0}).dropped());
  const Admission refused = buffer.admit(port(0), port(2), lossy_priority, 1500_B, Time{0});
  CHECK(refused.drop == DropReason::lossy_threshold);
  CHECK_FALSE(refused.crossed_xoff());
  CHECK(refused.missing == 0_B);
  CHECK(buffer.dropped_frames(port(0), lossy_priority) == 1);
  CHECK(buffer.dropped_frames(port(1), lossy_priority) == 0);
  // Another queue, and another priority of the same port, are not concerned.
  CHECK_FALSE(buffer.admit(port(0), port(1), lossy_priority, 1500_B, Time{0}).dropped());
  CHECK_FALSE(buffer.admit(port(0), port(2), Priority{1}, 1500_B, Time{0}).dropped());
  // 6000 of 10 000 are taken: 4001 is below every threshold and does not fit.
  CHECK(buffer.admit(port(0), port(0), lossy_priority, 4001_B, Time{0}).drop == DropReason::buffer_full);
  CHECK(buffer.shared_use(port(0), lossy_priority) == 3000_B);
  for (std::uint8_t i = 0; i < Priority::count; ++i) CHECK_FALSE(buffer.off(port(0), Priority{i}));
  CHECK(buffer.release(port(0), port(2), lossy_priority, 1500_B, Time{0}).empty());
  CHECK(buffer.release(port(1), port(2), lossy_priority, 1500_B, Time{0}).empty());
  CHECK(buffer.release(port(0), port(1), lossy_priority, 1500_B, Time{0}).empty());
  CHECK(buffer.release(port(0), port(2), Priority{1}, 1500_B, Time{0}).empty());
  CHECK(is_empty(buffer));
}

TEST_CASE("two lossless priorities of a port are paused apart and own their headroom apart") {
  SharedBufferSetup setup = uniform_setup(2, two_lossless, 1000_B);
  setup.buffer.size = 20'000_B;
  setup.buffer.reserved = 0_B;
  setup.buffer.threshold = StaticThreshold{2000_B};
  SharedBuffer buffer{setup};
  CHECK(buffer.shared_size() == 16'000_B);  // four groups of 1000
  CHECK(buffer.admit(port(0), port(1), lossless_priority, 2000_B, Time{0}).crossed_xoff());
  CHECK_FALSE(buffer.off(port(0), second_lossless_priority));
  CHECK_FALSE(buffer.admit(port(0), port(1), lossless_priority, 1000_B, Time{0}).dropped());
  CHECK(buffer.admit(port(0), port(1), lossless_priority, 1_B, Time{0}).missing == 1_B);
  // The other priority's headroom is untouched.
  CHECK(buffer.admit(port(0), port(1), second_lossless_priority, 2000_B, Time{0}).crossed_xoff());
  CHECK_FALSE(buffer.admit(port(0), port(1), second_lossless_priority, 1000_B, Time{0}).dropped());
  CHECK(buffer.headroom_use(port(0), second_lossless_priority) == 1000_B);
  CHECK(buffer.headroom_size(port(0), lossy_priority) == 0_B);
  buffer.check_invariants();
}

TEST_CASE("the peak of the whole buffer is the most of all groups at one time, headroom included") {
  SharedBufferSetup setup = uniform_setup(2, two_lossless, 1000_B);
  setup.buffer.size = 20'000_B;
  setup.buffer.reserved = 0_B;
  setup.buffer.threshold = StaticThreshold{2000_B};
  SharedBuffer buffer{setup};
  CHECK(buffer.occupancy_peak() == 0_B);
  CHECK(buffer.admit(port(0), port(1), lossless_priority, 2000_B, Time{0}).crossed_xoff());
  CHECK_FALSE(buffer.admit(port(0), port(1), lossless_priority, 700_B, Time{0}).dropped());  // headroom
  static_cast<void>(buffer.release(port(0), port(1), lossless_priority, 2000_B, Time{0}));
  CHECK_FALSE(buffer.admit(port(1), port(0), second_lossless_priority, 1500_B, Time{0}).dropped());
  CHECK(buffer.occupancy() == 2200_B);
  CHECK(buffer.occupancy_peak() == 2700_B);
  CHECK_FALSE(buffer.admit(port(1), port(0), lossy_priority, 501_B, Time{0}).dropped());
  CHECK(buffer.occupancy_peak() == 2701_B);
}

TEST_CASE("a release of what was never admitted is found") {
  OneGroup group{small_setup()};
  REQUIRE_FALSE(group.admit(900_B).dropped());
  const auto wrong_egress = [&] {
    static_cast<void>(group.buffer.release(port(0), port(0), lossless_priority, 900_B, Time{0}));
    group.buffer.check_invariants();
  };
  CHECK_THROWS_AS(wrong_egress(), InternalError);
}

}  // namespace soya
