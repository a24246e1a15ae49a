// Sources are numbered by identity, and what lies beyond the span of a word waits outside the tree.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/event_queue.hpp"
#include "core/random.hpp"

namespace soya {
namespace {

constexpr std::uint64_t seed = 5;

std::uint64_t name_of(std::size_t source) {
  return hash_name("source" + std::to_string(source));
}
/// What an order is made of, as docs/architecture.md has it.
std::uint64_t first_bits_of_mix(std::uint64_t name, Time at) {
  return mix(mix(seed, name), static_cast<std::uint64_t>(at.picoseconds())) >> 46;
}
std::uint64_t identity_of(std::uint64_t name) {
  return mix(mix(seed, name)) + mix_increment;
}

/// Two names alike in the first 18 bits at `at`, the one with the smaller identity first. 18 bits have 262 144 values,
/// so 262 145 names have such a pair for certain, and some 600 are likely to.
std::pair<std::uint64_t, std::uint64_t> alike_at(Time at) {
  std::map<std::uint64_t, std::uint64_t> seen;
  for (std::size_t source = 0;; ++source) {
    const std::uint64_t name = name_of(source);
    const auto [other, is_new] = seen.emplace(first_bits_of_mix(name, at), name);
    if (is_new) continue;
    return std::minmax(other->second, name, [](auto a, auto b) { return identity_of(a) < identity_of(b); });
  }
}

}  // namespace

TEST_CASE("two that agree in time, phase and the first bits of mix leave by identity, near, far and from two queues") {
  for (const Time at : {Time{1'000}, Time{3'600'000'000'000'000}}) {  // an hour is beyond the span of any word
    const auto [first, second] = alike_at(at);
    REQUIRE(first_bits_of_mix(first, at) == first_bits_of_mix(second, at));
    for (const bool swapped : {false, true}) {
      EventQueue queue{seed};
      EventQueue other{seed};
      const SourceId a = queue.add_source(swapped ? second : first, Event{});
      const SourceId b = queue.add_source(swapped ? first : second, Event{});
      queue.schedule(b, at, Phase::timer);
      queue.schedule(a, at, Phase::timer);
      other.schedule(other.add_source(second, Event{}), at, Phase::timer);

      const EventKey earlier = queue.next_key();
      CHECK(earlier < other.next_key());
      CHECK(queue.pop().source == (swapped ? b : a));
      CHECK(queue.last_key() == earlier);
      CHECK(queue.next_key() == other.next_key());
    }
  }
}

TEST_CASE("sources added while others are pending change no place in the order, and none can enter the past") {
  constexpr std::size_t count = 5000;
  // Places take 8 bits up to 255 sources and 13 at the end: the span falls from 17 ms to 0.5 ms.
  constexpr std::size_t steps[] = {100, 254, 255, 1000, count};
  const auto event_of = [](std::size_t source) {
    return Event{EventKind::fault, static_cast<std::uint32_t>(source), 0};
  };
  EventQueue growing{seed};
  EventQueue whole{seed};  // has all sources from the start
  std::vector<SourceId> in_growing;
  std::vector<SourceId> in_whole;
  for (std::size_t i = 0; i < count; ++i) in_whole.push_back(whole.add_source(name_of(i), event_of(i)));
  std::map<std::size_t, SourceId> late_in_whole;
  for (const std::size_t sources : steps) {
    const std::size_t i = count + sources;
    late_in_whole.emplace(sources, whole.add_source(name_of(i), event_of(i)));
  }

  // A third of the sources: from microseconds to a second ahead, so near, far, and far only once the span is shorter.
  constexpr std::int64_t scales[] = {1'000'000, 1'000'000'000, 10'000'000'000, 1'000'000'000'000};
  Time now;
  const auto add_up_to = [&](std::size_t sources) {
    const std::size_t from = in_growing.size();
    for (std::size_t i = from; i < sources; ++i) in_growing.push_back(growing.add_source(name_of(i), event_of(i)));
    for (std::size_t i = from; i + 1 < sources; i += 3) {
      const Time at = now + Duration{scales[i % 4] * static_cast<std::int64_t>(1 + i % 7)};
      growing.schedule(in_growing[i], at, Phase::timer);
      whole.schedule(in_whole[i], at, Phase::timer);
    }
  };
  const auto pop = [&] {
    const EventQueue::Fired fired = growing.pop();
    const EventQueue::Fired expected = whole.pop();
    REQUIRE(fired.event == expected.event);
    REQUIRE(fired.key() == expected.key());
    now = fired.time;
  };

  for (const std::size_t sources : steps) {
    add_up_to(sources);
    for (int i = 0; i < 20; ++i) pop();
    CHECK(growing.size() == whole.size());
    const EventKey present = growing.last_key();
    const SourceId late = growing.add_source(name_of(count + sources), event_of(count + sources));
    // The first entry after that numbers all sources anew, and the present is where it was.
    CHECK_THROWS_AS(growing.schedule(late, Time{present.time.picoseconds() - 1}, Phase::sample), InternalError);
    CHECK_THROWS_AS(growing.schedule(late, present.time, present.phase), InternalError);
    CHECK(growing.last_key() == present);
    growing.schedule(late, present.time, Phase::sample);
    whole.schedule(late_in_whole.at(sources), present.time, Phase::sample);
  }
  while (!whole.empty()) pop();
  CHECK(growing.empty());
}

TEST_CASE("far entries that are replaced and cancelled over and over leave once, at their last time") {
  EventQueue queue{seed};
  std::vector<SourceId> ids;
  for (std::size_t source = 0; source < 8; ++source) ids.push_back(queue.add_source(name_of(source), Event{}));
  const Time hour{3'600'000'000'000'000};
  for (int round = 1; round <= 1000; ++round) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (i % 2 == 0) queue.cancel(ids[i]);
      // Even ones anew, odd ones replaced: by an earlier time, a later one, a near one in between.
      const Duration off{static_cast<std::int64_t>(i + 1) * (round % 3 == 0 ? 1'000 : 2'000'000 - round)};
      queue.schedule(ids[i], round % 7 == 0 ? Time{} + off : hour + off, Phase::timer);
    }
    CHECK(queue.size() == 8);
  }
  CHECK(queue.peak_size() == 8);
  queue.cancel(ids[3]);
  // 1000 is a multiple of neither 3 nor 7: an hour ahead, 2 000 000 - 1000 ps apart.
  for (const std::size_t i : {0U, 1U, 2U, 4U, 5U, 6U, 7U}) {
    const EventQueue::Fired fired = queue.pop();
    CHECK(fired.source == ids[i]);
    CHECK(fired.time == hour + Duration{static_cast<std::int64_t>(i + 1) * 1'999'000});
  }
  CHECK(queue.empty());
  CHECK(queue.next_time() == Time::never());
}

TEST_CASE("an object or a part of 2^24 is refused, the one before it is not") {
  EventQueue queue{seed};
  constexpr std::uint32_t most = (1U << 24) - 1;
  CHECK_THROWS_AS(queue.add_source(1, Event{EventKind::fault, most + 1, 0}), InternalError);
  CHECK_THROWS_AS(queue.add_source(2, Event{EventKind::fault, 0, most + 1}), InternalError);
  queue.schedule(queue.add_source(3, Event{EventKind::fault, most, most}), Time{1}, Phase::timer);
  CHECK(queue.pop().event == Event{EventKind::fault, most, most});
}

}  // namespace soya
