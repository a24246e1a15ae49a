#include "engine/stall_time.hpp"

#include <algorithm>

#include "engine/headroom_auto.hpp"
#include "net/frame.hpp"

namespace soya {

Duration automatic_stall_time(const Scenario& scenario) {
  Duration longest{0};
  for (const NicConfig& nic : scenario.nics) longest = std::max(longest, nic.retransmission_timeout());
  // A frame on a slow link is no standstill: the next one starts when it has left, or when its answer is back.
  const Bytes frame = largest_frame(scenario) + wire_gap;
  for (const LinkConfig& link : scenario.topology.links) {
    const Duration frames = serialisation(frame, link.rate_from(link.a)) + serialisation(frame, link.rate_from(link.b));
    longest = std::max(longest, frames + 2 * link.one_way());
  }
  return 2 * longest;
}

}  // namespace soya
