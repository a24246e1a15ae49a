// The shared buffer against the plainest form of the same rules, under random setups and traffics.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <random>
#include <variant>
#include <vector>

#include "fabric/shared_buffer.hpp"
#include "unit/fabric/reference_buffer.hpp"

namespace soya {
namespace {

/// How often each outcome occurred, so that the comparison is known to have compared something.
struct Seen {
  std::int64_t crossed{0}, resumed_together{0}, resumed_by_others{0}, sound_setups{0};
  std::int64_t headroom_drops{0}, lossy_drops{0}, full_drops{0};
  std::int64_t passed{0};
  std::int64_t together{0};  ///< several groups went off with one frame
  std::array<std::int64_t, 5> drops_by_limit{};
};

/// Random numbers that are the same with every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_{seed} {}
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  template <class Value, std::size_t n>
  Value one_of(const Value (&values)[n]) {
    return values[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(n) - 1))];
  }

 private:
  std::mt19937_64 engine_;
};

/// Sizes of a switch, or five hundred times smaller, where thresholds are met to the byte again and again.
struct Scale {
  std::int64_t divisor;
  Bytes smallest_frame;
  Bytes largest_frame;
};
constexpr Scale scales[] = {{1, 64_B, 4158_B}, {500, 1_B, 8_B}};

