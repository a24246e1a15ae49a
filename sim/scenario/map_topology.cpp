#include "scenario/map_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "core/utf8.hpp"
#include "scenario/keys.hpp"
#include "scenario/map_rate.hpp"
#include "scenario/parse.hpp"
#include "scenario/section.hpp"
#include "topology/dot.hpp"
#include "topology/graphml.hpp"
#include "topology/map_distance.hpp"

namespace soya::reading {

namespace {

constexpr std::array<std::string_view, 9> node_attributes{"kind",   "tier", "place",         "partner",        "buffer",
                                                          "server", "nic",  "local_port_of", "local_switch_of"};
constexpr std::array<std::string_view, 8> link_attributes{
    "rate", "reverse_rate", "length", "reverse_length", "per_kilometre", "delay", "reverse_delay", "loss"};

/// A label that tells its node from all others. Topology Zoo writes None and ? where it knows no name.
bool names_a_node(std::string_view label) {
  return !label.empty() && label != "None" && label != "?" &&
         std::none_of(label.begin(), label.end(), [](char c) { return is_control(c); });
}

/// A list of things in a message: the first few by name, the others by count.
std::string listed(const std::vector<std::string>& items) {
  constexpr std::size_t shown_items = 20;
  std::string out;
  for (std::size_t i = 0; i < std::min(items.size(), shown_items); ++i) out += (i == 0 ? "" : ", ") + items[i];
  if (items.size() > shown_items) out += fmt::format(" and {} more", items.size() - shown_items);
  return out;
}

class MapReader {
 public:
  MapReader(const ForeignGraph& graph, const MapReading& reading) : graph_{graph}, reading_{reading} {
    default_rate_ = option("default_rate");
    default_length_ = option("default_length");
    if (const Node* factor = option("fibre_factor")) {
      const ParsedRatio parsed = parse_ratio(factor->is_scalar() ? factor->text : "");
      if (parsed.fault != NumberFault::none || parsed.value.numerator <= 0) {
        wrong(*factor, "fibre_factor", "expected a ratio such as 1.5, got " + shown(*factor));
      } else {
        factor_ = parsed.value;
      }
    }
    if (const Node* hosts = option("hosts_per_node")) hosts_per_node_ = host_count(*hosts, "hosts_per_node");
    for (const std::string_view key : {"default_rate", "default_length"}) check_number(key);
  }

  Node read() {
    Node out = map_node({});
    out.children.push_back(scalar("name", graph_.name, {}));
    name_nodes();
    nodes_ = map_node({});
    nodes_.key = "nodes";
    links_.type = NodeType::list;
    links_.key = "links";
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) add_node(i);
    for (const ForeignEdge& edge : graph_.edges) add_link(edge);
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) add_hosts(i);
    tell();
    out.children.push_back(std::move(nodes_));
    out.children.push_back(std::move(links_));
    return out;
  }

 private:
  /// What stands at an option of the map, where it is given.
  [[nodiscard]] const Node* option(std::string_view name) const {
    const Node* node = reading_.topology.find(name);
    return node && node->type != NodeType::null ? node : nullptr;
  }

  void wrong(const Node& node, std::string_view key, std::string message) {
    reading_.errors.add(node.place, "topology." + std::string{key}, std::move(message));
  }

  void check_number(std::string_view name) {
    const Node* node = option(name);
    if (!node) return;
    const KeyNumber number =
        key_number(*keys_of(SectionId::topology).find(name), node->is_scalar() ? node->text : std::string{});
    if (!number.value) wrong(*node, name, number.complaint);
  }

  std::size_t host_count(const Node& node, std::string_view key) {
    const Key& declared = *keys_of(SectionId::topology).find("hosts_per_node");
    const KeyNumber number = key_number(declared, node.is_scalar() ? node.text : std::string{});
    if (!number.value) wrong(node, key, number.complaint);
    return static_cast<std::size_t>(number.value.value_or(0));
  }

  [[nodiscard]] Place place(const ForeignPlace& at) const { return {reading_.source, at.line, at.column}; }

