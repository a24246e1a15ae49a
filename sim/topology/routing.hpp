// Shortest-path or up-down routing with equal-cost multi-path (ECMP) and static routes: the tables switches read for
// every packet.
// Simplifies: tables do not change; what failures do makes another `Routing`. Every link counts 1; a host has one link.
// Source: RFC 2992 for hashing a flow onto equal-cost next hops, Autonet (Schroeder et al., 1991) for up and down; the
// hash and its seed per switch are ours.
// Validated by tests/unit/topology/routing_test.cpp, path_order_test.cpp and static_routes_test.cpp.
//
// A switch with d links to go to the destination's switch may use every port towards a neighbour with d - 1 to go, each
// parallel link by itself; a static route leaves it the ports towards one neighbour. Hosts that have the same routes on
// all switches form a class: those of one switch, less those with static routes of their own. A table has a column for
// each group of twins (twin_switches.hpp): for all leaves of a leaf-spine, for each pod of a fat tree. Only neighbours
// of twins tell them apart, by the links to each. So a table's size follows the number of groups and of its own ports,
// and the one list by host is shared by all switches.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/check.hpp"
#include "core/hash.hpp"
#include "core/ids.hpp"
#include "topology/port_map.hpp"
#include "topology/routing_config.hpp"
#include "topology/topology_config.hpp"

namespace soya {

/// The routes of one switch: a view into the `Routing` that built it.
class RoutingTable {
 public:
  /// The port on which a packet of the flow leaves this switch; none where no path is left. `destination` is plugged
  /// into a switch.
  [[nodiscard]] PortId next_port(HostId destination, std::uint64_t flow_hash) const {
    const Destination& at = destinations_[destination.index()];
    SOYA_DCHECK(at.column != no_column, "a destination is plugged into a switch");
    if (at.edge == self_) return at.port;
    const CandidateSet set = set_towards(at);
    if (set.count == 1) return candidates_[set.first];
    if (set.count == 0) return set.first == is_local ? at.port : PortId::none();
    // Multiply-high of the upper hash half: each candidate's share is even to 2^-32.
    const std::uint64_t choice = ((mix(hash_seed_ + flow_hash) >> 32) * set.count) >> 32;
    return candidates_[set.first + choice];
  }

  /// The ports `next_port` chooses from, in the order of their neighbours' names; empty when there is no path. At a
  /// weighted switch a port stands there as often as its weight says.
  [[nodiscard]] std::span<const PortId> candidates(HostId destination) const;

 private:
  friend class Routing;

  /// Which routes lead to a host, and the port of its switch that it is plugged into.
  struct Destination {
    SwitchId edge;  ///< the switch; none of hosts with static routes of their own, and of those whose link is dead
    PortId port;
    std::uint32_t column{no_column};
    std::uint32_t member{0};  ///< of the column's twins
  };
  struct CandidateSet {
    std::uint32_t first{0};  ///< `is_local`, `no_path`, or an index into the candidates
    std::uint32_t count{0};  ///< or `is_beside`: `first` is an index into the sets of the column's twins
  };
  static constexpr std::uint32_t no_column{UINT32_MAX};
  static constexpr std::uint32_t is_local{UINT32_MAX};
  static constexpr std::uint32_t no_path{UINT32_MAX - 1};
  static constexpr std::uint32_t is_beside{UINT32_MAX};

  [[nodiscard]] CandidateSet set_towards(const Destination& at) const {
    const CandidateSet set = sets_[at.column];
    return set.count == is_beside ? beside_[set.first + at.member] : set;
  }

