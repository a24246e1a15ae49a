#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <functional>
#include <map>
#include <new>
#include <thread>

#include "support/crash.hpp"
#include "sweep/isolation.hpp"
#include "sweep/parallel.hpp"

using namespace soya;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t items = 10;
using Counts = std::array<std::int64_t, items>;

/// A store of results in memory that all processes see.
struct Shared {
  std::array<std::atomic<std::int64_t>, items> begun{};
  std::array<std::atomic<std::int64_t>, items> done{};
  std::atomic<std::int64_t> children{0};
};

class Bench {
 public:
  Bench()
      : shared_{new (::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
                    Shared} {}
  ~Bench() { ::munmap(shared_, sizeof(Shared)); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  /// What happens in an item before its result is there, on which beginning of it; by default nothing.
  std::function<void(std::int64_t item, std::int64_t beginning, UnderWay& mark)> happens{
      [](std::int64_t, std::int64_t, UnderWay&) {}};
  /// What happens when its result is there, before its name is off the board.
  std::function<void(std::int64_t item)> happens_after{[](std::int64_t) {}};
  int threads{1};
  std::map<std::int64_t, std::string> crashed;

  [[nodiscard]] bool left(std::int64_t item) const {
    return shared_->done[static_cast<std::size_t>(item)] == 0 && !crashed.contains(item);
  }

  int run() {
    const SupervisedWork work{
        [this] { return !left_items().empty(); },
        [this](std::int64_t item) { return left(item); },
        [this] {
          ++shared_->children;
          const std::vector<std::int64_t> todo = left_items();
          for_each_index(todo.size(), {.threads = threads, .stopped = {}, .progress = {}},
                         [&](std::size_t i) { run_one(todo[i]); });
          return 0;
        },
        [this](std::int64_t item) {
          ++shared_->children;
          run_one(item);
          return 0;
        },
        [this](std::int64_t item, const std::string& what) {
          CHECK_FALSE(crashed.contains(item));
          crashed[item] = what;
        },
    };
    return supervise(board, work);
  }

  [[nodiscard]] Counts done() const { return plain(shared_->done); }
  [[nodiscard]] Counts begun() const { return plain(shared_->begun); }
  [[nodiscard]] std::int64_t children() const { return shared_->children; }

  RunningBoard board{8};

 private:
  static Counts plain(const std::array<std::atomic<std::int64_t>, items>& shared) {
    Counts counts{};
    for (std::size_t i = 0; i < shared.size(); ++i) counts[i] = shared[i];
    return counts;
  }

  [[nodiscard]] std::vector<std::int64_t> left_items() const {
    std::vector<std::int64_t> found;
    for (std::int64_t item = 0; item < items; ++item) {
      if (left(item)) found.push_back(item);
    }
    return found;
  }

  void run_one(std::int64_t item) {
    const auto index = static_cast<std::size_t>(item);
    UnderWay mark{board, item};
    happens(item, ++shared_->begun[index], mark);
    ++shared_->done[index];
    happens_after(item);
  }

  Shared* shared_;
};

/// Each item once, but for those at other counts.
Counts once_but(const std::map<std::size_t, std::int64_t>& others) {
  Counts counts;
  counts.fill(1);
  for (const auto& [item, count] : others) counts[item] = count;
  return counts;
}

}  // namespace

TEST_CASE("where nothing dies one child does everything") {
  Bench bench;
  CHECK(bench.run() == 0);
  CHECK(bench.begun() == once_but({}));
  CHECK(bench.done() == once_but({}));
  CHECK(bench.children() == 1);
}

TEST_CASE("an item that crashes once is run again, alone") {
  for (const int number : {SIGSEGV, SIGABRT, SIGKILL}) {
    CAPTURE(number);
    Bench bench;
    bench.happens = [number](std::int64_t item, std::int64_t beginning, UnderWay&) {
      if (item == 3 && beginning == 1) test::die_by(number);
    };
    CHECK(bench.run() == 0);
    CHECK(bench.begun() == once_but({{3, 2}}));
    CHECK(bench.done() == once_but({}));
    CHECK(bench.crashed.empty());
    CHECK(bench.children() == 3);  // until it dies, item 3 alone, the rest
  }
}

TEST_CASE("an item that always crashes is recorded, and everything else is done once") {
  Bench bench;
  bench.happens = [](std::int64_t item, std::int64_t, UnderWay&) {
    if (item == 3) test::die_by(SIGSEGV);
  };
  CHECK(bench.run() == 0);
  CHECK(bench.begun() == once_but({{3, 2}}));
  CHECK(bench.done() == once_but({{3, 0}}));
  CHECK(bench.crashed == std::map<std::int64_t, std::string>{{3, "ended by signal 11 (Segmentation fault), twice"}});
}

TEST_CASE("several items that crash, the first and the last among them") {
  Bench bench;
  bench.happens = [](std::int64_t item, std::int64_t beginning, UnderWay&) {
    if (item == 0 || item == 9) test::die_by(SIGFPE);
    if (item == 4) test::die_by(beginning == 1 ? SIGKILL : SIGSEGV);
    if (item == 5 && beginning == 1) test::die_by(SIGILL);
  };
  CHECK(bench.run() == 0);
  CHECK(bench.begun() == once_but({{0, 2}, {4, 2}, {5, 2}, {9, 2}}));
  CHECK(bench.done() == once_but({{0, 0}, {4, 0}, {9, 0}}));
  CHECK(bench.crashed == std::map<std::int64_t, std::string>{
                             {0, "ended by signal 8 (Floating point exception), twice"},
                             {4, "ended by signal 9 (Killed), then alone by signal 11 (Segmentation fault)"},
                             {9, "ended by signal 8 (Floating point exception), twice"}});
}

TEST_CASE("what an item says when it gives up stands in its record") {
  Bench bench;
  bench.happens = [](std::int64_t item, std::int64_t, UnderWay& mark) {
    if (item == 3) mark.give_up("a queue holds -1 B");
  };
  CHECK(bench.run() == 0);
  CHECK(bench.crashed ==
        std::map<std::int64_t, std::string>{{3, "ended by signal 6 (Aborted), twice: a queue holds -1 B"}});
}

TEST_CASE("on two threads the other item under way is run again, and no further one") {
  Bench bench;
  bench.threads = 2;
  std::barrier<> both_begun{2};  // in the child, as a copy of its own
  bench.happens = [&both_begun](std::int64_t item, std::int64_t beginning, UnderWay&) {
    if (item != 2 && item != 3) return;
    if (beginning == 1) both_begun.arrive_and_wait();
    if (item == 2) test::die_by(SIGSEGV);
    if (beginning == 1) std::this_thread::sleep_for(60s);
  };
  CHECK(bench.run() == 0);
  CHECK(bench.begun() == once_but({{2, 2}, {3, 2}}));
  CHECK(bench.done() == once_but({{2, 0}}));
  CHECK(bench.crashed.size() == 1);
  CHECK(bench.crashed.contains(2));
  CHECK(bench.children() == 4);  // until it dies, items 2 and 3 alone, the rest
}

TEST_CASE("where an item gives up it is the one that is run alone") {
  Bench bench;
  bench.threads = 2;
  std::barrier<> both_begun{2};
  bench.happens = [&both_begun](std::int64_t item, std::int64_t beginning, UnderWay& mark) {
    if (item != 2 && item != 3) return;
    if (beginning == 1) both_begun.arrive_and_wait();
    if (item == 2) mark.give_up("lost");
    if (beginning == 1) std::this_thread::sleep_for(60s);
  };
  CHECK(bench.run() == 0);
  CHECK(bench.begun() == once_but({{2, 2}, {3, 2}}));
  CHECK(bench.done() == once_but({{2, 0}}));
  CHECK(bench.crashed == std::map<std::int64_t, std::string>{{2, "ended by signal 6 (Aborted), twice: lost"}});
  CHECK(bench.children() == 3);  // until it gives up, item 2 alone, the rest with item 3
}

TEST_CASE("two items that crash on two threads at a time are both found") {
  Bench bench;
  bench.threads = 2;
  std::barrier<> both_begun{2};
  bench.happens = [&both_begun](std::int64_t item, std::int64_t beginning, UnderWay&) {
    if (item != 2 && item != 3) return;
    if (beginning == 1) both_begun.arrive_and_wait();
    test::die_by(SIGSEGV);
  };
  CHECK(bench.run() == 0);
  CHECK(bench.begun() == once_but({{2, 2}, {3, 2}}));
  CHECK(bench.done() == once_but({{2, 0}, {3, 0}}));
  CHECK(bench.crashed.size() == 2);
}

TEST_CASE("a result that was there when the process died is not made again") {
  Bench bench;
  bench.happens_after = [](std::int64_t item) {
    if (item == 3) test::die_by(SIGKILL);
  };
  CHECK(bench.run() == 0);
  CHECK(bench.begun() == once_but({}));
  CHECK(bench.done() == once_but({}));
  CHECK(bench.crashed.empty());
}

TEST_CASE("an exit status other than 0 is passed on") {
  RunningBoard board{1};
  int children = 0;
  const SupervisedWork work{[&children] { return ++children == 1; }, [](std::int64_t) { return true; },
                            [] { return 4; }, [](std::int64_t) { return 0; },
                            [](std::int64_t, const std::string&) { FAIL("no crash"); }};
  CHECK(supervise(board, work) == 4);
  CHECK(children == 1);

  const SupervisedWork second{[] { return true; }, [](std::int64_t) { return true; },
                              [&board]() -> int {
                                (void)board.start(3);
                                test::die_by(SIGSEGV);
                              },
                              [](std::int64_t) { return 1; },
                              [](std::int64_t, const std::string&) { FAIL("no crash"); }};
  CHECK(supervise(board, second) == 1);
}

TEST_CASE("a process that dies with nothing under way ends it all") {
  RunningBoard board{1};
  const SupervisedWork work{[] { return true; }, [](std::int64_t) { return true; },
                            []() -> int { test::die_by(SIGKILL); }, [](std::int64_t) { return 0; },
                            [](std::int64_t, const std::string&) { FAIL("no item"); }};
  CHECK_THROWS_WITH_AS((void)supervise(board, work),
                       "the process that runs the points ended by signal 9 (Killed) while no point was under way",
                       ProcessError);
}

TEST_CASE("a stop starts no further child") {
  RunningBoard board{1};
  std::atomic<int>& children =
      *new (::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
          std::atomic<int>{0};
  const SupervisedWork work{[] { return true; }, [](std::int64_t) { return true; },
                            [&]() -> int {
                              ++children;
                              (void)board.start(3);
                              ::kill(::getppid(), SIGTERM);
                              while (board.stop_signal() == 0) std::this_thread::sleep_for(1ms);
                              test::die_by(SIGKILL);  // as a scheduler does that has waited long enough
                            },
                            [](std::int64_t) { return 0; }, [](std::int64_t, const std::string&) { FAIL("no crash"); }};
  CHECK(supervise(board, work) == 128 + SIGTERM);
  CHECK(children == 1);
}
