// The routes of a scenario, and what its connections' flows are hashed by: what a simulation and a plan share.
// Simplifies: nothing. Source: docs/model.md section 2. Validated by tests/unit/engine/routes_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "scenario/scenario.hpp"
#include "topology/routing.hpp"
#include "topology/servers.hpp"
#include "workload/job.hpp"

namespace soya {

/// As the switches of the scenario choose; round `dead` links, by LinkId, or none.
[[nodiscard]] Routing routing_of(const Scenario& scenario, std::vector<bool> dead = {});

/// ECMP entropy of what an end of the connection sends: data, acknowledges and READ responses alike.
[[nodiscard]] std::uint64_t flow_hash_of(const ConnectionConfig& connection, bool from_a);

/// Whose NICs the connections of `job` between the hosts `ends` are at: where the job may use the link inside a server
/// and both have it, their ports there.
[[nodiscard]] HostPair nics_of(const HostPorts& ports, const JobConfig& job, const HostPair& ends);

/// A complaint for each pair of hosts that the workload joins and no path does, by the path order that is asked for.
[[nodiscard]] std::vector<Diagnostic> path_problems(const Scenario& scenario);

/// Flows that are spread past accelerators, which have to see every frame: a complaint, or none.
[[nodiscard]] std::vector<Diagnostic> spreading_problems(const Scenario& scenario);

/// Loops that static routes make with what failures leave: a complaint for each of the first reconvergence with some.
[[nodiscard]] std::vector<Diagnostic> loops_after_failures(const Scenario& scenario);

}  // namespace soya
