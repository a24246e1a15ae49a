#include "plot_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "core/quantity_text.hpp"

namespace soya::cli {

namespace {

/// So many ticks at most, whatever the range.
constexpr int most_ticks = 7;
/// Room beyond the first and last value, as a share of the axis.
constexpr double margin = 0.04;

struct Unit {
  std::string_view name;
  double size;
};

std::span<const Unit> family(std::string_view unit, bool binary) {
  static constexpr std::array<Unit, 3> lengths{{{"mm", 1e-3}, {"m", 1}, {"km", 1e3}}};
  static constexpr std::array<Unit, 5> sizes{{{"B", 1}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}}};
  static constexpr std::array<Unit, 4> binary_sizes{{{"B", 1}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}}};
  static constexpr std::array<Unit, 3> rates{{{"Mbps", 1e-3}, {"Gbps", 1}, {"Tbps", 1e3}}};
  static constexpr std::array<Unit, 3> byte_rates{{{"MB/s", 1e-3}, {"GB/s", 1}, {"TB/s", 1e3}}};
  static constexpr std::array<Unit, 5> picoseconds{{{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}}};
  static constexpr std::array<Unit, 4> microseconds{{{"ns", 1e-3}, {"us", 1}, {"ms", 1e3}, {"s", 1e6}}};
  static constexpr std::array<Unit, 4> milliseconds{{{"ns", 1e-6}, {"us", 1e-3}, {"ms", 1}, {"s", 1e3}}};
  static constexpr std::array<Unit, 1> shares{{{"%", 1e-2}}};
  static constexpr std::array<Unit, 1> packet_rates{{{"Mpps", 1}}};
  static constexpr std::array<Unit, 1> none{{{"", 1}}};
  if (unit == "m") return lengths;
  if (unit == "bytes") return binary ? std::span<const Unit>{binary_sizes} : std::span<const Unit>{sizes};
  if (unit == "gbps") return rates;
  if (unit == "GBps") return byte_rates;
  if (unit == "ps") return picoseconds;
  if (unit == "us") return microseconds;
  if (unit == "ms") return milliseconds;
  if (unit == "share") return shares;
  return unit == "mpps" ? std::span<const Unit>{packet_rates} : std::span<const Unit>{none};
}

/// With so many decimals, grouped in front of the point, without a sign before 0.
std::string number_text(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find_first_not_of("-0.") == std::string::npos && text.front() == '-') text.erase(0, 1);
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::size_t first = text.front() == '-' ? 1 : 0;
  // 1234 reads as it is; 12 345 does not.
  if (point - first <= 4) return text;
  for (std::size_t at = point; at > first + 3;) text.insert(at -= 3, " ");
  return text;
}

/// 1, 2, 2.5 or 5 times a power of ten: the least that leaves `most_ticks` over `span`.
double nice_step(double span) {
  const double power = std::pow(10, std::floor(std::log10(span / most_ticks)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0, 10.0}) {
    if (span / (factor * power) < most_ticks) return factor * power;
  }
  return 10 * power;
}

int decimals_of(double step) {
  for (int decimals = 0; decimals < 12; ++decimals) {
    const double scaled = step * std::pow(10, decimals);
    if (std::abs(scaled - std::round(scaled)) < 1e-6 * scaled) return decimals;
  }
  return 12;
}

/// 0 belongs to what is never negative, unless all values lie far from it.
double linear_start(const AxisRange& range) {
  return range.least >= 0 && range.least <= 0.6 * range.most ? 0 : range.least;
}

/// Values that are all the same still have an axis about them.
void widen(double& low, double& high) {
  if (high > low) return;
  const double room = low == 0 ? 1 : std::abs(low) * 0.1;
  high += room;
  low = low == 0 ? 0 : low - room;
}

std::vector<double> binary_ticks(double low, double high) {
  const int first = static_cast<int>(std::ceil(std::log2(low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log2(high) + 1e-9));
  const int step = std::max(1, (last - first + most_ticks) / most_ticks);
  std::vector<double> ticks;
  for (int power = first; power <= last; ++power) {
    if (power % step == 0) ticks.push_back(std::exp2(power));
  }
  return ticks;
}

std::vector<double> multiples(double low, double high, std::span<const double> factors, int step) {
  std::vector<double> ticks;
  const int first = static_cast<int>(std::floor(std::log10(low)));
  for (int power = first; std::pow(10, power) <= high; ++power) {
    if (power % step != 0) continue;
    for (const double factor : factors) {
      const double value = factor * std::pow(10, power);
      if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) ticks.push_back(value);
    }
  }
  return ticks;
}

