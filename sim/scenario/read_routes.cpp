#include <algorithm>
#include <map>
#include <utility>

#include "scenario/decode.hpp"
#include "topology/port_map.hpp"

namespace soya::reading {

namespace {

std::string place_text(const Where& where) {
  return where.file + (where.line > 0 ? ':' + std::to_string(where.line) : "") + " (" + where.path + ')';
}

class RouteReader {
 public:
  RouteReader(Section& topology, const Names& names, TopologyConfig& out)
      : reading_{topology.reading()}, names_{names}, out_{out} {
    if (reading_.links_whole) ports_ = build_ports(out);
  }

  void read(const Node& node, const Path& path) {
    Section section{reading_, &node, path, SectionId::route, Absent::standard, Noted::on_one_line};
    if (!node.is_map()) return;
    const auto at = read_switch(section, node);
    std::vector<NodeId> to = read_destinations(section, node, at);
    const auto via = read_neighbour(section, node);
    section.finish();
    if (!at || !via || to.empty() || !ports_) return;
    StaticRoute route{*at, std::move(to), *via, section.where()};
    if (!leads_on(section, route) || repeats(section, route)) return;
    out_.routes.push_back(std::move(route));
  }

 private:
  std::optional<NodeId> read_switch(Section& section, const Node& item) {
    const Node* name = scalar(section, item, "at", "the name of a switch");
    if (!name) return std::nullopt;
    const auto found = names_.find_switch(reading_, name->text, name->place, section.at("at"));
    return found ? names_.node(name->text) : std::nullopt;
  }

  std::optional<NodeId> read_neighbour(Section& section, const Node& item) {
    const Node* name = scalar(section, item, "via", "the name of a neighbour of the switch");
    return name ? names_.find_node(reading_, *name, section.at("via")) : std::nullopt;
  }

  const Node* scalar(Section& section, const Node& item, std::string_view key, const std::string& expected) {
    const Node* node = required(section, item, key, expected);
    if (!node) return nullptr;
    if (!node->is_scalar()) {
      section.error(key, "expected " + expected + ", got " + shown(*node));
      return nullptr;
    }
    section.note(key, yaml_text(node->text));
    return node;
  }

  /// Null where the key is not there, which is reported here, or is empty, which the section has reported.
  static const Node* required(Section& section, const Node& item, std::string_view key, const std::string& expected) {
    if (!item.find(key)) section.error(key, "missing; expected " + expected);
    return section.given(key);
  }

  std::vector<NodeId> read_destinations(Section& section, const Node& item, std::optional<NodeId> at) {
    const std::string expected = "the name of a host, a list of hosts, or all";
    const Node* node = required(section, item, "to", expected);
    if (!node) return {};
    if (node->is_map()) {
      section.error("to", "expected " + expected + ", got a mapping");
      return {};
    }
    std::vector<NodeId> to;
    if (node->is_scalar() && node->text != "all") {
      section.note("to", yaml_text(node->text));
      if (const auto host = names_.find_host(reading_, *node, section.at("to"))) to.push_back(names_.node(*host));
      return to;
    }
    JobScope scope{reading_, names_, Priority{}};
    for (const HostId host : read_hosts(scope, section, "to", std::nullopt)) to.push_back(names_.node(host));
    if (node->is_scalar() && at && ports_ && !to.empty()) {
      std::erase_if(to, [&](NodeId host) { return is_neighbour(*at, host); });
      if (to.empty()) section.error("to", "all hosts are plugged into \"" + name(*at) + "\" itself");
    }
    return to;
  }

  [[nodiscard]] bool is_neighbour(NodeId at, NodeId other) const {
    return std::ranges::any_of(ports_->ports_of(at), [&](const PortLink& link) { return link.peer == other; });
  }

  bool leads_on(Section& section, const StaticRoute& route) {
    if (!is_neighbour(route.at, route.via)) {
      section.error(
          "via", "no link joins \"" + name(route.at) + "\" and \"" + name(route.via) + "\"; " + neighbours(route.at));
      return false;
    }
    if (!ports_->is_host(route.via) || (route.to.size() == 1 && route.to.front() == route.via)) return true;
    section.error("via", '"' + name(route.via) +
                             "\" is a host, which passes no frames on; expected a switch, or a route to \"" +
                             name(route.via) + "\" alone");
    return false;
  }

  [[nodiscard]] std::string neighbours(NodeId at) const {
    std::vector<NodeId> peers;
    for (const PortLink& link : ports_->ports_of(at)) {
      if (std::ranges::find(peers, link.peer) == peers.end()) peers.push_back(link.peer);
    }
    if (peers.empty()) return '"' + name(at) + "\" has no link";
    std::string out = "neighbours of \"" + name(at) + "\": ";
    constexpr std::size_t listed = 8;
    for (std::size_t i = 0; i < peers.size() && i < listed; ++i) out += (i == 0 ? "" : ", ") + name(peers[i]);
    return peers.size() > listed ? out + ", … (" + std::to_string(peers.size()) + " in all)" : out;
  }

  /// Whether the switch has a route to one of the hosts already; tells of the first.
  bool repeats(Section& section, const StaticRoute& route) {
    std::vector<std::uint32_t>& known = route_to_[route.at];
    known.resize(names_.host_count(), none);
    const auto index = static_cast<std::uint32_t>(places_.size());
    places_.push_back(section.where());
    for (const NodeId host : route.to) {
      std::uint32_t& first = known[ports_->host_at(host).index()];
      if (first == none) first = index;
      if (first == index) continue;  // once in the list; twice is reported already
      section.error("to", '"' + name(route.at) + "\" has a route to \"" + name(host) + "\" already, from " +
                              place_text(places_[first]) + "; remove one of them");
      return true;
    }
    return false;
  }

  [[nodiscard]] const std::string& name(NodeId node) const { return out_.nodes[node.index()].name; }

  static constexpr std::uint32_t none{UINT32_MAX};
  Reading& reading_;
  const Names& names_;
  TopologyConfig& out_;
  std::optional<PortMap> ports_;                           ///< where all links are known
  std::vector<Where> places_;                              ///< of the routes
  std::map<NodeId, std::vector<std::uint32_t>> route_to_;  ///< by switch and HostId: index into `places_`
};

}  // namespace

void read_routes(Section& topology, const Names& names, TopologyConfig& out) {
  const Node* node = topology.given("routes");
  if (!node || (node->is_list() && node->children.empty())) return topology.note("routes", "[]");
  if (!node->is_list()) {
    return topology.error("routes",
                          "expected a list of routes such as [{at: s1, to: h3, via: s2}], got " + shown(*node));
  }
  RouteReader reader{topology, names, out};
  const Path path = topology.at("routes");
  for (std::size_t i = 0; i < node->children.size(); ++i) reader.read(node->children[i], path.item(i));
}

}  // namespace soya::reading
