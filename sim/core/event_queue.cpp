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
  // So that mix(salt + time) is mix(mix(seed, name), time).
  source.salt = mix(mix(seed_, name_hash));
  sources_.push_back(source);
  return id;
}

std::uint64_t EventQueue::far_key_of(Time at) const {
  SOYA_CHECK(at >= base_, "an event is scheduled before the present");
  SOYA_CHECK(at < Time::never(), "an event is scheduled at no time");
  return far_key;
}

bool EventQueue::precedes_in_full(std::uint64_t a, std::uint64_t b) const {
  const Source& left = sources_[a];
  const Source& right = sources_[b];
  if (left.time != right.time) return left.time < right.time;
  if (left.phase != right.phase) return left.phase < right.phase;
  const auto time = static_cast<std::uint64_t>(left.time.picoseconds());
  return mix(left.salt + time) < mix(right.salt + time);
}

std::uint32_t EventQueue::take_leaf() {
  if (free_leaves_.empty()) rebuild(2 * leaf_count());
  const std::uint32_t leaf = free_leaves_.back();
  free_leaves_.pop_back();
  return leaf;
}

void EventQueue::vacate(std::uint32_t leaf) {
  replay<Climb::while_changing>(leaf, vacant_key + leaf, 0);
  free_leaves_.push_back(leaf);
  // Half full afterwards: as many entries must come or go before the next rebuild as this one moves.
  if (leaf_count() > fewest_leaves && size_ < leaf_count() / 8) rebuild(leaf_count() / 4);
}

void EventQueue::close_hole() {
  const std::uint32_t leaf = hole_;
  hole_ = absent;
  vacate(leaf);
}

void EventQueue::cancel(SourceId id) {
  Source& source = sources_[id.index()];
  if (source.leaf == absent) return;
  const std::uint32_t leaf = source.leaf;
  source.leaf = absent;
  --size_;
  vacate(leaf);
}

void EventQueue::rebuild(std::uint32_t leaves) {
  std::vector<std::uint64_t> kept;
  const std::uint32_t old_leaves = leaf_count();
  for (std::uint32_t leaf = old_leaves; leaf < 2 * old_leaves; ++leaf) {
    const Entry& entry = entries_[leaf];
    if (entry.key < vacant_key && leaf != hole_) kept.push_back(entry.source);
  }
  hole_ = absent;
  entries_.assign(2 * std::size_t{leaves}, Entry{});
  free_leaves_.clear();
  for (std::uint32_t leaf = 2 * leaves; leaf-- > leaves;) {
    Entry& entry = entries_[leaf];
    if (leaf - leaves < kept.size()) {
      Source& source = sources_[kept[leaf - leaves]];
      source.leaf = leaf;
      entry = Entry{key_of(source, source.time, source.phase), kept[leaf - leaves]};
    } else {
      entry.key = vacant_key + leaf;
      free_leaves_.push_back(leaf);
    }
  }
  for (std::uint32_t node = leaves; node-- > root;) {
    const Entry& left = entries_[2 * std::size_t{node}];
    const Entry& right = entries_[2 * std::size_t{node} + 1];
    entries_[node] = rival_precedes(right, left.key, left.source) ? right : left;
  }
}

}  // namespace soya
