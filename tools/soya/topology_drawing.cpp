#include "topology_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "scenario/quantity.hpp"
#include "scenario/topology_files.hpp"
#include "topology/port_map.hpp"
#include "topology/tiers.hpp"

namespace soya::cli {

namespace {

/// With more hosts than this a row of them is wider than a page.
constexpr std::size_t most_hosts = 64;

struct Point {
  double x{0};
  double y{0};
};

/// Places in points, north up; those without coordinates stand beside a neighbour that has some.
class MapPlaces {
 public:
  MapPlaces(const TopologyConfig& topology, const PortMap& ports) : points_(topology.nodes.size()) {
    double middle = 0;
    std::size_t placed = 0;
    for (const NodeConfig& node : topology.nodes) {
      if (!node.place) continue;
      middle += node.place->latitude;
      ++placed;
    }
    if (placed == 0) return;
    const double narrow = std::cos(middle / static_cast<double>(placed) * std::numbers::pi / 180);
    for (std::size_t n = 0; n < points_.size(); ++n) {
      if (const auto& place = topology.nodes[n].place) points_[n] = Point{place->longitude * narrow, place->latitude};
    }
    scale();
    for (std::size_t n = 0; n < points_.size(); ++n) place_beside(NodeId{n}, ports);
  }

  [[nodiscard]] Point at(NodeId node) const { return points_[node.index()].value_or(Point{}); }

 private:
  void scale() {
    constexpr double width = 1200;
    std::optional<Point> least;
    std::optional<Point> most;
    for (const auto& point : points_) {
      if (!point) continue;
      least = least ? Point{std::min(least->x, point->x), std::min(least->y, point->y)} : *point;
      most = most ? Point{std::max(most->x, point->x), std::max(most->y, point->y)} : *point;
    }
    const double span = std::max({most->x - least->x, most->y - least->y, 1e-6});
    for (auto& point : points_) {
      if (point) point = Point{(point->x - least->x) * width / span, (point->y - least->y) * width / span};
    }
  }

  void place_beside(NodeId node, const PortMap& ports) {
    if (points_[node.index()]) return;
    for (const PortLink& link : ports.ports_of(node)) {
      if (const auto& near = points_[link.peer.index()]) {
        const double angle = static_cast<double>(node.index()) * 2.4;  // radians; spreads those of one neighbour
        points_[node.index()] = Point{near->x + 40 * std::cos(angle), near->y + 40 * std::sin(angle)};
        return;
      }
    }
  }

  std::vector<std::optional<Point>> points_;
};

class Artist {
 public:
  explicit Artist(const TopologyConfig& topology)
      : topology_{topology}, ports_{build_ports(topology)}, tiers_{tiers_of(topology)}, places_{topology, ports_} {
    hide_insides_of_servers();
    layout_ = choose();
    std::size_t hosts = 0;
    for (std::size_t n = 0; n < hidden_.size(); ++n) {
      if (is_host(NodeId{n}) && !hidden_[n]) ++hosts;
    }
    groups_hosts_ = hosts > most_hosts || layout_ == Layout::map;
  }

  Drawing draw() {
    std::string out = "graph " + dot_quoted(topology_.name) + " {\n" + setting();
    for (std::size_t n = 0; n < topology_.nodes.size(); ++n) out += node_line(NodeId{n});
    if (layout_ == Layout::tiers) out += rows();
    return {layout_, out + links() + "}\n"};
  }

 private:
  /// A local link is not of the fabric, as in the description; the switch that stands for it would be one more island.
  void hide_insides_of_servers() {
    hidden_.resize(topology_.nodes.size());
    for (const ServerConfig& server : topology_.servers) {
      if (!server.local) continue;
      hidden_[server.local_switch.index()] = true;
      for (const NodeId port : server.local_ports) hidden_[port.index()] = true;
    }
  }

