// From YAML files to a validated scenario, and back to one YAML file with every key, its value and its origin.
// Simplifies: variants are read one at a time; running the base and each of them is the caller's business.
// Source: docs/scenario.md. Validated by tests/unit/scenario and tests/errors.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/scenario.hpp"

namespace soya {

/// Texts of scenario files by path. Readings that share it read each file once: a pipe gives its text only once.
using FileTexts = std::map<std::string, std::string>;

struct ReadOptions {
  std::vector<std::string> sets{};       ///< "path.to.key=value", applied in this order after the variant
  std::optional<std::uint64_t> seed{};   ///< instead of the file's
  std::optional<std::string> variant{};  ///< absent: the base; its variants are validated with it
  FileTexts* texts{nullptr};             ///< kept from one reading to the next; null: each file is read anew
};

/// Reads `file`, everything it extends and the topology it names. Throws `ScenarioError` with all errors found, in
/// file order (the first hundred of them).
[[nodiscard]] Scenario read_scenario(const std::string& file, const ReadOptions& options = {});

/// As `read_scenario`, of a file that may also hold a topology alone or a map (.graphml, .dot, .gv). Warnings are those
/// of the map: what a workload would do there was not asked.
[[nodiscard]] Scenario read_topology_file(const std::string& file, const ReadOptions& options = {});

/// Names of the variants of `file` in file order. Throws `ScenarioError` where the file cannot be read.
[[nodiscard]] std::vector<std::string> variant_names(const std::string& file, const ReadOptions& options = {});

/// Every key with its value and, behind a #, where the value comes from. Reading it gives the same scenario.
[[nodiscard]] std::string effective_yaml(const Scenario& scenario);

/// Those of the keys that stand under the key path `under`, without the first name of that path: what a file of that
/// part says. Empty where there are none.
[[nodiscard]] std::string effective_yaml_under(const Scenario& scenario, std::string_view under);

}  // namespace soya
