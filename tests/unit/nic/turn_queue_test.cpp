// The order in which queue pairs take turns, against a list of who waits since when, and where a queue pair keeps what
// a packet touches.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "nic/queue_pair.hpp"

using namespace soya;

namespace {

using Queue = TurnQueue<&QueuePair::send_turn, &QueuePair::next_sending>;

std::vector<QueuePair> queue_pairs_of(std::size_t count) {
  std::vector<QueuePair> queue_pairs;
  for (std::size_t i = 0; i < count; ++i) {
    QueuePairSetup setup;
    setup.priority = Priority{static_cast<std::uint8_t>(i % 3)};
    queue_pairs.emplace_back(QueuePairId{i}, setup);
  }
  return queue_pairs;
}

PrioritySet lowest_bits(std::uint_fast32_t random) {
  return PrioritySet{static_cast<std::uint8_t>(random & 7U)};
}

std::ptrdiff_t bytes_between(const void* from, const void* to) {
  return static_cast<const char*>(to) - static_cast<const char*>(from);
}

}  // namespace

TEST_CASE("of the priorities that may send the queue pair that has waited longest goes first") {
  std::mt19937 random{7};
  std::vector<QueuePair> queue_pairs = queue_pairs_of(9);
  Queue queue;
  std::vector<std::size_t> waiting;  // since longest first
  for (int step = 0; step < 5'000; ++step) {
    const std::size_t any = random() % queue_pairs.size();
    if (std::ranges::find(waiting, any) == waiting.end()) {
      queue.append(queue_pairs, queue_pairs[any], queue_pairs[any].priority);
      waiting.push_back(any);
    }
    const PrioritySet eligible{static_cast<std::uint8_t>(queue.backlog().bits() & lowest_bits(random()).bits())};
    const auto expected =
        std::ranges::find_if(waiting, [&](std::size_t i) { return eligible.contains(queue_pairs[i].priority); });
    REQUIRE((expected == waiting.end()) == eligible.empty());
    if (eligible.empty()) continue;
    const std::size_t first = *expected;
    QueuePair& next = queue.next(queue_pairs, eligible);
    REQUIRE(next.id.index() == first);
    waiting.erase(expected);
    if (random() % 2 == 0) {
      queue.remove_first(next, next.priority);
    } else {
      queue.move_to_back(queue_pairs, next, next.priority);
      waiting.push_back(first);
    }
    for (std::uint8_t p = 0; p < 3; ++p) {
      const bool waits =
          std::ranges::any_of(waiting, [&](std::size_t i) { return queue_pairs[i].priority == Priority{p}; });
      REQUIRE(queue.backlog().contains(Priority{p}) == waits);
    }
  }
}

TEST_CASE("a queue pair's own state takes one cache line, and both halves begin one") {
  const std::vector<QueuePair> queue_pairs = queue_pairs_of(2);
  for (const QueuePair& queue_pair : queue_pairs) {
    CHECK(reinterpret_cast<std::uintptr_t>(&queue_pair) % 64 == 0);
    CHECK(bytes_between(&queue_pair, &queue_pair.requester) == 64);
    CHECK(bytes_between(&queue_pair, &queue_pair.responder) % 64 == 0);
  }
}
