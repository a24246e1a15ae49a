#include "topology/partition_cuts.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "topology/node_sets.hpp"

namespace soya {

namespace {

/// Parts may be so much fuller than the mean.
constexpr double slack = 1.03;
/// A longer lookahead is worth so much of the balance that shorter ones could reach.
constexpr double good_enough = 0.85;
/// So many lengths of links are tried.
constexpr std::size_t most_bounds = 12;

/// Nodes that stay together, and the links between groups of them.
struct Groups {
  struct Edge {
    std::size_t to{0};
    double weight{0};
  };
  std::vector<std::uint32_t> of;         ///< by NodeId
  std::vector<double> load;              ///< by group
  std::vector<std::vector<Edge>> edges;  ///< by group
  std::vector<double> degree;            ///< sum of the weights of its edges
};

/// Nodes whose links are shorter than `bound` are one group, and so is a server, and a host with its only switch unless
/// `hosts_apart`.
Groups groups_of(const TopologyConfig& topology, const CutQuery& query, Duration bound, bool hosts_apart) {
  NodeSets sets{topology};
  std::vector<std::size_t> plugs(topology.nodes.size());
  for (const LinkConfig& link : topology.links) {
    ++plugs[link.a.index()];
    ++plugs[link.b.index()];
  }
  const auto is_leaf = [&](NodeId node) {
    return topology.nodes[node.index()].kind == NodeKind::host && plugs[node.index()] == 1;
  };
  for (std::size_t l = 0; l < topology.links.size(); ++l) {
    const LinkConfig& link = topology.links[l];
    const bool of_host = !hosts_apart && (is_leaf(link.a) || is_leaf(link.b));
    if (query.shortest[l] < bound || query.shortest[l] <= Duration{0} || of_host) sets.join(link.a, link.b);
  }

  Groups groups;
  groups.of = sets.numbers();
  groups.load.resize(1 + *std::max_element(groups.of.begin(), groups.of.end()));
  for (std::size_t n = 0; n < groups.of.size(); ++n) groups.load[groups.of[n]] += query.load[n];
  groups.edges.resize(groups.load.size());
  groups.degree.resize(groups.load.size());
  for (const LinkConfig& link : topology.links) {
    const std::size_t a = groups.of[link.a.index()];
    const std::size_t b = groups.of[link.b.index()];
    if (a == b) continue;
    for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
      groups.edges[from].push_back({to, 1});
      groups.degree[from] += 1;
    }
  }
  return groups;
}

/// Grows parts one after another, then moves groups between them.
class Parts final {
 public:
  Parts(const Groups& groups, std::size_t parts)
      : groups_{groups}, part_(groups.load.size(), none), full_(parts), inside_(groups.load.size()) {
    all_ = std::accumulate(groups.load.begin(), groups.load.end(), 0.0);
    for (std::size_t p = 0; p + 1 < parts; ++p) grow(p);
    for (std::size_t g = 0; g < part_.size(); ++g) {
      if (part_[g] == none) put(g, parts - 1);
    }
    for (int round = 0; round < rounds; ++round) {
      if (!even_out()) break;
    }
  }

  [[nodiscard]] std::size_t of(std::size_t group) const { return part_[group]; }
  [[nodiscard]] double fullest() const { return *std::max_element(full_.begin(), full_.end()); }
  [[nodiscard]] bool has_empty() const {
    for (std::size_t p = 0; p < full_.size(); ++p) {
      if (std::find(part_.begin(), part_.end(), p) == part_.end()) return true;
    }
    return false;
  }

 private:
  static constexpr std::size_t none = SIZE_MAX;
  static constexpr int rounds = 8;

  void put(std::size_t group, std::size_t part) {
    part_[group] = part;
    full_[part] += groups_.load[group];
  }

  /// Takes the group with the largest share of its links inside, the first of equals, until the part has its share of
  /// what is left.
  void grow(std::size_t part) {
    double left = 0;
    for (std::size_t g = 0; g < part_.size(); ++g) left += part_[g] == none ? groups_.load[g] : 0;
    const double wanted = left / static_cast<double>(full_.size() - part);
    std::fill(inside_.begin(), inside_.end(), 0.0);
    // By share, then by number: a function of the fabric alone.
    std::set<std::pair<double, std::size_t>> next;
    for (std::size_t g = 0; g < part_.size(); ++g) {
      if (part_[g] == none) next.insert({0.0, g});
    }
    while (!next.empty()) {
      const std::size_t group = next.begin()->second;
      const double over = full_[part] + groups_.load[group] - wanted;
      if (full_[part] > 0 && over > wanted - full_[part]) break;
      next.erase(next.begin());
      put(group, part);
      for (const Groups::Edge& edge : groups_.edges[group]) {
        if (part_[edge.to] != none) continue;
        next.erase({-inside_[edge.to] / groups_.degree[edge.to], edge.to});
        inside_[edge.to] += edge.weight;
        next.insert({-inside_[edge.to] / groups_.degree[edge.to], edge.to});
      }
    }
  }

