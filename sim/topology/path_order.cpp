#include "topology/path_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "topology/tiers.hpp"

namespace soya {
namespace {

/// Each node's position when all nodes are sorted by name.
std::vector<std::size_t> name_ranks(const TopologyConfig& topology) {
  std::vector<std::size_t> by_name(topology.nodes.size());
  std::iota(by_name.begin(), by_name.end(), std::size_t{0});
  std::ranges::sort(by_name, {}, [&](std::size_t node) -> const std::string& { return topology.nodes[node].name; });
  std::vector<std::size_t> ranks(by_name.size());
  for (std::size_t rank = 0; rank < by_name.size(); ++rank) ranks[by_name[rank]] = rank;
  return ranks;
}

struct PortRate {
  PortId port;
  double bits_per_second{0};  ///< that it can carry on
};

/// Each port as often as its share of the rate says.
void repeat_by_weight(const std::vector<PortRate>& ways, std::vector<PortId>& ports) {
  constexpr std::int64_t most = 512;  // entries of a set: more only repeat the ratio
  ports.clear();
  std::vector<std::pair<PortId, std::int64_t>> weights;
  std::int64_t sum = 0;
  std::int64_t divisor = 0;
  for (const PortRate& way : ways) {
    const std::int64_t weight = std::max<std::int64_t>(1, std::llround(way.bits_per_second / 1000));  // kbit/s
    weights.emplace_back(way.port, weight);
    sum += weight;
    divisor = std::gcd(divisor, weight);
  }
  const bool is_large = divisor != 0 && sum / divisor > most;
  for (const auto& [port, weight] : weights) {
    const double rounded =
        std::round(static_cast<double>(weight) * static_cast<double>(most) / static_cast<double>(sum));
    const auto times = is_large ? std::max<std::int64_t>(1, static_cast<std::int64_t>(rounded)) : weight / divisor;
    ports.insert(ports.end(), static_cast<std::size_t>(times), port);
  }
}

}  // namespace

PathFinder::PathFinder(const TopologyConfig& topology, const PortMap& ports, PathOrder order,
                       const std::vector<bool>& dead)
    : order_{order}, neighbours_(ports.forwarder_count()) {
  const std::vector<std::size_t> ranks = name_ranks(topology);
  for (std::size_t i = 0; i < neighbours_.size(); ++i) {
    const NodeId node = ports.node_of(SwitchId{i});
    const std::span<const PortLink> links = ports.ports_of(node);
    for (std::size_t p = 0; p < links.size(); ++p) {
      const NodeId peer = links[p].peer;
      if (ports.is_host(peer) || (!dead.empty() && dead[links[p].link.index()])) continue;
      neighbours_[i].push_back(
          {PortId{p}, ports.switch_at(peer), false, topology.links[links[p].link.index()].rate_from(node)});
    }
    std::ranges::stable_sort(neighbours_[i], {},
                             [&](const SwitchNeighbour& n) { return ranks[ports.node_of(n.peer).index()]; });
  }
  if (order == PathOrder::up_down) point_upwards(topology, ports, ranks);
}

void PathFinder::point_upwards(const TopologyConfig& topology, const PortMap& ports,
                               const std::vector<std::size_t>& name_ranks) {
  const std::vector<std::uint8_t> by_node = tiers_of(topology);
  std::vector<std::uint8_t> tiers;
  for (std::size_t i = 0; i < size(); ++i) {
    tiers.push_back(by_node[ports.node_of(SwitchId{i}).index()]);
    from_the_top_.push_back(SwitchId{i});
  }
  const auto rank = [&](SwitchId at) { return name_ranks[ports.node_of(at).index()]; };
  std::ranges::sort(from_the_top_, {}, rank);
  const std::vector<std::uint32_t> below_exit = links_to_exit(tiers);
  const auto depth = [&](SwitchId at) {  // ascending is down
    return std::tuple{-int{tiers[at.index()]}, below_exit[at.index()], rank(at)};
  };
  std::ranges::sort(from_the_top_, {}, depth);
  for (std::size_t i = 0; i < size(); ++i) {
    for (SwitchNeighbour& neighbour : neighbours_[i]) neighbour.is_up = depth(neighbour.peer) < depth(SwitchId{i});
  }
}

std::vector<std::uint32_t> PathFinder::links_to_exit(const std::vector<std::uint8_t>& tiers) const {
  std::vector<std::uint32_t> links(size(), unreached);
  std::vector<SwitchId> found;
  const auto leads_higher = [&](SwitchId at) {
    return std::ranges::any_of(neighbours_[at.index()], [&](const SwitchNeighbour& neighbour) {
      return tiers[neighbour.peer.index()] > tiers[at.index()];
    });
  };
  const auto walk_from = [&](std::size_t next) {
    for (; next < found.size(); ++next) {
      const SwitchId at = found[next];
      for (const SwitchNeighbour& neighbour : neighbours_[at.index()]) {
        const std::size_t peer = neighbour.peer.index();
        if (links[peer] != unreached || tiers[peer] != tiers[at.index()]) continue;
        links[peer] = links[at.index()] + 1;
        found.push_back(neighbour.peer);
      }
    }
  };
  const auto add = [&](SwitchId at) {
    links[at.index()] = 0;
    found.push_back(at);
  };
  for (const SwitchId at : from_the_top_) {
    if (leads_higher(at)) add(at);
  }
  walk_from(0);
  for (const SwitchId at : from_the_top_) {
    if (links[at.index()] != unreached) continue;
    add(at);
    walk_from(found.size() - 1);
  }
  return links;
}

void PathFinder::aim_at(SwitchId edge) {
  edge_ = edge;
  distance_.assign(neighbours_.size(), unreached);
  goes_down_.assign(neighbours_.size(), false);
  capacity_.clear();
  reached_.clear();
  if (order_ == PathOrder::shortest) return measure_shortest(edge);
  measure_up_down(edge);
}

void PathFinder::measure_shortest(SwitchId edge) {
  distance_[edge.index()] = 0;
  reached_.push_back(edge);
  for (std::size_t next = 0; next < reached_.size(); ++next) {
    const SwitchId at = reached_[next];
    for (const SwitchNeighbour& neighbour : neighbours_[at.index()]) {
      if (distance_[neighbour.peer.index()] != unreached) continue;
      distance_[neighbour.peer.index()] = distance_[at.index()] + 1;
      reached_.push_back(neighbour.peer);
    }
  }
}

void PathFinder::measure_up_down(SwitchId edge) {
  distance_[edge.index()] = 0;
  goes_down_[edge.index()] = true;
  reached_.push_back(edge);
  for (std::size_t next = 0; next < reached_.size(); ++next) {
    const SwitchId at = reached_[next];
    for (const SwitchNeighbour& neighbour : neighbours_[at.index()]) {
      if (!neighbour.is_up || distance_[neighbour.peer.index()] != unreached) continue;
      distance_[neighbour.peer.index()] = distance_[at.index()] + 1;
      goes_down_[neighbour.peer.index()] = true;
      reached_.push_back(neighbour.peer);
    }
  }
  for (const SwitchId at : from_the_top_) {
    if (goes_down_[at.index()]) continue;
    std::uint32_t nearest = unreached;
    for (const SwitchNeighbour& neighbour : neighbours_[at.index()]) {
      if (neighbour.is_up) nearest = std::min(nearest, distance_[neighbour.peer.index()]);
    }
    if (nearest == unreached) continue;
    distance_[at.index()] = nearest + 1;
    reached_.push_back(at);
  }
  std::ranges::stable_sort(reached_, {}, [&](SwitchId at) { return distance_[at.index()]; });
}

bool PathFinder::leads_on(SwitchId from, const SwitchNeighbour& by) const {
  // An unreached neighbour's distance is no number to count on: the sum wraps to 0, which only the edge has.
  if (distance_[by.peer.index()] + 1 != distance_[from.index()]) return false;
  if (order_ == PathOrder::shortest) return true;
  return goes_down_[from.index()] ? !by.is_up && goes_down_[by.peer.index()] : by.is_up;
}

void PathFinder::ports_towards(SwitchId from, std::vector<PortId>& ports) const {
  ports.clear();
  for (const SwitchNeighbour& neighbour : neighbours_[from.index()]) {
    if (leads_on(from, neighbour)) ports.push_back(neighbour.port);
  }
}

double PathFinder::usable(SwitchId from, const SwitchNeighbour& by) const {
  const auto own = static_cast<double>(by.rate.bits_per_second());
  if (by.peer == edge_) return own;
  double side_by_side = 0;
  for (const SwitchNeighbour& other : neighbours_[from.index()]) {
    if (other.peer == by.peer) side_by_side += static_cast<double>(other.rate.bits_per_second());
  }
  return std::min(own, capacity_[by.peer.index()] * own / side_by_side);
}

void PathFinder::measure_capacity() {
  capacity_.assign(neighbours_.size(), 0);
  for (const SwitchId at : reached_) {
    for (const SwitchNeighbour& neighbour : neighbours_[at.index()]) {
      if (leads_on(at, neighbour)) capacity_[at.index()] += usable(at, neighbour);
    }
  }
}

void PathFinder::weighted_ports(SwitchId from, std::vector<PortId>& ports) {
  if (capacity_.empty()) measure_capacity();
  std::vector<PortRate> ways;
  for (const SwitchNeighbour& neighbour : neighbours_[from.index()]) {
    if (leads_on(from, neighbour)) ways.push_back({neighbour.port, usable(from, neighbour)});
  }
  repeat_by_weight(ways, ports);
}

void PathFinder::ports_beside(SwitchId from, SwitchId edge, std::vector<PortId>& ports) const {
  ports.clear();
  for (const SwitchNeighbour& neighbour : neighbours_[from.index()]) {
    if (neighbour.peer == edge) ports.push_back(neighbour.port);
  }
}

void PathFinder::weighted_ports_beside(SwitchId from, SwitchId edge, std::vector<PortId>& ports) const {
  std::vector<PortRate> ways;
  for (const SwitchNeighbour& neighbour : neighbours_[from.index()]) {
    if (neighbour.peer != edge) continue;
    ways.push_back({neighbour.port, static_cast<double>(neighbour.rate.bits_per_second())});
  }
  repeat_by_weight(ways, ports);
}

}  // namespace soya
