// What a partition of a large fabric will touch within a window, fetched when the window begins. Other partitions have
// run since its last one, so that nothing of it is close to the core; but most of what will arrive is on its links, and
// fetched all at once it waits for memory once, not frame by frame.
// Simplifies: it fetches for the first frame of each link and knows nothing of what starts within the window; no result
// depends on it. Source: software prefetching in rounds (Chen et al., ICDE 2004). Validated by tests/partitions.
#pragma once

#include <vector>

#include "core/ids.hpp"
#include "core/units.hpp"

namespace soya {

class Link;
class Switch;
struct Partition;
struct SimulationState;

class LookAhead final {
 public:
  /// Of what `partition` has before `end`.
  void fetch(SimulationState& state, const Partition& partition, Time end);

 private:
  struct Arrival {
    const Switch* at{nullptr};  ///< null at a NIC
    PortId ingress;
    const Link* link{nullptr};
    PortId egress{};
  };

  std::vector<SourceId> sources_;  // scratch, as
  std::vector<Arrival> arrivals_;  // both are filled anew each time
};

}  // namespace soya
