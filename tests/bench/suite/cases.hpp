// The cases of the benchmark suite: what is run, how much of it, and when it should end.
// Simplifies: nothing is random but the permutations, and those are the same each time.
// Source: the fabrics and patterns that csg-htsim and ns-3 were timed with (docs/performance.md). Validated by
// tests/cost.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/units.hpp"
#include "results/results.hpp"
#include "scenario/scenario.hpp"

namespace soya::bench {

/// How much of a case is run.
struct Amount {
  std::int64_t size{0};  ///< in the case's unit
  int ack_every{1};      ///< data packets per acknowledge; scenarios that ship keep their own
};

/// When the last byte was acknowledged, and when it should have been.
struct End {
  Duration simulated{};
  std::optional<Duration> expected{};  ///< absent: the case is a slice that ends when it is told to
};

enum class Form : std::uint8_t {
  equal,  ///< the closed form is the end, but for what a few packets more or less do
  bound,  ///< nothing ends sooner, which is not to say that it ends then
  none,   ///< a slice: it stops at a time
};

struct Case {
  std::string_view name;
  std::string_view unit;  ///< what `size` counts
  std::int64_t full;      ///< size of the table's row
  std::int64_t counted;   ///< size under callgrind, and twice that: it is fifty times slower
  std::int64_t smallest;  ///< size of the test
  int ack_every;
  Form form;
  double tolerance_percent;  ///< of the simulated end above the expected one, at the smallest size
  Scenario (*scenario)(const Amount& amount);
  End (*end)(const Scenario& scenario, const Amount& amount, const RunResults& results);
};

/// In the order of the table. Scenarios that ship are read from `scenarios/` of the checkout.
[[nodiscard]] std::span<const Case> all_cases();
/// Null where there is none of that name.
[[nodiscard]] const Case* find_case(std::string_view name);

}  // namespace soya::bench
