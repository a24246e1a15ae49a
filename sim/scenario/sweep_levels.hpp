// The levels of an axis of a sweep: values that a file lists, or a range, each as the text that is laid over a scenario
// and the number that tables and pictures show.
// Simplifies: a value's unit is that of its key; where a key takes several kinds of value, that of all values.
// Source: docs/sweeps.md. Validated by tests/unit/scenario/read_sweep_test.cpp.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenario/quantity.hpp"
#include "scenario/section.hpp"
#include "scenario/tree.hpp"
#include "sweep/sweep_config.hpp"

namespace soya::reading {

/// What the numbers of a column count.
struct Measure {
  Dimension dimension{Dimension::none};
  std::string_view unit;    ///< of a column: bytes, gbps, us, m
  double base_per_unit{1};  ///< bytes, bits per second, picoseconds or millimetres in one
  std::string_view base;    ///< what a scenario calls that base unit: B, bps, ps, mm
};
[[nodiscard]] const Measure& measure_of(Dimension dimension);

[[nodiscard]] inline Written written(const Node& node) {
  return {node.text, node.place.line, node.place.column};
}

/// `node` as YAML in one line.
[[nodiscard]] std::string flow_text(const Node& node);

/// A key of the scenario that a sweep changes, and how its values are read.
class SweptKey {
 public:
  explicit SweptKey(std::string path);

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Why the path names no key: "unknown key …; did you mean …?". Empty where it names one.
  [[nodiscard]] const std::string& fault() const { return fault_; }
  /// Whether all its values are numbers, but for a word such as auto.
  [[nodiscard]] bool is_number() const;
  [[nodiscard]] const Key& key() const { return *key_; }
  [[nodiscard]] const Measure& measure() const;
  /// The spelling of a number in base units.
  [[nodiscard]] std::string spelled(Int128 value) const;

 private:
  std::string path_;
  std::string fault_;
  const Key* key_{nullptr};
};

/// A level and the unit that its cell's number has, if it has one.
struct ReadLevel {
  Level level;
  std::string unit;
};

/// One value of `key`; reports what it cannot be.
[[nodiscard]] std::optional<ReadLevel> read_level(const SweptKey& key, const Node& value, Problems& problems);

/// Values of a number between `from` and `to`.
class Range {
 public:
  /// Reads {from, to, scale}; nothing, with problems, where that is wrong. `others` may stand there, too.
  static std::optional<Range> read(const SweptKey& key, const Node& node,
                                   std::initializer_list<std::string_view> others, Problems& problems);
  /// The value a `share` of the way from `from` to `to`.
  [[nodiscard]] ReadLevel at(double share) const;
  /// The value after `step` of `steps` equal steps.
  [[nodiscard]] ReadLevel at(std::int64_t step, std::int64_t steps) const;
  /// Levels at from, from + step, … not beyond `to`; nothing, with a problem, where `step` is no step.
  [[nodiscard]] std::optional<std::vector<ReadLevel>> by_step(const Node& step, Problems& problems) const;

 private:
  Range(const SweptKey& key, const Place& place) : key_{key}, place_{place} {}
  [[nodiscard]] ReadLevel level(Int128 value) const;
  [[nodiscard]] ReadLevel level(double value) const;
  bool read_ends(const Node& from, const Node& to, Problems& problems);

  const SweptKey& key_;
  Place place_;
  bool logarithmic_{false};
  Int128 from_{0};  ///< in base units, of numbers that are whole in them
  Int128 to_{0};
  double first_{0};  ///< of ratios and probabilities
  double last_{0};
};

/// The levels of the axis `entry`: a list, or {from, to, points | step, scale}. Reports what is wrong; then it is
/// empty.
[[nodiscard]] Factor read_axis(const Node& entry, Problems& problems);

/// One factor of the levels of one key. Its column has a unit, and its cells have numbers, where all levels have that.
[[nodiscard]] Factor factor_of(const SweptKey& key, std::vector<ReadLevel> levels);

/// Reports keys of the mapping `node` that are not among `known`.
void refuse_others(const Node& node, const std::string& path, const std::vector<std::string_view>& known,
                   Problems& problems);
/// A whole number from `least` to `most`.
[[nodiscard]] std::optional<std::int64_t> read_count(const Node& node, const std::string& path, std::int64_t least,
                                                     std::int64_t most, Problems& problems);

}  // namespace soya::reading
