// Memory that points share: one that needs more than is free waits until others have ended.
// Simplifies: what counts is what a run needs at most, not what it takes. Source: docs/sweeps.md.
// Validated by tests/unit/sweep/memory_gate_test.cpp.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>

namespace soya {

class MemoryGate final {
 public:
  /// `limit` in bytes; absent: none.
  explicit MemoryGate(std::optional<std::int64_t> limit)
      : limit_{limit.value_or(std::numeric_limits<std::int64_t>::max())} {}

  [[nodiscard]] bool ever_fits(std::int64_t bytes) const { return bytes <= limit_; }
  /// Waits until `bytes`, which `ever_fits`, are free, and takes them.
  void take(std::int64_t bytes) {
    std::unique_lock lock{mutex_};
    freed_.wait(lock, [&] { return taken_ == 0 || bytes <= limit_ - taken_; });
    taken_ += bytes;
  }
  void give_back(std::int64_t bytes) {
    {
      const std::lock_guard lock{mutex_};
      taken_ -= bytes;
    }
    freed_.notify_all();
  }

 private:
  std::int64_t limit_;
  std::int64_t taken_{0};
  std::mutex mutex_;
  std::condition_variable freed_;
};

}  // namespace soya
