// How long the egress behind a pause is without work after XON, while the sender starts again: the idle time of one
// pause cycle, and how much must be stored when XON is sent so that there is none.
// Simplifies: the XON finds the reverse wire free, the sender has a frame ready, and the stored bytes leave at one
// rate. Source: docs/model.md section 5. Validated by tests/unit/planning/pause_cycle_test.cpp;
// tests/analytic/long_pause_test.cpp compares it with the simulation.
//
// The XON is 84 B on the reverse wire, travels, takes the response time, and the first frame, W on the wire, travels
// back. Meanwhile the X bytes that were stored leave at D:
//
//     idle = max(0, way back + way there + response + 84 B / reverse rate + W / rate - X / D)
//
// X / D is the time from XON to the start of the last stored frame, when the group is empty: at a port of rate R that
// sends nothing else, D = R x F / W for frames of F bytes.
#pragma once

#include "core/units.hpp"

namespace soya {

/// A link whose sender is paused by its far end.
struct ResumeQuery {
  Rate rate{};          ///< of the sender
  Rate reverse_rate{};  ///< of the XON
  Duration one_way{};   ///< from the sender, with transport delay
  Duration way_back{};  ///< of the XON
  Duration response{};  ///< of the sender
  Bytes frame{};        ///< F: its frames, without preamble and gap
};

/// From the XON's first bit to the last byte of the first frame that it lets go.
[[nodiscard]] Duration resume_time(const ResumeQuery& query);

/// Idle time of the egress in a cycle that sends XON with `stored` bytes, which leave in `drained`.
[[nodiscard]] Duration idle_per_cycle(const ResumeQuery& query, Duration drained);

/// `stored` bytes in frames of F leave a port of rate `egress`, gaps included.
[[nodiscard]] Duration drain_time(Bytes stored, Bytes frame, Rate egress);

/// What must be stored when XON is sent so that the link's own rate goes on without a break: frames of F bytes for all
/// of `resume_time`, rounded up. About 2 x one way x rate / 8.
[[nodiscard]] Bytes stored_for_full_rate(const ResumeQuery& query);

}  // namespace soya
