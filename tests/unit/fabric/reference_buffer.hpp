// The slowest and plainest form of the shared buffer's rules: every number is recomputed by division, every release
// looks at every group.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "fabric/shared_buffer.hpp"

namespace soya {

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
  bool lost{false};
};

class ReferenceBuffer {
 public:
  explicit ReferenceBuffer(const SharedBufferSetup& setup)
      : setup_{setup},
        groups_(setup.group_headroom.size() * 8),
        queues_(groups_.size()),
        port_off_(setup.group_headroom.size()) {}

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
    const std::size_t q = frame.egress.index() * 8 + frame.priority.index();
    queues_[q] -= rest;
    if (const auto lost = lost_.find(q); lost != lost_.end()) lost->second -= rest;
    if (own.off) own.refused -= std::min(own.refused, std::max<std::int64_t>(rest - own.headroom, 0));
    for (std::int64_t* counter : {&own.headroom, &own.shared, &own.reserved}) {
      const std::int64_t part = std::min(rest, *counter);
      *counter -= part;
      rest -= part;
    }
    CHECK(rest == 0);
    for (std::size_t p = 0; p < port_off_.size(); ++p) port_off_[p] = port_off_[p] && !port_may_resume(p);
    std::vector<PriorityGroup> resumed;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (!groups_[i].off || port_off_[i / 8] || !may_resume(i)) continue;
      moved_up_ = moved_up_ || groups_[i].lost;
      resumed.push_back({PortId{i / 8}, Priority{static_cast<std::uint8_t>(i % 8)}});
    }
    for (const PriorityGroup group : resumed) groups_[group.port.index() * 8 + group.priority.index()].off = false;
    look_for_moved_up();
    return resumed;
  }

  std::int64_t free_shared() const {
    std::int64_t free = setup_.buffer.size.count();
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      free -= groups_[i].shared;
      if (is_lossless(i)) free -= setup_.buffer.reserved.count();
    }
    return free - carved();
  }

  const std::vector<ReferenceGroup>& groups() const { return groups_; }
  const std::vector<std::int64_t>& queues() const { return queues_; }

 private:
  Admission admit_lossless(const Frame& frame, std::int64_t charge, ReferenceGroup& own) {
    Admission admission;
    const std::size_t port = frame.ingress.index();
    const auto [room, limit] = room_of(port * 8 + frame.priority.index());
    const bool shares =
        is<DynamicSharedHeadroom>() ? !port_off_[port] : own.shared < threshold(setup_.buffer.threshold);
    bool beyond = false;
    if (own.reserved + charge <= setup_.buffer.reserved.count()) {
      own.reserved += charge;
    } else if (shares && charge <= free_shared()) {
      own.shared += charge;
    } else {
      beyond = true;
      (charge <= room ? own.headroom : own.refused) += charge;
      own.headroom_peak = std::max(own.headroom_peak, own.headroom);
      own.needed = std::max(own.needed, own.headroom + own.refused);
      if (charge > room) {
        own.lost = true;
        const std::size_t q = frame.egress.index() * 8 + frame.priority.index();
        lost_.try_emplace(q, queues_[q]);
        look_for_moved_up();
        admission.drop = DropReason::headroom_exhausted;
        admission.missing = Bytes{charge - room};
        admission.limit = limit;
      }
    }
    admission.xoff = gone_off(port, frame.priority.index(), beyond);
    return admission;
  }

  /// Once all frames are gone that were ahead of a lost one in its queue, or a group that lost one resumes, no two
  /// refused frames count together.
  void look_for_moved_up() {
    for (const auto& [queue, ahead] : lost_) moved_up_ = moved_up_ || ahead <= 0;
    for (ReferenceGroup& group : groups_) group.refused = moved_up_ ? 0 : group.refused;
  }

  /// Turns off whoever is to be paused now, and says who was not yet.
  PrioritySet gone_off(std::size_t port, std::size_t priority, bool beyond) {
    const std::int64_t limit = threshold(setup_.buffer.threshold);
    const ReferenceGroup& own = groups_[port * 8 + priority];
    const bool port_reached = is<DynamicSharedHeadroom>() && own.shared > 0 &&
                              sum_of(port, &ReferenceGroup::shared) / lossless_count() >= limit;
    const std::int64_t margin = is<DynamicSharedHeadroom>() ? setup_.group_headroom[port].count() : 0;
    const bool reached = own.shared > 0 && own.shared + margin >= limit;
    const bool whole_port =
        is<PortSharedHeadroom>() ? beyond || reached : is<DynamicSharedHeadroom>() && (beyond || port_reached);
    if (is<DynamicSharedHeadroom>() && whole_port) port_off_[port] = true;
    PrioritySet gone;
    for (std::uint8_t q = 0; q < 8; ++q) {
      ReferenceGroup& group = groups_[port * 8 + q];
      const bool meant = whole_port ? is_lossless(q) : q == priority && (beyond || reached);
      if (!meant || group.off) continue;
      group.off = true;
      gone.insert(Priority{q});
    }
    return gone;
  }

  bool group_may_resume(std::size_t i) const {
    const std::int64_t margin = is<DynamicSharedHeadroom>() ? setup_.group_headroom[i / 8].count() : 0;
    const std::int64_t below = threshold(setup_.buffer.threshold) - margin - setup_.buffer.xon_offset.count();
    return groups_[i].headroom == 0 && (groups_[i].shared == 0 || groups_[i].shared <= below);
  }
  bool may_resume(std::size_t i) const {
    if (!is<PortSharedHeadroom>()) return group_may_resume(i);
    for (std::size_t q = 0; q < 8; ++q) {
      if (is_lossless(q) && !group_may_resume(i / 8 * 8 + q)) return false;
    }
    return true;
  }
  bool port_may_resume(std::size_t port) const {
    if (sum_of(port, &ReferenceGroup::headroom) > 0) return false;
    const std::int64_t shared = sum_of(port, &ReferenceGroup::shared);
    const std::int64_t most = lossless_count() * threshold(setup_.buffer.threshold);
    return shared == 0 || shared + setup_.buffer.xon_offset.count() <= most;
  }

  /// What a group may still put into headroom, and which bytes end there.
  std::pair<std::int64_t, HeadroomLimit> room_of(std::size_t i) const {
    const std::int64_t size = setup_.group_headroom[i / 8].count();
    if (is<PerQueueHeadroom>()) return {size - groups_[i].headroom, HeadroomLimit::group};
    if (is<NoHeadroom>()) return {0, HeadroomLimit::none};
    if (!is<SharedPoolHeadroom>()) return {size - sum_of(i / 8, &ReferenceGroup::headroom), HeadroomLimit::port};
    std::int64_t pool = carved();
    const std::int64_t cap = std::get<SharedPoolHeadroom>(setup_.headroom).cap.value_or(Bytes{pool}).count();
    for (const ReferenceGroup& group : groups_) pool -= group.headroom;
    if (pool <= cap - groups_[i].headroom) return {pool, HeadroomLimit::pool};
    return {cap - groups_[i].headroom, HeadroomLimit::cap};
  }

  std::int64_t carved() const {
    std::int64_t sum = 0;
    if (is<NoHeadroom>() || setup_.lossless.empty()) return 0;
    for (const Bytes size : setup_.group_headroom) sum += size.count();
    if (is<PortSharedHeadroom>() || is<DynamicSharedHeadroom>()) return sum;
    const auto* pool = std::get_if<SharedPoolHeadroom>(&setup_.headroom);
    if (pool == nullptr) return sum * lossless_count();
    if (pool->pool) return pool->pool->count();
    std::int64_t parts = 0;
    while (parts * pool->oversubscribe.numerator < sum * lossless_count() * pool->oversubscribe.denominator) ++parts;
    return parts;
  }

  template <class Mode>
  bool is() const {
    return std::holds_alternative<Mode>(setup_.headroom);
  }
  bool is_lossless(std::size_t i) const { return setup_.lossless.contains(Priority{static_cast<std::uint8_t>(i % 8)}); }
  std::int64_t lossless_count() const {
    std::int64_t count = 0;
    for (std::size_t q = 0; q < 8; ++q) count += is_lossless(q) ? 1 : 0;
    return count;
  }
  std::int64_t sum_of(std::size_t port, std::int64_t ReferenceGroup::*counter) const {
    std::int64_t sum = 0;
    for (std::size_t q = 0; q < 8; ++q) sum += is_lossless(q) ? groups_[port * 8 + q].*counter : 0;
    return sum;
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
  std::vector<bool> port_off_;
  std::map<std::size_t, std::int64_t> lost_;  ///< by queue: bytes ahead of the first lost frame's place
  bool moved_up_{false};
};

}  // namespace soya
