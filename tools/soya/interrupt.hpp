// Ctrl-C and SIGTERM: the first asks the run to stop and write what it has, the second ends at once.
// A thread of its own waits for the signals, so nothing runs in a signal handler and nothing is global.
// Simplifies: nothing. Source: POSIX.1-2017 sigwait(). Validated by tests/cli/interrupt_test.cpp.
#pragma once

#include <signal.h>

#include <atomic>
#include <thread>

namespace soya::cli {

class InterruptWatch final {
 public:
  /// From here on both signals are watched. Threads started later inherit the blocked signals, so start none before.
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  /// The signal that came, or 0.
  [[nodiscard]] int signal() const { return signal_.load(std::memory_order_relaxed); }

 private:
  void wait();

  sigset_t watched_{};
  sigset_t before_{};
  std::atomic<int> signal_{0};
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace soya::cli
