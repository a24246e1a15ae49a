#include "engine/stall_time.hpp"

#include <algorithm>

#include "engine/headroom_auto.hpp"
#include "engine/longest_link.hpp"
#include "net/frame.hpp"

namespace soya {

namespace {

/// Pauses are refreshed all the while that one waits: with the largest time-out of a NIC for hours.
constexpr Duration circle_told_after = 1_s;

/// The longest round trip of a link, with the largest frame and a switch each way, and an outage of its protection.
Duration longest_round_trip(const Scenario& scenario) {
  Duration longest{0};
  Duration latency{0};
  for (const SwitchConfig& one : scenario.switches) latency = std::max(latency, one.latency);
  const Bytes frame = largest_frame(scenario) + wire_gap;
  for (std::size_t l = 0; l < scenario.topology.links.size(); ++l) {
    const LinkConfig link = longest_link(scenario, LinkId{l});
    const Duration frames = serialisation(frame, link.rate_from(link.a)) + serialisation(frame, link.rate_from(link.b));
    longest = std::max(longest, frames + link.round_trip() + 2 * latency);
  }
  return longest + longest_outage(scenario);
}

}  // namespace

Duration automatic_stall_time(const Scenario& scenario) {
  // A frame on a slow link is no standstill: the next one starts when it has left, or when its answer is back.
  Duration longest = longest_round_trip(scenario);
  for (const NicConfig& nic : scenario.nics) longest = std::max(longest, nic.retransmission_timeout());
  // What an accelerator tries meanwhile is no data frame that gets through.
  if (!scenario.topology.accelerators.empty()) longest = std::max(longest, haul_patience);
  return 2 * longest;
}

Duration circular_stall_time(const Scenario& scenario) {
  if (scenario.stop.stalled_after) return *scenario.stop.stalled_after;
  return std::min(automatic_stall_time(scenario), std::max(circle_told_after, 2 * longest_round_trip(scenario)));
}

}  // namespace soya
