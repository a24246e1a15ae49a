// A job whose hosts form one ring: tells the ring what happens on a host, then lets the job's program go on there.
// Simplifies: a host is one rank of the ring, and has one wake-up for its reductions and its program together.
// Source: docs/model.md sections 8 and 9.
// Validated by tests/unit/workload/all_reduce_test.cpp and tests/unit/workload/ddp_test.cpp.
#pragma once

#include <algorithm>
#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include "workload/alarm.hpp"
#include "workload/job.hpp"
#include "workload/ring_group.hpp"

namespace soya {

/// What a job does with its ring. `advance` does what is due on a rank and returns when the program has to go on by
/// itself, later than now; `Time::never()` where it waits for the ring alone.
template <class Program>
concept RingProgram = requires(Program& program, const Program& seen, HostContext& context, int rank) {
  { program.ring() } -> std::same_as<RingGroup&>;
  { seen.ring() } -> std::same_as<const RingGroup&>;
  { program.advance(context, rank) } -> std::same_as<Time>;
  { seen.transfers() } -> std::same_as<std::int64_t>;
  { seen.done(rank) } -> std::same_as<bool>;
  { seen.report() } -> std::same_as<JobReport>;
};

template <RingProgram Program>
class RingJob final : public Job {
 public:
  explicit RingJob(Program program)
      : program_{std::move(program)}, alarms_(static_cast<std::size_t>(program_.ring().ranks())) {}

  [[nodiscard]] const std::string& name() const override { return program_.ring().members().name; }
  [[nodiscard]] const std::vector<ConnectionConfig>& connections() const override {
    return program_.ring().connections();
  }
  [[nodiscard]] std::vector<HostId> hosts() const override { return program_.ring().members().hosts; }
  [[nodiscard]] std::int64_t transfers() const override { return program_.transfers(); }
  [[nodiscard]] JobReport report() const override { return program_.report(); }

  void start(HostContext& context) override { advance(context); }
  void woke(HostContext& context) override {
    alarms_[place(context.host())].rang();
    program_.ring().woke(context);
    advance(context);
  }
  void sent(HostContext& context, const Completion& completion) override {
    program_.ring().sent(context, completion);
    advance(context);
  }
  void received(HostContext& context, const Completion& completion) override {
    program_.ring().received(context, completion);
    advance(context);
  }

  [[nodiscard]] bool finished(HostId host) const override {
    return !program_.ring().has(host) || program_.done(program_.ring().rank_of(host));
  }
  /// A rank that computes or reduces has an end in sight, and asked to be woken then.
  [[nodiscard]] bool computing(HostId host) const override {
    return program_.ring().has(host) && alarms_[place(host)].is_set();
  }

 private:
  [[nodiscard]] std::size_t place(HostId host) const { return static_cast<std::size_t>(program_.ring().rank_of(host)); }
  void advance(HostContext& context) {
    const int rank = program_.ring().rank_of(context.host());
    const Time next = program_.advance(context, rank);
    alarms_[place(context.host())].set(context, std::min(next, program_.ring().next_reduction(rank)));
  }

  Program program_;
  std::vector<Alarm> alarms_;  ///< by rank
};

}  // namespace soya
