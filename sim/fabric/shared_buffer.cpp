#include "fabric/shared_buffer.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>
#include <variant>

namespace soya {

namespace {

Ratio reduced(Ratio ratio) {
  const std::int64_t divisor = std::gcd(ratio.numerator, ratio.denominator);
  return {ratio.numerator / divisor, ratio.denominator / divisor};
}

std::int64_t cell_of(const BufferConfig& buffer) {
  return buffer.cell ? buffer.cell->count() : 1;
}

std::int64_t mask_of(std::int64_t cell) {
  return std::has_single_bit(static_cast<std::uint64_t>(cell)) ? -cell : 0;
}

}  // namespace

ThresholdLine::ThresholdLine(const Threshold& threshold) {
  if (const auto* dynamic = std::get_if<DynamicThreshold>(&threshold)) {
    const Ratio alpha = reduced(dynamic->alpha);
    slope_ = alpha.numerator;
    scale_ = alpha.denominator;
  } else {
    constant_ = std::get<StaticThreshold>(threshold).size.count();
  }
}

SharedBuffer::SharedBuffer(const SharedBufferSetup& setup)
    : SharedBuffer{setup, make_headroom_policy(setup.headroom, setup.layout())} {}

SharedBuffer::SharedBuffer(const SharedBufferSetup& setup, std::unique_ptr<HeadroomPolicy> policy)
    : counts_(setup.group_headroom.size() * Priority::count),
      reserved_{setup.buffer.reserved.count()},
      cell_mask_{mask_of(cell_of(setup.buffer))},
      threshold_{setup.buffer.threshold},
      by_port_{policy->pause_rule().whole_port || policy->pause_rule().port_multiple > 0},
      lossless_{setup.lossless},
      by_threshold_{by_port_ ? PrioritySet{} : lossless_},
      ports_{static_cast<std::uint32_t>(setup.group_headroom.size())},
      off_((counts_.size() + 63) / 64),
      lossy_threshold_{setup.buffer.lossy_threshold},
      cell_{cell_of(setup.buffer)},
      xon_offset_{setup.buffer.xon_offset.count()},
      size_{setup.buffer.memory().count()},
      headroom_{std::move(policy), setup.layout()},
      pause_rule_{headroom_.pause_rule()},
      port_shares_(setup.group_headroom.size()) {
  for (std::size_t i = 0; i < groups() && !pause_rule_.margin.empty(); ++i) {
    counts(i).group.margin = pause_rule_.margin[i / Priority::count].count();
  }
  const std::int64_t lossless_groups = std::ssize(setup.group_headroom) * std::popcount(setup.lossless.bits());
  shared_size_ = size_ - headroom_.carved().count() - reserved_ * lossless_groups;
  SOYA_CHECK(shared_size_ >= 0, "a buffer is built from a setup that has problems");
  free_shared_ = shared_size_;
  resumed_.reserve(counts_.size());
  count_rules();
}

void SharedBuffer::count_rules() {
  rules_ = (by_port_ ? 1U : 0U) + (losses_.watching() ? 1U : 0U);
}

Admission SharedBuffer::admit_lossy(Group& group, Queue& queue, std::int64_t charge) {
  const bool reached = lossy_threshold_.reached(queue.bytes, free_shared_);
  if (reached || charge > free_shared_) {
    ++group.dropped;
    const DropReason reason = reached ? DropReason::lossy_threshold : DropReason::buffer_full;
    return {.drop = reason};
  }
  take_shared(group, charge);
  store(queue, charge);
  return {};
}

Admission SharedBuffer::refuse(PortId ingress, Priority priority, Bytes missing) {
  ++counts(ingress, priority).group.dropped;
  if (!lossless_.contains(priority)) return {.drop = DropReason::buffer_full};
  return {.drop = DropReason::headroom_exhausted, .missing = missing, .limit = HeadroomLimit::on_chip};
}

Admission SharedBuffer::admit_to_headroom(std::size_t i, std::size_t q, std::int64_t charge, Time now) {
  const HeadroomAnswer answer = headroom_.take(i, Bytes{charge}, now);
  const PrioritySet xoff = pause_rule_.port_multiple > 0 ? turn_port_off(i) : turn_off(i);
  if (answer.missing > Bytes{0}) {
    ++counts(i).group.dropped;
    losses_.lost(q, counts(q).queue.bytes);
    count_rules();
    if (losses_.shows()) headroom_.loss_shows();
    // A group that has just lost a frame is paused whatever it holds: the next one would be lost, too.
    return {.drop = DropReason::headroom_exhausted, .xoff = xoff, .missing = answer.missing, .limit = answer.limit};
  }
  store(counts(q).queue, charge);
  return {.drop = DropReason::none, .xoff = xoff};
}

void SharedBuffer::look_at_losses(std::size_t q, std::int64_t left) {
  losses_.left(q, left);
  count_rules();
  if (losses_.shows()) headroom_.loss_shows();
}

/// True on the transition from on to off.
bool SharedBuffer::turn_group_off(std::size_t i) {
  if (is_off(i)) return false;
  off_[i / 64] |= std::uint64_t{1} << (i % 64);
  ++off_groups_;
  return true;
}

/// `i` goes off, with whom the policy pauses beside it.
PrioritySet SharedBuffer::turn_off(std::size_t i) {
  if (pause_rule_.whole_port) return turn_port_off(i);
  PrioritySet gone;
  if (!turn_group_off(i)) return gone;
  gone.insert(priority_of(i));
  resume_bound_ = std::min(resume_bound_, resume_at(i));
  return gone;
}

/// All lossless groups of the port of `i` go off.
PrioritySet SharedBuffer::turn_port_off(std::size_t i) {
  const std::size_t port = i / Priority::count;
  port_shares_[port].off = true;
  PrioritySet gone;
  for (unsigned bits = lossless_.bits(); bits != 0; bits &= bits - 1) {
    const Priority priority{static_cast<std::uint8_t>(std::countr_zero(bits))};
    if (turn_group_off(port * Priority::count + priority.index())) gone.insert(priority);
  }
  resume_bound_ = std::min(resume_bound_, resume_at(i));
  return gone;
}

bool SharedBuffer::port_holds_headroom(std::size_t port) const {
  for (unsigned bits = lossless_.bits(); bits != 0; bits &= bits - 1) {
    const auto priority = static_cast<std::size_t>(std::countr_zero(bits));
    if (headroom_.use(port * Priority::count + priority) > Bytes{0}) return true;
  }
  return false;
}

/// The value of the threshold line from which the off group `i` by itself is on again. It falls only with a release of
/// the group's own frames; an admission raises it.
std::int64_t SharedBuffer::group_resume_at(std::size_t i) const {
  if (headroom_.use(i) > Bytes{0}) return INT64_MAX;
  const Group& group = counts(i).group;
  return group.shared == 0 ? 0 : threshold_.linear_for(group.shared + group.margin + xon_offset_);
}

/// The value of the threshold line from which an off port is on again: of DSH, where its groups together are far enough
/// below the port's threshold; else where every group is.
std::int64_t SharedBuffer::port_resume_at(std::size_t port) const {
  if (port_holds_headroom(port)) return INT64_MAX;
  if (const std::int64_t multiple = pause_rule_.port_multiple; multiple > 0) {
    const std::int64_t shared = port_shares_[port].shared;
    return shared == 0 ? 0 : threshold_.linear_for((shared + xon_offset_ + multiple - 1) / multiple);
  }
  std::int64_t latest = 0;
  for (unsigned bits = lossless_.bits(); bits != 0; bits &= bits - 1) {
    const auto priority = static_cast<std::size_t>(std::countr_zero(bits));
    latest = std::max(latest, group_resume_at(port * Priority::count + priority));
  }
  return latest;
}

/// The value of the threshold line at which the off group `i` or its off port is to be looked at again.
std::int64_t SharedBuffer::resume_at(std::size_t i) const {
  const std::size_t port = i / Priority::count;
  return port_shares_[port].off ? port_resume_at(port) : group_resume_at(i);
}

void SharedBuffer::resume(std::size_t i) {
  off_[i / 64] &= ~(std::uint64_t{1} << (i % 64));
  --off_groups_;
  headroom_.resumed(i);
  resumed_.push_back({PortId{i / Priority::count}, priority_of(i)});
}

/// Resumes the off group `i` if its time has come at `line`, else remembers when to look again. A port goes on with the
/// look at its first group, and the others follow in the same scan: under `whole_port` all of them, for what was true
/// of all is true of each.
void SharedBuffer::look_at(std::size_t i, std::int64_t line) {
  PortShare& port = port_shares_[i / Priority::count];
  if (port.off && line >= port_resume_at(i / Priority::count)) port.off = false;
  const std::int64_t at = resume_at(i);
  if (line >= at && !port.off) return resume(i);
  resume_bound_ = std::min(resume_bound_, at);
}

/// Resumes every off group whose time has come, in ascending order: exactly what a look at all off groups would do,
/// and such a look happens only when the threshold has risen to the bound.
void SharedBuffer::resume_due(std::size_t released, bool released_is_off) {
  const std::int64_t line = threshold_.linear(free_shared_);
  if (line < resume_bound_) {
    if (!released_is_off) return;
    if (!by_port_) return look_at(released, line);
    // What one group of a port releases, the others of the port have waited for.
    const std::size_t first = released / Priority::count * Priority::count;
    for (std::size_t i = first; i < first + Priority::count; ++i) {
      if (is_off(i)) look_at(i, line);
    }
    return;
  }
  resume_bound_ = INT64_MAX;
  for (std::size_t word = 0; word < off_.size(); ++word) {
    for (std::uint64_t bits = off_[word]; bits != 0; bits &= bits - 1) {
      look_at(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)), line);
    }
  }
}

