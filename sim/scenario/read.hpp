// From YAML files to a validated scenario, and back to one YAML file with every key, its value and its origin.
// Simplifies: variants are read one at a time; running the base and each of them is the caller's business.
// Source: docs/scenario.md. Validated by tests/unit/scenario and tests/errors.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/laid_value.hpp"
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

/// What one reading of many lays over a scenario.
struct Laid {
  std::vector<LaidValue> values{};       ///< behind `--set`, in this order
  std::optional<std::uint64_t> seed{};   ///< instead of every other
  std::optional<std::string> variant{};  ///< instead of the base
};

/// One scenario read many times, each time with other values: its files are read once. A thread has a reader of its
/// own.
class ScenarioReader final {
 public:
  /// `laid_by` is the file that the values come from: errors name it, and relative paths in values start there. Throws
  /// `ScenarioError` where the scenario's files cannot be read.
  ScenarioReader(const std::string& file, ReadOptions options, const std::string& laid_by);
  ~ScenarioReader();
  ScenarioReader(const ScenarioReader&) = delete;
  ScenarioReader& operator=(const ScenarioReader&) = delete;

  /// Throws `ScenarioError` with all errors found. The variants that `laid` does not choose are not looked at.
  [[nodiscard]] Scenario read(const Laid& laid);
  /// Why these values cannot be laid: a path that leads nowhere. Whether they make a scenario is not asked.
  [[nodiscard]] std::vector<Diagnostic> faults_of(const Laid& laid);
  [[nodiscard]] std::vector<std::string> variants() const;
  /// Texts of the files read so far, for a reader of another thread.
  [[nodiscard]] const FileTexts& texts() const;

 private:
  class Files;
  std::unique_ptr<Files> files_;
};

/// Every key with its value and, behind a #, where the value comes from. Reading it gives the same scenario.
[[nodiscard]] std::string effective_yaml(const Scenario& scenario);

/// The same without the origins.
[[nodiscard]] std::string plain_yaml(const Scenario& scenario);

/// Those of the keys that stand under the key path `under`, without the first name of that path: what a file of that
/// part says. Empty where there are none.
[[nodiscard]] std::string effective_yaml_under(const Scenario& scenario, std::string_view under);

}  // namespace soya
