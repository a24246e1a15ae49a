// `topology.nodes`: what each node is, and who is whose partner among accelerators.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/suggest.hpp"
#include "scenario/decode.hpp"
#include "topology/servers.hpp"

namespace soya::reading {

namespace {

class NodeReader {
 public:
  NodeReader(Section& topology, const LinkTypes& types, TopologyConfig& out)
      : reading_{topology.reading()}, types_{types}, out_{out} {
    for (std::size_t s = 0; s < out_.servers.size(); ++s) servers_.emplace(out_.servers[s].name, s);
  }

  NamedByNodes read(const std::vector<Node>& entries, const Path& nodes) {
    // Ranks are the first hosts, so ports inside servers come last, wherever a map or file puts them.
    for (const bool inside : {false, true}) {
      for (const Node& entry : entries) {
        if (is_inside_server(entry) != inside) continue;
        const Path path = nodes.key(entry.key);
        if (!read_node(entry, path)) reading_.nodes_whole = false;
        if (entry.key.empty()) reading_.errors.add(entry.key_place, path.text(), "a node needs a name");
      }
    }
    return std::move(named_);
  }

 private:
  static bool is_inside_server(const Node& entry) {
    return entry.is_map() && (entry.find("local_port_of") || entry.find("local_switch_of"));
  }

  bool read_node(const Node& entry, const Path& path) {
    if (entry.is_map()) return read_keys(entry, path);
    const std::vector<std::string_view> words = choices_of(*keys_of(SectionId::node).find("kind"));
    const auto word = std::find(words.begin(), words.end(), std::string_view{entry.text});
    if (!entry.is_scalar() || word == words.end()) {
      reading_.errors.add(entry.place, path.text(),
                          "expected host, switch, wan_accelerator or server, got " + shown(entry));
      return false;
    }
    if (entry.text == server_word) {
      Node keys = entry;
      keys.type = NodeType::map;
      keys.children.emplace_back(entry).key = "kind";
      return read_server(keys, path);
    }
    reading_.effective.push_back({path.text(), entry.text, reading_.sources.origin(entry.place)});
    add(entry, path, static_cast<NodeKind>(word - words.begin()));
    return true;
  }

  bool read_keys(const Node& entry, const Path& path) {
    if (const Node* kind = entry.find("kind"); kind && kind->text == server_word) return read_server(entry, path);
    Section section{reading_, &entry, path, SectionId::node, Absent::standard, Noted::on_one_line};
    NodeKind kind{NodeKind::host};
    if (!section.read("kind", kind)) return false;
    add(entry, path, kind);
    const bool accelerates = kind == NodeKind::wan_accelerator;
    for (const std::string_view key : {"gpus", "nics", "local"}) {
      if (section.given(key)) section.error(key, "a node of kind server has this key alone");
    }
    for (const std::string_view key : {"partner", "buffer"}) {
      if (!accelerates && section.given(key)) section.error(key, "a node of kind wan_accelerator has this key alone");
    }
    if (accelerates) {
      section.read("buffer", out_.accelerators.back().buffer);
      if (const Node* partner = section.given("partner")) {
        section.note("partner", yaml_text(partner->text));
        named_.partners.push_back({out_.accelerators.size() - 1, partner});
      }
    }
    NodeConfig& node = out_.nodes.back();
    if (kind != NodeKind::host) {
      section.read("tier", node.tier);
    } else if (section.given("tier")) {
      section.error("tier", "a host stands in tier 0; a switch has this key alone");
    }
    read_place(section, node);
    const bool whole = read_server_words(section, kind);
    section.finish();
    return whole;
  }

