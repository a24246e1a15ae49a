// The path of a connection through the fabric as planning sees it, and the time a transfer would have alone on it.
// Simplifies: the path is the one the switches choose; acknowledges go back on the reverse flow's path. Where frames of
// a flow are spread, ports side by side count as one of their rates' sum: a bound that single frames do not reach.
// Source: docs/model.md sections 2 and 6. Validated by tests/analytic/transfer_test.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/state.hpp"
#include "planning/ideal_time.hpp"
#include "planning/path_hops.hpp"

namespace soya {

/// Who acknowledges what an end sends: its peer, or the first accelerator on the way.
struct Acknowledger {
  std::size_t there{0};    ///< hops to it
  std::size_t skipped{0};  ///< hops of the peer's way back that its acknowledge does not take
};

/// Transmitters and links of a connection, from its end a to its end b and back.
struct ConnectionPaths {
  std::vector<PathHop> forward;
  std::vector<PathHop> back;
  Acknowledger of_a;
  Acknowledger of_b;

  /// Of what an end sends, and of its acknowledge.
  [[nodiscard]] RoundTrip round_trip(bool from_a) const {
    const auto& [there, skipped] = from_a ? of_a : of_b;
    return {std::span{from_a ? forward : back}.first(there), std::span{from_a ? back : forward}.subspan(skipped)};
  }
};

[[nodiscard]] ConnectionPaths connection_paths(const SimulationState& state, JobId job, std::uint32_t connection);

/// What the links on a connection's way lose of frames of `wire` bytes, from its end a to its end b or back.
[[nodiscard]] PathLoss connection_loss(const SimulationState& state, JobId job, std::uint32_t connection, bool from_a,
                                       Bytes wire);

/// Start to completion of transfers if each had the fabric to itself. Ways are walked once for each connection and kind
/// of transfer, however those of several connections alternate, but where a connection has many kinds.
class IdealTimes {
 public:
  explicit IdealTimes(const SimulationState& state);

  [[nodiscard]] Duration completion(const TransferRecord& record);
  /// How often ways were walked.
  [[nodiscard]] std::int64_t walks() const { return walks_; }

 private:
  struct Key {
    Bytes size;
    Operation operation{Operation::write};
    std::int64_t messages{1};
    bool from_a{true};
    bool operator==(const Key&) const = default;
  };
  struct Answer {
    Key key;
    Duration time;
  };
  static constexpr std::size_t most_answers = 8;  ///< of a connection

  [[nodiscard]] Duration computed(const TransferRecord& record, bool from_a);

  const SimulationState& state_;
  std::vector<std::vector<std::vector<Answer>>> answers_;  ///< by JobId and connection
  std::int64_t walks_{0};
};

}  // namespace soya
