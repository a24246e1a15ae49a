#include "sweep/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace soya {

namespace {

/// What the threads of one call share.
class Queue final {
 public:
  Queue(std::size_t count, const ParallelOptions& options, const std::function<void(std::size_t)>& task)
      : count_{count}, options_{options}, task_{task}, failures_(count) {}

  void work() {
    while (!stopped()) {
      const std::size_t index = next_++;
      if (index >= count_) return;
      try {
        task_(index);
        tell_progress();
      } catch (...) {
        failures_[index] = std::current_exception();
        failed_ = true;
      }
    }
  }

  void rethrow_first() const {
    for (const std::exception_ptr& failure : failures_) {
      if (failure) std::rethrow_exception(failure);
    }
  }

 private:
  [[nodiscard]] bool stopped() const { return failed_ || (options_.stopped && options_.stopped()); }

  void tell_progress() {
    if (!options_.progress) return;
    const std::lock_guard lock{mutex_};
    options_.progress(++ended_, count_);
  }

  std::size_t count_;
  const ParallelOptions& options_;
  const std::function<void(std::size_t)>& task_;
  std::vector<std::exception_ptr> failures_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::size_t ended_{0};
};

}  // namespace

void for_each_index(std::size_t count, const ParallelOptions& options, const std::function<void(std::size_t)>& task) {
  if (count == 0) return;
  Queue queue{count, options, task};
  {
    const std::size_t helpers = std::min(count, static_cast<std::size_t>(std::max(options.threads, 1))) - 1;
    std::vector<std::jthread> threads;
    try {
      for (std::size_t i = 0; i < helpers; ++i) threads.emplace_back([&queue] { queue.work(); });
    } catch (const std::system_error&) {
      // The machine gives no more: the others do the tasks.
    }
    queue.work();
  }
  queue.rethrow_first();
}

}  // namespace soya