  bool read_server_words(Section& section, NodeKind kind) {
    const std::size_t before = reading_.errors.size();
    const NodeId id{out_.nodes.size() - 1};
    for (const std::string_view key : server_words) {
      const Node* given = section.given(key);
      if (!given) continue;
      const NodeKind bearer = key == "local_switch_of" ? NodeKind::switch_ : NodeKind::host;
      if (kind != bearer) {
        section.error(key, bearer == NodeKind::host ? "a host has this key alone" : "a switch has this key alone");
      } else if (!given->is_scalar() || given->text.empty()) {
        section.error(key, "expected a name, got " + shown(*given));
      } else {
        section.note(key, yaml_text(given->text));
        named_.server_words.push_back({id, key, given});
      }
    }
    if (section.given("local_port_of") && (section.given("server") || section.given("nic"))) {
      section.error("local_port_of", "the port of a GPU inside its server is no GPU itself; leave out server and nic");
    } else if (section.given("nic") && !section.given("server")) {
      section.error("nic", "says whose NIC a GPU uses; give its server, too");
    }
    if (reading_.errors.size() > before) return false;
    const Node* server = section.given("server");
    return !server || join(section, server->text, id);
  }

  /// Its server comes to be where its first GPU stands.
  bool join(Section& section, const std::string& name, NodeId gpu) {
    const auto [known, is_new] = servers_.emplace(name, out_.servers.size());
    if (is_new) {
      ServerConfig server;
      server.name = name;
      server.where = out_.nodes[gpu.index()].where;
      named_.spelled_servers.push_back(known->second);
      out_.servers.push_back(std::move(server));
    }
    // Servers are spelled in the order in which they come to be.
    if (!std::ranges::binary_search(named_.spelled_servers, known->second)) {
      section.error("server", "server \"" + name + "\" has all its GPUs already, from " +
                                  out_.servers[known->second].where.path + "; give this host another server");
      return false;
    }
    ServerConfig& server = out_.servers[known->second];
    server.gpus.push_back(gpu);
    server.nics.push_back(gpu);
    return true;
  }

  bool read_server(const Node& entry, const Path& path) {
    Section section{reading_, &entry, path, SectionId::node};
    section.note("kind", std::string{server_word});
    for (const std::string_view key :
         {"partner", "buffer", "tier", "place", "server", "nic", "local_port_of", "local_switch_of"}) {
      if (section.given(key)) section.error(key, "a server has no such key; its GPUs are hosts");
    }
    if (servers_.contains(entry.key)) {
      section.error("server \"" + entry.key + "\" is there already, from " + server_named(entry.key).where.path +
                    "; give one of them another name");
      return false;
    }
    std::size_t gpus = 8;
    std::optional<std::size_t> nics;
    const bool whole = section.read("gpus", gpus) && section.read("nics", nics);
    ServerConfig server;
    server.name = entry.key;
    server.where = reading_.sources.where(entry.key_place, path.text());
    const Node* local = section.given("local");
    if (local && !(local->is_scalar() && local->text == "none"))
      server.local = types_.read_kind(section, "local");
    else
      section.note("local", "none");
    if (!whole || !are_shared(section, gpus, nics.value_or(gpus), server.local.has_value())) return false;
    for (std::size_t gpu = 1; gpu <= gpus; ++gpu) {
      server.gpus.emplace_back(out_.nodes.size());
      out_.nodes.push_back({entry.key + "-gpu" + std::to_string(gpu), NodeKind::host, server.where, {}, {}});
    }
    for (const std::size_t owner : nic_owners(gpus, nics.value_or(gpus))) server.nics.push_back(server.gpus[owner]);
    servers_.emplace(entry.key, out_.servers.size());
    out_.servers.push_back(std::move(server));
    return true;
  }

  [[nodiscard]] const ServerConfig& server_named(const std::string& name) const {
    return out_.servers[servers_.at(name)];
  }

  static bool are_shared(Section& section, std::size_t gpus, std::size_t nics, bool has_local) {
    const std::string what = std::to_string(nics) + (nics == 1 ? " NIC" : " NICs");
    if (nics > gpus || gpus % nics != 0) {
      section.error("nics", what + " do not divide " + std::to_string(gpus) + (gpus == 1 ? " GPU" : " GPUs") +
                                " evenly; expected a divisor of " + std::to_string(gpus));
      return false;
    }
    if (nics == gpus || has_local) return true;
    section.error("nics", what + " for " + std::to_string(gpus) + " GPUs leave " + std::to_string(gpus - nics) +
                              " without one, which need the server's own link: give local, such as {rate: 256Gbps}");
    return false;
  }

