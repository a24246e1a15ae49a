#include "sweep/parallel.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

using namespace soya;

namespace {

std::vector<std::optional<int>> squares(std::size_t count, const ParallelOptions& options) {
  return run_parallel<int>(count, options, [](std::size_t index) {
    // The first tasks end last.
    if (index < 4) std::this_thread::sleep_for(std::chrono::milliseconds{5 - index});
    return static_cast<int>(index * index);
  });
}

}  // namespace

TEST_CASE("results are in the order of the tasks, on any number of threads") {
  for (const int threads : {-1, 1, 2, 7, 100}) {
    CAPTURE(threads);
    ParallelOptions options;
    options.threads = threads;
    const auto results = squares(9, options);
    REQUIRE(results.size() == 9);
    for (std::size_t i = 0; i < results.size(); ++i) CHECK(results[i] == static_cast<int>(i * i));
  }
  CHECK(squares(0, {}).empty());
}

TEST_CASE("progress is told once for each task, one call at a time") {
  for (const int threads : {1, 3}) {
    CAPTURE(threads);
    std::vector<std::size_t> told;
    ParallelOptions options;
    options.threads = threads;
    options.progress = [&](std::size_t ended, std::size_t count) {
      CHECK(count == 8);
      told.push_back(ended);
    };
    CHECK(squares(8, options).size() == 8);
    CHECK(told == std::vector<std::size_t>{1, 2, 3, 4, 5, 6, 7, 8});
  }
}

TEST_CASE("the first task's exception is thrown, and nothing starts after one") {
  for (const int threads : {1, 4}) {
    CAPTURE(threads);
    std::atomic<std::size_t> started{0};
    std::atomic<bool> third_failed{false};
    ParallelOptions options;
    options.threads = threads;
    const auto task = [&](std::size_t index) {
      ++started;
      if (index == 1) {
        // With several threads task 3 fails before task 1 does.
        while (threads > 1 && !third_failed) std::this_thread::yield();
        throw std::runtime_error("task 1");
      }
      if (index == 3) {
        third_failed = true;
        throw std::runtime_error("task 3");
      }
      // The others take a second in all, so that there are some left when the failure is known.
      if (index > 3) std::this_thread::sleep_for(std::chrono::milliseconds{2});
    };
    CHECK_THROWS_WITH_AS(for_each_index(1000, options, task), "task 1", std::runtime_error);
    CHECK(started < 1000);
  }
}

TEST_CASE("what a stop keeps from starting has no result") {
  std::atomic<bool> stop{false};
  ParallelOptions options;
  options.stopped = [&] { return stop.load(); };
  options.progress = [&](std::size_t ended, std::size_t) { stop = ended == 3; };
  const auto results = squares(6, options);
  REQUIRE(results.size() == 6);
  CHECK(results[2] == 4);
  CHECK_FALSE(results[3]);
  CHECK_FALSE(results[5]);
}
