// The shared buffer against the slowest and plainest form of the same rules: every number is recomputed by division,
// every release looks at every group.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <variant>
#include <vector>

#include "fabric/shared_buffer.hpp"
#include "unit/fabric/buffer_setups.hpp"

namespace soya {
namespace {

struct Frame {
  PortId ingress;
  PortId egress;
  Priority priority;
  Bytes size;
};

/// One priority group of the reference.
struct ReferenceGroup {
  std::int64_t reserved{0}, shared{0}, headroom{0};
  std::int64_t shared_peak{0}, headroom_peak{0}, refused{0}, needed{0}, dropped{0};
  bool off{false};
};

class ReferenceBuffer {
 public:
  explicit ReferenceBuffer(const SharedBufferSetup& setup)
      : setup_{setup}, groups_(setup.group_headroom.size() * 8), queues_(groups_.size()) {}

  Admission admit(const Frame& frame) {
    const std::int64_t charge = charged(frame);
    ReferenceGroup& own = group(frame);
    std::int64_t& queue = queues_[frame.egress.index() * 8 + frame.priority.index()];
    Admission admission;
    if (!setup_.lossless.contains(frame.priority)) {
      if (queue >= threshold(setup_.buffer.lossy_threshold)) {
        admission.drop = DropReason::lossy_threshold;
      } else if (charge > free_shared()) {
        admission.drop = DropReason::buffer_full;
      } else {
        own.shared += charge;
      }
    } else {
      admission = admit_lossless(frame, charge, own);
    }
    if (admission.dropped()) {
      ++own.dropped;
      return admission;
    }
    own.shared_peak = std::max(own.shared_peak, own.shared);
    queue += charge;
    return admission;
  }

  std::vector<PriorityGroup> release(const Frame& frame) {
    std::int64_t rest = charged(frame);
    ReferenceGroup& own = group(frame);
    queues_[frame.egress.index() * 8 + frame.priority.index()] -= rest;
    for (std::int64_t* counter : {&own.headroom, &own.shared, &own.reserved}) {
      const std::int64_t part = std::min(rest, *counter);
      *counter -= part;
      rest -= part;
    }
    CHECK(rest == 0);
    std::vector<PriorityGroup> resumed;
    const std::int64_t resume_below =
        std::max<std::int64_t>(0, threshold(setup_.buffer.threshold) - setup_.buffer.xon_offset.count());
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      ReferenceGroup& other = groups_[i];
      if (!other.off || other.headroom > 0) continue;
      if (other.shared > 0 && other.shared > resume_below) continue;
      other.off = false;
      other.refused = 0;
      resumed.push_back({PortId{i / 8}, Priority{static_cast<std::uint8_t>(i % 8)}});
    }
    return resumed;
  }

  std::int64_t free_shared() const {
    std::int64_t free = setup_.buffer.size.count();
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      free -= groups_[i].shared;
      if (!setup_.lossless.contains(Priority{static_cast<std::uint8_t>(i % 8)})) continue;
      free -= setup_.buffer.reserved.count() + setup_.group_headroom[i / 8].count();
    }
    return free;
  }

  const std::vector<ReferenceGroup>& groups() const { return groups_; }
  const std::vector<std::int64_t>& queues() const { return queues_; }

 private:
  Admission admit_lossless(const Frame& frame, std::int64_t charge, ReferenceGroup& own) {
    Admission admission;
    const std::int64_t room = setup_.group_headroom[frame.ingress.index()].count() - own.headroom;
    if (own.reserved + charge <= setup_.buffer.reserved.count()) {
      own.reserved += charge;
    } else if (own.shared < threshold(setup_.buffer.threshold) && charge <= free_shared()) {
      own.shared += charge;
    } else if (charge <= room) {
      own.headroom += charge;
      own.headroom_peak = std::max(own.headroom_peak, own.headroom);
      own.needed = std::max(own.needed, own.headroom + own.refused);
    } else {
      own.refused += charge;
      own.needed = std::max(own.needed, own.headroom + own.refused);
      admission.drop = DropReason::headroom_exhausted;
      admission.missing = Bytes{charge - room};
    }
    const bool reached = own.shared > 0 && own.shared >= threshold(setup_.buffer.threshold);
    admission.crossed_xoff = !own.off && (reached || own.headroom > 0 || admission.dropped());
    own.off = own.off || admission.crossed_xoff;
    return admission;
  }

  std::int64_t charged(const Frame& frame) const {
    if (!setup_.buffer.cell) return frame.size.count();
    std::int64_t cells = 0;
    while (cells * setup_.buffer.cell->count() < frame.size.count()) ++cells;
    return cells * setup_.buffer.cell->count();
  }

  std::int64_t threshold(const Threshold& threshold) const {
    if (const auto* fixed = std::get_if<StaticThreshold>(&threshold)) return fixed->size.count();
    return scaled(free_shared(), std::get<DynamicThreshold>(threshold).alpha);
  }

  ReferenceGroup& group(const Frame& frame) { return groups_[frame.ingress.index() * 8 + frame.priority.index()]; }

  SharedBufferSetup setup_;
  std::vector<ReferenceGroup> groups_;
  std::vector<std::int64_t> queues_;
};

/// How often each outcome occurred, so that the comparison is known to have compared something.
struct Seen {
  std::int64_t crossed{0}, resumed_together{0}, resumed_by_others{0}, sound_setups{0};
  std::int64_t headroom_drops{0}, lossy_drops{0}, full_drops{0};
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
  void admit(Seen& seen) {
    const auto ports = static_cast<std::int64_t>(setup_.group_headroom.size());
    const Frame frame{.ingress = PortId{static_cast<std::size_t>(random_.between(0, ports - 1))},
                      .egress = PortId{static_cast<std::size_t>(random_.between(0, ports - 1))},
                      .priority = Priority{static_cast<std::uint8_t>(random_.between(0, 7))},
                      .size = Bytes{random_.between(scale_.smallest_frame.count(), scale_.largest_frame.count())}};
    const Admission admission = buffer_.admit(frame.ingress, frame.egress, frame.priority, frame.size);
    const Admission expected = reference_.admit(frame);
    REQUIRE(admission.drop == expected.drop);
    REQUIRE(admission.crossed_xoff == expected.crossed_xoff);
    REQUIRE(admission.missing == expected.missing);
    seen.crossed += admission.crossed_xoff ? 1 : 0;
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
    const auto resumed = buffer_.release(frame.ingress, frame.egress, frame.priority, frame.size);
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

}  // namespace

TEST_CASE("the shared buffer does what the plain rules say, under 600 random setups and traffics") {
  Seen seen;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    Comparison{seed}.run(seen);
  }
  CHECK(seen.sound_setups > 100);
  for (const std::int64_t times : {seen.crossed, seen.resumed_together, seen.resumed_by_others, seen.headroom_drops,
                                   seen.lossy_drops, seen.full_drops}) {
    CHECK(times > 1000);
  }
}

}  // namespace soya