Threshold random_threshold(Random& random, std::int64_t divisor) {
  constexpr Ratio alphas[] = {{1, 16}, {1, 8}, {1, 2}, {1, 1}, {2, 1}, {8, 1}, {3, 7}, {6, 4}};
  if (random.between(0, 3) == 0) return StaticThreshold{Bytes{random.between(1, 20'000 / divisor)}};
  return DynamicThreshold{random.one_of(alphas)};
}

HeadroomMode random_mode(Random& random, std::int64_t divisor) {
  switch (random.between(0, 5)) {
    case 0:
      return PortSharedHeadroom{};
    case 1:
      return DynamicSharedHeadroom{};
    case 2:
      return NoHeadroom{};
    case 3: {
      SharedPoolHeadroom pool;
      pool.oversubscribe = {random.between(2, 8), random.between(1, 2)};
      if (random.between(0, 1) == 0) pool.pool = Bytes{random.between(1, 40'000 / divisor)};
      if (random.between(0, 1) == 0) pool.cap = Bytes{random.between(1, 12'000 / divisor)};
      return pool;
    }
    default:
      return PerQueueHeadroom{};
  }
}

SharedBufferSetup random_setup(Random& random, std::int64_t divisor) {
  constexpr std::int64_t cells[] = {0, 80, 208, 256};  // 0: none
  constexpr std::int64_t offsets[] = {0, 500, 3072, 100'000};
  SharedBufferSetup setup;
  setup.lossless = PrioritySet{static_cast<std::uint8_t>(random.between(0, 255))};
  std::int64_t carved = 0;
  setup.buffer.reserved = Bytes{random.between(0, 1) * random.between(0, 6000 / divisor)};
  for (std::int64_t ports = random.between(1, 11); ports > 0; --ports) {
    setup.group_headroom.emplace_back(random.between(1, 12'000 / divisor));
    for (std::uint8_t i = 0; i < 8; ++i) {
      if (!setup.lossless.contains(Priority{i})) continue;
      carved += (setup.group_headroom.back() + setup.buffer.reserved).count();
    }
  }
  setup.headroom = random_mode(random, divisor);
  if (const auto* pool = std::get_if<SharedPoolHeadroom>(&setup.headroom)) carved += pool->pool.value_or(0_B).count();
  setup.buffer.size = Bytes{carved + random.between(0, 80'000 / divisor)};
  setup.buffer.threshold = random_threshold(random, divisor);
  setup.buffer.lossy_threshold = random_threshold(random, divisor);
  setup.buffer.xon_offset = Bytes{random.one_of(offsets) / divisor};
  if (const std::int64_t cell = random.one_of(cells); cell > 0 && divisor == 1) setup.buffer.cell = Bytes{cell};
  return setup;
}

void compare_all(const SharedBuffer& buffer, const ReferenceBuffer& reference) {
  std::int64_t occupancy = 0;
  for (std::size_t i = 0; i < reference.groups().size(); ++i) {
    const PortId port{i / 8};
    const Priority priority{static_cast<std::uint8_t>(i % 8)};
    const ReferenceGroup& group = reference.groups()[i];
    REQUIRE(buffer.reserved_use(port, priority).count() == group.reserved);
    REQUIRE(buffer.shared_use(port, priority).count() == group.shared);
    REQUIRE(buffer.shared_peak(port, priority).count() == group.shared_peak);
    REQUIRE(buffer.headroom_use(port, priority).count() == group.headroom);
    REQUIRE(buffer.headroom_peak(port, priority).count() == group.headroom_peak);
    REQUIRE(buffer.headroom_needed(port, priority).count() == group.needed);
    REQUIRE(buffer.dropped_frames(port, priority) == group.dropped);
    REQUIRE(buffer.off(port, priority) == group.off);
    REQUIRE(buffer.queue_bytes(port, priority).count() == reference.queues()[i]);
    occupancy += group.reserved + group.shared + group.headroom;
  }
  REQUIRE(buffer.free_shared().count() == reference.free_shared());
  REQUIRE(buffer.occupancy().count() == occupancy);
  buffer.check_invariants();
}

/// Both buffers side by side, and the frames they store.
class Comparison {
 public:
  explicit Comparison(std::uint64_t seed)
      : scale_{scales[seed % 2]},
        random_{seed},
        setup_{random_setup(random_, scale_.divisor)},
        buffer_{setup_},
        reference_{setup_} {}

  void run(Seen& seen) {
    std::int64_t admit_percent = 50;
    for (int i = 0; i < 600; ++i) {
      if (i % 60 == 0) admit_percent = random_.between(15, 95);
      if (stored_.empty() || random_.between(0, 99) < admit_percent) {
        admit(seen);
      } else {
        release(seen);
      }
      if (random_.between(0, 3) == 0) pass(seen);
      if (i % 20 == 0) compare_all(buffer_, reference_);
    }
    while (!stored_.empty()) release(seen);
    compare_all(buffer_, reference_);
    REQUIRE(buffer_.occupancy() == 0_B);
    REQUIRE(buffer_.free_shared() == buffer_.shared_size());
    // A buffer that passes the checks admits every frame when it is empty, so no group is left off.
    if (!SharedBuffer::problems(setup_, scale_.largest_frame).empty()) return;
    ++seen.sound_setups;
    for (const ReferenceGroup& group : reference_.groups()) REQUIRE_FALSE(group.off);
  }

 private:
  Frame random_frame() {
    const auto ports = static_cast<std::int64_t>(setup_.group_headroom.size());
    return {.ingress = PortId{static_cast<std::size_t>(random_.between(0, ports - 1))},
            .egress = PortId{static_cast<std::size_t>(random_.between(0, ports - 1))},
            .priority = Priority{static_cast<std::uint8_t>(random_.between(0, 7))},
            .size = Bytes{random_.between(scale_.smallest_frame.count(), scale_.largest_frame.count())}};
  }

  /// A frame that the buffer lets pass is one that is stored and released at once, and neither tells anybody.
  void pass(Seen& seen) {
    const Frame frame = random_frame();
    if (!buffer_.pass(frame.ingress, frame.egress, frame.priority, frame.size)) return;
    const Admission expected = reference_.admit(frame);
    REQUIRE_FALSE(expected.dropped());
    REQUIRE_FALSE(expected.crossed_xoff());
    REQUIRE(reference_.release(frame).empty());
    ++seen.passed;
  }

  void admit(Seen& seen) {
    const Frame frame = random_frame();
    const Admission admission = buffer_.admit(frame.ingress, frame.egress, frame.priority, frame.size, Time{0});
    const Admission expected = reference_.admit(frame);
    REQUIRE(admission.drop == expected.drop);
    REQUIRE(admission.xoff == expected.xoff);
    REQUIRE(admission.limit == expected.limit);
    REQUIRE(admission.missing == expected.missing);
    seen.crossed += admission.crossed_xoff() ? 1 : 0;
    seen.together += std::popcount(admission.xoff.bits()) > 1 ? 1 : 0;
    if (admission.drop == DropReason::headroom_exhausted)
      ++seen.drops_by_limit[static_cast<std::size_t>(admission.limit)];
    seen.headroom_drops += admission.drop == DropReason::headroom_exhausted ? 1 : 0;
    seen.lossy_drops += admission.drop == DropReason::lossy_threshold ? 1 : 0;
    seen.full_drops += admission.drop == DropReason::buffer_full ? 1 : 0;
    if (!admission.dropped()) stored_.push_back(frame);
  }

  void release(Seen& seen) {
    const auto last = static_cast<std::int64_t>(stored_.size()) - 1;
    std::swap(stored_[static_cast<std::size_t>(random_.between(0, last))], stored_.back());
    const Frame frame = stored_.back();
    stored_.pop_back();
    const auto resumed = buffer_.release(frame.ingress, frame.egress, frame.priority, frame.size, Time{0});
    const std::vector<PriorityGroup> expected = reference_.release(frame);
    REQUIRE(std::equal(resumed.begin(), resumed.end(), expected.begin(), expected.end()));
    seen.resumed_together += resumed.size() > 1 ? 1 : 0;
    for (const PriorityGroup& group : resumed) {
      seen.resumed_by_others += group == PriorityGroup{frame.ingress, frame.priority} ? 0 : 1;
    }
  }

  Scale scale_;
  Random random_;
  SharedBufferSetup setup_;
  SharedBuffer buffer_;
  ReferenceBuffer reference_;
  std::vector<Frame> stored_;
};

#ifdef NDEBUG
constexpr std::int64_t setups = 1500;
#else
constexpr std::int64_t setups = 120;  // under the sanitizers each takes fifty times as long
#endif

}  // namespace

TEST_CASE("the shared buffer does what the plain rules say, under random setups of every mode and traffics") {
  Seen seen;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(setups); ++seed) {
    CAPTURE(seed);
    Comparison{seed}.run(seen);
  }
  CHECK(seen.sound_setups * 10 > setups);
  for (const std::int64_t times : seen.drops_by_limit) CHECK(times * 4 > setups);
  for (const std::int64_t times : {seen.passed, seen.together, seen.crossed, seen.resumed_together, seen.resumed_by_others,
                                   seen.headroom_drops, seen.lossy_drops, seen.full_drops}) {
    CHECK(times * 3 > 2 * setups);
  }
}

}  // namespace soya
