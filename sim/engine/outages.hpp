// When links and switches are down, and when the switches route by it.
// Simplifies: all switches learn of a change at one instant, `fabric.routing.reconvergence` after it; what has changed
// back by then goes unnoticed. Source: RFC 5880 for how a failure is detected; docs/model.md section 2.
// Validated by tests/unit/engine/outages_test.cpp and tests/bench_top/switch_failure_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace soya {

/// A time that a link, or a switch and all its links, are down.
struct Outage {
  LinkId link{LinkId::none()};  ///< none of a switch
  NodeId node{NodeId::none()};  ///< the switch; none of a link
  Time from;
  std::optional<Time> to;  ///< absent: for ever
};

/// What link_down, switch_down and the outages of protection take down, by time.
[[nodiscard]] std::vector<Outage> outages_of(const Scenario& scenario);

/// The links that an outage takes down.
[[nodiscard]] std::vector<LinkId> links_of(const TopologyConfig& topology, const Outage& outage);

/// The links that are down when all faults have begun and those that end have ended: by LinkId.
[[nodiscard]] std::vector<bool> dead_links_at_last(const Scenario& scenario);

/// From `at` on all switches route without the links that are `dead`.
struct Reconvergence {
  Time at;
  std::vector<bool> dead{};  ///< by LinkId
  std::string what{};        ///< "without leaf1 - spine1", "with switch spine2 again"
};

/// By time; each differs from the one before it.
[[nodiscard]] std::vector<Reconvergence> reconvergences_of(const Scenario& scenario);

/// Hosts that have no way to the largest part of the fabric, by name.
[[nodiscard]] std::vector<std::string> cut_off_hosts(const TopologyConfig& topology, const std::vector<bool>& dead);

}  // namespace soya
