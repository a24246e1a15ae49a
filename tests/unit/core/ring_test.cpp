#include "core/ring.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <deque>

#include "core/random.hpp"

namespace soya {
namespace {

TEST_CASE("entries leave in the order they came, and the i-th oldest is at hand") {
  Ring<int> ring;
  CHECK(ring.empty());
  for (const int value : {5, 6, 7}) ring.push() = value;
  CHECK(ring.size() == 3);
  CHECK(ring.front() == 5);
  CHECK(ring[2] == 7);
  ring.pop();
  CHECK(ring.front() == 6);
  ring[1] = 8;
  ring.pop();
  CHECK(ring.front() == 8);
  ring.pop();
  CHECK(ring.empty());
}

TEST_CASE("the ring agrees with a deque while it grows and goes round") {
  Ring<std::uint32_t> ring;
  std::deque<std::uint32_t> reference;
  RandomStream random{11};
  std::uint32_t next = 0;
  std::size_t most = 0;
  for (int step = 0; step < 20'000; ++step) {
    // In waves: mostly in for a while, then mostly out, so that the ring grows at every position of its head.
    if (reference.empty() || random() % 8 < ((step / 500) % 2 == 0 ? 5U : 3U)) {
      ring.push() = next;
      reference.push_back(next++);
    } else {
      REQUIRE(ring.front() == reference.front());
      ring.pop();
      reference.pop_front();
    }
    most = std::max(most, reference.size());
    REQUIRE(ring.size() == reference.size());
    if (ring.empty()) continue;
    const std::size_t some = random() % reference.size();
    REQUIRE(ring[static_cast<std::uint32_t>(some)] == reference[some]);
  }
  CHECK(most > 64);  // grown several times from 8
}

}  // namespace
}  // namespace soya