std::vector<double> decimal_ticks(double low, double high) {
  constexpr std::array<double, 9> all{1, 2, 3, 4, 5, 6, 7, 8, 9};
  constexpr std::array<double, 3> some{1, 2, 5};
  const double decades = std::log10(high / low);
  if (decades < 0.5) return multiples(low, high, all, 1);
  if (decades < 2.2) return multiples(low, high, some, 1);
  const int step = 1 + static_cast<int>(decades) / (most_ticks + 1);
  return multiples(low, high, std::span{all}.first(1), step);
}

}  // namespace

double PlotAxis::place(double value) const {
  if (scale == AxisScale::categories) return (value + 0.5) / high;
  if (scale == AxisScale::log) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

double PlotAxis::value_at(double at) const {
  return scale == AxisScale::log ? low * std::pow(high / low, at) : low + at * (high - low);
}

ShownUnit shown_unit(std::string_view unit, bool binary, double largest) {
  const std::span<const Unit> units = family(unit, binary);
  const Unit* best = &units.front();
  for (const Unit& each : units) {
    // Nothing is told in bytes, metres or seconds for its size alone: 0 stays in the data's own unit.
    if (largest == 0 ? each.size == 1 : largest >= each.size * (1 - 1e-12)) best = &each;
  }
  return {std::string{best->name}, best->size};
}

std::string titled(const std::string& name, const ShownUnit& unit) {
  return unit.name.empty() ? name : name + " (" + unit.name + ")";
}

std::string short_number(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  const int before = static_cast<int>(std::floor(std::log10(size))) + 1;
  const int decimals = std::clamp(3 - before, 0, 12);
  std::string text = number_text(value, decimals);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

PlotAxis linear_axis(const AxisRange& range, bool round_ends) {
  PlotAxis axis;
  const ShownUnit unit = shown_unit(range.unit, range.binary, std::max(std::abs(range.least), std::abs(range.most)));
  axis.title = titled(range.name, unit);
  double low = linear_start(range) / unit.size;
  double high = range.most / unit.size;
  widen(low, high);
  const double step = nice_step(high - low);
  if (round_ends) {
    low = std::floor(low / step + 1e-9) * step;
    high = std::ceil(high / step - 1e-9) * step;
  } else {
    const double room = margin * (high - low);
    low = low == 0 ? 0 : low - room;
    high += room;
  }
  axis.low = low * unit.size;
  axis.high = high * unit.size;
  const int decimals = decimals_of(step);
  for (auto i = static_cast<std::int64_t>(std::ceil(low / step - 1e-9));
       static_cast<double>(i) * step <= high + step * 1e-9; ++i) {
    const double value = static_cast<double>(i) * step;
    axis.ticks.push_back({(value - low) / (high - low), number_text(value, decimals)});
  }
  return axis;
}

PlotAxis log_axis(const AxisRange& range) {
  PlotAxis axis;
  axis.scale = AxisScale::log;
  double low = std::log10(range.least);
  double high = std::log10(range.most);
  // A tenth of a decade to either side of a single value.
  if (high - low < 1e-9) {
    low -= 0.1;
    high += 0.1;
  }
  const double room = margin * (high - low);
  axis.low = std::pow(10, low - room);
  axis.high = std::pow(10, high + room);
  const bool binary = range.binary && range.unit == "bytes";
  std::vector<std::string> units;
  for (const double value : binary ? binary_ticks(axis.low, axis.high) : decimal_ticks(axis.low, axis.high)) {
    const ShownUnit unit = shown_unit(range.unit, range.binary, value);
    const std::string label =
        short_number(value / unit.size) + (unit.name.empty() || unit.name == "%" ? "" : " ") + unit.name;
    axis.ticks.push_back({axis.place(value), label});
    if (std::ranges::find(units, unit.name) == units.end()) units.push_back(unit.name);
  }
  std::string all;
  for (const std::string& each : units) all += (all.empty() ? "" : ", ") + each;
  axis.title = titled(range.name, {all, 1});
  if (std::log10(axis.high / axis.low) > most_ticks || binary) return axis;
  constexpr std::array<double, 9> factors{1, 2, 3, 4, 5, 6, 7, 8, 9};
  for (const double value : multiples(axis.low, axis.high, factors, 1)) axis.minor.push_back(axis.place(value));
  return axis;
}

PlotAxis category_axis(const std::string& name, const std::vector<std::string>& labels) {
  PlotAxis axis;
  axis.title = name;
  axis.scale = AxisScale::categories;
  axis.high = static_cast<double>(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    axis.ticks.push_back({axis.place(static_cast<double>(i)), labels[i]});
  }
  return axis;
}

}  // namespace soya::cli
