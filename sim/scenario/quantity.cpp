#include "scenario/quantity.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

namespace soya::reading {

namespace {

/// One `name` is `scale` / `divisor` base units.
struct Unit {
  std::string_view name;
  std::int64_t scale;
  std::int64_t divisor;
};

constexpr std::int64_t kibi = 1024;
constexpr std::array<Unit, 10> prefixes{{{"", 1, 1},
                                         {"K", 1'000, 1},
                                         {"k", 1'000, 1},
                                         {"M", 1'000'000, 1},
                                         {"G", 1'000'000'000, 1},
                                         {"T", 1'000'000'000'000, 1},
                                         {"Ki", kibi, 1},
                                         {"Mi", kibi* kibi, 1},
                                         {"Gi", kibi* kibi* kibi, 1},
                                         {"Ti", kibi* kibi* kibi* kibi, 1}}};
constexpr std::array<Unit, 2> size_units{{{"B", 1, 1}, {"b", 1, 8}}};
constexpr std::array<Unit, 3> rate_units{{{"bps", 1, 1}, {"b/s", 1, 1}, {"B/s", 8, 1}}};
// Both micro signs of Unicode: U+00B5 and the Greek letter.
constexpr std::array<Unit, 7> duration_units{{{"ps", 1, 1},
                                              {"ns", 1'000, 1},
                                              {"us", 1'000'000, 1},
                                              {"\u00B5s", 1'000'000, 1},
                                              {"\u03BCs", 1'000'000, 1},
                                              {"ms", 1'000'000'000, 1},
                                              {"s", 1'000'000'000'000, 1}}};
constexpr std::array<Unit, 4> length_units{{{"mm", 1, 1}, {"cm", 10, 1}, {"m", 1'000, 1}, {"km", 1'000'000, 1}}};

std::optional<Unit> find_unit(std::span<const Unit> units, std::string_view name) {
  const auto found = std::find_if(units.begin(), units.end(), [&](const Unit& unit) { return unit.name == name; });
  return found == units.end() ? std::nullopt : std::optional{*found};
}

std::optional<Unit> find_prefixed(std::span<const Unit> units, std::string_view name) {
  for (const Unit& unit : units) {
    if (!name.ends_with(unit.name)) continue;
    const auto prefix = find_unit(prefixes, name.substr(0, name.size() - unit.name.size()));
    if (prefix) return Unit{name, prefix->scale * unit.scale, unit.divisor};
  }
  return std::nullopt;
}

std::optional<Unit> unit_of(Dimension dimension, std::string_view name) {
  switch (dimension) {
    case Dimension::none:
      return name.empty() ? std::optional{Unit{"", 1, 1}} : std::nullopt;
    case Dimension::size:
      return find_prefixed(size_units, name);
    case Dimension::rate:
      return find_prefixed(rate_units, name);
    case Dimension::duration:
      return find_unit(duration_units, name);
    case Dimension::length:
      return find_unit(length_units, name);
  }
  return std::nullopt;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// mantissa × 10^exponent, and what stands behind it.
struct Decimal {
  bool negative{false};
  bool too_long{false};
  Int128 mantissa{0};
  int exponent{0};
  std::string_view unit;
  NumberFault fault{NumberFault::none};
};

// Three guards keep every product below 2^127: 21 digits, units up to 8 × 2^40, and the limit in `scaled_value`.
constexpr Int128 most_mantissa = Int128{1'000'000'000'000'000'000} * 1'000;
constexpr int most_exponent = 1'000;

void take_digit(Decimal& decimal, char digit, bool behind_point) {
  if (decimal.mantissa >= most_mantissa / 10) {
    decimal.too_long = true;
    return;
  }
  decimal.mantissa = decimal.mantissa * 10 + (digit - '0');
  if (behind_point) --decimal.exponent;
}

std::size_t take_digits(Decimal& decimal, std::string_view text, std::size_t at, bool behind_point) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  std::size_t last = end;
  // Zeros at the end of a fraction say nothing and cost no digits.
  while (behind_point && last > at && text[last - 1] == '0') --last;
  for (std::size_t i = at; i < last; ++i) take_digit(decimal, text[i], behind_point);
  return end;
}

/// An exponent `e9`, `E-3` at `at`; a unit may not begin with e, so there is no doubt what the letter means.
std::size_t take_exponent(Decimal& decimal, std::string_view text, std::size_t at) {
  if (at >= text.size() || (text[at] != 'e' && text[at] != 'E')) return at;
  std::size_t digit = at + 1;
  const bool negative = digit < text.size() && text[digit] == '-';
  if (digit < text.size() && (text[digit] == '-' || text[digit] == '+')) ++digit;
  if (digit >= text.size() || !is_digit(text[digit])) return at;
  int exponent = 0;
  for (; digit < text.size() && is_digit(text[digit]); ++digit) {
    exponent = std::min(most_exponent, exponent * 10 + (text[digit] - '0'));
  }
  decimal.exponent += negative ? -exponent : exponent;
  return digit;
}

Decimal parse_decimal(std::string_view text) {
  Decimal out;
  std::size_t at = 0;
  if (at < text.size() && text[at] == '-') {
    out.negative = true;
    ++at;
  }
  const std::size_t first = at;
  at = take_digits(out, text, at, false);
  if (at == first) out.fault = NumberFault::spelling;
  if (at - first > 1 && text[first] == '0') out.fault = NumberFault::leading_zero;
  if (at < text.size() && text[at] == '.') {
    const std::size_t point = at + 1;
    at = take_digits(out, text, point, true);
    if (at == point) out.fault = NumberFault::spelling;
  }
  at = take_exponent(out, text, at);
  out.unit = text.substr(at);
  return out;
}

ParsedNumber scaled_value(const Decimal& decimal, const Unit& unit) {
  Int128 value = decimal.mantissa * unit.scale;
  int exponent = decimal.exponent;
  constexpr Int128 most = static_cast<Int128>(INT64_MAX) * 1'000'000;
  for (; exponent > 0 && value != 0; --exponent) {
    if (value > most) return {0, NumberFault::overflow};
    value *= 10;
  }
  for (; exponent < 0 && value != 0; ++exponent) {
    if (value % 10 != 0) return {0, NumberFault::fraction};
    value /= 10;
  }
  if (value % unit.divisor != 0) return {0, NumberFault::fraction};
  value /= unit.divisor;
  if (value > static_cast<Int128>(UINT64_MAX)) return {0, NumberFault::overflow};
  return {decimal.negative ? -value : value, NumberFault::none};
}

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

/// 0x1F and 0o17.
std::optional<ParsedNumber> parse_prefixed(std::string_view text) {
  if (!text.starts_with("0x") && !text.starts_with("0o")) return std::nullopt;
  const int base = text[1] == 'x' ? 16 : 8;
  if (text.size() == 2) return ParsedNumber{0, NumberFault::spelling};
  Int128 value = 0;
  for (const char c : text.substr(2)) {
    if (digit_value(c) >= base) return ParsedNumber{0, NumberFault::spelling};
    value = value * base + digit_value(c);
    if (value > static_cast<Int128>(UINT64_MAX)) return ParsedNumber{0, NumberFault::overflow};
  }
  return ParsedNumber{value, NumberFault::none};
}

std::string digits(Int128 value) {
  if (value < 0) return '-' + digits(-value);
  std::string out;
  do {
    out.insert(out.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  return out;
}

/// value / scale as a decimal; `scale` is a power of ten.
std::string decimal_text(Int128 value, std::int64_t scale) {
  std::string out = digits(value / scale);
  Int128 rest = value % scale;
  if (rest == 0) return out;
  out += '.';
  for (Int128 place = scale / 10; rest != 0; place /= 10) {
    out += static_cast<char>('0' + static_cast<int>(rest / place));
    rest %= place;
  }
  return out;
}

/// The largest unit that `value` holds at least once, `units` in descending order.
std::string in_largest(Int128 value, std::span<const Unit> units) {
  for (const Unit& unit : units) {
    if (value >= unit.scale) return decimal_text(value, unit.scale) + std::string{unit.name};
  }
  return digits(value) + std::string{units.back().name};
}

/// Whole binary units of at most four digits, else whole thousands of bytes with up to three decimals: 64KiB, 1000MiB,
/// 37.5MB, 10.005MB; else bytes. Never 37500KB.
std::string format_size(Int128 value) {
  constexpr std::array<Unit, 4> binary{{{"TiB", kibi * kibi * kibi * kibi, 1},
                                        {"GiB", kibi * kibi * kibi, 1},
                                        {"MiB", kibi * kibi, 1},
                                        {"KiB", kibi, 1}}};
  constexpr std::array<Unit, 4> decimal{
      {{"TB", 1'000'000'000'000, 1}, {"GB", 1'000'000'000, 1}, {"MB", 1'000'000, 1}, {"KB", 1'000, 1}}};
  for (const Unit& unit : binary) {
    if (value == 0 || value % unit.scale != 0) continue;
    // There is no larger unit than TiB.
    if (value / unit.scale < 10'000 || unit.scale == binary.front().scale) {
      return digits(value / unit.scale) + std::string{unit.name};
    }
    break;
  }
  for (const Unit& unit : decimal) {
    if (value >= unit.scale && value % (unit.scale / 1'000) == 0 && value % 1'000 == 0) {
      return decimal_text(value, unit.scale) + std::string{unit.name};
    }
  }
  return digits(value) + "B";
}

std::string any_of(std::span<const Unit> units) {
  std::string out;
  for (const Unit& unit : units) {
    if (!unit.name.empty()) out += (out.empty() ? "" : "|") + std::string{unit.name};
  }
  return out;
}

std::string unit_pattern(Dimension dimension) {
  const std::string prefix = "(?:" + any_of(prefixes) + ")?";
  switch (dimension) {
    case Dimension::none:
      return "";
    case Dimension::size:
      return prefix + "(?:" + any_of(size_units) + ")";
    case Dimension::rate:
      return prefix + "(?:" + any_of(rate_units) + ")";
    case Dimension::duration:
      return "(?:" + any_of(duration_units) + ")";
    case Dimension::length:
      return "(?:" + any_of(length_units) + ")";
  }
  return "";
}

}  // namespace

std::string number_pattern(Dimension dimension) {
  const std::string decimal =
      R"((?:(?:0|[1-9][0-9]*)(?:\.[0-9]+)?|-0(?:\.0+)?)(?:[eE][-+]?[0-9]+)?)" + unit_pattern(dimension);
  return dimension == Dimension::none ? "(?:0x[0-9a-fA-F]+|0o[0-7]+|" + decimal + ")" : decimal;
}

std::string ratio_pattern() {
  const std::string number = number_pattern(Dimension::none);
  return "(?:" + number + "/" + number + "|" + R"((?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)" + ")";
}

ParsedNumber parse_number(std::string_view text, Dimension dimension) {
  if (dimension == Dimension::none) {
    if (const auto number = parse_prefixed(text)) return *number;
  }
  const Decimal decimal = parse_decimal(text);
  if (decimal.fault == NumberFault::spelling) return {0, NumberFault::spelling};
  const auto unit = unit_of(dimension, decimal.unit);
  if (!unit) return {0, decimal.unit.empty() && !decimal.negative ? NumberFault::bare : NumberFault::spelling};
  if (decimal.fault != NumberFault::none) return {0, decimal.fault};
  if (decimal.too_long) return {0, NumberFault::overflow};
  return scaled_value(decimal, *unit);
}

std::string format_number(Int128 value, Dimension dimension) {
  constexpr std::array<Unit, 5> rates{{{"Tbps", 1'000'000'000'000, 1},
                                       {"Gbps", 1'000'000'000, 1},
                                       {"Mbps", 1'000'000, 1},
                                       {"Kbps", 1'000, 1},
                                       {"bps", 1, 1}}};
  constexpr std::array<Unit, 5> durations{
      {{"s", 1'000'000'000'000, 1}, {"ms", 1'000'000'000, 1}, {"us", 1'000'000, 1}, {"ns", 1'000, 1}, {"ps", 1, 1}}};
  constexpr std::array<Unit, 3> lengths{{{"km", 1'000'000, 1}, {"m", 1'000, 1}, {"mm", 1, 1}}};
  if (dimension == Dimension::size) return format_size(value);
  if (dimension == Dimension::duration && value == 0) return "0s";
  if (dimension == Dimension::length && value == 0) return "0m";
  if (dimension == Dimension::rate) return in_largest(value, rates);
  if (dimension == Dimension::duration) return in_largest(value, durations);
  if (dimension == Dimension::length) return in_largest(value, lengths);
  return digits(value);
}

ParsedRatio parse_ratio(std::string_view text) {
  constexpr Int128 most = 1'000'000;
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const ParsedNumber above = parse_number(text.substr(0, slash), Dimension::none);
    const ParsedNumber below = parse_number(text.substr(slash + 1), Dimension::none);
    if (above.fault != NumberFault::none || below.fault != NumberFault::none) return {{}, NumberFault::spelling};
    if (below.value <= 0) return {{}, NumberFault::spelling};
    if (above.value > most || below.value > most || above.value < -most) return {{}, NumberFault::overflow};
    const auto numerator = static_cast<std::int64_t>(above.value);
    const auto denominator = static_cast<std::int64_t>(below.value);
    const std::int64_t common = std::gcd(numerator, denominator);
    return {{numerator / common, denominator / common}, NumberFault::none};
  }
  Decimal decimal = parse_decimal(text);
  if (decimal.fault != NumberFault::none || !decimal.unit.empty()) return {{}, NumberFault::spelling};
  if (decimal.too_long || decimal.mantissa > most * most || decimal.exponent > 6) return {{}, NumberFault::overflow};
  if (decimal.exponent < -6) return {{}, NumberFault::fraction};
  auto numerator = static_cast<std::int64_t>(decimal.negative ? -decimal.mantissa : decimal.mantissa);
  std::int64_t denominator = 1;
  for (; decimal.exponent > 0 && numerator <= most; --decimal.exponent) numerator *= 10;
  for (; decimal.exponent < 0; ++decimal.exponent) denominator *= 10;
  const std::int64_t common = std::gcd(numerator, denominator);
  if (numerator / common > most) return {{}, NumberFault::overflow};
  return {{numerator / common, denominator / common}, NumberFault::none};
}

std::string format_ratio(Ratio ratio) {
  std::string out = std::to_string(ratio.numerator);
  return ratio.denominator == 1 ? out : out + '/' + std::to_string(ratio.denominator);
}

std::string_view described(Dimension dimension) {
  switch (dimension) {
    case Dimension::none:
      return "a whole number";
    case Dimension::size:
      return "a size such as 64KiB or 1MB";
    case Dimension::rate:
      return "a rate such as 100Gbps or 12.5GB/s";
    case Dimension::duration:
      return "a time such as 5us or 1.5ms";
    case Dimension::length:
      return "a length such as 3m or 300km";
  }
  return "";
}

std::string_view base_unit(Dimension dimension) {
  switch (dimension) {
    case Dimension::none:
      return "";
    case Dimension::size:
      return "bytes";
    case Dimension::rate:
      return "bits per second";
    case Dimension::duration:
      return "picoseconds";
    case Dimension::length:
      return "millimetres";
  }
  return "";
}

}  // namespace soya::reading
