#include "core/event_queue.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/random.hpp"

namespace soya {
namespace {

std::uint64_t name_of(std::size_t source) {
  return hash_name("source" + std::to_string(source));
}

/// What settles ties: 18 bits of mix, and then the source's identity.
std::uint64_t first_bits_of_mix(std::uint64_t seed, std::uint64_t name, Time at) {
  return mix(mix(seed, name), static_cast<std::uint64_t>(at.picoseconds())) >> 46;
}
std::uint64_t identity_of(std::uint64_t seed, std::uint64_t name) {
  return mix(mix(seed, name)) + mix_increment;
}

/// The reference: every pending entry in a vector, sorted by the order of architecture.md as it is written there.
class SortedVector {
 public:
  struct Entry {
    Time time;
    Phase phase{};
    std::uint64_t name{0};
    std::size_t source{0};
  };

  explicit SortedVector(std::uint64_t seed) : seed_{seed} {}

  void schedule(std::size_t source, std::uint64_t name, Time at, Phase phase) {
    cancel(source);
    const Entry entry{at, phase, name, source};
    const auto earlier = [this](const Entry& a, const Entry& b) { return order(a) < order(b); };
    entries_.insert(std::upper_bound(entries_.begin(), entries_.end(), entry, earlier), entry);
  }
  void cancel(std::size_t source) {
    std::erase_if(entries_, [source](const Entry& entry) { return entry.source == source; });
  }
  Entry pop() {
    const Entry first = entries_.front();
    entries_.erase(entries_.begin());
    return first;
  }
  [[nodiscard]] Time time_of(std::size_t source) const {
    for (const Entry& entry : entries_) {
      if (entry.source == source) return entry.time;
    }
    return Time::never();
  }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  [[nodiscard]] std::tuple<Time, Phase, std::uint64_t, std::uint64_t> order(const Entry& entry) const {
    return {entry.time, entry.phase, first_bits_of_mix(seed_, entry.name, entry.time), identity_of(seed_, entry.name)};
  }

  std::uint64_t seed_;
  std::vector<Entry> entries_;
};

/// Queue and reference side by side, driven by one random stream.
class Comparison {
 public:
  Comparison(std::uint64_t seed, std::size_t sources, std::int64_t horizon)
      : random_{mix(seed)}, horizon_{horizon}, sources_{sources}, queue_{seed}, reference_{seed} {
    for (std::size_t source = 0; source < sources; ++source) add();
  }

  void add() {
    const std::size_t source = ids_.size();
    ids_.push_back(
        queue_.add_source(name_of(source), Event{EventKind::switch_arrival, static_cast<std::uint32_t>(source), 7}));
    sources_ = ids_.size();
  }

  void schedule() {
    const std::size_t source = draw(sources_);
    // Few distinct times within the horizon, so that exact ties abound; sometimes the present in a later phase.
    Time at = now_ + Duration{static_cast<std::int64_t>(1 + draw(8)) * (horizon_ / 8)};
    auto phase = static_cast<Phase>(draw(7));
    if (phase_ && *phase_ < Phase::sample && draw(4) == 0) {
      at = now_;
      const auto later = static_cast<std::uint64_t>(Phase::sample) - static_cast<std::uint64_t>(*phase_);
      phase = static_cast<Phase>(static_cast<std::uint64_t>(*phase_) + 1 + draw(later));
    }
    queue_.schedule(ids_[source], at, phase);
    reference_.schedule(source, name_of(source), at, phase);
    peak_ = std::max(peak_, reference_.size());
    CHECK(queue_.time_of(ids_[source]) == at);
  }

  void cancel() {
    const std::size_t source = draw(sources_);
    queue_.cancel(ids_[source]);
    reference_.cancel(source);
    CHECK_FALSE(queue_.pending(ids_[source]));
  }

  void pop() {
    if (reference_.size() == 0) return;
    const SortedVector::Entry expected = reference_.pop();
    if (draw(2) == 0) CHECK(queue_.next_time() == expected.time);
    const EventQueue::Fired fired = queue_.pop();
    REQUIRE(fired.event == Event{EventKind::switch_arrival, static_cast<std::uint32_t>(expected.source), 7});
    REQUIRE(fired.source == ids_[expected.source]);
    REQUIRE(fired.time == expected.time);
    REQUIRE(fired.phase == expected.phase);
    CHECK_FALSE(queue_.pending(fired.source));
    now_ = fired.time;
    phase_ = fired.phase;
    ++popped_;
  }