  [[nodiscard]] bool is_hidden(const LinkConfig& link) const {
    return hidden_[link.a.index()] || hidden_[link.b.index()];
  }

  [[nodiscard]] Layout choose() const {
    bool places = false;
    bool levels = false;
    for (const NodeConfig& node : topology_.nodes) places = places || node.place.has_value();
    bool flat = false;
    for (const LinkConfig& link : topology_.links) {
      if (is_host(link.a) || is_host(link.b)) continue;
      const bool same = tiers_[link.a.index()] == tiers_[link.b.index()];
      flat = flat || same;
      levels = levels || !same;
    }
    if (places) return Layout::map;
    return flat && !levels ? Layout::free : Layout::tiers;
  }

  [[nodiscard]] std::string setting() const {
    const std::string shared =
        "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#e8eef7\", color=\"#35507a\", "
        "fontname=\"sans-serif\", "
        "fontsize=11, margin=\"0.08,0.04\", height=0.3];\n"
        "  edge [color=\"#5b6b82\", fontname=\"sans-serif\", fontsize=9];\n";
    switch (layout_) {
      case Layout::tiers:
        return fmt::format("  rankdir=TB;\n  ranksep={:.2f};\n  nodesep=0.15;\n  splines=line;\n{}",
                           std::clamp(0.04 * static_cast<double>(widest_row()), 0.6, 4.0), shared);
      case Layout::map:
        return "  overlap=prism;\n  splines=line;\n  outputorder=edgesfirst;\n" + shared;
      case Layout::free:
        return "  overlap=prism;\n  splines=line;\n  outputorder=edgesfirst;\n" + shared;
    }
    return shared;
  }

  [[nodiscard]] bool is_host(NodeId node) const { return ports_.is_host(node); }

  /// Hosts of the switch, where they are drawn as one.
  [[nodiscard]] std::vector<NodeId> hosts_at(NodeId node) const {
    std::vector<NodeId> hosts;
    for (const PortLink& link : ports_.ports_of(node)) {
      if (is_host(link.peer)) hosts.push_back(link.peer);
    }
    return hosts;
  }

  [[nodiscard]] std::size_t widest_row() const {
    std::map<std::uint8_t, std::size_t> rows;
    for (std::size_t n = 0; n < tiers_.size(); ++n) {
      if (!hidden_[n] && !(groups_hosts_ && is_host(NodeId{n}))) ++rows[tiers_[n]];
    }
    std::size_t widest = 0;
    for (const auto& [tier, count] : rows) widest = std::max(widest, count);
    return widest;
  }

  [[nodiscard]] const std::string& name(NodeId node) const { return topology_.nodes[node.index()].name; }

  [[nodiscard]] static std::string hosts_label(std::size_t count) {
    return fmt::format("{} host{}", count, count == 1 ? "" : "s");
  }

  [[nodiscard]] std::string node_line(NodeId node) const {
    if (hidden_[node.index()]) return "";
    constexpr const char* of_hosts = "fillcolor=\"#ffffff\", color=\"#888888\"";
    if (is_host(node)) {
      return groups_hosts_ ? "" : "  " + dot_quoted(name(node)) + fmt::format(" [{}];\n", of_hosts);
    }
    const std::size_t hosts = groups_hosts_ ? hosts_at(node).size() : 0;
    if (layout_ == Layout::map) {
      const Point point = places_.at(node);
      const std::string also = hosts == 0 ? "" : "\\n" + hosts_label(hosts);
      const std::string label = dot_quoted(name(node));
      return fmt::format("  {} [pos=\"{:.1f},{:.1f}\", label={}{}\"];\n", label, point.x, point.y,
                         label.substr(0, label.size() - 1), also);
    }
    std::string out = "  " + dot_quoted(name(node)) + ";\n";
    if (hosts == 0) return out;
    const std::vector<NodeId> own = hosts_at(node);
    const std::string label =
        own.size() == 1 ? name(own[0]) : name(own.front()) + " … " + name(own.back()) + "\\n" + hosts_label(own.size());
    return out + "  " + dot_quoted(group_of(node)) + " [label=" + dot_quoted(label) + ", " + of_hosts + "];\n";
  }

