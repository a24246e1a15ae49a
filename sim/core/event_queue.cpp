#include "core/event_queue.hpp"

namespace soya {

namespace {
constexpr std::uint32_t fewest_leaves = 16;
}

EventQueue::EventQueue(std::uint64_t seed) : seed_{seed} {
  rebuild(fewest_leaves);
}

SourceId EventQueue::add_source(std::uint64_t name_hash, Event event) {
  SOYA_CHECK(names_.insert(name_hash).second, "two event sources have the same name hash");
  const SourceId id{sources_.size()};
  Source source;
  source.kind = event.kind;
  source.object = event.object;
  source.part = event.part;
  // So that mix_rounds(identity + time) is mix(mix(seed, name), time) but for the last step.
  source.identity = mix(mix(seed_, name_hash)) + mix_increment;
  sources_.push_back(source);
  if (id.value() > source_mask_) {
    SOYA_CHECK(id.value() >> tail_bits == 0, "more event sources than a simulation can have: 268 435 456");
    rebuild(leaf_count(), 2 * source_mask_ + 1);
  }
  return id;
}

EventQueue::Word EventQueue::far_word_of(SourceId id, Time at) const {
  SOYA_CHECK(at >= base_, "an event is scheduled before the present");
  SOYA_CHECK(at < Time::never(), "an event is scheduled at no time");
  return (far & ~source_mask_) | id.value();
}

bool EventQueue::precedes_in_full(Word a, Word b) const {
  const Source& left = sources_[a & source_mask_];
  const Source& right = sources_[b & source_mask_];
  if (left.time != right.time) return left.time < right.time;
  if (left.phase != right.phase) return left.phase < right.phase;
  return key_of(left.time, left.phase, left.identity).mixed < key_of(right.time, right.phase, right.identity).mixed;
}

EventKey EventQueue::last_key() const {
  const Time at = base_ + Duration{static_cast<std::int64_t>((earliest_ - 1) >> (phase_bits + tail_bits))};
  const auto phase = static_cast<Phase>((earliest_ - 1) >> tail_bits & ((1U << phase_bits) - 1));
  return key_of(at, phase, sources_[last_.index()].identity);
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
  const Word bound = since >= span - 1 ? far : since << (phase_bits + tail_bits);
  for (std::size_t leaf = leaf_count(); leaf < nodes_.size(); ++leaf) {
    if (nodes_[leaf] < bound && leaf != hole_) sources.emplace_back(nodes_[leaf] & source_mask_);
  }
}

void EventQueue::vacate(std::uint32_t leaf) {
  --taken_;
  replay<Climb::while_changing>(leaf, vacant_word(leaf));
  free_leaves_.push_back(leaf);
  // Half full afterwards: as many entries must come or go before the next rebuild as this one moves.
  if (leaf_count() > fewest_leaves && taken_ < leaf_count() / 8) rebuild(leaf_count() / 4);
}

void EventQueue::close_hole() {
  const std::uint32_t leaf = hole_;
  hole_ = absent;
  vacate(leaf);
}

/// To the earliest entry.
void EventQueue::move_base() {
  base_ = sources_[nodes_[root] & source_mask_].time;
  rebuild(leaf_count());
}

void EventQueue::cancel(SourceId id) {
  Source& source = sources_[id.index()];
  if (source.leaf == absent) return;
  const std::uint32_t leaf = source.leaf;
  source.leaf = absent;
  scheduled_marks_ -= mark_of(source);
  vacate(leaf);
}

void EventQueue::rebuild(std::size_t leaves, Word source_mask) {
  std::vector<SourceId> kept;
  const std::size_t old_leaves = leaf_count();
  for (std::size_t leaf = old_leaves; leaf < 2 * old_leaves; ++leaf) {
    if (nodes_[leaf] < vacant && leaf != hole_) kept.emplace_back(nodes_[leaf] & source_mask_);
  }
  hole_ = absent;
  taken_ = kept.size();
  source_mask_ = source_mask;
  nodes_.assign(2 * leaves, ~Word{0});
  free_leaves_.clear();
  for (std::size_t leaf = 2 * leaves; leaf-- > leaves;) {
    if (leaf - leaves < kept.size()) {
      const SourceId id = kept[leaf - leaves];
      Source& source = sources_[id.index()];
      source.leaf = static_cast<std::uint32_t>(leaf);
      nodes_[leaf] = word_of(id, source.time, source.phase, mixed(source.identity, source.time));
    } else {
      nodes_[leaf] = vacant_word(leaf);
      free_leaves_.push_back(static_cast<std::uint32_t>(leaf));
    }
  }
  for (std::size_t node = leaves; node-- > root;) nodes_[node] = earlier(nodes_[2 * node], nodes_[2 * node + 1]);
}

}  // namespace soya
