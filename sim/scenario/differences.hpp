// Which keys differ between two effective scenarios: the cause, where outcomes differ.
// Simplifies: items of a list are matched by position, so one that is inserted makes those behind it differ.
// Source: ours. Validated by tests/unit/scenario/differences_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace soya {

struct KeyDifference {
  std::string path;
  std::optional<std::string> before;  ///< absent: the key is not there
  std::optional<std::string> after;
};

/// `before` and `after` are what `effective_yaml` writes. Name and seed are left out. Keys in the order of `before`,
/// those of `after` alone behind them. Throws `ScenarioError` where a text is no YAML.
[[nodiscard]] std::vector<KeyDifference> key_differences(const std::string& before, const std::string& after);

/// The value of the key `path` in a text of `effective_yaml`; absent where it has none.
[[nodiscard]] std::optional<std::string> effective_value(const std::string& yaml, const std::string& path);

}  // namespace soya
