// Instructions per packet-hop that a case may take, by callgrind: what `tools/test` holds the packet path to.
// Simplifies: budgets are those of g++ 12 in release; another compiler has others. Validated by tests/cost.
#pragma once

#include <map>
#include <span>
#include <string>

#include "suite/measure.hpp"

namespace soya::bench {

using Budgets = std::map<std::string, double>;

/// {"case": instructions per packet-hop, …}. Throws std::runtime_error where `file` is not that.
[[nodiscard]] Budgets read_budgets(const std::string& file);
/// 3 % above what was counted, in whole instructions.
void write_budgets(const std::string& file, std::span<const Measurement> measurements);
/// A line for each measurement above its budget, or without one or the count; empty where all hold.
[[nodiscard]] std::string over_budget(const Budgets& budgets, std::span<const Measurement> measurements);

}  // namespace soya::bench