void SharedBuffer::check_invariants() const {
  std::int64_t shared = 0;
  std::int64_t total = 0;
  std::int64_t queued = 0;
  Bytes held;
  std::uint32_t off_groups = 0;
  for (std::size_t i = 0; i < groups(); ++i) {
    off_groups += is_off(i) ? 1U : 0U;
    const Group& group = counts(i).group;
    const Bytes headroom = headroom_.use(i);
    SOYA_CHECK(group.reserved >= 0 && group.reserved <= reserved_, "reserved use lies outside 0 and its size");
    SOYA_CHECK(group.shared >= 0, "shared use of a group is negative");
    SOYA_CHECK(headroom >= Bytes{0}, "headroom use of a group is negative");
    SOYA_CHECK(headroom == Bytes{0} || is_off(i), "a group that is on holds headroom");
    shared += group.shared;
    total += group.reserved + group.shared + headroom.count();
    held += headroom;
    SOYA_CHECK(counts(i).queue.bytes >= 0, "an egress queue is negative");
    queued += counts(i).queue.bytes;
  }
  SOYA_CHECK(off_groups == off_groups_, "the groups that are off are not as many as counted");
  SOYA_CHECK(held == headroom_.total_use(), "the groups do not add up to the headroom in use");
  SOYA_CHECK(held <= headroom_.carved(), "more headroom is in use than was set aside");
  SOYA_CHECK(free_shared_ >= 0, "free shared is negative");
  SOYA_CHECK(shared == shared_size_ - free_shared_, "shared use of the groups is not what shared has lost");
  SOYA_CHECK(total == occupancy_, "the groups do not add up to the occupancy");
  SOYA_CHECK(queued == occupancy_, "the egress queues do not add up to the occupancy");
  SOYA_CHECK(occupancy_ <= size_, "a buffer holds more than its size");
}

}  // namespace soya
