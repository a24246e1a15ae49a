// The answer of `soya plan`: loads of links, lower bounds of transfers, collectives, steps and jobs, and an estimate of
// when each job ends by max-min fair rates.
// Simplifies: bounds take what is certain alone, static paths and hosts' own links; estimates see links as fluids: no
// window, no pause, no loss, no fault.
// Source: docs/model.md section 10. Validated by tests/property/plan_bounds_test.cpp and
// tests/analytic/plan_estimate_test.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/units.hpp"
#include "engine/plan_traffic.hpp"
#include "planning/ideal_time.hpp"
#include "planning/tier_load.hpp"

namespace soya {

/// A flow of a list, or a queue pair of a perftest.
struct TransferPlan {
  std::string flow;
  HostId from;
  HostId to;
  Bytes payload;
  Time start;
  Duration at_least;                 ///< from its start to its last completion
  std::optional<Duration> estimate;  ///< the same, among the other jobs
};

struct JobPlan {
  std::string name;
  std::string kind;                  ///< as the scenario calls it
  WireLoad sends;                    ///< all its hosts together
  Duration at_least;                 ///< from time zero to its end
  std::optional<Duration> estimate;  ///< … among the other jobs; absent of perftest
  std::string unit;                  ///< "collective" or "step", where it has such
  std::optional<Duration> unit_at_least;
  std::vector<TransferPlan> transfers;
};

struct LoadPlan {
  TrafficPlan traffic;
  std::vector<JobPlan> jobs;
  std::vector<TierLinks> tiers;
  std::vector<Duration> times;         ///< by LinkDirection: load / rate
  std::vector<LinkDirection> hottest;  ///< those that carry anything, by time, then by name
  Duration at_least;                   ///< of the whole workload
};

[[nodiscard]] LoadPlan load_plan(const PlanInput& input);

// plan_bounds.cpp
/// Fills in `at_least` of the whole, of each job and of what it consists of.
void add_bounds(const PlanInput& input, LoadPlan& plan);
// plan_estimate.cpp; takes the bounds
void add_estimates(const PlanInput& input, LoadPlan& plan);

/// Transmitters of a flow with one path, in order.
[[nodiscard]] std::vector<PathHop> hops_of(const PlanInput& input, std::span<const LinkShare> column);
/// How long a message of `operation` and `size` takes alone, from the end that posts until its completion.
[[nodiscard]] Duration alone(const PlanInput& input, const TrafficPlan& traffic, std::size_t flow, Operation operation,
                             Bytes size);

}  // namespace soya
