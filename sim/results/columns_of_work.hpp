// The columns of the tables of what the workload did, and of how it spread over tiers.
// Simplifies: see tables.hpp. Source: ours. Validated by tests/unit/results/tables_test.cpp.
// Not included outside results/.
#pragma once

#include <vector>

#include "results/table_fields.hpp"

namespace soya::fields {

[[nodiscard]] const std::vector<Field<TierRow>>& tier_fields();
[[nodiscard]] const std::vector<Field<HostRow>>& host_fields();
[[nodiscard]] const std::vector<Field<TransferRow>>& transfer_fields();
[[nodiscard]] const std::vector<Field<CollectiveRow>>& collective_fields();
[[nodiscard]] const std::vector<Field<PerftestRow>>& perftest_fields();
[[nodiscard]] const std::vector<Field<StepRow>>& step_fields();

}  // namespace soya::fields
