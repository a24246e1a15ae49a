#include "core/event_queue.hpp"

namespace soya {

SourceId EventQueue::add_source(std::uint64_t name_hash, Event event) {
  SOYA_CHECK(names_.insert(name_hash).second, "two event sources have the same name hash");
  const SourceId id{sources_.size()};
  sources_.push_back(Source{event, absent, name_hash, mix(mix(seed_, name_hash))});
  return id;
}

bool EventQueue::before(const Entry& a, const Entry& b) const {
  if (a.time != b.time) return a.time < b.time;
  if (a.order != b.order) return a.order < b.order;
  return sources_[a.source].name_hash < sources_[b.source].name_hash;
}

void EventQueue::place(std::size_t position, const Entry& entry) {
  heap_[position] = entry;
  sources_[entry.source].position = static_cast<std::uint32_t>(position);
}

void EventQueue::sift_up(std::size_t position, Entry entry) {
  while (position > 0) {
    const std::size_t parent = (position - 1) / 4;
    if (!before(entry, heap_[parent])) break;
    place(position, heap_[parent]);
    position = parent;
  }
  place(position, entry);
}

void EventQueue::sift_down(std::size_t position, Entry entry) {
  for (;;) {
    const std::size_t first = 4 * position + 1;
    if (first >= heap_.size()) break;
    std::size_t best = first;
    for (std::size_t child = first + 1; child < first + 4 && child < heap_.size(); ++child) {
      if (before(heap_[child], heap_[best])) best = child;
    }
    if (!before(heap_[best], entry)) break;
    place(position, heap_[best]);
    position = best;
  }
  place(position, entry);
}

void EventQueue::schedule(SourceId source, Time at, Phase phase) {
  SOYA_CHECK(at > last_time_ || (at == last_time_ && static_cast<int>(phase) > last_phase_),
             "an event is scheduled before the present");
  SOYA_CHECK(at < Time::never(), "an event is scheduled at no time");
  Source& slot = sources_[source.index()];
  const std::uint64_t mixed = mix(slot.salt + static_cast<std::uint64_t>(at.picoseconds()));
  const Entry entry{at, (static_cast<std::uint64_t>(phase) << 61) | (mixed >> 3), source.value()};
  if (slot.position == absent) {
    heap_.push_back(entry);
    if (heap_.size() > peak_size_) peak_size_ = heap_.size();
    sift_up(heap_.size() - 1, entry);
  } else if (before(entry, heap_[slot.position])) {
    sift_up(slot.position, entry);
  } else {
    sift_down(slot.position, entry);
  }
}

void EventQueue::remove(std::size_t position) {
  sources_[heap_[position].source].position = absent;
  const Entry last = heap_.back();
  heap_.pop_back();
  if (position == heap_.size()) return;
  if (position > 0 && before(last, heap_[(position - 1) / 4])) {
    sift_up(position, last);
  } else {
    sift_down(position, last);
  }
}

void EventQueue::cancel(SourceId source) {
  const std::uint32_t position = sources_[source.index()].position;
  if (position != absent) remove(position);
}

Time EventQueue::time_of(SourceId source) const {
  const std::uint32_t position = sources_[source.index()].position;
  return position == absent ? Time::never() : heap_[position].time;
}

EventQueue::Fired EventQueue::pop() {
  SOYA_CHECK(!heap_.empty(), "pop from an empty event queue");
  const Entry first = heap_.front();
  remove(0);
  ++popped_;
  last_time_ = first.time;
  last_phase_ = static_cast<int>(first.order >> 61);
  return Fired{first.time, sources_[first.source].event, SourceId{first.source}, static_cast<Phase>(last_phase_)};
}

}  // namespace soya
