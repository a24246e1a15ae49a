// Data-parallel training: each rank computes forward and backward, all-reduces its gradient buckets as they become
// ready, one after another and beside the backward pass, and runs the optimiser when both are done.
// Simplifies: compute times are the same on every rank and are not slowed by communication; no data loading.
// Source: torch DistributedDataParallel, docs/model.md section 9. Validated by tests/unit/workload/ddp_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workload/buckets.hpp"
#include "workload/collective_log.hpp"
#include "workload/job.hpp"
#include "workload/ring_group.hpp"
#include "workload/ring_job.hpp"
#include "workload/workload_config.hpp"

namespace soya {

class DdpProgram final {
 public:
  DdpProgram(const DdpConfig& config, const std::vector<std::string>& host_names);

  // As RingProgram says.
  [[nodiscard]] RingGroup& ring() { return group_; }
  [[nodiscard]] const RingGroup& ring() const { return group_; }
  [[nodiscard]] Time advance(HostContext& context, int rank);
  [[nodiscard]] std::int64_t transfers() const;
  [[nodiscard]] bool done(int rank) const;
  /// Steps that every rank has ended. Collectives are named `<job>/step<number>/bucket<number>`, both from 0.
  [[nodiscard]] JobReport report() const;

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
    Time step_begun;  ///< the first at time zero, as jobs start
    Time optimiser_ends;
    Bytes sent_before{0};        ///< by earlier steps
    std::size_t next_bucket{0};  ///< buckets of this step that have begun
    std::vector<StepRecord> steps;
  };

  [[nodiscard]] Rank& rank_state(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const Rank& rank_state(int rank) const { return ranks_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] bool progress(HostContext& context, int rank);
  [[nodiscard]] bool reduce_gradients(HostContext& context, int rank);
  void end_step(int rank, Time now);
  [[nodiscard]] Time backward_end(const Rank& rank) const;
  [[nodiscard]] Time ready(const Rank& rank, std::size_t bucket) const;
  [[nodiscard]] Time next_deadline(int rank, Time now) const;
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

using DdpJob = RingJob<DdpProgram>;

}  // namespace soya
