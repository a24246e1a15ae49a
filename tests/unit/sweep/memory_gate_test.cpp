#include "sweep/memory_gate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

using namespace soya;

TEST_CASE("no more is taken at a time than there is") {
  MemoryGate gate{100};
  std::atomic<int> taken{0};
  std::atomic<int> most{0};
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int k = 0; k < 200; ++k) {
        const int bytes = 20 + 10 * t;  // 20 to 50: any two fit, four do not
        gate.take(bytes);
        const int now = taken += bytes;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
        }
        taken -= bytes;
        gate.give_back(bytes);
      }
    });
  }
  threads.clear();
  CHECK(taken == 0);
  CHECK(most >= 50);
  CHECK(most <= 100);
}

TEST_CASE("what never fits is told, and without a limit everything does") {
  CHECK(MemoryGate{100}.ever_fits(100));
  CHECK_FALSE(MemoryGate{100}.ever_fits(101));
  CHECK(MemoryGate{std::nullopt}.ever_fits(std::numeric_limits<std::int64_t>::max()));
}
