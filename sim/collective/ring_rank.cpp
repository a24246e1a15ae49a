#include <algorithm>

#include "collective/ring.hpp"
#include "core/check.hpp"

namespace soya {

RingRank::RingRank(const RingPlace& place, const RingConfig& config)
    : place_{place},
      slots_{config.slots},
      reduce_time_{config.reduce_time},
      placed_sizes_(static_cast<std::size_t>(config.slots)) {
  SOYA_CHECK(config.slots >= 1, "a channel has a slot");
}

void RingRank::begin(const RingLayout& layout, RingActions& actions) {
  SOYA_CHECK(finished(), "a rank begins a collective when the one before is finished");
  SOYA_CHECK(arrived_ == taken_, "a slice arrives only after its clear-to-send");
  if (layout.loops(place_.channel) == 0) return;
  layout_ = &layout;
  cursor_ = {};
  taken_before_ = taken_;
  granted_limit_ = taken_ + layout.slices_received(place_);
  settle();
  while (granted_ < granted_limit_ && granted_ < taken_ + slots_) grant(actions);
  advance(actions);
}

void RingRank::slice_received(std::int64_t ordinal, RingActions& actions) {
  SOYA_CHECK(ordinal == arrived_ && arrived_ < granted_, "slices arrive in order, each after its clear-to-send");
  ++arrived_;
  advance(actions);
}

void RingRank::clear_to_send_received(std::int64_t ordinal, RingActions& actions) {
  SOYA_CHECK(ordinal == credits_, "clear-to-sends arrive in order");
  ++credits_;
  send_ready(actions);
}

void RingRank::slice_reduced(RingActions& actions) {
  SOYA_CHECK(reduction_ == Reduction::running, "only a running reduction ends");
  reduction_ = Reduction::done;
  advance(actions);
}

void RingRank::slice_sent(RingActions& actions) {
  SOYA_CHECK(acknowledged_ < posted_, "only posted slices are acknowledged");
  ++acknowledged_;
  advance(actions);
}

RingWait RingRank::waits_for() const {
  if (finished()) return RingWait::nothing;
  if (takes() && taken_ == arrived_) return RingWait::slice;
  if (reduction_ == Reduction::running) return RingWait::reduction;
  return posted_ < placed_ ? RingWait::clear_to_send : RingWait::acknowledge;
}

RingChunk RingRank::chunk() const {
  return {place_.channel, cursor_.loop, layout_->chunk_at(place_.rank, cursor_.step)};
}

/// Whether the arrived slice is reduced, if this step reduces; starts the reduction where it is not.
bool RingRank::reduced(RingActions& actions) {
  if (!reduces() || reduce_time_ == Duration{0} || reduction_ == Reduction::done) return true;
  if (reduction_ == Reduction::none) {
    reduction_ = Reduction::running;
    actions.reduce();
  }
  return false;
}

void RingRank::advance(RingActions& actions) {
  while (!finished()) {
    if (takes() && (taken_ == arrived_ || !reduced(actions))) return;
    if (sends() && placed_ - acknowledged_ == slots_) return;
    if (sends()) place(actions);
    if (takes()) take(actions);
    next_slice();
  }
}

void RingRank::place(RingActions& actions) {
  const Bytes size = layout_->slice_size(chunk(), cursor_.slice);
  placed_sizes_[static_cast<std::size_t>(placed_ % slots_)] = size;
  placed_bytes_ += size;
  ++placed_;
  send_ready(actions);
}

void RingRank::take(RingActions& actions) {
  ++taken_;
  reduction_ = Reduction::none;
  grant(actions);
}

void RingRank::grant(RingActions& actions) {
  if (granted_ < granted_limit_) actions.send_clear_to_send(granted_++);
}

void RingRank::send_ready(RingActions& actions) {
  while (posted_ < placed_ && posted_ < credits_) {
    const RingSlice slice{posted_, placed_sizes_[static_cast<std::size_t>(posted_ % slots_)]};
    ++posted_;
    actions.send_slice(slice);
  }
}

void RingRank::next_slice() {
  ++cursor_.slice;
  settle();
}

/// Moves the cursor to the next slice that exists, from where it stands; ends the program after the last.
void RingRank::settle() {
  while (layout_ != nullptr) {
    const std::int64_t batch_end = (cursor_.batch + 1) * slots_;
    if (cursor_.slice < std::min(batch_end, layout_->slices(chunk()))) return;
    next_step();
  }
}

void RingRank::next_step() {
  if (cursor_.step < layout_->steps()) {
    ++cursor_.step;
  } else {
    cursor_.step = 0;
    ++cursor_.batch;
    if (cursor_.batch * slots_ >= layout_->most_slices(place_.channel, cursor_.loop)) {
      cursor_.batch = 0;
      ++cursor_.loop;
    }
    if (cursor_.loop == layout_->loops(place_.channel)) layout_ = nullptr;
  }
  cursor_.slice = cursor_.batch * slots_;
}

}  // namespace soya
