// An axis of a picture: where a value lies on it, round numbers along it, and a title that names the unit.
// Simplifies: linear or logarithmic to base 10, of binary sizes to base 2. Source: Heckbert, "Nice Numbers for Graph
// Labels", in Graphics Gems, 1990. Validated by tests/unit/tools/plot_axis_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace soya::cli {

enum class AxisScale { linear, log, categories };

struct AxisTick {
  double at;  ///< 0 to 1 along the axis
  std::string label;
};

struct PlotAxis {
  std::string title;
  AxisScale scale{AxisScale::linear};
  double low{0}, high{1};  ///< values at its ends, in the unit of the data
  std::vector<AxisTick> ticks;
  std::vector<double> minor;  ///< places of marks without label

  /// Of a value, or of a category by its number, from 0: 0 to 1 along the axis. On a log scale `value` is above 0.
  [[nodiscard]] double place(double value) const;
  /// The value at a place, of an axis of numbers.
  [[nodiscard]] double value_at(double at) const;
};

/// What an axis is to show.
struct AxisRange {
  std::string name;    ///< of the column or quantity
  std::string unit;    ///< "bytes", "gbps", "GBps", "us", "ms", "ps", "m", "share", "mpps" or none
  bool binary{false};  ///< sizes are told in KiB
  double least{0}, most{0};
};

/// The ends of a linear axis are ticks where `round_ends`; 0 is one where values come near it.
[[nodiscard]] PlotAxis linear_axis(const AxisRange& range, bool round_ends);
/// `range.least` is above 0. Labels have their units.
[[nodiscard]] PlotAxis log_axis(const AxisRange& range);
[[nodiscard]] PlotAxis category_axis(const std::string& name, const std::vector<std::string>& labels);

/// A unit as people read it: one of it is `size` units of the data.
struct ShownUnit {
  std::string name;  ///< "km", "MB", "%"; empty where there is none
  double size{1};
};

/// The unit that leaves 1 to 999 of `largest`, where there is one.
[[nodiscard]] ShownUnit shown_unit(std::string_view unit, bool binary, double largest);

/// "answer (MB)".
[[nodiscard]] std::string titled(const std::string& name, const ShownUnit& unit);

/// About three digits: "0.125", "37.5", "1 234".
[[nodiscard]] std::string short_number(double value);

}  // namespace soya::cli
