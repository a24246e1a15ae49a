// Random small fabrics for the property tests: every number that a scenario can carry is drawn from one seed.
// Simplifies: one to three tiers with all links between neighbouring tiers, so that shortest paths go up and then down
// and no circular wait can arise. Source: none. Validated by the tests that use it, which count what it makes.
#pragma once

#include <cstdint>

#include "scenario/scenario.hpp"

namespace soya::test {

enum class Traffic {
  lossless,  ///< every flow and acknowledge in a lossless priority
  mixed,     ///< any priority, lossy ones included
};
enum class HeadroomSizes {
  automatic,  ///< the budget, port by port
  starved,    ///< far below it
};
enum class Script {
  holds,   ///< an egress may be held for a while
  losses,  ///< … and single packets may be lost
  outages,  ///< … and links may go down for a while
  failures  ///< … and switches may, and all may learn of it in time to route by it
};
enum class Ways {
  hashed,  ///< all switches hash flows
  any,     ///< switches choose by any policy, and routes may go up and down the tiers
};

struct RandomOptions {
  Traffic traffic{Traffic::lossless};
  HeadroomSizes headroom{HeadroomSizes::automatic};
  Script script{Script::holds};
  Ways ways{Ways::hashed};
};

/// A scenario of at most a few thousand packets.
[[nodiscard]] Scenario random_scenario(std::uint64_t seed, const RandomOptions& options);

/// The same scenario with nodes, links and flows listed in another order.
[[nodiscard]] Scenario permuted(const Scenario& scenario, std::uint64_t seed);

/// How many seeds a property is tried with: SOYA_PROPERTY_SEEDS, or 200.
[[nodiscard]] std::uint64_t property_seeds();

}  // namespace soya::test
