// What a switch's packet memory says to a frame that arrives: stored or dropped, and whom that pauses.
// Simplifies: nothing. Source: docs/model.md section 3. Validated by tests/unit/fabric/shared_buffer_test.cpp.
#pragma once

#include <compare>
#include <cstdint>

#include "core/ids.hpp"
#include "core/units.hpp"
#include "fabric/headroom_policy.hpp"

namespace soya {

/// What PFC pauses: the frames of one priority that came in through one port.
struct PriorityGroup {
  PortId port;
  Priority priority;
  constexpr auto operator<=>(const PriorityGroup&) const = default;
};

enum class DropReason : std::uint8_t {
  none,
  headroom_exhausted,  ///< lossless: neither reserved nor shared nor headroom takes the frame; the run is not sound
  lossy_threshold,     ///< lossy: the egress queue has reached its threshold
  buffer_full,         ///< lossy: the frame is larger than free shared
};

/// What became of a frame that arrived.
struct Admission {
  DropReason drop{DropReason::none};
  PrioritySet xoff{};  ///< groups of the ingress port that have gone off with this frame: send PAUSE
  Bytes missing{0};    ///< of headroom_exhausted: by how much the headroom is too small for this frame
  HeadroomLimit limit{HeadroomLimit::group};  ///< of headroom_exhausted: which bytes are too few
  [[nodiscard]] bool dropped() const { return drop != DropReason::none; }
  [[nodiscard]] bool crossed_xoff() const { return !xoff.empty(); }
};

}  // namespace soya
