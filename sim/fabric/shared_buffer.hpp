// The packet memory of one switch: who may store a frame, which priority groups are paused, what is dropped.
// Simplifies: one shared pool; bytes are counters, a frame does not remember its pool; a fall of the dynamic threshold
// pauses a group only when that group's next frame arrives.
// Source: docs/model.md section 3; Choudhury and Hahne, "Dynamic Queue Length Thresholds", 1998; IEEE 802.1Qbb.
// Validated by tests/unit/fabric/shared_buffer_test.cpp and shared_buffer_reference_test.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "core/units.hpp"
#include "fabric/admission.hpp"
#include "fabric/deep_memory.hpp"
#include "fabric/fabric_config.hpp"
#include "fabric/headroom.hpp"
#include "fabric/loss_watch.hpp"
#include "fabric/threshold_line.hpp"

namespace soya {

/// What a buffer is built from.
struct SharedBufferSetup {
  BufferConfig buffer;
  HeadroomMode headroom;
  PrioritySet lossless;
  std::vector<Bytes> group_headroom;  ///< by port: `size` of the headroom, with `auto` resolved
  std::optional<DeepSetup> deep{};    ///< of `buffer.deep`: what is divided is off chip

  [[nodiscard]] HeadroomLayout layout() const { return {group_headroom, lossless}; }
};

class SharedBuffer final {
 public:
  /// No buffer and no part of one is larger.
  static constexpr Bytes largest{std::int64_t{1} << 40};

  /// Why a buffer for frames of at most `largest_frame` bytes cannot be built from `setup`, every reason as a line of
  /// text; empty when it can.
  [[nodiscard]] static std::vector<std::string> problems(const SharedBufferSetup& setup, Bytes largest_frame);

  /// The smallest memory with which `setup` has no problems but those of its on-chip memory in front of another;
  /// nothing where its size is not what is wrong.
  [[nodiscard]] static std::optional<Bytes> smallest_size(SharedBufferSetup setup, Bytes largest_frame);

  /// Of a deep buffer: why its on-chip memory is too small, and how much is enough.
  [[nodiscard]] static std::vector<std::string> on_chip_problems(const SharedBufferSetup& setup, Bytes largest_frame);
  [[nodiscard]] static Bytes smallest_on_chip(const SharedBufferSetup& setup, Bytes largest_frame);

  /// `setup` has no `problems`.
  explicit SharedBuffer(const SharedBufferSetup& setup);
  /// With a policy that no configuration names: `setup.headroom` is not read.
  SharedBuffer(const SharedBufferSetup& setup, std::unique_ptr<HeadroomPolicy> policy);

  /// Stores a frame that has arrived at `ingress` for the queue of `egress` if that pauses nobody: a lossless one that
  /// leaves its group below the threshold. Returns whether it did; where not, `admit` decides.
  [[nodiscard]] bool store_below_threshold(PortId ingress, PortId egress, Priority priority, Bytes frame);

  /// Stores and releases a frame that leaves as it arrives, if that neither pauses nor resumes. Returns whether it did.
  [[nodiscard]] bool pass(PortId ingress, PortId egress, Priority priority, Bytes frame);

  /// Stores a frame that has arrived at `ingress` for the queue of `egress`, or drops it.
  [[nodiscard]] Admission admit(PortId ingress, PortId egress, Priority priority, Bytes frame, Time now);

  /// Forgets a stored frame that leaves. Returns the groups that are on again, by (port, priority); the span is valid
  /// until the next release.
  [[nodiscard]] std::span<const PriorityGroup> release(PortId ingress, PortId egress, Priority priority, Bytes frame,
                                                       Time now);

  /// A frame of `priority` that came in by `ingress` finds no room on chip; `missing` bytes of it where it is lossless.
  [[nodiscard]] Admission refuse(PortId ingress, Priority priority, Bytes missing);

  /// What a frame takes of the memory: whole cells.
  [[nodiscard]] Bytes charge_of(Bytes frame) const { return Bytes{in_cells(frame)}; }

  [[nodiscard]] bool off(PortId port, Priority priority) const { return is_off(index(port, priority)); }