  /// One pass over all groups: each goes where it saves links, or where it makes parts more even and costs none.
  bool even_out() {
    const double mean = all_ / static_cast<double>(full_.size());
    bool moved = false;
    std::vector<double> links(full_.size());
    for (std::size_t g = 0; g < part_.size(); ++g) {
      std::fill(links.begin(), links.end(), 0.0);
      for (const Groups::Edge& edge : groups_.edges[g]) links[part_[edge.to]] += edge.weight;
      const std::size_t from = part_[g];
      std::size_t best = from;
      for (std::size_t to = 0; to < full_.size(); ++to) {
        if (to == from || groups_.load[g] == full_[from]) continue;
        const double then = full_[to] + groups_.load[g];
        const bool is_evener = std::max(then, full_[from] - groups_.load[g]) < std::max(full_[to], full_[from]);
        const bool fits = then <= slack * mean;
        const double saved = links[to] - links[from];
        const double saved_so_far = links[best] - links[from];
        const bool is_full = full_[from] > slack * mean;
        if ((saved > saved_so_far && fits) || (best == from && is_evener && (saved >= 0 || is_full))) best = to;
      }
      if (best == from) continue;
      full_[from] -= groups_.load[g];
      put(g, best);
      moved = true;
    }
    return moved;
  }

  const Groups& groups_;
  std::vector<std::size_t> part_;  ///< by group
  std::vector<double> full_;       ///< load by part
  std::vector<double> inside_;     ///< by group: links into the part that grows
  double all_{0};
};

/// The lengths of links that may be the shortest to be cut, the longest first.
std::vector<Duration> bounds_of(const CutQuery& query) {
  std::set<Duration, std::greater<>> lengths{query.shortest.begin(), query.shortest.end()};
  std::vector<Duration> bounds;
  const std::size_t stride = lengths.size() / most_bounds + 1;
  std::size_t i = 0;
  for (const Duration length : lengths) {
    if (length > Duration{0} && (i % stride == 0 || length == *lengths.rbegin())) bounds.push_back(length);
    ++i;
  }
  return bounds;
}

std::optional<Cuts> cut_at(const TopologyConfig& topology, const CutQuery& query, Duration bound, bool hosts_apart) {
  const Groups groups = groups_of(topology, query, bound, hosts_apart);
  const std::size_t count = std::min(query.parts, groups.load.size());
  if (count < 2) return std::nullopt;
  const Parts parts{groups, count};
  if (parts.has_empty()) return std::nullopt;
  Cuts cuts;
  cuts.parts = count;
  for (const std::uint32_t group : groups.of) cuts.part.push_back(static_cast<std::uint32_t>(parts.of(group)));
  for (std::size_t l = 0; l < topology.links.size(); ++l) {
    const LinkConfig& link = topology.links[l];
    if (cuts.part[link.a.index()] != cuts.part[link.b.index()]) {
      cuts.lookahead = std::min(cuts.lookahead, query.shortest[l]);
    }
  }
  const double all = std::accumulate(query.load.begin(), query.load.end(), 0.0);
  cuts.balance = parts.fullest() > 0 ? all / parts.fullest() : 1;
  return cuts;
}

}  // namespace

Cuts cuts_of(const TopologyConfig& topology, const CutQuery& query) {
  Cuts best;
  best.part.assign(topology.nodes.size(), 0);
  if (query.parts < 2) return best;
  for (const bool hosts_apart : {false, true}) {
    for (const Duration bound : bounds_of(query)) {
      std::optional<Cuts> cuts = cut_at(topology, query, bound, hosts_apart);
      if (!cuts) continue;
      if (best.parts == 1 || good_enough * cuts->balance > best.balance) best = std::move(*cuts);
      if (best.balance >= good_enough * static_cast<double>(query.parts)) return best;
    }
    // Hosts leave their switch only where there is nothing else to be cut.
    if (best.parts > 1) return best;
  }
  return best;
}

}  // namespace soya
