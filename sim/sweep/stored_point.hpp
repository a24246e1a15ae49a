// What a sweep keeps of a point, as plain data.
// Simplifies: the summary is kept as its text; results/summary_path.hpp finds values in it. Source: docs/sweeps.md.
// Validated by tests/unit/sweep.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sweep/sweep_config.hpp"

namespace soya {

enum class PointOutcome {
  sound,
  unsound,    ///< the run is not sound, `why_not` says why
  refused,    ///< the scenario of this point cannot be built
  no_answer,  ///< a search without an answer: both ends hold, or both fail
  crashed,    ///< it ended its process twice
};
/// "sound", "unsound", "refused", "no-answer", "crashed": as points.csv and the store have it.
[[nodiscard]] std::string_view outcome_name(PointOutcome outcome);

/// A part of a sweep: points `index`, `index + count`, `index + 2 count`, …
struct Shard {
  std::int64_t index{0};
  std::int64_t count{1};
  bool operator==(const Shard&) const = default;
};

/// What all points of a store have in common. Two stores with equal heads, but for the shard, hold points of one sweep.
struct StoreHead {
  std::string version;            ///< of Soya
  std::string name;               ///< of the sweep
  std::string sweep;              ///< text of its file
  std::vector<Column> columns;    ///< of the cells
  std::vector<std::string> keep;  ///< quantities of points.csv, in order
  std::int64_t points{0};         ///< of the whole sweep
  Shard shard{};
  Column answer{};     ///< of a search: the key whose value it finds, and the unit of "answer"; empty without a search
  std::string base{};  ///< hash of the scenario as its files have it: sweeps of one text may differ there
};

struct StoredPoint {
  std::int64_t point{0};  ///< its number in the sweep, from 0
  std::string id;         ///< 32 hexadecimal digits: hash of the effective scenario, the search and the version
  std::vector<Cell> cells;
  PointOutcome outcome{PointOutcome::sound};
  std::string why_not;    ///< empty where sound, but for an answer beside a value that cannot be built
  std::string effective;  ///< YAML of the scenario, every key; of a search with the answer in place
  std::string summary;    ///< summary.json in one line; empty where nothing ran to its end
  /// Numbers that no summary has, by name: of a search "answer", "probes" and "monotone", of closed forms "plan.…".
  std::vector<std::pair<std::string, double>> extra;
};

}  // namespace soya
