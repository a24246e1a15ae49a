// One run of a scenario that asks a single question: is a frame lost at the watched ports?
// Simplifies: a run ends soon after the first such loss, since the rest of it answers nothing.
// Source: docs/headroom.md. Validated by tests/unit/sweep/scenario_headroom_test.cpp.
#pragma once

#include <functional>
#include <vector>

#include "scenario/scenario.hpp"
#include "sweep/stop.hpp"
#include "topology/port_map.hpp"

namespace soya {

enum class ProbeOutcome {
  lossless,     ///< no frame of a lossless priority was refused that came in by a watched port
  lost,         ///< one was
  cannot_build  ///< the sizes do not fit the buffers
};

/// Runs `scenario`. Throws `SearchStopped` once `stopped` is true; it is asked every few thousand events.
[[nodiscard]] ProbeOutcome probe_headroom(const Scenario& scenario, const std::vector<PortRef>& watched,
                                          const std::function<bool()>& stopped);

}  // namespace soya