  // Of the priority group of an ingress port.
  [[nodiscard]] Bytes reserved_use(PortId port, Priority priority) const {
    return Bytes{group(port, priority).reserved};
  }
  [[nodiscard]] Bytes shared_use(PortId port, Priority priority) const { return Bytes{group(port, priority).shared}; }
  /// All that is stored of the group: reserved, shared and headroom.
  [[nodiscard]] Bytes stored(PortId port, Priority priority) const {
    return reserved_use(port, priority) + shared_use(port, priority) + headroom_use(port, priority);
  }
  [[nodiscard]] Bytes shared_peak(PortId port, Priority priority) const {
    return Bytes{group(port, priority).shared_peak};
  }
  [[nodiscard]] std::int64_t dropped_frames(PortId port, Priority priority) const {
    return group(port, priority).dropped;
  }
  [[nodiscard]] Bytes headroom_size(PortId port, Priority priority) const {
    return headroom_.size(index(port, priority));
  }
  [[nodiscard]] Bytes headroom_use(PortId port, Priority priority) const {
    return headroom_.use(index(port, priority));
  }
  [[nodiscard]] Bytes headroom_peak(PortId port, Priority priority) const {
    return headroom_.peak(index(port, priority));
  }
  /// Peak of headroom use, with what was dropped for want of headroom: see `Headroom::needed`.
  [[nodiscard]] Bytes headroom_needed(PortId port, Priority priority) const {
    return headroom_.needed(index(port, priority));
  }
  [[nodiscard]] Duration time_in_headroom(PortId port, Priority priority, Time now) const {
    return headroom_.time_in_headroom(index(port, priority), now);
  }

  /// Fetches what frames of `priority` count at a port.
  void fetch(PortId port, Priority priority) const { __builtin_prefetch(&counts_[index(port, priority)], 1); }

  // Of the queue of an egress port.
  [[nodiscard]] Bytes queue_bytes(PortId port, Priority priority) const {
    return Bytes{counts(port, priority).queue.bytes};
  }
  [[nodiscard]] Bytes queue_peak(PortId port, Priority priority) const {
    return Bytes{counts(port, priority).queue.peak};
  }

  // Of the whole buffer.
  [[nodiscard]] const Headroom& headroom() const { return headroom_; }
  [[nodiscard]] Bytes size() const { return Bytes{size_}; }
  [[nodiscard]] Bytes shared_size() const { return Bytes{shared_size_}; }
  [[nodiscard]] Bytes free_shared() const { return Bytes{free_shared_}; }
  [[nodiscard]] Bytes occupancy() const { return Bytes{occupancy_}; }
  [[nodiscard]] Bytes occupancy_peak() const { return Bytes{occupancy_peak_}; }
  /// Of a lossless group's shared use, now.
  [[nodiscard]] Bytes threshold() const { return threshold_.at(free_shared_); }
  [[nodiscard]] std::size_t ports() const { return ports_; }

  /// The conservation laws, counted anew over all groups and queues. Throws `InternalError`.
  void check_invariants() const;

 private:
  /// Bytes of a priority group. Only a lossless one uses reserved; its headroom is in the pool.
  struct Group {
    std::int64_t reserved{0};
    std::int64_t shared{0};
    std::int64_t shared_peak{0};
    std::int64_t dropped{0};
    std::int64_t margin{0};  ///< goes off this far below the threshold
  };
  /// What the groups of a port have in common under a policy that pauses whole ports.
  struct PortShare {
    std::int64_t shared{0};  ///< of its lossless groups
    bool off{false};         ///< DSH: frames go to headroom
  };
  struct Queue {
    std::int64_t bytes{0};
    std::int64_t peak{0};
  };
  /// Both of a port and priority, in one cache line: what one frame leaves behind, another finds.
  struct alignas(64) Counts {
    Group group;  ///< as ingress
    Queue queue;  ///< as egress
  };

  [[nodiscard]] static std::size_t index(PortId port, Priority priority) {
    return port.index() * Priority::count + priority.index();
  }
  [[nodiscard]] Counts& counts(PortId port, Priority priority) {
    return counts_[priority.index() * ports_ + port.index()];
  }
  [[nodiscard]] const Counts& counts(PortId port, Priority priority) const {
    return counts_[priority.index() * ports_ + port.index()];
  }
  [[nodiscard]] Counts& counts(std::size_t i) { return counts(port_of(i), priority_of(i)); }
  [[nodiscard]] const Counts& counts(std::size_t i) const { return counts(port_of(i), priority_of(i)); }
  [[nodiscard]] std::size_t groups() const { return counts_.size(); }
  [[nodiscard]] static PortId port_of(std::size_t i) { return PortId{i / Priority::count}; }
  [[nodiscard]] static Priority priority_of(std::size_t i) {
    return Priority{static_cast<std::uint8_t>(i % Priority::count)};
  }
  [[nodiscard]] const Group& group(PortId port, Priority priority) const { return counts(port, priority).group; }
  [[nodiscard]] std::int64_t in_cells(Bytes frame) const;
  [[nodiscard]] bool is_off(std::size_t i) const { return ((off_[i / 64] >> (i % 64)) & 1U) != 0; }

