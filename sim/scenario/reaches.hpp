// How far hosts are from each other, for warnings: hops, slowest rate and time of a path.
// Simplifies: of equally short paths the one found first, without a static route there and back the same; frames take
// no time to serialise. Source: docs/model.md section 2. Validated by tests/errors/scenario_warnings_test.cpp
// and tests/unit/scenario/reaches_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "scenario/scenario.hpp"

namespace soya::reading {

/// Where sums of delays and what fills a path end: 2^62 ps are 53 days, longer than any run; two of them do not wrap.
constexpr std::int64_t most_of_path = std::int64_t{1} << 62;
[[nodiscard]] constexpr Duration plus(Duration a, Duration b) {
  const Int128 sum = static_cast<Int128>(a.picoseconds()) + b.picoseconds();
  return Duration{static_cast<std::int64_t>(std::min<Int128>(sum, most_of_path))};
}

/// A path one way.
struct Reach {
  std::int64_t hops{std::numeric_limits<std::int64_t>::max()};
  Rate rate{0};       ///< of the slowest link
  Duration delay{0};  ///< of links and switches
  Duration hauls{0};  ///< of links between accelerators, where the near one acknowledges: not in `delay`
};

/// What a pair of hosts does to a window and a time-out.
struct Distance {
  Rate rate{0};  ///< of the slowest link on the way there
  Duration round_trip{0};
  Duration hauls{0};  ///< of links between accelerators, there and back

  /// The same for a connection that accelerators pass on and do not relay, such as one with READ.
  [[nodiscard]] Distance passed_on() const { return {rate, plus(round_trip, hauls), Duration{0}}; }
  /// Bytes in flight that keep the slowest link busy: rate × round trip.
  [[nodiscard]] Bytes in_flight() const {
    const Int128 bit_picoseconds = static_cast<Int128>(round_trip.picoseconds()) * rate.bits_per_second();
    return Bytes{static_cast<std::int64_t>(std::min<Int128>(bit_picoseconds / 8 / 1'000'000'000'000, most_of_path))};
  }
};

/// Shortest paths from one node to all others, computed once for each node that asks, and static routes on top. In a
/// fabric of thousands of leaves the first ones speak for all, and the larger it is, the fewer they are: a warning is
/// worth a second at most.
class Reaches {
 public:
  explicit Reaches(const Scenario& scenario);

  /// Nothing where no path is known, or none any more.
  [[nodiscard]] std::optional<Distance> between(NodeId from, NodeId to);
  /// No path takes longer, there and back.
  [[nodiscard]] Duration longest_round_trip() const { return longest_round_trip_; }

 private:
  /// Lengthens `reach` by `link`, which `from` sends on.
  void go(Reach& reach, const LinkConfig& link, NodeId from) const;
  [[nodiscard]] std::optional<Reach> one_way(NodeId from, NodeId to);
  [[nodiscard]] std::size_t sources() const;
  [[nodiscard]] Duration latency(NodeId node) const { return latencies_[node.index()]; }
  const std::vector<Reach>& from_switch(NodeId start);
  /// From switch to switch for frames to `host`, along the static routes there are.
  [[nodiscard]] std::optional<Reach> by_routes(NodeId start, NodeId end, NodeId host);

  const TopologyConfig& topology_;
  std::vector<std::vector<LinkId>> links_;  ///< by node
  std::vector<Duration> latencies_;         ///< by node; 0 of a host
  Duration longest_round_trip_{0};
  bool asymmetric_{false};  ///< some link takes longer one way than the other
  std::map<NodeId, std::vector<Reach>> computed_;
  std::map<NodeId, NodeId> partners_;                  ///< of accelerators
  std::map<NodeId, std::map<NodeId, NodeId>> routes_;  ///< by destination host and switch: the neighbour that is next
};

}  // namespace soya::reading