  void compare() {
    CHECK(queue_.size() == reference_.size());
    CHECK(queue_.empty() == (reference_.size() == 0));
    const std::size_t source = draw(sources_);
    CHECK(queue_.time_of(ids_[source]) == reference_.time_of(source));
  }

  void drain() {
    while (reference_.size() > 0) pop();
    CHECK(queue_.empty());
    CHECK(queue_.next_time() == Time::never());
    CHECK(queue_.peak_size() == peak_);
    CHECK(queue_.popped() == popped_);
  }

  std::size_t draw(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
  [[nodiscard]] std::size_t size() const { return reference_.size(); }

 private:
  RandomStream random_;
  std::int64_t horizon_;
  std::size_t sources_;
  EventQueue queue_;
  SortedVector reference_;
  std::vector<SourceId> ids_;
  Time now_;
  std::optional<Phase> phase_;
  std::size_t peak_{0};
  std::uint64_t popped_{0};
};

// A horizon of a packet, of a long link (a word of these queues spans 2 to 17 ms), of a time-out, and of seconds and
// hours, which makes all entries far and their base move.
constexpr std::int64_t horizons[] = {8 * 6'880, 6'000'000'000, 67'108'864'000, 3'000'000'000'000,
                                     9'000'000'000'000'000};

}  // namespace

TEST_CASE("the queue agrees with a sorted vector under random schedules, replacements, cancels and pops") {
  for (const std::int64_t horizon : horizons) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      CAPTURE(horizon);
      CAPTURE(seed);
      Comparison both{seed, 1 + seed * seed, horizon};
      for (int step = 0; step < 600; ++step) {
        const std::size_t kind = both.draw(16);
        if (kind < 8)
          both.schedule();
        else if (kind < 14)
          both.pop();
        else if (kind < 15)
          both.cancel();
        else
          both.add();
        both.compare();
      }
      both.drain();
    }
  }
}

TEST_CASE("the order survives growth and shrinkage of the tree") {
  for (const std::int64_t horizon : horizons) {
    CAPTURE(horizon);
    Comparison both{3, 600, horizon};
    for (int wave = 0; wave < 3; ++wave) {
      // Up to several hundred pending, which doubles the tree from 16 leaves to 512, and down to a few again.
      while (both.size() < 400) both.schedule();
      while (both.size() > 5) both.pop();
      for (int step = 0; step < 50; ++step) {
        both.pop();
        both.schedule();
        both.compare();
      }
      while (both.size() < 300) both.schedule();
      while (both.size() > 5) both.cancel();
    }
    both.drain();
  }
}

TEST_CASE("three thousand exact ties leave in the order of their mixed names, whoever registers first") {
  constexpr std::size_t count = 3000;
  constexpr std::uint64_t seed = 5;
  const Time at{334'240};
  std::vector<std::uint64_t> names;
  for (std::size_t source = 0; source < count; ++source) names.push_back(name_of(source));

  const auto order_when_registered = [&](const std::vector<std::uint64_t>& registered) {
    EventQueue queue{seed};
    std::vector<SourceId> ids;
    for (const std::uint64_t name : registered) ids.push_back(queue.add_source(name, Event{}));
    for (const SourceId id : ids) queue.schedule(id, at, Phase::data_arrival);
    std::vector<std::uint64_t> popped;
    while (!queue.empty()) popped.push_back(registered[queue.pop().source.index()]);
    return popped;
  };

  const auto place = [&](std::uint64_t name) {
    return std::pair{first_bits_of_mix(seed, name, at), identity_of(seed, name)};
  };
  std::vector<std::uint64_t> expected = names;
  std::ranges::sort(expected, {}, place);
  // Some neighbours agree in the bits of mix (4.5 million pairs, 2^18 values), so identities decide.
  const auto neighbours =
      std::ranges::adjacent_find(expected, {}, [&](std::uint64_t name) { return place(name).first; });
  REQUIRE(neighbours != expected.end());
  CHECK(order_when_registered(names) == expected);
  CHECK(order_when_registered({names.rbegin(), names.rend()}) == expected);
  CHECK(expected != names);
}

TEST_CASE("no source is favoured: two that tie at many instants come first equally often") {
  EventQueue queue{1};
  const SourceId a = queue.add_source(hash_name("leaf1/1/sent"), Event{});
  const SourceId b = queue.add_source(hash_name("leaf1/2/sent"), Event{});
  int first = 0;
  constexpr int instants = 10'000;
  for (int i = 1; i <= instants; ++i) {
    queue.schedule(a, Time{i * 334'240LL}, Phase::data_arrival);
    queue.schedule(b, Time{i * 334'240LL}, Phase::data_arrival);
    if (queue.pop().source == a) ++first;
    CHECK(queue.pop().time == Time{i * 334'240LL});
  }
  // Binomial: 5000 with a standard deviation of 50; four of them on either side.
  CHECK(first > 4800);
  CHECK(first < 5200);
}

TEST_CASE("phases order one instant, and a handler reaches later phases of its instant only") {
  EventQueue queue{1};
  std::vector<SourceId> ids;
  for (std::size_t source = 0; source < 7; ++source) ids.push_back(queue.add_source(name_of(source), Event{}));
  const Time at{1000};
  for (std::size_t phase = 7; phase-- > 0;) queue.schedule(ids[phase], at, static_cast<Phase>(phase));
  for (std::size_t phase = 0; phase < 5; ++phase) CHECK(queue.pop().phase == static_cast<Phase>(phase));

  CHECK_THROWS_AS(queue.schedule(ids[0], at, Phase::timer), InternalError);
  CHECK_THROWS_AS(queue.schedule(ids[0], at, Phase::workload), InternalError);
  CHECK_THROWS_AS(queue.schedule(ids[0], Time{999}, Phase::sample), InternalError);
  CHECK_THROWS_AS(queue.schedule(ids[0], Time{-1}, Phase::sample), InternalError);
  CHECK_THROWS_AS(queue.schedule(ids[0], Time::never(), Phase::sample), InternalError);
  CHECK_FALSE(queue.pending(ids[0]));

  queue.schedule(ids[0], at, Phase::transmit);
  queue.schedule(ids[1], Time{1001}, Phase::wire_free);
  CHECK(queue.pop().phase == Phase::transmit);
  CHECK(queue.pop().phase == Phase::transmit);
  CHECK(queue.pop().phase == Phase::sample);
  CHECK(queue.pop().time == Time{1001});
}

TEST_CASE("days apart: times far beyond the span of a word keep their order and their value") {
  EventQueue queue{9};
  const SourceId day = queue.add_source(hash_name("day"), Event{});
  const SourceId week = queue.add_source(hash_name("week"), Event{});
  const SourceId soon = queue.add_source(hash_name("soon"), Event{});
  const Duration hour = 3600_s;
  queue.schedule(week, Time{} + 168 * hour, Phase::timer);
  queue.schedule(day, Time{} + 24 * hour, Phase::timer);
  queue.schedule(soon, Time{} + 1_ns, Phase::timer);
  CHECK(queue.pop().source == soon);
  CHECK(queue.next_time() == Time{} + 24 * hour);
  // Replaced behind the week and before it again; all of these are one and the same time to the tree.
  queue.schedule(day, Time{} + 169 * hour, Phase::timer);
  CHECK(queue.next_time() == Time{} + 168 * hour);
  queue.schedule(day, Time{} + 167 * hour, Phase::timer);
  CHECK(queue.pop().source == day);
  CHECK_THROWS_AS(queue.schedule(soon, Time{} + 166 * hour, Phase::timer), InternalError);
  CHECK(queue.pop().time == Time{} + 168 * hour);
  queue.schedule(soon, Time{INT64_MAX - 1}, Phase::sample);
  CHECK(queue.pop().time == Time{INT64_MAX - 1});
}

TEST_CASE("an entry is handed over only before a place in the order: time, then phase, then mix") {
  EventQueue queue{1};
  const SourceId a = queue.add_source(hash_name("a"), Event{EventKind::fault, 1, 0});
  const SourceId b = queue.add_source(hash_name("b"), Event{EventKind::fault, 2, 0});
  CHECK(queue.next_key() > EventKey{Time{INT64_MAX - 1}, Phase::sample, UINT64_MAX});
  int handed = 0;
  const auto count = [&](const EventQueue::Fired&) { ++handed; };
  CHECK_FALSE(queue.pop_before({Time::never(), Phase::sample, UINT64_MAX}, count));

  queue.schedule(a, Time{7}, Phase::timer);
  const EventKey key = queue.next_key();
  CHECK(key.time == Time{7});
  CHECK(key.phase == Phase::timer);
  CHECK_FALSE(queue.pop_before({Time{6}, Phase::sample, UINT64_MAX}, count));
  CHECK_FALSE(queue.pop_before({Time{7}, Phase::data_arrival, UINT64_MAX}, count));
  CHECK_FALSE(queue.pop_before(key, count));
  CHECK_FALSE(queue.is_next_before(key));
  CHECK(handed == 0);
  CHECK(queue.is_next_before({Time{7}, Phase::workload, 0}));
  CHECK(queue.pop_before({Time{7}, Phase::timer, key.mixed + 1}, count));
  CHECK(handed == 1);

  // Of two entries of one instant and phase the first is the one with the smaller key, and the queue says which.
  queue.schedule(a, Time{9}, Phase::timer);
  queue.schedule(b, Time{9}, Phase::timer);
  const EventKey first = queue.next_key();
  const EventQueue::Fired fired = queue.pop();
  CHECK(fired.key() == first);
  CHECK(queue.last_key() == first);
  queue.schedule(fired.source, Time{11}, Phase::timer);
  CHECK(queue.last_key() == first);
  CHECK(queue.next_key() > first);
  CHECK(queue.is_next_before({Time{10}, Phase::wire_free, 0}));
}

TEST_CASE("the fingerprint is a sum over what was popped, in whichever order and queue it was scheduled") {
  const auto popped = [](EventQueue& queue) {
    while (!queue.empty()) queue.pop();
    return queue.fingerprint();
  };
  EventQueue straight{1};
  const SourceId a = straight.add_source(hash_name("a"), Event{});
  const SourceId b = straight.add_source(hash_name("b"), Event{});
  CHECK(straight.fingerprint() == 0);
  straight.schedule(a, Time{7}, Phase::timer);
  straight.schedule(b, Time{9}, Phase::timer);
  CHECK(straight.fingerprint() == 0);  // both are pending
  straight.pop();
  const std::uint64_t of_a = straight.fingerprint();
  const std::uint64_t of_both = popped(straight);
  CHECK(of_a != 0);
  CHECK(of_both != of_a);

  // The same two, one of them replaced by a later and an earlier time and cancelled before.
  EventQueue detour{1};
  const SourceId other = detour.add_source(hash_name("b"), Event{});
  detour.schedule(other, Time{9'000'000'000'000}, Phase::sample);
  detour.schedule(other, Time{3}, Phase::sample);
  detour.cancel(other);
  detour.schedule(detour.add_source(hash_name("a"), Event{}), Time{7}, Phase::timer);
  detour.schedule(other, Time{9}, Phase::timer);
  CHECK(popped(detour) == of_both);

  // The second one alone, in a queue of its own; and in another phase, or at another time.
  const auto alone = [&](Time at, Phase phase) {
    EventQueue queue{1};
    queue.schedule(queue.add_source(hash_name("b"), Event{}), at, phase);
    return popped(queue);
  };
  CHECK(of_a + alone(Time{9}, Phase::timer) == of_both);
  CHECK(of_a + alone(Time{9}, Phase::workload) != of_both);
  CHECK(of_a + alone(Time{10}, Phase::timer) != of_both);
}

TEST_CASE("a queue of one, an empty queue, its counters and a name used twice") {
  EventQueue queue{1};
  CHECK(queue.empty());
  CHECK(queue.next_time() == Time::never());
  CHECK_THROWS_AS(queue.pop(), InternalError);
  const SourceId only = queue.add_source(hash_name("only"), Event{EventKind::fault, 2, 3});
  CHECK_THROWS_AS(queue.add_source(hash_name("only"), Event{}), InternalError);
  CHECK(queue.time_of(only) == Time::never());
  queue.cancel(only);
  queue.schedule(only, Time{0}, Phase::wire_free);
  queue.schedule(only, Time{5}, Phase::wire_free);
  CHECK(queue.size() == 1);
  CHECK(queue.pop().event == Event{EventKind::fault, 2, 3});
  CHECK(queue.empty());
  CHECK(queue.next_time() == Time::never());
  queue.schedule(only, Time{6}, Phase::wire_free);
  queue.cancel(only);
  CHECK(queue.empty());
  CHECK(queue.next_time() == Time::never());
  CHECK(queue.peak_size() == 1);
  CHECK(queue.popped() == 1);
}

}  // namespace soya
