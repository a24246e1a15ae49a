// The links between two tiers of a fabric side by side: how evenly they are loaded, and which carry nothing. Where
// hashing polarises, flows that one tier has parted are parted the same way by the next, and links idle.
// Simplifies: tiers are those of topology/tiers.hpp, whatever runs between them; the switches inside servers are apart.
// Source: max / mean as in the ECMP literature (Hopps, RFC 2992; Zhou et al., EuroSys 2014).
// Validated by tests/unit/planning/tier_load_test.cpp and tests/analytic/plan_tier_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/units.hpp"
#include "planning/link_load.hpp"
#include "topology/routing.hpp"
#include "topology/topology_config.hpp"

namespace soya {

/// The directions of links from the nodes of one tier to those of another.
struct TierLinks {
  std::string from{};  ///< what the names of the tier's nodes share, such as "leaf"; else "tier 2"
  std::string to{};
  bool choice{false};                       ///< switches choose among some of them
  std::vector<LinkDirection> directions{};  ///< by the names of their ends
};

/// From the lowest tier up, first what leads upwards; what servers have inside comes as tier "local switch". O(links x
/// log(links) + switches x classes of hosts).
[[nodiscard]] std::vector<TierLinks> tier_links(const TopologyConfig& topology, const Routing& routing);

struct LoadSpread {
  std::int64_t unused{0};
  Bytes mean{};  ///< rounded to the nearest byte
  Bytes max{};
  double max_to_mean{};  ///< NaN where nothing is carried
};

/// `loads` by LinkDirection.
[[nodiscard]] LoadSpread spread_of(const TierLinks& links, std::span<const Bytes> loads);

/// The neighbour's name, with "#k" where several links lead there.
[[nodiscard]] std::string port_label(const TopologyConfig& topology, const PortMap& ports, PortRef port);
/// "leaf1 > spine2", with "#k" among parallel links.
[[nodiscard]] std::string direction_name(const TopologyConfig& topology, const PortMap& ports, LinkDirection direction);

}  // namespace soya
