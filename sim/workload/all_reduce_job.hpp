// A job of ring all-reduces: `repeat` of them, one after another on each rank, which waits for nobody else in between.
// Simplifies: no compute between them.
// Source: docs/model.md section 8. Validated by tests/unit/workload/all_reduce_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "workload/alarm.hpp"
#include "workload/collective_log.hpp"
#include "workload/job.hpp"
#include "workload/ring_group.hpp"
#include "workload/workload_config.hpp"

namespace soya {

class AllReduceJob final : public Job {
 public:
  AllReduceJob(const AllReduceConfig& config, const std::vector<std::string>& host_names);

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
  /// Collectives are named `<job>/<number from 0>`.
  [[nodiscard]] JobReport report() const override;

 private:
  void advance(HostContext& context);
  [[nodiscard]] bool done(int rank) const;

  std::size_t repeat_;
  RingLayout layout_;
  RingGroup group_;
  CollectiveLog log_;
  std::vector<Alarm> alarms_;  ///< by rank
};

}  // namespace soya