  [[nodiscard]] Node map_node(const ForeignPlace& at) const {
    Node node;
    node.type = NodeType::map;
    node.place = node.key_place = place(at);
    return node;
  }

  [[nodiscard]] Node scalar(std::string_view key, std::string_view text, const ForeignPlace& at) const {
    Node node;
    node.type = NodeType::scalar;
    node.place = node.key_place = place(at);
    node.key = key;
    node.text = text;
    return node;
  }

  void name_nodes() {
    std::unordered_map<std::string_view, int> bearers;
    for (const ForeignNode& node : graph_.nodes) ++bearers[attribute(node.attributes, "label")];
    for (const ForeignNode& node : graph_.nodes) {
      const std::string_view label = attribute(node.attributes, "label");
      if (graph_.labels_name && names_a_node(label) && bearers[label] == 1) {
        names_.emplace_back(label);
      } else {
        const bool digits = graph_.labels_name && node.id.find_first_not_of("0123456789") == std::string::npos;
        names_.push_back((digits ? "node" : "") + node.id);
      }
    }
  }

  void add_node(std::size_t index) {
    const ForeignNode& from = graph_.nodes[index];
    Node node = map_node(from.place);
    node.key = names_[index];
    if (attribute(from.attributes, "kind") == "server") {
      refuse_node(from, "a node of a map is a host, a switch or a wan_accelerator; draw a server's GPUs as hosts");
    }
    if (std::ranges::any_of(node.key, is_control)) {
      refuse_node(from, "a name holds a line break or control character; no scenario can name such a node");
    }
    if (attribute(from.attributes, "kind").empty()) node.children.push_back(scalar("kind", "switch", from.place));
    for (const std::string_view key : node_attributes) {
      const std::string_view value = attribute(from.attributes, key);
      if (!value.empty()) node.children.push_back(scalar(key, value, from.place));
    }
    add_place(from, node);
    nodes_.children.push_back(std::move(node));
  }

  void refuse_node(const ForeignNode& from, std::string message) {
    reading_.errors.add(place(from.place), "", std::move(message));
  }

  void add_place(const ForeignNode& from, Node& node) {
    const std::string_view latitude = attribute(from.attributes, "latitude");
    const std::string_view longitude = attribute(from.attributes, "longitude");
    std::optional<Coordinates>& known = places_.emplace_back();
    if (latitude.empty() && longitude.empty()) return;
    const auto north = decimal(latitude);
    const auto east = decimal(longitude);
    if (!north || !east || !(std::abs(*north) <= 90) || !(std::abs(*east) <= 180)) {
      reading_.errors.add(place(from.place), "",
                          fmt::format("node \"{}\": expected a latitude from -90 to 90 and a longitude from -180 to "
                                      "180 degrees, got \"{}\" and \"{}\"",
                                      node.key, latitude, longitude));
      return;
    }
    known = Coordinates{*north, *east};
    Node pair;
    pair.type = NodeType::list;
    pair.key = "place";
    pair.place = pair.key_place = place(from.place);
    pair.children.push_back(scalar("", latitude, from.place));
    pair.children.push_back(scalar("", longitude, from.place));
    node.children.push_back(std::move(pair));
  }

  [[nodiscard]] std::string edge_name(const ForeignEdge& edge) const {
    return names_[edge.from] + " -- " + names_[edge.to];
  }

  void add_link(const ForeignEdge& edge) {
    if (edge.from == edge.to) {
      loops_.push_back(fmt::format("{} (line {})", edge_name(edge), edge.place.line));
      return;
    }
    Node link = link_between(names_[edge.from], names_[edge.to], edge.place);
    for (const std::string_view key : link_attributes) {
      const std::string_view value = attribute(edge.attributes, key);
      if (!value.empty()) link.children.push_back(link_value(key, value, edge));
    }
    if (!link.find("rate")) add_rate(edge, link);
    if (!link.find("length")) add_length(edge, link);
    links_.children.push_back(std::move(link));
  }

