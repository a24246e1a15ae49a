// The worst that can happen behind an XOFF decision, as a small fabric that is simulated: which headroom loses a frame?
// One sender, one switch, one receiver whose egress is held, so that nothing drains. The PAUSE finds the reverse wire
// busy with a frame of a lossy priority, which starts at several phases, the worst among them: 1 ps before the frame
// that reaches the threshold is in. With a dynamic threshold a frame of another group comes at several offsets, the
// worst among them: between two frames of the sender, so that the threshold falls below what the sender's group holds,
// and its next frame is the trigger and lands in headroom.
// Simplifies: one frame stands for a busy reverse wire, since a PAUSE waits for no more; no pipeline latency.
// Source: docs/model.md section 5. Validated by tests/analytic/headroom_grid_test.cpp and
// tests/unit/sweep/worst_case_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/operation.hpp"
#include "core/units.hpp"
#include "net/frame_config.hpp"
#include "planning/headroom_budget.hpp"
#include "sweep/stop.hpp"

namespace soya {

enum class ThresholdKind { static_, dynamic };

/// An ingress port, the link it receives from, and what is sent there.
struct WorstCase {
  Rate rate{};                         ///< of the sender that is to be paused
  std::optional<Rate> reverse_rate{};  ///< of the PAUSE's direction, where it differs
  Duration one_way{};                  ///< propagation with transport delay, from the sender; above 0
  std::optional<Duration> way_back{};  ///< the same for the PAUSE, where it differs
  FrameConfig frame{};
  Duration response{};          ///< of the sender to a PAUSE
  std::optional<Bytes> cell{};  ///< of the switch's buffer
  ThresholdKind threshold{ThresholdKind::static_};
  Operation operation{Operation::send};  ///< of the sender's messages
  std::optional<Bytes> message{};        ///< their size; absent: one long message, Middle frames all along
};

/// The formula's view of a case; `headroom_budget` of it is what the simulation is compared with.
[[nodiscard]] HeadroomQuery query_of(const WorstCase& what);

/// One alignment of the traffic.
struct WorstCasePhase {
  Duration reverse;               ///< how long before the trigger frame is in a reverse frame starts on the wire
  std::optional<Duration> other;  ///< how long before the trigger frame the other group's frame is in
  constexpr bool operator==(const WorstCasePhase&) const = default;
};

/// The phases that are tried, the analytic worst first; the others are equally spaced.
[[nodiscard]] std::vector<WorstCasePhase> phases_of(const WorstCase& what);

struct LostFrame {
  WorstCasePhase phase;
  Duration after;  ///< the trigger frame is in
  Bytes needed;    ///< headroom that would have been enough in this phase
};

/// Frames in flight when the PAUSE takes effect, beyond which no case is simulated: it would take minutes.
inline constexpr std::int64_t most_frames_in_flight = std::int64_t{1} << 22;

/// How many frames of `what` those are, rounded down.
[[nodiscard]] std::int64_t frames_in_flight(const WorstCase& what);

/// So few of them that `first_loss` and `smallest_lossless` answer, and the buffer is one that can be built.
[[nodiscard]] bool can_simulate(const WorstCase& what);

/// Runs phase after phase until a frame is lost. Absent: `headroom` is lossless in every phase. Throws `SearchStopped`.
[[nodiscard]] std::optional<LostFrame> first_loss(const WorstCase& what, Bytes headroom,
                                                  const StopQuestion& stopped = {});

struct WorstCaseAnswer {
  Bytes smallest;          ///< lossless in every phase, where one byte less is not
  WorstCasePhase phase{};  ///< in which one byte less loses a frame
  bool monotone{true};     ///< false: less than `smallest` was lossless, or more was not
  std::int64_t runs{0};    ///< simulations
};

/// The smallest lossless headroom: as measured in runs with the automatic budget, confirmed by runs with that value and
/// with a byte less; where these contradict, by bisection. Throws `SearchStopped`.
[[nodiscard]] WorstCaseAnswer smallest_lossless(const WorstCase& what, const StopQuestion& stopped = {});

}  // namespace soya
