// How switches choose among equal-cost ports, and which ports are equal: what a scenario says of routing.
// Simplifies: one reconvergence time for all switches and failures, both ways.
// Source: each value's comment. Validated by tests/unit/topology.
#pragma once

#include <cstdint>
#include <optional>

#include "core/units.hpp"

namespace soya {

/// What decides the port that a frame takes among the candidates of its destination.
enum class RoutingPolicy : std::uint8_t {
  ecmp,      ///< the flow's hash: RFC 2992
  spray,     ///< each frame by itself: Dixit et al., INFOCOM 2013
  flowlet,   ///< a flow moves when it has been silent for `flowlet_gap`: LetFlow, NSDI 2017
  adaptive,  ///< each frame goes where the fewest bytes wait, equal ones by the flow's hash: DRILL, SIGCOMM 2017
  weighted,  ///< the flow's hash, each port as often as the rate behind it: WCMP, EuroSys 2014
};

/// The order in which `spray` uses the candidates.
enum class SprayOrder : std::uint8_t { round_robin, random };

/// Where a flow goes that `flowlet` moves.
enum class FlowletChoice : std::uint8_t { random, least_queued };

/// Of one switch.
struct RoutingConfig {
  RoutingPolicy policy{RoutingPolicy::ecmp};
  SprayOrder spray{SprayOrder::round_robin};
  Duration flowlet_gap{500'000'000};             ///< 500 µs: CONGA's T_fl (Alizadeh et al., SIGCOMM 2014)
  FlowletChoice flowlet{FlowletChoice::random};  ///< LetFlow
  bool operator==(const RoutingConfig&) const = default;
};

enum class HashSeeds : std::uint8_t {
  per_switch,  ///< equal flows spread differently at each tier
  same,        ///< all switches compute the same: tiers behind each other use few of their paths
};

/// Which ports lead to a destination.
enum class PathOrder : std::uint8_t {
  shortest,  ///< those one link closer
  up_down,   ///< those that go up tiers and then down, never up again: no cycle of buffers can wait for itself
};

/// Of the whole fabric.
struct FabricRoutingConfig {
  HashSeeds hash_seeds{HashSeeds::per_switch};
  PathOrder order{PathOrder::shortest};
  /// From a failure or repair until all switches route by it; absent: never. 150 ms: BFD (RFC 5880) of 3 × 50 ms, an
  /// interval of RFC 7419.
  std::optional<Duration> reconvergence{150'000'000'000};
};

/// Whether the frames of one flow may leave by several ports.
[[nodiscard]] constexpr bool spreads_flows(RoutingPolicy policy) {
  return policy == RoutingPolicy::spray || policy == RoutingPolicy::flowlet || policy == RoutingPolicy::adaptive;
}

}  // namespace soya
