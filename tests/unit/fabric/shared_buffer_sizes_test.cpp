// Sizes of real switches: what is refused before a buffer is built, and how large buffers divide and settle.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/check.hpp"
#include "fabric/shared_buffer.hpp"
#include "unit/fabric/buffer_setups.hpp"

namespace soya {

TEST_CASE("sixty-three groups that fill 16 MiB settle at alpha / (1 + 63 alpha) of shared, pause and lose nothing") {
  SharedBufferSetup setup = uniform_setup(64, one_lossless, 37'500_B);
  setup.buffer.size = 16_MiB;
  setup.buffer.reserved = 4096_B;
  REQUIRE(SharedBuffer::problems(setup, full_frame).empty());
  SharedBuffer buffer{setup};
  // S = 16 777 216 - 64 x 37 500 - 64 x 4096 = 14 115 072 B = 3394.68 frames (a full frame never fits 4096 B reserved).
  // In fluid form u = (S - 63 u) / 8, so u = S / 71 = 198 804 B = 47.8 frames.
  CHECK(buffer.shared_size() == 14'115'072_B);
  // Frames come round robin. A group that holds u frames has reached the threshold when 8 u + (all groups' frames) is
  // at least 3394.68. Group i (from 0), in round k, finds 8 (k - 1) + 63 (k - 1) + i, and leaves 8 k + 63 (k - 1) + i +
  // 1:
  //   round 47: leaves 3275 + i, at most 3337: all stay on.
  //   round 48: leaves 3346 + i: groups from 49 on go off. It finds 3337 + i: from 58 on the frame lands in headroom.
  //   round 49: shared holds 58 x 48 + 5 x 47 = 3019 frames, each of the groups 0 to 48 finds 8 x 48 + 3019 = 3403:
  //             its frame lands in headroom, off.
  std::vector<std::size_t> off_in_48;
  std::vector<std::size_t> off_in_49;
  for (std::size_t round = 1; round <= 49; ++round) {
    for (std::size_t i = 0; i < 63; ++i) {
      if (buffer.off(port(i), lossless_priority)) continue;  // its sender is paused
      const Admission admission = buffer.admit(port(i), port(63), lossless_priority, full_frame, Time{0});
      REQUIRE_FALSE(admission.dropped());
      REQUIRE((round >= 48 || !admission.crossed_xoff()));
      if (admission.crossed_xoff()) (round == 48 ? off_in_48 : off_in_49).push_back(i);
    }
  }
  REQUIRE(off_in_48.size() == 14);
  CHECK(off_in_48.front() == 49);
  REQUIRE(off_in_49.size() == 49);
  CHECK(off_in_49.back() == 48);
  for (std::size_t i = 0; i < 63; ++i) {
    // 48 frames are 199 584 B: about 199 kB.
    CHECK(buffer.shared_use(port(i), lossless_priority) == (i < 58 ? 48 : 47) * full_frame);
    CHECK(buffer.headroom_use(port(i), lossless_priority) == (i < 49 || i >= 58 ? full_frame : 0_B));
  }
  // Nine full frames (37 422 B) fit 37 500 B of headroom, the tenth misses 10 x 4158 - 37 500 = 4080.
  for (int frame = 0; frame < 8; ++frame) {
    REQUIRE_FALSE(buffer.admit(port(62), port(63), lossless_priority, full_frame, Time{0}).dropped());
  }
  CHECK(buffer.admit(port(62), port(63), lossless_priority, full_frame, Time{0}).missing == 4080_B);
  buffer.check_invariants();
  // Everything leaves.
  std::size_t resumed = 0;
  for (std::size_t i = 0; i < 63; ++i) {
    const int frames = i < 49 ? 49 : (i == 62 ? 56 : 48);
    for (int frame = 0; frame < frames; ++frame) {
      resumed += buffer.release(port(i), port(63), lossless_priority, full_frame, Time{0}).size();
    }
  }
  CHECK(resumed == 63);
  CHECK(is_empty(buffer));
}

TEST_CASE("headroom and reserved beyond the buffer are refused, with the numbers") {
  // 64 x 37 500 = 2 400 000 and 64 x 4096 = 262 144; in 32 bits the difference would wrap to 4 293 353 728.
  SharedBufferSetup setup = uniform_setup(64, one_lossless, 37'500_B);
  setup.buffer.size = 1_MiB;
  setup.buffer.reserved = 4096_B;
  const std::vector<std::string> problems = SharedBuffer::problems(setup, full_frame);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0] ==
        "headroom 2 400 000 + reserved 262 144 > buffer 1 048 576 (bytes; 64 ports x 1 lossless priority)");
  CHECK_THROWS_AS(SharedBuffer{setup}, InternalError);
}

TEST_CASE("each lossless priority owns its headroom: two of them need twice as much") {
  SharedBufferSetup setup = uniform_setup(32, one_lossless, 37'500_B);
  setup.buffer.size = 2_MiB;
  setup.buffer.reserved = 4096_B;
  // 2 097 152 - 32 x 37 500 - 32 x 4096 = 766 080.
  CHECK(SharedBuffer::problems(setup, full_frame).empty());
  CHECK(SharedBuffer{setup}.shared_size() == 766'080_B);
  setup.lossless = two_lossless;
  const std::vector<std::string> problems = SharedBuffer::problems(setup, full_frame);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0] ==
        "headroom 2 400 000 + reserved 262 144 > buffer 2 097 152 (bytes; 32 ports x 2 lossless priorities)");
}

TEST_CASE("a threshold that cannot hold one frame is refused") {
  SharedBufferSetup setup = small_setup();  // shared 14 000
  setup.buffer.threshold = DynamicThreshold{{1, 8}};
  setup.buffer.lossy_threshold = DynamicThreshold{{1, 4}};
  // 1750 and 3500 hold a frame of 1750 and no larger one in the first, of 3500 in the second.
  CHECK(SharedBuffer::problems(setup, 1750_B).empty());
  CHECK(SharedBuffer::problems(setup, 1751_B) ==
        std::vector<std::string>{"threshold: alpha 1/8 x shared 14 000 = 1 750 < one frame of 1 751 (bytes)"});
  CHECK(SharedBuffer::problems(setup, 3501_B) ==
        std::vector<std::string>{"threshold: alpha 1/8 x shared 14 000 = 1 750 < one frame of 3 501 (bytes)",
                                 "lossy threshold: alpha 1/4 x shared 14 000 = 3 500 < one frame of 3 501 (bytes)"});
  // Frames count in cells: 1700 B are 9 cells of 200.
  setup.buffer.cell = 200_B;
  CHECK(SharedBuffer::problems(setup, 1700_B) ==
        std::vector<std::string>{"threshold: alpha 1/8 x shared 14 000 = 1 750 < one frame of 1 800 (bytes)"});
}

TEST_CASE("a threshold above the memory below it lets in no frame that the memory does not hold") {
  SharedBufferSetup setup = small_setup();  // shared 14 000
  setup.buffer.threshold = DynamicThreshold{{8, 1}};
  setup.buffer.lossy_threshold = DynamicThreshold{{2, 1}};
  CHECK(SharedBuffer::problems(setup, 14'000_B).empty());
  CHECK(SharedBuffer::problems(setup, 14'001_B) ==
        std::vector<std::string>{"threshold: shared 14 000 < one frame of 14 001 (bytes)",
                                 "lossy threshold: shared 14 000 < one frame of 14 001 (bytes)"});
  // 6000 of headroom and reserved, and one frame: the remedy is where the refusal ends, whatever the alpha.
  setup.buffer.size = *SharedBuffer::smallest_size(setup, 14'001_B);
  CHECK(setup.buffer.size == 20'001_B);
  CHECK(SharedBuffer::problems(setup, 14'001_B).empty());
}

TEST_CASE("other sizes that cannot work are refused") {
  SharedBufferSetup setup = small_setup();
  std::string expected;
  SUBCASE("shared smaller than a frame") {
    setup.buffer.size = 10'157_B;  // 4157 beside 4000 of headroom and 2000 reserved
    setup.buffer.lossy_threshold = StaticThreshold{1_B};
    expected = "threshold: shared 4 157 < one frame of 4 158 (bytes)";
  }
  SUBCASE("a static threshold of 0") {
    setup.buffer.threshold = StaticThreshold{0_B};
    expected = "threshold: 0 bytes admit no frame to shared";
  }
  SUBCASE("alpha of 0") {
    setup.buffer.threshold = DynamicThreshold{{0, 8}};
    expected = "threshold: alpha 0/8 is not above 0";
  }
  SUBCASE("alpha with terms that could wrap") {
    setup.buffer.threshold = DynamicThreshold{{1'000'001, 1'000'000}};
    expected = "threshold: alpha 1000001/1000000 has a term above 1 000 000";
  }
  SUBCASE("no headroom at a lossless port") {
    setup.group_headroom[1] = 0_B;
    expected = "headroom 0 of each lossless priority of port 1 is not between 1 and 1 099 511 627 776 (bytes)";
  }
  SUBCASE("a cell of 0") {
    setup.buffer.cell = 0_B;
    expected = "cell 0 is not between 1 and 1 099 511 627 776 (bytes)";
  }
  SUBCASE("a negative offset") {
    setup.buffer.xon_offset = Bytes{-1500};
    expected = "xon_offset -1 500 is not between 0 and 1 099 511 627 776 (bytes)";
  }
  const std::vector<std::string> problems = SharedBuffer::problems(setup, full_frame);
  REQUIRE_FALSE(problems.empty());
  CHECK(problems[0] == expected);
}

TEST_CASE("the largest buffer and the largest alpha do not wrap") {
  SharedBufferSetup setup = uniform_setup(1, one_lossless, 1_B);
  setup.buffer.size = Bytes{std::int64_t{1} << 40};
  setup.buffer.reserved = 0_B;
  setup.buffer.threshold = DynamicThreshold{{1'000'000, 1}};
  REQUIRE(SharedBuffer::problems(setup, full_frame).empty());
  SharedBuffer buffer{setup};
  CHECK(buffer.threshold() == Bytes{((std::int64_t{1} << 40) - 1) * 1'000'000});
  CHECK_FALSE(buffer.admit(port(0), port(0), lossless_priority, full_frame, Time{0}).crossed_xoff());
  // The largest product on the other side: the whole buffer in one group times a denominator of a million.
  setup.buffer.threshold = DynamicThreshold{{999'999, 1'000'000}};
  SharedBuffer full{setup};
  CHECK(full.admit(port(0), port(0), lossless_priority, Bytes{(std::int64_t{1} << 40) - 1}, Time{0}).crossed_xoff());
  const auto resumed = full.release(port(0), port(0), lossless_priority, Bytes{(std::int64_t{1} << 40) - 1}, Time{0});
  CHECK(resumed.size() == 1);
}

TEST_CASE("alpha is reduced before its terms are judged: 0.125 may arrive as 125000000/1000000000") {
  SharedBufferSetup setup = small_setup();
  setup.buffer.threshold = DynamicThreshold{{125'000'000, 1'000'000'000}};
  CHECK(SharedBuffer::problems(setup, 1000_B).empty());
  CHECK(SharedBuffer{setup}.threshold() == 1750_B);  // of 14 000
}

}  // namespace soya