  const Destination* destinations_{nullptr};  ///< by HostId, shared by all switches
  const CandidateSet* sets_{nullptr};         ///< by the destination's column
  const CandidateSet* beside_{nullptr};
  const PortId* candidates_{nullptr};
  SwitchId self_;
  std::uint64_t hash_seed_{0};
};

struct HostPair {
  HostId from;
  HostId to;
};

/// What else routes depend on.
struct RoutingOptions {
  PathOrder order{PathOrder::shortest};
  std::vector<RoutingPolicy> policies{};  ///< by SwitchId; empty: ECMP everywhere
  std::vector<bool> dead{};               ///< by LinkId, those that routes avoid; empty: none
};

class PathFinder;

class Routing {
 public:
  /// `hash_seeds` by SwitchId; `ecmp_hash_seed` makes one. Every pair of hosts that a run uses is known to have a path
  /// (`missing_paths`), and no static routes make a loop (`route_problems`). A static route over links all of which are
  /// dead is left out: the switch goes by the path order, as one withdraws a route whose next hop is gone.
  Routing(const TopologyConfig& topology, std::span<const std::uint64_t> hash_seeds,
          const RoutingOptions& options = {});
  Routing(Routing&&) = default;
  Routing& operator=(Routing&&) = default;
  Routing(const Routing&) = delete;
  Routing& operator=(const Routing&) = delete;
  ~Routing() = default;

  [[nodiscard]] const PortMap& ports() const { return ports_; }
  /// Valid for as long as this object, moved or not.
  [[nodiscard]] const RoutingTable& table(SwitchId which) const { return tables_[which.index()]; }

  /// The egress ports a packet of the flow takes, from its NIC's to that of the last switch, exactly as the switches
  /// choose them. Empty when the ends are one host or there is no path. Routes have no loop.
  [[nodiscard]] std::vector<PortRef> path(HostPair ends, std::uint64_t flow_hash) const;

  /// Whether frames of one flow may leave a switch by several ports.
  [[nodiscard]] bool spreads(SwitchId at) const {
    return at.index() < policies_.size() && spreads_flows(policies_[at.index()]);
  }
  [[nodiscard]] bool spreads_anywhere() const { return std::ranges::any_of(policies_, spreads_flows); }

  /// Hosts with the same number have the same routes on every switch.
  [[nodiscard]] std::uint32_t route_class(HostId host) const {
    const Destination& at = destinations_[host.index()];
    if (at.column == RoutingTable::no_column) return RoutingTable::no_column;
    return at.edge.is_none() ? static_cast<std::uint32_t>(tables_.size()) + at.column : at.edge.value();
  }
  /// A host for each column: to another one of it, routes are the same but for those of its switch's neighbours, which
  /// take as many links of the same rates, and those of the twins themselves, which change places.
  [[nodiscard]] std::vector<HostId> one_host_of_each_column() const;

  /// Memory held by the tables.
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  using Destination = RoutingTable::Destination;
  using CandidateSet = RoutingTable::CandidateSet;

  struct Column;
  class Filler;

  /// A column for each group of twins, in order of SwitchId. Notes every host's place in one of them.
  [[nodiscard]] std::vector<Column> place_hosts(const TopologyConfig& topology, const PathFinder& finder,
                                                const std::vector<bool>& dead);
  /// Hosts with the same static routes leave the column of their switch for one of their own.
  void split_columns(const TopologyConfig& topology, const std::vector<bool>& dead, std::vector<Column>& columns);

  PortMap ports_;
  std::vector<RoutingPolicy> policies_;  ///< by SwitchId, or empty
  std::vector<Destination> destinations_;
  std::vector<CandidateSet> sets_;    ///< switch by switch, each by the destination's column
  std::vector<CandidateSet> beside_;  ///< of switches next to twins: by member
  std::vector<PortId> candidates_;
  std::vector<RoutingTable> tables_;
};

/// What a switch mixes into every flow's hash: a function of the scenario's seed, its own name and its own setting, so
/// that equal flows spread differently at each tier and nothing depends on the order of a file.
[[nodiscard]] std::uint64_t ecmp_hash_seed(std::uint64_t scenario_seed, const std::string& switch_name,
                                           std::uint64_t switch_seed);

}  // namespace soya
