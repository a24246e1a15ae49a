#include "core/event_queue.hpp"

#include <functional>

namespace soya {

namespace {
constexpr std::uint32_t fewest_leaves = 16;
}

EventQueue::EventQueue(std::uint64_t seed) : seed_{seed} {
  plant(fewest_leaves, {});
}

SourceId EventQueue::add_source(std::uint64_t name_hash, Event event) {
  SOYA_CHECK(names_.insert(name_hash).second, "two event sources have the same name hash");
  SOYA_CHECK(sources_.size() >> most_place_bits == 0, "more event sources than a queue can have: 16 777 216");
  SOYA_CHECK((event.object | event.part) >> 24 == 0, "an event's object and part are below 16 777 216");
  const SourceId id{sources_.size()};
  Source source;
  source.kind = event.kind;
  source.object = event.object & 0xFFFFFF;
  source.part = event.part & 0xFFFFFF;
  // So that mix_rounds(identity + time) is mix(mix(seed, name), time) but for the last step.
  source.identity = mix(mix(seed_, name_hash)) + mix_increment;
  sources_.push_back(source);
  span_ = 0;
  return id;
}

/// A far entry, or the first one after sources were added.
void EventQueue::schedule_slowly(SourceId id, Time at, Phase phase) {
  SOYA_CHECK(at < Time::never(), "an event is scheduled at no time");
  if (span_ == 0) {
    plant(leaf_count(), near_sources());
    if (since_base(at) < span_) return schedule(id, at, phase);
  }
  SOYA_CHECK(at >= base_, "an event is scheduled before the present");
  if (hole_ != absent) close_hole();
  Source& source = sources_[id.index()];
  // What moves to later is found when its earlier place comes to the front.
  const bool is_there = source.leaf == far && key_of(source) <= key_of(at, phase, source.identity);
  cancel(id);
  source.time = at;
  source.phase = phase;
  source.leaf = far;
  scheduled_marks_ += mark_of(source);
  peak_size_ = std::max(peak_size_, taken_ + ++far_count_);
  if (!is_there) push_far(id);
}

void EventQueue::push_far(SourceId id) {
  far_.push_back({key_of(sources_[id.index()]), id});
  std::ranges::push_heap(far_, std::greater<>{});
  if (far_.size() > 2 * far_count_ + fewest_leaves) sweep_far();
}

void EventQueue::pop_far() {
  std::ranges::pop_heap(far_, std::greater<>{});
  far_.pop_back();
}

/// One for each far source, in order. At least as many go as stay.
void EventQueue::sweep_far() {
  std::erase_if(far_, [this](const Far& entry) { return sources_[entry.source.index()].leaf != far; });
  for (Far& entry : far_) entry.key = key_of(sources_[entry.source.index()]);
  std::ranges::sort(far_, {}, &Far::key);
  const auto alike = [](const Far& a, const Far& b) { return a.source == b.source; };
  far_.erase(std::unique(far_.begin(), far_.end(), alike), far_.end());
}

/// Gives each source its place among all by identity. Words are laid out anew, from the last event on, and the tree is
/// still to be planted.
void EventQueue::number_sources() {
  const Word last = earliest_ == 0 ? 0 : (earliest_ - 1) >> tail_bits();  // its time since the base, and its phase
  by_place_.resize(sources_.size());
  for (std::size_t i = 0; i < sources_.size(); ++i) by_place_[i] = SourceId{i};
  std::ranges::sort(by_place_, {}, [this](SourceId id) { return sources_[id.index()].identity; });
  for (std::size_t i = 0; i < by_place_.size(); ++i)
    sources_[by_place_[i].index()].place = static_cast<std::uint32_t>(i);

  place_bits_ = std::max(fewest_place_bits, static_cast<unsigned>(std::bit_width(sources_.size())));
  place_mask_ = (Word{1} << place_bits_) - 1;
  tail_mask_ = (Word{1} << tail_bits()) - 1;
  span_ = std::uint64_t{1} << (63 - phase_bits - tail_bits());
  base_ += Duration{static_cast<std::int64_t>(last >> phase_bits)};
  if (earliest_ != 0) earliest_ = first_of_phase_after((last & ((1U << phase_bits) - 1)) << tail_bits());
}

/// The earliest of the far entries. There is one.
const EventQueue::Source& EventQueue::first_far() {
  for (;;) {
    const Far front = far_.front();
    const Source& source = sources_[front.source.index()];
    const bool is_far = source.leaf == far;
    if (is_far && front.key == key_of(source)) return source;
    pop_far();
    if (is_far) push_far(front.source);
  }
}

EventKey EventQueue::last_key() const {
  const Word last = (earliest_ - 1) >> tail_bits();
  const Time at = base_ + Duration{static_cast<std::int64_t>(last >> phase_bits)};
  return key_of(at, static_cast<Phase>(last & ((1U << phase_bits) - 1)), sources_[last_.index()].identity);
}

std::uint64_t EventQueue::fingerprint() const {
  std::uint64_t marks = scheduled_marks_;
  for (const Source& source : sources_) {
    if (source.leaf != absent) marks -= mark_of(source);
  }
  return marks;
}

void EventQueue::pending_before(Time end, std::vector<SourceId>& sources) const {
  const std::uint64_t since = since_base(end);
  const Word bound = since >= span_ ? vacant : since << (phase_bits + tail_bits());
  for (std::size_t leaf = leaf_count(); leaf < nodes_.size(); ++leaf) {
    if (nodes_[leaf] < bound && leaf != hole_) sources.push_back(by_place_[nodes_[leaf] & place_mask_]);
  }
}

template <EventQueue::Climb climb>
void EventQueue::vacate(std::uint32_t leaf) {
  --taken_;
  replay<climb>(leaf, vacant + leaf);
  free_leaves_.push_back(leaf);
  // Half full afterwards: as many entries must come or go before the next planting as this one moves.
  if (leaf_count() > fewest_leaves && taken_ < leaf_count() / 8) plant(leaf_count() / 4, near_sources());
}

void EventQueue::close_hole() {
  const std::uint32_t leaf = hole_;
  hole_ = absent;
  vacate<Climb::to_the_root>(leaf);  // its word is still the root's
}

/// To the earliest entry.
void EventQueue::move_base() {
  if (span_ == 0) plant(leaf_count(), near_sources());
  base_ = first().time;
  plant(leaf_count(), near_sources());
}

void EventQueue::cancel(SourceId id) {
  Source& source = sources_[id.index()];
  if (source.leaf == absent) return;
  const std::uint32_t leaf = source.leaf;
  source.leaf = absent;
  scheduled_marks_ -= mark_of(source);
  if (leaf == far)
    --far_count_;
  else
    vacate<Climb::while_changing>(leaf);
}

std::vector<SourceId> EventQueue::near_sources() const {
  std::vector<SourceId> near;
  for (std::size_t leaf = leaf_count(); leaf < 2 * leaf_count(); ++leaf) {
    if (nodes_[leaf] < vacant && leaf != hole_) near.push_back(by_place_[nodes_[leaf] & place_mask_]);
  }
  return near;
}

/// Builds the tree anew, with what has come near.
void EventQueue::plant(std::size_t leaves, std::vector<SourceId> near) {
  if (span_ == 0) {
    number_sources();
    for (const SourceId id : near) {
      sources_[id.index()].leaf = far;  // until it is clear what the new span holds
      ++far_count_;
      push_far(id);
    }
    near.clear();
  }
  while (far_count_ > 0 && since_base(first_far().time) < span_) {
    near.push_back(far_.front().source);
    sources_[near.back().index()].leaf = absent;
    --far_count_;
    pop_far();
  }
  leaves = std::max(leaves, std::bit_ceil(near.size()));
  hole_ = absent;
  taken_ = near.size();
  nodes_.assign(2 * leaves, ~Word{0});
  free_leaves_.clear();
  for (std::size_t leaf = 2 * leaves; leaf-- > leaves;) {
    if (leaf - leaves < near.size()) {
      Source& source = sources_[near[leaf - leaves].index()];
      source.leaf = static_cast<std::uint32_t>(leaf);
      const std::uint64_t bits = mixed(source.identity, source.time);
      nodes_[leaf] = near_word(source.place, since_base(source.time), source.phase, bits);
    } else {
      nodes_[leaf] = vacant + leaf;
      free_leaves_.push_back(static_cast<std::uint32_t>(leaf));
    }
  }
  for (std::size_t node = leaves; node-- > root;) nodes_[node] = std::min(nodes_[2 * node], nodes_[2 * node + 1]);
}

}  // namespace soya