  /// A loss may be a mapping, as in a scenario: {packets: 1e-5, burst: 8}.
  [[nodiscard]] Node link_value(std::string_view key, std::string_view value, const ForeignEdge& edge) {
    if (key != "loss") return scalar(key, value, edge.place);
    auto parsed = parse_yaml_value(std::string{value}, reading_.source, "topology.links", reading_.errors);
    if (!parsed) return scalar(key, value, edge.place);
    const auto set_places = [this, &edge](auto&& self, Node& node) -> void {
      node.place = node.key_place = place(edge.place);
      for (Node& child : node.children) self(self, child);
    };
    set_places(set_places, *parsed);
    parsed->key = key;
    return std::move(*parsed);
  }

  [[nodiscard]] Node link_between(std::string_view a, std::string_view b, const ForeignPlace& at) const {
    Node link = map_node(at);
    Node between;
    between.type = NodeType::list;
    between.key = "between";
    between.place = between.key_place = place(at);
    between.children.push_back(scalar("", a, at));
    between.children.push_back(scalar("", b, at));
    link.children.push_back(std::move(between));
    return link;
  }

  void add_rate(const ForeignEdge& edge, Node& link) {
    const std::string_view speed = attribute(edge.attributes, "linkspeed");
    if (const auto rate =
            map_rate(attribute(edge.attributes, "linkspeedraw"), speed, attribute(edge.attributes, "linkspeedunits"))) {
      link.children.push_back(scalar("rate", *rate, edge.place));
      return;
    }
    std::string_view label = attribute(edge.attributes, "linklabel");
    if (label.empty()) label = attribute(edge.attributes, "label");
    if (label.empty()) label = speed;
    without_rate_.push_back({&edge, label.empty() ? "" : fmt::format(" (label \"{}\")", label)});
    if (default_rate_) link.children.push_back(copy_as("rate", *default_rate_));
  }

  void add_length(const ForeignEdge& edge, Node& link) {
    if (places_[edge.from] && places_[edge.to]) {
      const Length length = fibre_length(*places_[edge.from], *places_[edge.to], factor_);
      link.children.push_back(scalar("length", format_number(length.millimetres(), Dimension::length), edge.place));
      return;
    }
    without_length_.push_back({&edge, ""});
    if (default_length_) link.children.push_back(copy_as("length", *default_length_));
  }

  static Node copy_as(std::string_view key, const Node& from) {
    Node node = from;
    node.key = key;
    return node;
  }

  void add_hosts(std::size_t index) {
    const ForeignNode& from = graph_.nodes[index];
    const std::string_view kind = attribute(from.attributes, "kind");
    const bool is_site = (kind.empty() || kind == "switch") && attribute(from.attributes, "local_switch_of").empty();
    std::size_t count = is_site ? hosts_per_node_ : 0;
    if (const std::string_view own = attribute(from.attributes, "hosts"); !own.empty()) {
      count = host_count(scalar("hosts", own, from.place), "hosts_per_node");
    }
    const Node* link_keys = option("host_link");
    for (std::size_t k = 1; k <= count && nodes_.children.size() < most_nodes; ++k) {
      const std::string name = fmt::format("{}-host{}", names_[index], k);
      Node host = scalar(name, "host", from.place);
      Node link = link_between(name, names_[index], from.place);
      if (link_keys && link_keys->is_map()) {
        link.children.insert(link.children.end(), link_keys->children.begin(), link_keys->children.end());
      } else if (link_keys) {
        link.children.push_back(copy_as("type", *link_keys));
      }
      nodes_.children.push_back(std::move(host));
      links_.children.push_back(std::move(link));
    }
  }

  struct Lacking {
    const ForeignEdge* edge;
    std::string also;
  };

  void tell() {
    tell_lacking(without_rate_, "rate", "has no rate, LinkSpeedRaw, or LinkSpeed with LinkSpeedUnits", "default_rate",
                 default_rate_, "100Gbps");
    tell_lacking(without_length_, "length", "has no length, and its ends have no coordinates", "default_length",
                 default_length_, "10km");
    if (!loops_.empty()) {
      reading_.warnings.add(place({}), "", "left out edges from a node to itself: " + listed(loops_));
    }
  }

