#include "scenario/names.hpp"

#include <algorithm>

#include "core/suggest.hpp"
#include "topology/servers.hpp"

namespace soya::reading {

namespace {

std::string_view kind_name(std::optional<NodeKind> kind) {
  if (!kind) return "node";
  if (*kind == NodeKind::wan_accelerator) return "wan_accelerator";
  return *kind == NodeKind::host ? "host" : "switch";
}

}  // namespace

Names::Names(const TopologyConfig& topology) : topology_{topology} {
  by_name_.reserve(topology.nodes.size());
  ordinal_.reserve(topology.nodes.size());
  std::size_t accelerator_count = 0;
  for (std::size_t i = 0; i < topology.nodes.size(); ++i) {
    by_name_.emplace(topology.nodes[i].name, NodeId{i});
    if (topology.nodes[i].kind == NodeKind::host) {
      ordinal_.push_back(static_cast<std::uint32_t>(hosts_.size()));
      hosts_.push_back(NodeId{i});
    } else if (topology.nodes[i].kind == NodeKind::wan_accelerator) {
      ordinal_.push_back(static_cast<std::uint32_t>(accelerator_count++));
    } else {
      ordinal_.push_back(static_cast<std::uint32_t>(switch_count_++));
    }
  }
  for (const ServerConfig& server : topology.servers) servers_.emplace(server.name, &server);
  rank_count_ = soya::rank_count(topology, hosts_.size());
}

std::optional<std::vector<HostId>> Names::gpus_of(const Node& node) const {
  if (!node.is_scalar()) return std::nullopt;
  const auto found = servers_.find(node.text);
  if (found == servers_.end() || this->node(node.text)) return std::nullopt;
  std::vector<HostId> gpus;
  for (const NodeId gpu : found->second->gpus) gpus.emplace_back(ordinal_[gpu.index()]);
  return gpus;
}

std::optional<NodeId> Names::node(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? std::nullopt : std::optional{found->second};
}

std::string Names::unknown(std::string_view name, std::optional<NodeKind> kind) const {
  const std::string what{kind_name(kind)};
  std::string out = "unknown " + what + " \"" + std::string{name} + '"';
  std::vector<std::string_view> candidates;
  for (const NodeConfig& node : topology_.nodes) {
    if (!kind || node.kind == *kind) candidates.push_back(node.name);
  }
  if (candidates.empty()) return out + "; the topology has no " + what;
  if (const auto near = nearest(name, candidates)) return out + "; did you mean \"" + std::string{*near} + "\"?";
  constexpr std::size_t listed = 8;
  out += "; known: ";
  for (std::size_t i = 0; i < candidates.size() && i < listed; ++i)
    out += (i == 0 ? "" : ", ") + std::string{candidates[i]};
  if (candidates.size() > listed) out += ", … (" + std::to_string(candidates.size()) + " in all)";
  return out;
}

std::optional<NodeId> Names::find(Reading& reading, std::string_view name, const Place& place, const Path& path,
                                  std::optional<NodeKind> kind) const {
  const auto found = node(name);
  if (!found) {
    if (!reading.nodes_whole) return std::nullopt;
    const bool suggest = reading.errors.few();
    reading.errors.add(
        place, path.text(),
        suggest ? unknown(name, kind) : "unknown " + std::string{kind_name(kind)} + " \"" + std::string{name} + '"');
    return std::nullopt;
  }
  const NodeKind is = topology_.nodes[found->index()].kind;
  if (kind && is != *kind) {
    reading.errors.add(place, path.text(),
                       '"' + std::string{name} + "\" is a " + std::string{kind_name(is)} + "; expected a " +
                           std::string{kind_name(kind)});
    return std::nullopt;
  }
  return found;
}

std::optional<NodeId> Names::find_node(Reading& reading, const Node& node, const Path& path) const {
  if (!node.is_scalar()) {
    reading.errors.add(node.place, path.text(), "expected the name of a node, got " + shown(node));
    return std::nullopt;
  }
  return find(reading, node.text, node.place, path, std::nullopt);
}

std::optional<HostId> Names::find_host(Reading& reading, const Node& node, const Path& path) const {
  if (!node.is_scalar()) {
    reading.errors.add(node.place, path.text(), "expected the name of a host, got " + shown(node));
    return std::nullopt;
  }
  if (const auto server = servers_.find(node.text); server != servers_.end() && !this->node(node.text)) {
    reading.errors.add(node.place, path.text(),
                       '"' + node.text + "\" is a server; name one of its GPUs, such as \"" +
                           topology_.nodes[server->second->gpus.front().index()].name + '"');
    return std::nullopt;
  }
  const auto found = find(reading, node.text, node.place, path, NodeKind::host);
  if (!found) return std::nullopt;
  const HostId host{ordinal_[found->index()]};
  if (host.index() < rank_count_) return host;
  reading.errors.add(
      node.place, path.text(),
      '"' + node.text + "\" is a GPU's port inside its server; name the GPU, \"" + gpu_of_port(*found) + '"');
  return std::nullopt;
}

const std::string& Names::gpu_of_port(NodeId port) const {
  for (const ServerConfig& server : topology_.servers) {
    const auto at = std::ranges::find(server.local_ports, port);
    if (at != server.local_ports.end())
      return topology_.nodes[server.gpus[static_cast<std::size_t>(at - server.local_ports.begin())].index()].name;
  }
  return topology_.nodes[port.index()].name;
}

std::optional<NodeId> Names::find_accelerator(Reading& reading, const Node& node, const Path& path) const {
  if (!node.is_scalar()) {
    reading.errors.add(node.place, path.text(), "expected the name of a wan_accelerator, got " + shown(node));
    return std::nullopt;
  }
  return find(reading, node.text, node.place, path, NodeKind::wan_accelerator);
}

std::optional<SwitchId> Names::find_switch(Reading& reading, std::string_view name, const Place& place,
                                           const Path& path) const {
  const auto found = find(reading, name, place, path, NodeKind::switch_);
  return found ? std::optional{SwitchId{ordinal_[found->index()]}} : std::nullopt;
}

}  // namespace soya::reading
