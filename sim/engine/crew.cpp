#include "engine/crew.hpp"

#include <system_error>
#include <utility>

namespace soya {

namespace {

/// Some 50 us: longer than windows of two even parts differ, shorter than anybody would notice.
constexpr int looks_with_a_core_each = 2'000;

void pause_a_moment() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

Crew::Crew(std::size_t members, std::function<void(std::size_t)> share)
    : share_{std::move(share)},
      failures_(members),
      looks_{members <= std::thread::hardware_concurrency() ? looks_with_a_core_each : 0} {
  for (std::size_t member = 1; member < members; ++member) {
    try {
      threads_.emplace_back([this, member] { serve(member); });
    } catch (const std::system_error&) {
      break;  // the machine gives no more
    }
  }
  failures_.resize(threads_.size() + 1);
}

Crew::~Crew() {
  over_ = true;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

void Crew::work() {
  busy_.store(static_cast<std::uint32_t>(threads_.size()), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  do_share(0);
  for (std::uint32_t busy = busy_.load(std::memory_order_acquire); busy != 0;
       busy = busy_.load(std::memory_order_acquire)) {
    wait_while(busy_, busy);
  }
  for (const std::exception_ptr& failure : failures_) {
    if (failure) std::rethrow_exception(failure);
  }
}

void Crew::serve(std::size_t member) {
  for (std::uint32_t round = 0;; ++round) {
    wait_while(round_, round);
    if (over_) return;
    do_share(member);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
  }
}

void Crew::do_share(std::size_t member) {
  try {
    share_(member);
  } catch (...) {
    failures_[member] = std::current_exception();
  }
}

/// Until `word` is no longer `value`.
void Crew::wait_while(std::atomic<std::uint32_t>& word, std::uint32_t value) const {
  for (int look = 0; look < looks_; ++look) {
    if (word.load(std::memory_order_acquire) != value) return;
    pause_a_moment();
  }
  word.wait(value, std::memory_order_acquire);
}

}  // namespace soya