  /// Without a default an error for each edge, or one where no edge says it; else a warning that lists them.
  void tell_lacking(const std::vector<Lacking>& lacking, std::string_view what, std::string_view how,
                    std::string_view key, const Node* standard, std::string_view example) {
    if (lacking.empty()) return;
    const bool all = lacking.size() == links_edges();
    if (!standard) {
      const std::string advice = fmt::format("; set topology.{}, such as {}", key, example);
      if (all && lacking.size() > 1) {
        reading_.errors.add(place({}), "", fmt::format("each of the {} edges {}{}", lacking.size(), how, advice));
        return;
      }
      for (const Lacking& one : lacking) {
        reading_.errors.add(place(one.edge->place), "",
                            fmt::format("edge {}{} {}{}", edge_name(*one.edge), one.also, how, advice));
      }
      return;
    }
    std::vector<std::string> names;
    for (const Lacking& one : lacking) {
      names.push_back(fmt::format("{}{} (line {})", edge_name(*one.edge), one.also, one.edge->place.line));
    }
    if (all && lacking.size() > 1) {
      reading_.warnings.add(place({}), "",
                            fmt::format("none of {} edges has a {}, so each gets the default {}", lacking.size(), what,
                                        standard->is_scalar() ? standard->text : ""));
      return;
    }
    const std::string which = fmt::format("{} of {} edges", lacking.size(), links_edges());
    reading_.warnings.add(place({}), "",
                          fmt::format("{} have no {} and get the default {}: {}", which, what,
                                      standard->is_scalar() ? standard->text : "", listed(names)));
  }

  /// Edges that became links.
  [[nodiscard]] std::size_t links_edges() const { return graph_.edges.size() - loops_.size(); }

  static constexpr std::size_t most_nodes = 1'000'001;  ///< one more than a topology may have: that is told there

  const ForeignGraph& graph_;
  const MapReading& reading_;
  const Node* default_rate_{nullptr};
  const Node* default_length_{nullptr};
  Ratio factor_{parse_ratio(keys_of(SectionId::topology).find("fibre_factor")->standard).value};
  std::size_t hosts_per_node_{0};
  std::vector<std::string> names_;
  std::vector<std::optional<Coordinates>> places_;
  Node nodes_;
  Node links_;
  std::vector<Lacking> without_rate_;
  std::vector<Lacking> without_length_;
  std::vector<std::string> loops_;
};

}  // namespace

bool is_map_file(std::string_view file) {
  const std::string name = lower(file);
  return name.ends_with(".graphml") || name.ends_with(".dot") || name.ends_with(".gv");
}

Node map_topology(const Node& named) {
  Node map = named;
  map.key = "map";
  Node topology;
  topology.type = NodeType::map;
  topology.key = named.key;
  topology.key_place = named.key_place;
  topology.place = named.place;
  topology.replaces = true;
  topology.children.push_back(std::move(map));
  return topology;
}

ForeignGraph read_foreign_graph(const std::string& file, const std::string& text,
                                const std::optional<std::string>& graph) {
  return lower(file).ends_with(".graphml") ? read_graphml(text, graph) : read_dot(text, graph);
}

Node map_keys_of(const ForeignGraph& graph, const MapReading& reading) {
  return MapReader{graph, reading}.read();
}

void lay_under(Node& topology, Node keys) {
  std::erase_if(topology.children, [](const Node& child) {
    return std::find(map_keys.begin(), map_keys.end(), child.key) != map_keys.end();
  });
  for (Node& key : keys.children) {
    Node* own = topology.find(key.key);
    if (!own || own->type == NodeType::null) {
      std::erase_if(topology.children, [&](const Node& child) { return child.key == key.key; });
      topology.children.push_back(std::move(key));
    } else if (own->is_map() && key.is_map()) {
      Node on_top = std::exchange(*own, std::move(key));
      overlay(*own, std::move(on_top));
    } else if (own->is_list() && key.is_list()) {
      own->children.insert(own->children.begin(), key.children.begin(), key.children.end());
    }
  }
}

}  // namespace soya::reading
