// When a run stops, what it samples and what goes wrong by script.
// Simplifies: faults hit links, egress queues and whole switches only.
// Source: docs/model.md sections 2 and 4. Validated by tests/bench_top/fault_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "core/diagnostic.hpp"
#include "core/ids.hpp"
#include "core/units.hpp"
#include "topology/topology_config.hpp"

namespace soya {

/// Every run ends here. What is added to a time of it, 60 days at most (twice the longest time-out, a forward and a
/// backward pass), stays within the 106 days that a time has.
constexpr Duration longest_run = 40 * 86'400_s;
static_assert(longest_run <= Time::never() - (Time{0} + 60 * 86'400_s));

struct StopConfig {
  std::optional<Duration> after;             ///< at the latest; absent: when the workload is done, or `longest_run`
  std::optional<Duration> stalled_after;     ///< absent: `automatic_stall_time`
};

struct MeasureConfig {
  std::optional<Duration> sample;            ///< interval of the series; absent: no series
};

/// Both directions of a link are down from `down` until `up`: frames that start or arrive meanwhile are lost.
struct LinkDownFault {
  LinkId link;
  Time down;
  std::optional<Time> up;                    ///< absent: for ever
  Where where;
};

/// A switch is down from `down` until `up`, and all its links with it; what waits in it is lost. It comes back empty.
struct SwitchDownFault {
  NodeId node;
  Time down;
  std::optional<Time> up;                    ///< absent: for ever
  Where where;
};

enum class DropKind { data, acknowledge, pause };

/// The `nth` data packet (or acknowledge, or PFC frame) that leaves `from` on `link` is lost; counted from 1.
struct DropFault {
  LinkId link;
  NodeId from;
  DropKind kind{DropKind::data};
  std::int64_t nth{1};
  Where where;
};

/// The egress of `node` towards `link` starts no data frame from `from` until `until`. PFC frames still leave.
struct HoldFault {
  LinkId link;
  NodeId node;
  Time from;
  Time until;
  Where where;
};

/// All frames but PFC that start from `from` on `link` are lost: until `until`, or `frames` of them.
struct LossBurstFault {
  LinkId link;
  NodeId from;
  Time at;
  std::optional<Time> until;                 ///< one of the two is there
  std::optional<std::int64_t> frames;
  Where where;
};

/// From `at` until `until` both ways of a link are another way, `length` long and with `delay`. At each change the link
/// is down for `outage`.
struct ProtectionFault {
  LinkId link;
  Time at;
  std::optional<Time> until;                 ///< absent: for ever
  std::optional<Length> length;              ///< absent: as long as before
  std::optional<Duration> delay;             ///< absent: the link's own
  Duration outage{50'000'000'000};           ///< ITU-T G.841: protection switches within 50 ms
  Where where;

  /// What `own` is while the fault lasts.
  [[nodiscard]] LinkConfig other_path(LinkConfig own) const {
    if (length) {
      own.length = *length;
      own.reverse_length.reset();
    }
    if (delay) {
      own.delay = *delay;
      own.reverse_delay.reset();
    }
    return own;
  }
};

using FaultConfig = std::variant<LinkDownFault, DropFault, HoldFault, LossBurstFault, ProtectionFault, SwitchDownFault>;

}  // namespace soya
