#include "fabric/shared_buffer.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>
#include <variant>

#include "core/quantity_text.hpp"

namespace soya {

namespace {

// Products of a size and a term of alpha stay within 64 bits: (2 × 2^40 + 1) × 10^6 < 2^63.
constexpr std::int64_t largest_size = SharedBuffer::largest.count();
constexpr std::int64_t largest_term = 1'000'000;

Ratio reduced(Ratio ratio) {
  const std::int64_t divisor = std::gcd(ratio.numerator, ratio.denominator);
  return {ratio.numerator / divisor, ratio.denominator / divisor};
}

std::string fraction(Ratio ratio) {
  return std::to_string(ratio.numerator) + "/" + std::to_string(ratio.denominator);
}

std::int64_t rounded_up(std::int64_t bytes, std::int64_t cell) {
  return (bytes + cell - 1) / cell * cell;
}

std::int64_t cell_of(const BufferConfig& buffer) {
  return buffer.cell ? buffer.cell->count() : 1;
}

std::int64_t lossless_count(PrioritySet lossless) {
  return std::popcount(lossless.bits());
}

std::string counted(std::int64_t count, const char* one, const char* several) {
  return std::to_string(count) + ' ' + (count == 1 ? one : several);
}

/// What a frame of `frame` bytes finds when the whole of `shared` is free.
struct EmptyBuffer {
  std::string kind;  ///< "threshold" or "lossy threshold"
  std::int64_t shared;
  std::int64_t frame;
  std::int64_t margin{0};  ///< a group goes off this far below the threshold
};

/// A high threshold lets in no frame that the memory below it does not hold.
std::vector<std::string> room_problems(const EmptyBuffer& empty) {
  if (empty.shared >= empty.frame) return {};
  return {empty.kind + ": shared " + grouped(empty.shared) + " < one frame of " + grouped(empty.frame) + " (bytes)"};
}

std::vector<std::string> threshold_problems(const DynamicThreshold& dynamic, const EmptyBuffer& empty) {
  const Ratio alpha = dynamic.alpha;
  if (alpha.numerator < 1 || alpha.denominator < 1)
    return {empty.kind + ": alpha " + fraction(alpha) + " is not above 0"};
  const Ratio exact = reduced(alpha);
  if (exact.numerator > largest_term || exact.denominator > largest_term) {
    return {empty.kind + ": alpha " + fraction(alpha) + " has a term above " + grouped(largest_term)};
  }
  const std::int64_t most = scaled(empty.shared, exact);
  if (most >= empty.frame + empty.margin) return room_problems(empty);
  if (most >= empty.frame) {
    return {empty.kind + ": alpha " + fraction(alpha) + " x shared " + grouped(empty.shared) + " = " + grouped(most) +
            " < headroom " + grouped(empty.margin) + " of dsh + one frame of " + grouped(empty.frame) + " (bytes)"};
  }
  return {empty.kind + ": alpha " + fraction(alpha) + " x shared " + grouped(empty.shared) + " = " + grouped(most) +
          " < one frame of " + grouped(empty.frame) + " (bytes)"};
}

std::vector<std::string> threshold_problems(const StaticThreshold& constant, const EmptyBuffer& empty) {
  if (constant.size < Bytes{1}) return {empty.kind + ": 0 bytes admit no frame to shared"};
  if (constant.size.count() > largest_size) return {empty.kind + ": above " + grouped(largest_size) + " bytes"};
  if (empty.margin > 0 && constant.size.count() < empty.frame + empty.margin) {
    return {empty.kind + ": " + grouped(constant.size.count()) + " < headroom " + grouped(empty.margin) +
            " of dsh + one frame of " + grouped(empty.frame) + " (bytes)"};
  }
  return room_problems(empty);
}

std::vector<std::string> size_problems(const BufferConfig& buffer) {
  std::vector<std::string> found;
  const auto in_range = [&found](const char* name, Bytes value, std::int64_t least) {
    if (value.count() >= least && value.count() <= largest_size) return;
    found.push_back(std::string(name) + " " + grouped(value.count()) + " is not between " + grouped(least) + " and " +
                    grouped(largest_size) + " (bytes)");
  };
  in_range("buffer", buffer.size, 1);
  in_range("reserved", buffer.reserved, 0);
  in_range("xon_offset", buffer.xon_offset, 0);
  if (buffer.cell) in_range("cell", *buffer.cell, 1);
  return found;
}

std::string out_of_range(const std::string& what) {
  return what + " is not between 1 and " + grouped(largest_size) + " (bytes)";
}

bool in_range(Bytes headroom) {
  return headroom > Bytes{0} && headroom.count() <= largest_size;
}

std::vector<std::string> headroom_problems(const SharedBufferSetup& setup) {
  if (setup.lossless.empty() || std::holds_alternative<NoHeadroom>(setup.headroom)) return {};
  if (const auto* pool = std::get_if<SharedPoolHeadroom>(&setup.headroom); pool != nullptr && pool->pool) {
    if (in_range(*pool->pool)) return {};
    return {out_of_range("headroom pool " + grouped(pool->pool->count()))};
  }
  const bool of_port = std::holds_alternative<PortSharedHeadroom>(setup.headroom) ||
                       std::holds_alternative<DynamicSharedHeadroom>(setup.headroom);
  const std::string owner = of_port ? " of port " : " of each lossless priority of port ";
  for (std::size_t port = 0; port < setup.group_headroom.size(); ++port) {
    const Bytes headroom = setup.group_headroom[port];
    if (!in_range(headroom))
      return {out_of_range("headroom " + grouped(headroom.count()) + owner + std::to_string(port))};
  }
  return {};
}

/// How the buffer is divided at build. `shared` is what remains, and negative when nothing does.
struct Division {
  std::int64_t headroom;
  std::int64_t reserved;
  std::int64_t shared;
};

Division divide(const SharedBufferSetup& setup, Bytes carved) {
  const auto ports = static_cast<std::int64_t>(setup.group_headroom.size());
  const std::int64_t reserved = setup.buffer.reserved.count() * ports * lossless_count(setup.lossless);
  return {carved.count(), reserved, setup.buffer.size.count() - carved.count() - reserved};
}

Division divide(const SharedBufferSetup& setup) {
  return divide(setup, make_headroom_policy(setup.headroom, setup.layout())->carved());
}

/// How far below its threshold the group goes off that goes off first.
std::int64_t largest_margin(const SharedBufferSetup& setup) {
  const PauseRule rule = make_headroom_policy(setup.headroom, setup.layout())->pause_rule();
  const auto most = std::max_element(rule.margin.begin(), rule.margin.end());
  return most == rule.margin.end() ? 0 : most->count();
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
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

std::vector<std::string> SharedBuffer::problems(const SharedBufferSetup& setup, Bytes largest_frame) {
  std::vector<std::string> found = size_problems(setup.buffer);
  append(found, headroom_problems(setup));
  if (!found.empty()) return found;

  const Division division = divide(setup);
  if (division.shared < 0) {
    return {"headroom " + grouped(division.headroom) + " + reserved " + grouped(division.reserved) + " > buffer " +
            grouped(setup.buffer.size.count()) + " (bytes; " +
            counted(std::ssize(setup.group_headroom), "port", "ports") + " x " +
            counted(lossless_count(setup.lossless), "lossless priority", "lossless priorities") + ')'};
  }
  const std::int64_t frame = rounded_up(largest_frame.count(), cell_of(setup.buffer));
  const auto check = [&](const char* kind, const Threshold& threshold, std::int64_t margin) {
    const EmptyBuffer empty{kind, division.shared, frame, margin};
    append(found, std::visit([&](const auto& line) { return threshold_problems(line, empty); }, threshold));
  };
  if (!setup.lossless.empty()) check("threshold", setup.buffer.threshold, largest_margin(setup));
  if (lossless_count(setup.lossless) < Priority::count) check("lossy threshold", setup.buffer.lossy_threshold, 0);
  return found;
}

std::optional<Bytes> SharedBuffer::smallest_size(SharedBufferSetup setup, Bytes largest_frame) {
  setup.buffer.size = Bytes{largest_size};
  if (!problems(setup, largest_frame).empty()) return std::nullopt;
  const std::int64_t frame = rounded_up(largest_frame.count(), cell_of(setup.buffer));
  std::int64_t shared = frame;
  const auto consider = [&](const Threshold& threshold, std::int64_t least) {
    const auto* dynamic = std::get_if<DynamicThreshold>(&threshold);
    if (dynamic == nullptr) return;
    const Ratio alpha = reduced(dynamic->alpha);
    shared = std::max(shared, (least * alpha.denominator + alpha.numerator - 1) / alpha.numerator);
  };
  if (!setup.lossless.empty()) consider(setup.buffer.threshold, frame + largest_margin(setup));
  if (lossless_count(setup.lossless) < Priority::count) consider(setup.buffer.lossy_threshold, frame);
  const Division division = divide(setup);
  return Bytes{division.headroom + division.reserved + shared};
}

SharedBuffer::SharedBuffer(const SharedBufferSetup& setup)
    : SharedBuffer{setup, make_headroom_policy(setup.headroom, setup.layout())} {}

SharedBuffer::SharedBuffer(const SharedBufferSetup& setup, std::unique_ptr<HeadroomPolicy> policy)
    : counts_(setup.group_headroom.size() * Priority::count),
      off_((counts_.size() + 63) / 64),
      reserved_{setup.buffer.reserved.count()},
      cell_{cell_of(setup.buffer)},
      cell_is_power_of_two_{std::has_single_bit(static_cast<std::uint64_t>(cell_))},
      lossless_{setup.lossless},
      threshold_{setup.buffer.threshold},
      lossy_threshold_{setup.buffer.lossy_threshold},
      xon_offset_{setup.buffer.xon_offset.count()},
      size_{setup.buffer.size.count()},
      headroom_{std::move(policy), setup.layout()},
      pause_rule_{headroom_.pause_rule()},
      by_port_{pause_rule_.whole_port || pause_rule_.port_multiple > 0},
      port_shares_(setup.group_headroom.size()) {
  for (std::size_t i = 0; i < counts_.size() && !pause_rule_.margin.empty(); ++i) {
    counts_[i].group.margin = pause_rule_.margin[i / Priority::count].count();
  }
  shared_size_ = divide(setup, headroom_.carved()).shared;
  SOYA_CHECK(shared_size_ >= 0, "a buffer is built from a setup that has problems");
  free_shared_ = shared_size_;
  resumed_.reserve(counts_.size());
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

Admission SharedBuffer::admit_to_headroom(std::size_t i, std::size_t q, std::int64_t charge, Time now) {
  const HeadroomAnswer answer = headroom_.take(i, Bytes{charge}, now);
  const PrioritySet xoff = pause_rule_.port_multiple > 0 ? turn_port_off(i) : turn_off(i);
  if (answer.missing > Bytes{0}) {
    ++counts_[i].group.dropped;
    losses_.lost(q, counts_[q].queue.bytes);
    if (losses_.shows()) headroom_.loss_shows();
    // A group that has just lost a frame is paused whatever it holds: the next one would be lost, too.
    return {.drop = DropReason::headroom_exhausted, .xoff = xoff, .missing = answer.missing, .limit = answer.limit};
  }
  store(counts_[q].queue, charge);
  return {.drop = DropReason::none, .xoff = xoff};
}

void SharedBuffer::look_at_losses(std::size_t q, std::int64_t left) {
  losses_.left(q, left);
  if (losses_.shows()) headroom_.loss_shows();
}

/// True on the transition from on to off.
bool SharedBuffer::turn_group_off(std::size_t i) {
  if (is_off(i)) return false;
  off_[i / 64] |= std::uint64_t{1} << (i % 64);
  return true;
}

/// `i` goes off, with whom the policy pauses beside it.
PrioritySet SharedBuffer::turn_off(std::size_t i) {
  if (pause_rule_.whole_port) return turn_port_off(i);
  PrioritySet gone;
  if (!turn_group_off(i)) return gone;
  gone.insert(Priority{static_cast<std::uint8_t>(i % Priority::count)});
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
  const Group& group = counts_[i].group;
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
  headroom_.resumed(i);
  resumed_.push_back({PortId{i / Priority::count}, Priority{static_cast<std::uint8_t>(i % Priority::count)}});
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
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    const Group& group = counts_[i].group;
    const Bytes headroom = headroom_.use(i);
    SOYA_CHECK(group.reserved >= 0 && group.reserved <= reserved_, "reserved use lies outside 0 and its size");
    SOYA_CHECK(group.shared >= 0, "shared use of a group is negative");
    SOYA_CHECK(headroom >= Bytes{0}, "headroom use of a group is negative");
    SOYA_CHECK(headroom == Bytes{0} || is_off(i), "a group that is on holds headroom");
    shared += group.shared;
    total += group.reserved + group.shared + headroom.count();
    held += headroom;
    SOYA_CHECK(counts_[i].queue.bytes >= 0, "an egress queue is negative");
    queued += counts_[i].queue.bytes;
  }
  SOYA_CHECK(held == headroom_.total_use(), "the groups do not add up to the headroom in use");
  SOYA_CHECK(held <= headroom_.carved(), "more headroom is in use than was set aside");
  SOYA_CHECK(free_shared_ >= 0, "free shared is negative");
  SOYA_CHECK(shared == shared_size_ - free_shared_, "shared use of the groups is not what shared has lost");
  SOYA_CHECK(total == occupancy_, "the groups do not add up to the occupancy");
  SOYA_CHECK(queued == occupancy_, "the egress queues do not add up to the occupancy");
  SOYA_CHECK(occupancy_ <= size_, "a buffer holds more than its size");
}

}  // namespace soya
