// On-chip memory that a switch with off-chip memory keeps free, so that no lossless frame is lost on its way there.
// Simplifies: all ports are taken to send at line rate until each is paused, and reads to take half of the bandwidth.
// Source: docs/model.md section 3, "Deep buffers". Validated by tests/unit/planning/landing_test.cpp and
// tests/property/conservation_test.cpp.
//
// Once on-chip memory is above its level every lossless port is paused with its next frame, and brings at most its
// budget H (section 5) at its rate R. Frames are written from `latency` after the first of them on, at half of the
// bandwidth B. With all ports together, on-chip memory holds beyond its level at most
//
//     landing = max over t of [ sum of min(R t, H) - B / 2 x (t - latency) ] + (ports + 5) F
//
// where the frames F are: one of each port that has arrived in part by t = 0 and counts whole, and of the memory's the
// one that is being written, the one that is being read, the one by which reads may be ahead, and two for rounding.
#pragma once

#include <vector>

#include "core/units.hpp"

namespace soya {

/// A port whose lossless senders are paused together.
struct LandingPort {
  Rate rate;     ///< at which bytes of memory fill: of the sender, × what cells add
  Bytes budget;  ///< the most that arrives after the decision to pause
};

struct LandingQuery {
  std::vector<LandingPort> ports;
  Rate bandwidth;       ///< of reads and writes together
  Duration latency;     ///< of the pipeline before a frame is written
  Bytes largest_frame;  ///< in whole cells
};

/// With writes at half of the bandwidth.
[[nodiscard]] Bytes landing_off_chip(const LandingQuery& query);
/// Without a single write.
[[nodiscard]] Bytes landing_on_chip(const LandingQuery& query);

}  // namespace soya
