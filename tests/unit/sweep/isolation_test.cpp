#include "sweep/isolation.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <thread>

#include "core/check.hpp"
#include "support/crash.hpp"
#include "support/temporary_folder.hpp"

using namespace soya;
using namespace std::chrono_literals;

namespace {

using Items = std::vector<std::int64_t>;

/// A process that calls run_in_child by itself, so that a test can send it signals.
class Parent {
 public:
  explicit Parent(const std::function<int()>& body) : id_{::fork()} {
    if (id_ == 0) ::_exit(body());
  }
  [[nodiscard]] pid_t id() const { return id_; }
  void send(int number) const { ::kill(id_, number); }
  /// 128 + the signal that ended it.
  [[nodiscard]] int wait() const {
    int status = 0;
    ::waitpid(id_, &status, 0);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  pid_t id_;
};

class Pipe {
 public:
  Pipe() { REQUIRE(::pipe(ends_.data()) == 0); }
  ~Pipe() {
    close_writer();
    ::close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void write(char letter) const { CHECK(::write(ends_[1], &letter, 1) == 1); }
  /// 0 when every writer has gone.
  [[nodiscard]] char read() const {
    char letter = 0;
    return ::read(ends_[0], &letter, 1) == 1 ? letter : '\0';
  }
  void close_writer() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

/// Says on `told` that it has begun, then waits for a stop as long as that takes; 128 + its signal.
int wait_for_stop(const RunningBoard& board, const Pipe& told) {
  told.write('b');
  while (board.stop_signal() == 0) std::this_thread::sleep_for(1ms);
  return 128 + board.stop_signal();
}

}  // namespace

TEST_CASE("the board says what is under way") {
  RunningBoard board{3};
  CHECK(board.under_way().empty());
  const std::size_t zero = board.start(0);
  const std::size_t nine = board.start(9);
  const std::size_t four = board.start(4);
  CHECK(board.under_way() == Items{0, 4, 9});
  CHECK_THROWS_AS((void)board.start(5), InternalError);
  board.end(nine);
  CHECK(board.under_way() == Items{0, 4});
  {
    const UnderWay mark{board, 5};
    CHECK(board.under_way() == Items{0, 4, 5});
  }
  board.end(zero);
  board.end(four);
  CHECK(board.under_way().empty());
  CHECK_THROWS_AS(board.end(3), InternalError);
}

TEST_CASE("many threads share a board of as many places") {
  constexpr int threads = 8;
  RunningBoard board{threads};
  {
    std::vector<std::jthread> all;
    for (int t = 0; t < threads; ++t) {
      all.emplace_back([&board, t] {
        for (int i = 0; i < 1000; ++i) board.end(board.start(t * 1000 + i));
      });
    }
  }
  CHECK(board.under_way().empty());
}

TEST_CASE("a child answers with an exit status, and what it wrote on the board stays") {
  RunningBoard board{2};
  const ChildEnd end = run_in_child(board, [&board] {
    (void)board.start(7);
    return 4;
  });
  CHECK(end.exit_status == 4);
  CHECK_FALSE(end.signal);
  CHECK(board.under_way() == Items{7});
}

TEST_CASE("a child that dies says by which signal") {
  RunningBoard board{1};
  for (const int number : {SIGSEGV, SIGABRT, SIGFPE, SIGKILL}) {
    CAPTURE(number);
    CHECK(run_in_child(board, [number]() -> int { test::die_by(number); }).signal == number);
  }
  CHECK(signal_text(SIGSEGV) == "signal 11 (Segmentation fault)");
  CHECK(signal_text(1000) == "signal 1000");
}

TEST_CASE("an exception that leaves the work ends the child by SIGABRT") {
  RunningBoard board{1};
  const ChildEnd end = run_in_child(board, []() -> int {
    ::signal(SIGABRT, SIG_DFL);
    ::fclose(stderr);  // std::terminate tells about it there
    throw std::runtime_error("lost");
  });
  CHECK(end.signal == SIGABRT);
}

TEST_CASE("last words come with the crash, cut at 400 bytes") {
  RunningBoard board{2};
  const auto give_up = [&board](std::int64_t item, const std::string& why) {
    board.clear();
    return run_in_child(board,
                        [&]() -> int {
                          (void)board.start(1);
                          UnderWay mark{board, item};
                          mark.give_up(why);
                        })
        .signal;
  };
  CHECK(give_up(8, "a queue holds -1 B") == SIGABRT);
  CHECK(board.under_way() == Items{1, 8});
  CHECK(board.gave_up() == Items{8});
  CHECK(board.last_words(8) == "a queue holds -1 B");
  CHECK(board.last_words(1).empty());
  CHECK(board.last_words(2).empty());
  CHECK(give_up(8, std::string(500, 'x')) == SIGABRT);
  CHECK(board.last_words(8) == std::string(400, 'x'));
  board.clear();
  CHECK(board.gave_up().empty());
  CHECK(board.last_words(8).empty());
}

TEST_CASE("what the parent had not written yet is not written twice") {
  const test::TemporaryFolder folder;
  const std::string path = folder / "text";
  std::FILE* file = std::fopen(path.c_str(), "w");
  REQUIRE(file != nullptr);
  std::fputs("parent\n", file);
  RunningBoard board{1};
  CHECK(run_in_child(board, [file] { return std::fputs("child\n", file) < 0 ? 1 : 0; }).exit_status == 0);
  std::fclose(file);
  CHECK(test::read_text(path) == "parent\nchild\n");
}

TEST_CASE("a process with threads is not forked") {
  RunningBoard board{1};
  std::jthread other{[](const std::stop_token& stop) {
    while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
  }};
  CHECK_THROWS_AS((void)run_in_child(board, [] { return 0; }), InternalError);
}

TEST_CASE("threads of the child are its own business") {
  RunningBoard board{4};
  for (int i = 0; i < 20; ++i) {
    // A thread that has been joined may still be listed when the next child starts.
    std::thread{[] {}}.join();
    const ChildEnd end = run_in_child(board, [] {
      std::jthread one{[] {}};
      std::jthread other{[] {}};
      return 3;
    });
    CHECK(end.exit_status == 3);
  }
}

TEST_CASE("signals and their handling are as before afterwards") {
  sigset_t before;
  sigset_t after;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &before);
  ::signal(SIGCHLD, SIG_IGN);  // as some launchers leave it: children vanish unseen
  RunningBoard board{1};
  CHECK(run_in_child(board, [] { return 5; }).exit_status == 5);
  CHECK((::signal(SIGCHLD, SIG_DFL) == SIG_IGN));
  ::pthread_sigmask(SIG_BLOCK, nullptr, &after);
  for (const int number : {SIGINT, SIGTERM, SIGCHLD}) {
    CHECK(::sigismember(&before, number) == ::sigismember(&after, number));
  }
}

TEST_CASE("the first signal asks the child to stop, whoever else got it too") {
  for (const int number : {SIGINT, SIGTERM}) {
    CAPTURE(number);
    RunningBoard board{1};
    const Pipe told;
    const Parent parent{[&] {
      ::setpgid(0, 0);
      return run_in_child(board, [&] { return wait_for_stop(board, told); }).exit_status;
    }};
    CHECK(told.read() == 'b');
    // As a terminal does: to the parent and its child at a time.
    CHECK(::kill(-parent.id(), number) == 0);
    CHECK(parent.wait() == 128 + number);
  }
}

TEST_CASE("the second signal ends a child that does not stop") {
  RunningBoard board{1};
  const Pipe told;
  const Parent parent{[&] {
    return run_in_child(board,
                        [&told] {
                          told.write('b');
                          std::this_thread::sleep_for(60s);
                          return 0;
                        })
        .exit_status;
  }};
  CHECK(told.read() == 'b');
  parent.send(SIGTERM);
  while (board.stop_signal() == 0) std::this_thread::sleep_for(1ms);
  parent.send(SIGINT);
  CHECK(parent.wait() == 128 + SIGINT);
  CHECK(board.stop_signal() == SIGTERM);
}

TEST_CASE("a child dies with its parent") {
  RunningBoard board{1};
  Pipe told;
  const Parent parent{[&] {
    return run_in_child(board,
                        [&told] {
                          told.write('b');
                          std::this_thread::sleep_for(60s);
                          return 0;
                        })
        .exit_status;
  }};
  told.close_writer();
  CHECK(told.read() == 'b');
  parent.send(SIGKILL);
  CHECK(parent.wait() == 128 + SIGKILL);
  CHECK(told.read() == '\0');  // the pipe's last writer has gone, long before its 60 s
}
