// Data-parallel training: each rank computes forward and backward, all-reduces its gradient buckets as they become
// ready, one after another and beside the backward pass, and runs the optimiser when both are done.
// Simplifies: compute times are the same on every rank and are not slowed by communication; no data loading.
// Source: torch DistributedDataParallel, docs/model.md section 9. Validated by tests/unit/workload/ddp_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workload/alarm.hpp"
#include "workload/buckets.hpp"
#include "workload/collective_log.hpp"
#include "workload/job.hpp"
#include "workload/ring_group.hpp"
#include "workload/workload_config.hpp"

namespace soya {

class DdpJob final : public Job {
 public:
  DdpJob(const DdpConfig& config, const std::vector<std::string>& host_names);

  [[nodiscard]] const std::string& name() const override { return group_.members().name; }
  [[nodiscard]] const std::vector<ConnectionConfig>& connections() const override { return group_.connections(); }
  [[nodiscard]] std::vector<HostId> hosts() const override { return group_.members().hosts; }
  [[nodiscard]] std::int64_t transfers() const override;
  void start(HostContext& context) override;
  void woke(HostContext& context) override;
  void sent(HostContext& context, const Completion& completion) override;
  void received(HostContext& context, const Completion& completion) override;
  [[nodiscard]] bool finished(HostId host) const override;
  [[nodiscard]] bool computing(HostId host) const override;
  /// Steps that every rank has ended. Collectives are named `<job>/step<number>/bucket<number>`, both from 0.
  [[nodiscard]] JobReport report() const override;

  [[nodiscard]] const std::vector<Bucket>& buckets() const { return buckets_; }

 private:
  enum class Phase { gradients, optimiser, done };

  /// A step that a rank has ended.
  struct StepRecord {
    Time begun;
    Time ended;
    Bytes sent{0};
  };
  struct Rank {
    Phase phase{Phase::gradients};
    Time step_begun;
    Time optimiser_ends;
    Bytes sent_before{0};        ///< by earlier steps
    std::size_t next_bucket{0};  ///< buckets of this step that have begun
    Alarm alarm;
    std::vector<StepRecord> steps;
  };

  [[nodiscard]] Rank& rank_state(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const Rank& rank_state(int rank) const { return ranks_[static_cast<std::size_t>(rank)]; }
  void advance(HostContext& context);
  [[nodiscard]] bool progress(HostContext& context, int rank);
  [[nodiscard]] bool reduce_gradients(HostContext& context, int rank);
  void end_step(int rank, Time now);
  [[nodiscard]] Time backward_end(const Rank& rank) const;
  [[nodiscard]] Time ready(const Rank& rank, std::size_t bucket) const;
  [[nodiscard]] Time next_deadline(int rank, Time now) const;
  [[nodiscard]] bool done(int rank) const;
  [[nodiscard]] StepReport step_report(std::size_t step) const;
  void add_rank(StepReport& report, std::size_t step, int rank) const;
  void report_collectives(JobReport& report) const;
  [[nodiscard]] std::string unfinished(int rank) const;

  Duration forward_;
  Duration backward_;
  Duration optimiser_;
  std::size_t steps_;
  std::vector<Bucket> buckets_;
  std::vector<RingLayout> layouts_;  ///< by bucket
  RingGroup group_;
  CollectiveLog log_;  ///< step by step, bucket by bucket
  std::vector<Rank> ranks_;
};

}  // namespace soya
