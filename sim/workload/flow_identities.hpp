// Names of flows that do not depend on where they stand in a file.
// Simplifies: nothing. Two flows that are equal in every field are told apart by an ordinal only.
// Source: docs/architecture.md, "The engine". Validated by tests/unit/workload/flows_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "workload/workload_config.hpp"

namespace soya {

/// For each job, the identity of each of its flows; unique over all `jobs`. `host_names` by HostId.
///
///   a>b/elephant                       a named flow
///   a>b/0, a>b/1                       flows without a name, equal in every field
///   a>b/1000B,1x,0ps,p3,write/0        as above, where the flows from a to b differ: the fields tell which it is
///   a>b/elephant/0                     a name given twice from a to b; with the fields where these flows differ
[[nodiscard]] std::vector<std::vector<std::string>> flow_identities(const std::vector<const FlowsConfig*>& jobs,
                                                                    const std::vector<std::string>& host_names);

}  // namespace soya
