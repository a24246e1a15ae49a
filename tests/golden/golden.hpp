// What the tests of shipped scenarios share: run one, hold its two fingerprints against golden.txt (the order of
// events, the results), and what every sound run has in common. Simplifies: nothing. Source: none. Validated by the
// tests that use it: a changed result fails them.
#pragma once

#include <string>
#include <vector>

#include "engine/simulation.hpp"

namespace soya::test {

/// Runs scenarios/`file` with `sets` over it, as `variant` where it is not empty.
[[nodiscard]] RunResults run_scenario(const std::string& file, std::vector<std::string> sets,
                                      const std::string& variant = {});

/// Compares with golden.txt, or rewrites it when UPDATE_SNAPSHOTS=1.
void check_golden(const std::string& name, const RunResults& results);

/// No lossless loss, everything finished, no link above its rate.
void check_sound(const RunResults& results);

}  // namespace soya::test
