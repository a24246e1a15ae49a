// The one wake-up that a job has on a host: remembers what it asked for, so that it asks only when that changes.
// Simplifies: a wake-up that is no longer wanted still comes; whoever is woken looks at its deadlines and sleeps again.
// Source: HostContext::wake_at (workload/job.hpp). Validated by tests/unit/workload.
#pragma once

#include "core/units.hpp"
#include "workload/job.hpp"

namespace soya {

class Alarm {
 public:
  /// Asks for `at`, which is later than now; nothing where it is `Time::never()`.
  void set(HostContext& context, Time at) {
    if (at == Time::never() || at == set_) return;
    set_ = at;
    context.wake_at(at);
  }
  /// The wake-up has come.
  void rang() { set_ = Time::never(); }
  /// A wake-up is due that was asked for.
  [[nodiscard]] bool is_set() const { return set_ != Time::never(); }

 private:
  Time set_{Time::never()};
};

}  // namespace soya
