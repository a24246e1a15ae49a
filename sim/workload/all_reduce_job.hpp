// A job of ring all-reduces: `repeat` of them, one after another on each rank, which waits for nobody else in between.
// Simplifies: no compute between them.
// Source: docs/model.md section 8. Validated by tests/unit/workload/all_reduce_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workload/collective_log.hpp"
#include "workload/job.hpp"
#include "workload/ring_group.hpp"
#include "workload/ring_job.hpp"
#include "workload/workload_config.hpp"

namespace soya {

class AllReduceProgram final {
 public:
  AllReduceProgram(const AllReduceConfig& config, const std::vector<std::string>& host_names);

  // As RingProgram says.
  [[nodiscard]] RingGroup& ring() { return group_; }
  [[nodiscard]] const RingGroup& ring() const { return group_; }
  [[nodiscard]] Time advance(HostContext& context, int rank);
  [[nodiscard]] std::int64_t transfers() const;
  [[nodiscard]] bool done(int rank) const;
  /// Collectives are named `<job>/<number from 0>`.
  [[nodiscard]] JobReport report() const;

 private:
  std::size_t repeat_;
  RingLayout layout_;
  RingGroup group_;
  CollectiveLog log_;
};

using AllReduceJob = RingJob<AllReduceProgram>;

}  // namespace soya