  /// Most frames raise no peak: theirs is not written.
  static void raise(std::int64_t& peak, std::int64_t use) {
    if (use > peak) [[unlikely]]
      peak = use;
  }
  [[nodiscard]] bool admits_to_shared(std::size_t i, std::int64_t charge) const;
  void take_shared(Group& group, std::int64_t charge);
  void give_shared_back(Group& group, std::int64_t charge);
  [[nodiscard]] std::span<const PriorityGroup> release_past_rules(std::size_t i, std::size_t q, std::int64_t charge,
                                                                  Time now);
  void count_rules();
  void store(Queue& queue, std::int64_t charge);
  [[nodiscard]] Admission admit_lossy(Group& group, Queue& queue, std::int64_t charge);
  [[nodiscard]] Admission admit_to_headroom(std::size_t i, std::size_t q, std::int64_t charge, Time now);
  void look_at_losses(std::size_t q, std::int64_t left);
  [[nodiscard]] PrioritySet xoff_after_sharing(std::size_t i);
  [[nodiscard]] PrioritySet turn_off(std::size_t i);
  [[nodiscard]] PrioritySet turn_port_off(std::size_t i);
  [[nodiscard]] bool turn_group_off(std::size_t i);
  [[nodiscard]] bool port_holds_headroom(std::size_t port) const;
  [[nodiscard]] std::int64_t group_resume_at(std::size_t i) const;
  [[nodiscard]] std::int64_t port_resume_at(std::size_t port) const;
  [[nodiscard]] std::int64_t resume_at(std::size_t i) const;
  void resume(std::size_t i);
  void look_at(std::size_t i, std::int64_t line);
  void resume_due(std::size_t released, bool released_is_off);

