// When a run stops, what it samples and what goes wrong by script.
// Simplifies: faults hit links and egress queues only.
// Source: docs/model.md sections 2 and 4. Validated by tests/bench_top/fault_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "core/diagnostic.hpp"
#include "core/ids.hpp"
#include "core/units.hpp"

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

enum class DropKind { data, acknowledge };

/// The `nth` data packet (or acknowledge) that leaves `from` on `link` is lost; counted from 1.
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

using FaultConfig = std::variant<LinkDownFault, DropFault, HoldFault>;

}  // namespace soya
