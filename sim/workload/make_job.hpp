// From the configuration of a workload item to the job that runs it.
// Simplifies: nothing.
// Source: docs/architecture.md, "Closed events, open policies". Validated by tests/unit/workload/make_job_test.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workload/job.hpp"
#include "workload/workload_config.hpp"

namespace soya {

/// The jobs of a scenario, in its order. `host_names` by HostId. Flows are named over all jobs, so that two jobs may
/// hold flows between the same hosts. Throws `ScenarioError` with everything that no job can be made of.
[[nodiscard]] std::vector<std::unique_ptr<Job>> make_jobs(const std::vector<JobConfig>& configs,
                                                          const std::vector<std::string>& host_names);

/// One job, alone in its scenario.
[[nodiscard]] std::unique_ptr<Job> make_job(const JobConfig& config, const std::vector<std::string>& host_names);

}  // namespace soya
