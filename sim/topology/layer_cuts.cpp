#include "topology/layer_cuts.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "topology/node_sets.hpp"
#include "topology/tiers.hpp"

namespace soya {

namespace {

constexpr std::size_t parts_of_an_island = 4;
constexpr std::size_t islands_of_a_fabric = 8;

/// What stays together where the nodes of a tier are taken out; each of those is alone.
std::vector<std::vector<std::size_t>> islands_without(const TopologyConfig& topology, const std::vector<std::uint8_t>& tiers, std::uint8_t tier) {
  NodeSets sets{topology};
  for (const LinkConfig& link : topology.links) {
    if (tiers[link.a.index()] != tier && tiers[link.b.index()] != tier) sets.join(link.a, link.b);
  }
  std::vector<std::vector<std::size_t>> islands;
  const std::vector<std::uint32_t> numbers = sets.numbers();
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    if (numbers[n] == islands.size()) islands.emplace_back();
    islands[numbers[n]].push_back(n);
  }
  return islands;
}

/// Puts islands, or single switches, into parts one after another until each has some `ports`.
class Packing final {
 public:
  explicit Packing(std::size_t nodes) : part_(nodes) {}

  void begin_side(Side side, std::size_t ports) {
    side_ = side;
    ports_ = ports;
    taken_ = SIZE_MAX;
  }
  /// All of `nodes`, which have `ports`.
  void put(std::span<const std::size_t> nodes, std::size_t ports) {
    if (taken_ == SIZE_MAX || taken_ + ports > ports_ + ports_ / 4) {
      sides_.push_back(side_);
      taken_ = 0;
    }
    for (const std::size_t node : nodes) part_[node] = static_cast<std::uint32_t>(sides_.size() - 1);
    taken_ += ports;
  }

  [[nodiscard]] Cuts cuts(const TopologyConfig& topology, const CutQuery& query) && {
    Cuts cuts;
    cuts.part = std::move(part_);
    cuts.sides = std::move(sides_);
    cuts.parts = cuts.sides.size();
    for (std::size_t l = 0; l < topology.links.size(); ++l) {
      const LinkConfig& link = topology.links[l];
      if (cuts.part[link.a.index()] == cuts.part[link.b.index()]) continue;
      cuts.lookahead = std::min(cuts.lookahead, query.shortest[l]);
    }
    std::vector<double> load(cuts.parts);
    for (std::size_t n = 0; n < cuts.part.size(); ++n) load[cuts.part[n]] += query.load[n];
    double fullest[2]{};
    for (std::size_t p = 0; p < cuts.parts; ++p) {
      double& of_side = fullest[static_cast<std::size_t>(cuts.sides[p])];
      of_side = std::max(of_side, load[p]);
    }
    // The sides take turns.
    const double all = std::accumulate(load.begin(), load.end(), 0.0);
    cuts.balance = all > 0 ? all / (fullest[0] + fullest[1]) : 1;
    return cuts;
  }

 private:
  std::vector<std::uint32_t> part_;  ///< by node
  std::vector<Side> sides_;          ///< by part
  Side side_{Side::islands};
  std::size_t ports_{0};
  std::size_t taken_{0};  ///< ports of the part that is filled
};

/// The islands of a tier and what lies between them, as far as they can be parts.
class Layers final {
 public:
  Layers(const TopologyConfig& topology, const std::vector<std::size_t>& plugs, const std::vector<std::uint8_t>& tiers,
         std::uint8_t tier) {
    for (std::vector<std::size_t>& nodes : islands_without(topology, tiers, tier)) {
      std::size_t ports = 0;
      for (const std::size_t node : nodes) ports += plugs[node];
      const bool is_between = tiers[nodes.front()] == tier;
      largest_ = is_between ? largest_ : std::max(largest_, ports);
      (is_between ? between_ : islands_).push_back({std::move(nodes), ports});
    }
  }

  [[nodiscard]] std::size_t islands() const { return islands_.size(); }
  [[nodiscard]] std::size_t largest() const { return largest_; }  ///< ports of an island

  [[nodiscard]] Cuts pack(const TopologyConfig& topology, const CutQuery& query, std::size_t ports) const {
    Packing packing{topology.nodes.size()};
    std::size_t all = 0;
    for (const Piece& island : islands_) all += island.ports;
    packing.begin_side(Side::islands, std::min(ports, all / std::max<std::size_t>(query.parts, 2)));
    for (const Piece& island : islands_) packing.put(island.nodes, island.ports);
    packing.begin_side(Side::between, ports);
    for (const Piece& one : between_) packing.put(one.nodes, one.ports);
    return std::move(packing).cuts(topology, query);
  }

 private:
  struct Piece {
    std::vector<std::size_t> nodes;
    std::size_t ports{0};
  };
  std::vector<Piece> islands_;
  std::vector<Piece> between_;
  std::size_t largest_{0};
};

/// Whether a link joins two nodes of the tier.
bool has_links_inside(const TopologyConfig& topology, const std::vector<std::uint8_t>& tiers, std::uint8_t tier) {
  return std::any_of(topology.links.begin(), topology.links.end(), [&](const LinkConfig& link) {
    return tiers[link.a.index()] == tier && tiers[link.b.index()] == tier;
  });
}

}  // namespace

std::optional<Cuts> layer_cuts_of(const TopologyConfig& topology, const CutQuery& query, std::size_t ports) {
  std::vector<std::size_t> plugs(topology.nodes.size());
  for (const LinkConfig& link : topology.links) {
    ++plugs[link.a.index()];
    ++plugs[link.b.index()];
  }
  const std::vector<std::uint8_t> tiers = tiers_of(topology);
  const std::size_t least = std::max<std::size_t>(query.parts, 2);
  const std::size_t most = std::max(parts_of_an_island * ports, 2 * topology.links.size() / islands_of_a_fabric);
  for (std::uint8_t tier = *std::ranges::max_element(tiers); tier >= 2; --tier) {
    if (has_links_inside(topology, tiers, tier)) continue;
    const Layers layers{topology, plugs, tiers, tier};
    if (layers.islands() < least || layers.largest() > most) continue;
    Cuts cuts = layers.pack(topology, query, ports);
    const auto islands = static_cast<std::size_t>(std::ranges::count(cuts.sides, Side::islands));
    if (islands >= least && cuts.lookahead > Duration{0}) return cuts;
  }
  return std::nullopt;
}

}  // namespace soya