  static void read_place(Section& section, NodeConfig& node) {
    const Node* given = section.given("place");
    if (!given) return;
    const auto degrees = [&](std::size_t item, double most) -> std::optional<double> {
      if (!given->is_list() || given->children.size() != 2) return std::nullopt;
      const std::string& text = given->children[item].text;
      double value = 0;
      const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
      const bool whole = failed == std::errc{} && end == text.data() + text.size();
      return whole && std::abs(value) <= most ? std::optional{value} : std::nullopt;
    };
    const auto latitude = degrees(0, 90);
    const auto longitude = degrees(1, 180);
    if (!latitude || !longitude) {
      return section.error("place",
                           "expected a latitude from -90 to 90 and a longitude from -180 to 180 degrees, such as "
                           "[43.06, 141.35], got " +
                               shown(*given));
    }
    node.place = Coordinates{*latitude, *longitude};
    section.note("place", '[' + given->children[0].text + ", " + given->children[1].text + ']');
  }

  void add(const Node& entry, const Path& path, NodeKind kind) {
    const Where where = reading_.sources.where(entry.key_place, path.text());
    if (kind == NodeKind::wan_accelerator) {
      AcceleratorConfig accelerator;
      accelerator.node = NodeId{out_.nodes.size()};
      accelerator.where = where;
      out_.accelerators.push_back(accelerator);
    }
    out_.nodes.push_back({entry.key, kind, where});
  }

  static constexpr std::string_view server_word{"server"};

  Reading& reading_;
  const LinkTypes& types_;
  TopologyConfig& out_;
  static constexpr std::array<std::string_view, 4> server_words{"server", "nic", "local_port_of", "local_switch_of"};
  NamedByNodes named_;
  std::unordered_map<std::string, std::size_t> servers_;  ///< all of them, by name
};

}  // namespace

NamedByNodes read_nodes(Section& topology, const LinkTypes& types, TopologyConfig& out) {
  const Node* node = topology.given("nodes");
  if (!node || (node->is_map() && node->children.empty())) {
    topology.note("nodes", "{}");
    return {};
  }
  if (!node->is_map()) {
    topology.reading().nodes_whole = false;
    topology.error("nodes", "expected a mapping such as {h1: host, s1: switch}, got " + shown(*node));
    return {};
  }
  return NodeReader{topology, types, out}.read(node->children, topology.at("nodes"));
}

void read_partners(Section& topology, const Names& names, const std::vector<PartnerName>& partners,
                   TopologyConfig& out) {
  Reading& reading = topology.reading();
  const Path nodes = topology.at("nodes");
  std::map<NodeId, AcceleratorConfig*> by_node;
  for (AcceleratorConfig& one : out.accelerators) by_node[one.node] = &one;
  const auto name = [&](NodeId node) { return '"' + out.nodes[node.index()].name + '"'; };
  for (const PartnerName& said : partners) {
    AcceleratorConfig& one = out.accelerators[said.accelerator];
    const Path node = nodes.key(out.nodes[one.node.index()].name);
    const Path path = node.key("partner");
    const auto found = names.find_accelerator(reading, *said.name, path);
    if (!found) {
      reading.links_whole = false;  // it has no partner, and that was told
      continue;
    }
    AcceleratorConfig& other = *by_node.at(*found);
    const auto taken = [&](NodeId whose, NodeId by) {
      reading.errors.add(said.name->place, path.text(),
                         name(whose) + " has the partner " + name(by) + " already; an accelerator has one");
    };
    if (*found == one.node) {
      reading.errors.add(said.name->place, path.text(),
                         name(one.node) + " cannot be its own partner; name the one at the far end of its long link");
    } else if (!one.partner.is_none() && one.partner != other.node) {
      taken(one.node, one.partner);
    } else if (!other.partner.is_none() && other.partner != one.node) {
      taken(other.node, other.partner);
    } else {
      one.partner = other.node;
      other.partner = one.node;
    }
  }
}

}  // namespace soya::reading
