// How results, warnings and verdicts spell bytes and times, for the library and the command alike.
// Simplifies: values of keys keep the spelling of the scenario file (scenario/quantity.hpp), so that they can be
// typed again: 64KiB, 1.5ms. What is told here has a blank before its unit and is exact unless it says otherwise.
// Source: SI brochure, 9th edition, section 5.4 (digits in groups of three). Validated by
// tests/unit/core/quantity_text_test.cpp.
#pragma once

#include <cstdint>
#include <string>

#include "core/units.hpp"

namespace soya {

/// 1234567 as "1 234 567".
[[nodiscard]] std::string grouped(std::int64_t number);

/// Bytes in full, so that two of them compare at a glance: "37 500 000 B".
[[nodiscard]] std::string bytes_text(Bytes size);

/// A time, exact, in the unit that leaves 1 to 999 in front of the point: "40 ms", "1.34624 us", "1 200 s".
[[nodiscard]] std::string time_text(Duration time);
/// An instant, as its distance from the start.
[[nodiscard]] std::string time_text(Time time);

/// A time rounded to three decimals, for columns: "85.567 us". Whole picoseconds have none.
[[nodiscard]] std::string rounded_time_text(Duration time);

}  // namespace soya
