// The headroom a lossless priority group needs so that nothing is lost after its XOFF decision, each part by itself.
// Simplifies: the worst case holds the egress; one group per budget; response and propagation are constants.
// Source: docs/model.md section 5; IEEE 802.1Qbb annex O lists the same parts.
// Validated by tests/unit/planning/headroom_budget_test.cpp; tests/analytic compares it with the simulation.
//
// Between the XOFF decision and its effect the sender's wire carries
//
//     A = propagation there and back + waiting + pause frame + response
//
// bytes: the PAUSE waits for at most one frame that has just started on the reverse wire, is sent itself, travels, is
// answered after the response time, and what was sent until then travels back. Waiting and PAUSE take their time at
// the reverse rate. Let F be the largest frame, W = F + 20 what it takes on the wire.
//
//     automatic = A + 2 F            one F for the frame the sender has started when the pause takes effect, one for
//                                    the frame whose arrival finds the threshold passed
//     tight     = n F                n = ceil(A / W), for a static threshold and one long message per sender: the
//                                    trigger frame has just arrived, its gap included, so the next frames started at
//                                    the sender at 0, W / R, 2 W / R, … from one propagation before the decision on
//     tight     = (n + 1) F          with a dynamic threshold: another group's admission can lower it, and the trigger
//                                    frame itself lands in headroom
//
// In cells a frame of f bytes takes ceil(f / cell) x cell; F is that of the largest frame then. A may carry frames of any
// size, and is scaled by the worst ratio of cell bytes to wire bytes of any frame from 64 B to the largest, where that is
// above 1. Fractions of a byte are rounded up, part by part, so that n can be one too large where A is a whole number of
// frames but for such a fraction.
#pragma once

#include <cstdint>
#include <optional>

#include "core/units.hpp"

namespace soya {

/// One ingress port and the link it receives from.
struct HeadroomQuery {
  Rate rate{};                         ///< of the sender that is to be paused
  std::optional<Rate> reverse_rate{};  ///< of the PAUSE's direction, where it differs
  Duration one_way{};                  ///< propagation with transport delay, from the sender
  std::optional<Duration> way_back{};  ///< the same for the PAUSE, where it differs
  Bytes largest_frame{};               ///< F, without preamble and gap
  Duration response{};                 ///< `response_time` of the paused port (net/pfc_config.hpp)
  std::optional<Bytes> cell{};         ///< buffer cell, where memory is handed out in cells
  std::optional<Length> length{};      ///< of the cable, for formulas in metres; absent: `one_way` at 5 us/km

  [[nodiscard]] constexpr Duration round_trip() const { return one_way + way_back.value_or(one_way); }
};

/// The parts of a budget in wire bytes of the paused direction, and the sizes that follow from them.
struct HeadroomBudget {
  Bytes propagation;  ///< there and back
  Bytes waiting;      ///< the frame that the PAUSE waits for, gap included
  Bytes pause_frame;  ///< 84 B at equal rates
  Bytes response;
  Bytes frame;              ///< the largest one
  Bytes frame_in_buffer;    ///< F: the same in whole cells
  Ratio cell_factor{1, 1};  ///< worst cell bytes per wire byte, at least 1

  Bytes automatic;            ///< `headroom.size: auto`
  std::int64_t tight_frames;  ///< n of the static threshold
  Bytes tight_static;
  Bytes tight_dynamic;

  /// A: sent between the decision and its effect.
  [[nodiscard]] constexpr Bytes in_flight() const { return propagation + waiting + pause_frame + response; }
};

[[nodiscard]] HeadroomBudget headroom_budget(const HeadroomQuery& query);

/// Bytes that must still be buffered when XON is sent, so that the link's egress never idles while the sender starts
/// again: what the link carries in one round trip.
[[nodiscard]] Bytes full_rate_reserve(Rate rate, Duration round_trip);

}  // namespace soya
