// Which ports of a switch lead to a destination's switch, and with what weight, under a path order.
// Simplifies: every link counts 1. Weights know no static routes and are rounded where a set would be too large.
// Source: Autonet (Schroeder et al., 1991) for up and down, WCMP (Zhou et al., EuroSys 2014) for weights.
// Validated by tests/unit/topology/path_order_test.cpp and routing_test.cpp. Read by routing.cpp and
// twin_switches.cpp alone.
//
// Up and down: a link leads up towards the higher tier. Among switches of one tier that are joined it leads towards the
// nearest that has a link to a higher tier, and where none has one towards the first by name; of two as near, to the
// first by name. So each has a way up to the top of its part of the fabric. A switch that can reach the destination by
// going down alone does so; else it goes up. So a frame never turns up again, and as "up" orders the switches, no cycle
// of buffers can wait for itself. A way may be longer than the shortest one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "topology/port_map.hpp"
#include "topology/routing_config.hpp"
#include "topology/topology_config.hpp"

namespace soya {

/// A port of a switch towards another.
struct SwitchNeighbour {
  PortId port;
  SwitchId peer;
  bool is_up{false};  ///< under `up_down`
  Rate rate{};
};

/// The switches with their live links, and the ways on to one of them at a time.
class PathFinder {
 public:
  PathFinder(const TopologyConfig& topology, const PortMap& ports, PathOrder order, const std::vector<bool>& dead);

  [[nodiscard]] std::size_t size() const { return neighbours_.size(); }
  /// By the neighbour's name, then in the order of parallel links: the order in which candidates are numbered, so that
  /// a flow's choice does not depend on the order of nodes in a file.
  [[nodiscard]] std::span<const SwitchNeighbour> neighbours(SwitchId at) const { return neighbours_[at.index()]; }

  /// What follows is asked about ways to `edge`. O(switches and links).
  void aim_at(SwitchId edge);
  [[nodiscard]] bool reaches(SwitchId from) const { return distance_[from.index()] != unreached; }
  /// The ports of `from` that lead there, in the order of its neighbours. It reaches `edge` and is another.
  void ports_towards(SwitchId from, std::vector<PortId>& ports) const;
  /// The same, each port as often as its weight says: the part that it has of the rate from here to `edge`.
  void weighted_ports(SwitchId from, std::vector<PortId>& ports);
  /// The same two of a neighbour of the edge, which has the links between them and no other way. Nobody needs to aim.
  void ports_beside(SwitchId from, SwitchId edge, std::vector<PortId>& ports) const;
  void weighted_ports_beside(SwitchId from, SwitchId edge, std::vector<PortId>& ports) const;

 private:
  static constexpr std::uint32_t unreached{UINT32_MAX};

  void point_upwards(const TopologyConfig& topology, const PortMap& ports, const std::vector<std::size_t>& name_ranks);
  /// By SwitchId: links within its tier to one that leads higher, or to the first of those that nobody leads higher.
  [[nodiscard]] std::vector<std::uint32_t> links_to_exit(const std::vector<std::uint8_t>& tiers) const;
  void measure_shortest(SwitchId edge);
  void measure_up_down(SwitchId edge);
  void measure_capacity();
  [[nodiscard]] bool leads_on(SwitchId from, const SwitchNeighbour& by) const;
  /// Of the rate through `by`, what its peer can pass on.
  [[nodiscard]] double usable(SwitchId from, const SwitchNeighbour& by) const;

  PathOrder order_;
  std::vector<std::vector<SwitchNeighbour>> neighbours_;  ///< by SwitchId
  std::vector<SwitchId> from_the_top_;                    ///< of up and down: each before those below it
  SwitchId edge_;
  std::vector<std::uint32_t> distance_;  ///< by SwitchId: links to go
  std::vector<bool> goes_down_;          ///< by SwitchId: reaches the edge by going down alone
  std::vector<SwitchId> reached_;        ///< scratch: in order of distance
  std::vector<double> capacity_;         ///< by SwitchId, in bit/s; empty where nobody has asked for this edge
};

}  // namespace soya