  // Two cache lines for what every frame asks, the rest behind.
  std::vector<Counts> counts_;   ///< by priority and port: those of one priority together
  std::uint32_t off_groups_{0};  ///< how many groups are off
  std::uint32_t rules_{0};       ///< what else goes by each frame that leaves: whole ports, gaps of lost frames
  std::int64_t free_shared_{0};
  std::int64_t occupancy_{0};
  std::int64_t occupancy_peak_{0};
  std::int64_t reserved_;   ///< of each lossless group
  std::int64_t cell_mask_;  ///< of whole cells, where their size is a power of two; else 0
  ThresholdLine threshold_;
  bool by_port_;  ///< the rule joins the groups of a port
  PrioritySet lossless_;
  PrioritySet by_threshold_;  ///< lossless, and nothing but the group's own threshold pauses them
  std::uint32_t ports_;
  /// No off group resumes while the threshold line is below this: a lower bound, made exact by every scan.
  std::int64_t resume_bound_{INT64_MAX};
  std::vector<std::uint64_t> off_;  ///< one bit for each group, by port and priority
  ThresholdLine lossy_threshold_;
  std::int64_t cell_;  ///< 1: bytes are counted as they are
  std::int64_t xon_offset_;
  std::int64_t size_;
  std::int64_t shared_size_{0};
  Headroom headroom_;
  PauseRule pause_rule_;
  std::vector<PortShare> port_shares_;
  LossWatch losses_;
  std::vector<PriorityGroup> resumed_;
};

inline std::int64_t SharedBuffer::in_cells(Bytes frame) const {
  if (cell_mask_ != 0) [[likely]]
    return (frame.count() + ~cell_mask_) & cell_mask_;
  return (frame.count() + cell_ - 1) / cell_ * cell_;
}

inline void SharedBuffer::take_shared(Group& group, std::int64_t charge) {
  group.shared += charge;
  raise(group.shared_peak, group.shared);
  free_shared_ -= charge;
}

inline void SharedBuffer::store(Queue& queue, std::int64_t charge) {
  queue.bytes += charge;
  raise(queue.peak, queue.bytes);
  occupancy_ += charge;
  raise(occupancy_peak_, occupancy_);
  SOYA_DCHECK(occupancy_ <= size_, "a buffer holds more than its size");
}

inline bool SharedBuffer::admits_to_shared(std::size_t i, std::int64_t charge) const {
  if (charge > free_shared_) return false;
  if (pause_rule_.port_multiple > 0) return !port_shares_[i / Priority::count].off;
  return !threshold_.reached(counts(i).group.shared, free_shared_);
}

inline bool SharedBuffer::store_below_threshold(PortId ingress, PortId egress, Priority priority, Bytes frame) {
  if (!by_threshold_.contains(priority)) [[unlikely]]
    return false;
  const std::int64_t charge = in_cells(frame);
  Group& group = counts(ingress, priority).group;
  if (group.reserved + charge <= reserved_) {
    if (group.shared != 0 && threshold_.reached(group.shared + group.margin, free_shared_)) return false;
    group.reserved += charge;
  } else {
    // What is below the threshold with the frame was so without it.
    const std::int64_t shared = group.shared + charge;
    const std::int64_t left = free_shared_ - charge;
    if (left < 0 || threshold_.reached(shared + group.margin, left)) return false;
    group.shared = shared;
    raise(group.shared_peak, shared);
    free_shared_ = left;
  }
  store(counts(egress, priority).queue, charge);
  return true;
}

inline bool SharedBuffer::pass(PortId ingress, PortId egress, Priority priority, Bytes frame) {
  if (rules_ != 0 || !by_threshold_.contains(priority)) [[unlikely]]
    return false;
  if (off_groups_ != 0 && (is_off(index(ingress, priority)) || threshold_.linear(free_shared_) >= resume_bound_)) {
    return false;
  }
  const std::int64_t charge = in_cells(frame);
  Group& group = counts(ingress, priority).group;
  if (group.reserved + charge <= reserved_) {
    if (group.shared != 0) return false;  // those would leave first
  } else {
    const std::int64_t shared = group.shared + charge;
    const std::int64_t left = free_shared_ - charge;
    if (left < 0 || threshold_.reached(shared + group.margin, left)) return false;
    raise(group.shared_peak, shared);
  }
  Queue& queue = counts(egress, priority).queue;
  raise(queue.peak, queue.bytes + charge);
  raise(occupancy_peak_, occupancy_ + charge);
  SOYA_DCHECK(occupancy_ + charge <= size_, "a buffer holds more than its size");
  return true;
}

inline Admission SharedBuffer::admit(PortId ingress, PortId egress, Priority priority, Bytes frame, Time now) {
  const std::int64_t charge = in_cells(frame);
  const std::size_t i = index(ingress, priority);
  const std::size_t q = index(egress, priority);
  Group& group = counts(ingress, priority).group;
  Queue& queue = counts(egress, priority).queue;
  if (!lossless_.contains(priority)) return admit_lossy(group, queue, charge);

  if (group.reserved + charge <= reserved_) {
    group.reserved += charge;
  } else if (admits_to_shared(i, charge)) {
    take_shared(group, charge);
    if (by_port_) port_shares_[ingress.index()].shared += charge;
  } else {
    return admit_to_headroom(i, q, charge, now);
  }
  store(queue, charge);
  return {.drop = DropReason::none, .xoff = xoff_after_sharing(i)};
}

/// The groups that go off because `i` has taken a frame.
inline PrioritySet SharedBuffer::xoff_after_sharing(std::size_t i) {
  // A group without shared bytes is on whatever the threshold, as it is at resume: when others fill the buffer its
  // reserved bytes stay its own, and the frame after them lands in headroom.
  const Group& group = counts(i).group;
  if (group.shared == 0) return {};
  if (pause_rule_.port_multiple > 0) {
    const std::int64_t port_shared = port_shares_[i / Priority::count].shared;
    if (threshold_.reached(port_shared / pause_rule_.port_multiple, free_shared_)) return turn_port_off(i);
  }
  if (!threshold_.reached(group.shared + group.margin, free_shared_)) return {};
  return turn_off(i);
}

/// `charge` bytes of a group leave shared as far as it holds any, then its reserved ones.
inline void SharedBuffer::give_shared_back(Group& group, std::int64_t charge) {
  const std::int64_t from_shared = std::min(charge, group.shared);
  group.shared -= from_shared;
  free_shared_ += from_shared;
  group.reserved -= charge - from_shared;
  SOYA_DCHECK(group.reserved >= 0, "a frame is released that was not admitted");
}

/// Frames leave by the rules of pauses and losses, too.
inline std::span<const PriorityGroup> SharedBuffer::release_past_rules(std::size_t i, std::size_t q,
                                                                       std::int64_t charge, Time now) {
  if (losses_.watching()) look_at_losses(q, charge);
  // Headroom is held by off groups only.
  const bool released_is_off = is_off(i);
  Group& group = counts(i).group;
  const std::int64_t beyond_headroom =
      released_is_off ? charge - headroom_.give_back(i, Bytes{charge}, now).count() : charge;
  const std::int64_t shared = group.shared;
  give_shared_back(group, beyond_headroom);
  if (by_port_ && lossless_.contains(priority_of(i))) port_shares_[i / Priority::count].shared -= shared - group.shared;

  resumed_.clear();
  if (released_is_off || threshold_.linear(free_shared_) >= resume_bound_) resume_due(i, released_is_off);
  return resumed_;
}

inline std::span<const PriorityGroup> SharedBuffer::release(PortId ingress, PortId egress, Priority priority,
                                                            Bytes frame, Time now) {
  const std::int64_t charge = in_cells(frame);
  Queue& queue = counts(egress, priority).queue;
  queue.bytes -= charge;
  occupancy_ -= charge;
  SOYA_DCHECK(queue.bytes >= 0, "a frame is released that was not admitted");
  if (off_groups_ + rules_ != 0) {
    return release_past_rules(index(ingress, priority), index(egress, priority), charge, now);
  }
  give_shared_back(counts(ingress, priority).group, charge);
  return {};
}

}  // namespace soya
