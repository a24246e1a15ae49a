#include "engine/longest_link.hpp"

#include <algorithm>
#include <variant>

namespace soya {

LinkConfig longest_link(const Scenario& scenario, LinkId link) {
  const LinkConfig& own = scenario.topology.links[link.index()];
  LinkConfig longest = own;
  for (const FaultConfig& fault : scenario.faults) {
    const auto* protection = std::get_if<ProtectionFault>(&fault);
    if (protection == nullptr || protection->link != link) continue;
    const LinkConfig other = protection->other_path(own);
    // The way back is written out first: it may be said by the way there.
    longest.reverse_length = longest.length_from(longest.b);
    longest.reverse_delay = longest.delay_from(longest.b);
    if (other.reverse_way() > longest.reverse_way()) {
      longest.reverse_length = other.length_from(other.b);
      longest.reverse_delay = other.delay_from(other.b);
    }
    if (other.forward_way() > longest.forward_way()) {
      longest.length = other.length;
      longest.delay = other.delay;
    }
  }
  return longest;
}

Duration shortest_way(const Scenario& scenario, LinkId link) {
  const LinkConfig& own = scenario.topology.links[link.index()];
  Duration shortest = std::min(own.forward_way(), own.reverse_way());
  for (const FaultConfig& fault : scenario.faults) {
    const auto* protection = std::get_if<ProtectionFault>(&fault);
    if (protection == nullptr || protection->link != link) continue;
    const LinkConfig other = protection->other_path(own);
    shortest = std::min({shortest, other.forward_way(), other.reverse_way()});
  }
  return shortest;
}

Duration longest_outage(const Scenario& scenario) {
  Duration longest{0};
  for (const FaultConfig& fault : scenario.faults) {
    if (const auto* protection = std::get_if<ProtectionFault>(&fault)) longest = std::max(longest, protection->outage);
  }
  return longest;
}

}  // namespace soya
