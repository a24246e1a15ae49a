#include "fabric/scheduler.hpp"

namespace soya {

Scheduler::Scheduler(const SchedulerConfig& config, Bytes quantum) : strict_{config.strict.bits()} {
  SOYA_CHECK(quantum > Bytes{0}, "the quantum of a scheduler is positive");
  for (std::size_t i = 0; i < credits_.size(); ++i) {
    const bool strict = config.strict.contains(Priority{static_cast<std::uint8_t>(i)});
    SOYA_CHECK(strict || config.weights[i] >= 1, "the weight of a priority that is not strict is at least 1");
    credits_[i] = config.weights[i] * quantum.count();
  }
}

Priority Scheduler::next_in_round(unsigned eligible, const HeadBytes& head_bytes) {
  contended_ = true;
  while (true) {
    if (((eligible >> current_) & 1U) != 0) {
      std::int64_t& deficit = deficits_[current_];
      const std::int64_t head = head_bytes[current_];
      // A queue that was paused in the middle of its turn kept its deficit and spends that first: it earns only when
      // its head does not fit, so that many such pauses never add up to more than one credit.
      if (deficit < head && !credited_) {
        deficit += credits_[current_];
        credited_ = true;
      }
      if (deficit >= head) {
        deficit -= head;
        return priority_of(current_);
      }
    }
    leave();
  }
}

}  // namespace soya
