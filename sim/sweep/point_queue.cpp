#include "sweep/point_queue.hpp"

#include <algorithm>
#include <utility>

namespace soya {

namespace {

/// Whether `a` comes after `b`: it is shorter, or as long and later in the sweep.
bool after(const WaitingPoint& a, const WaitingPoint& b) {
  if (a.prepared.packet_hops != b.prepared.packet_hops) return a.prepared.packet_hops < b.prepared.packet_hops;
  return a.point.number > b.point.number;
}

}  // namespace

std::optional<Point> PointQueue::to_prepare() {
  const std::lock_guard lock{mutex_};
  if (exhausted_ || heap_.size() >= window_) return std::nullopt;
  std::optional<Point> point = cursor_.next();
  exhausted_ = !point.has_value();
  return point;
}

void PointQueue::add(WaitingPoint waiting) {
  const std::lock_guard lock{mutex_};
  packet_hops_ += waiting.prepared.packet_hops;
  heap_.push_back(std::move(waiting));
  std::ranges::push_heap(heap_, after);
}

std::optional<WaitingPoint> PointQueue::longest() {
  const std::lock_guard lock{mutex_};
  if (heap_.empty()) return std::nullopt;
  std::ranges::pop_heap(heap_, after);
  WaitingPoint waiting = std::move(heap_.back());
  heap_.pop_back();
  packet_hops_ -= waiting.prepared.packet_hops;
  return waiting;
}

PointQueue::Outlook PointQueue::outlook() const {
  const std::lock_guard lock{mutex_};
  return {packet_hops_, exhausted_};
}

}  // namespace soya