  [[nodiscard]] std::string group_of(NodeId node) const { return "hosts of " + name(node); }

  /// In the order of the file: hence lines that nobody sees, from each switch to the next.
  [[nodiscard]] std::string rows() const {
    std::map<std::uint8_t, std::string> rows;
    std::map<std::uint8_t, std::string> chains;
    for (std::size_t n = 0; n < tiers_.size(); ++n) {
      const NodeId node{n};
      if (hidden_[n] || (is_host(node) && groups_hosts_)) continue;
      if (!is_host(node)) {
        std::string& chain = chains[tiers_[n]];
        chain += (chain.empty() ? "" : " -- ") + dot_quoted(name(node));
      }
      rows[tiers_[n]] += ' ' + dot_quoted(name(node)) + ';';
      if (groups_hosts_ && !hosts_at(node).empty()) rows[0] += ' ' + dot_quoted(group_of(node)) + ';';
    }
    std::string out;
    for (const auto& [tier, nodes] : rows) out += "  { rank=same;" + nodes + " }\n";
    for (const auto& [tier, chain] : chains) out += "  " + chain + " [style=invis];\n";
    return out;
  }

  /// A thicker line for every tenfold of the slowest rate.
  [[nodiscard]] double width_of(Rate rate) const {
    return 1 + 1.5 * std::log10(std::max(1.0, rate.gbps() / slowest_.gbps()));
  }

  std::string links() {
    for (const LinkConfig& link : topology_.links) {
      if (!is_hidden(link)) slowest_ = std::min(slowest_, std::min(link.rate, link.rate_from(link.b)));
    }
    struct Line {
      std::size_t links{0};
      Rate rate{};
    };
    std::map<std::pair<NodeId, NodeId>, Line> lines;  // the upper end first: that is how dot makes rows
    for (const LinkConfig& link : topology_.links) {
      if (is_hidden(link) || (groups_hosts_ && (is_host(link.a) || is_host(link.b)))) continue;
      const bool a_is_upper = tiers_[link.a.index()] >= tiers_[link.b.index()];
      Line& line = lines[a_is_upper ? std::pair{link.a, link.b} : std::pair{link.b, link.a}];
      ++line.links;
      line.rate = std::max(line.rate, std::max(link.rate, link.rate_from(link.b)));
    }
    std::string out;
    for (const auto& [ends, line] : lines) {
      out +=
          fmt::format("  {} -- {} [penwidth={:.2f}{}];\n", dot_quoted(name(ends.first)), dot_quoted(name(ends.second)),
                      width_of(line.rate), line.links > 1 ? fmt::format(", label=\"×{}\"", line.links) : "");
    }
    if (!groups_hosts_ || layout_ == Layout::map) return out;
    for (std::size_t n = 0; n < topology_.nodes.size(); ++n) {
      const std::size_t hosts = is_host(NodeId{n}) || hidden_[n] ? 0 : hosts_at(NodeId{n}).size();
      if (hosts == 0) continue;
      out += fmt::format("  {} -- {} [label=\"×{}\"];\n", dot_quoted(name(NodeId{n})), dot_quoted(group_of(NodeId{n})),
                         hosts);
    }
    return out;
  }

  const TopologyConfig& topology_;
  PortMap ports_;
  std::vector<std::uint8_t> tiers_;
  MapPlaces places_;
  std::vector<bool> hidden_;  ///< by node
  Layout layout_{Layout::tiers};
  bool groups_hosts_{false};
  Rate slowest_{INT64_MAX};
};

}  // namespace

Drawing draw(const TopologyConfig& topology) {
  return Artist{topology}.draw();
}

}  // namespace soya::cli
