// Numbers with units, exactly: decimal digits to integers of the base unit (bytes, bits per second, picoseconds,
// millimetres), and back to the shortest exact spelling. No floating point anywhere.
// Simplifies: K is 1000 and Ki is 1024; a value that is no whole number of base units is refused, never rounded.
// Source: IEC 80000-13 for the binary prefixes. Validated by tests/unit/scenario/quantity_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/units.hpp"

namespace soya::reading {

enum class Dimension { none, size, rate, duration, length };

enum class NumberFault {
  none,
  spelling,      ///< not a number with a unit of this dimension
  bare,          ///< a number without the unit it needs
  leading_zero,  ///< 010: ten or eight?
  fraction,      ///< 0.5B, 2.5 of a whole number
  overflow,      ///< beyond everything that fits
};

struct ParsedNumber {
  Int128 value{0};
  NumberFault fault{NumberFault::none};
};

/// `text` in base units of `dimension`. A whole number without dimension may be written 1e9, 0x1F and 0o17.
[[nodiscard]] ParsedNumber parse_number(std::string_view text, Dimension dimension);

/// The shortest exact spelling: 64KiB, 1MB, 2.5Gbps, 1.5ms, 300km.
[[nodiscard]] std::string format_number(Int128 value, Dimension dimension);

struct ParsedRatio {
  Ratio value;
  NumberFault fault{NumberFault::none};
};

/// `1/8`, `0.125` or `2`, reduced. Neither part exceeds a million.
[[nodiscard]] ParsedRatio parse_ratio(std::string_view text);
[[nodiscard]] std::string format_ratio(Ratio ratio);

/// A regular expression (ECMA-262, not anchored) of what `parse_number` takes that is not negative; how large a value
/// may be and that it is whole it cannot say.
[[nodiscard]] std::string number_pattern(Dimension dimension);
[[nodiscard]] std::string ratio_pattern();

/// "a size such as 64KiB or 1MB".
[[nodiscard]] std::string_view described(Dimension dimension);
/// "bytes": the base unit, for "is not a whole number of …".
[[nodiscard]] std::string_view base_unit(Dimension dimension);

}  // namespace soya::reading
