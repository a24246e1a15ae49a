// Servers whose nodes are given one by one: whose NIC a GPU uses, its port inside, and the server's own switch.
#include <algorithm>
#include <optional>
#include <utility>

#include "scenario/decode.hpp"

namespace soya::reading {

namespace {

std::string in_quotes(const std::string& name) {
  return '"' + name + '"';
}

/// The same link told from its other end.
LinkConfig turned(LinkConfig link) {
  const Rate rate = link.rate;
  const Length length = link.length;
  const Duration delay = link.delay;
  std::swap(link.a, link.b);
  if (link.reverse_rate) link.rate = *std::exchange(link.reverse_rate, rate);
  if (link.reverse_length) link.length = *std::exchange(link.reverse_length, length);
  if (link.reverse_delay) link.delay = *std::exchange(link.reverse_delay, delay);
  return link;
}

class ServerReader {
 public:
  ServerReader(Section& topology, const Names& names, const NamedByNodes& named, TopologyConfig& out)
      : topology_{topology}, reading_{topology.reading()}, names_{names}, named_{named}, out_{out} {
    gpus_.resize(out_.nodes.size());
    for (std::size_t s = 0; s < out_.servers.size(); ++s) {
      const std::vector<NodeId>& gpus = out_.servers[s].gpus;
      for (std::size_t g = 0; g < gpus.size(); ++g) gpus_[gpus[g].index()] = Gpu{s, g};
    }
  }

  void read() {
    const std::size_t before = reading_.errors.size();
    each("nic", &ServerReader::read_nic);
    each("nic", &ServerReader::check_nic);
    each("local_switch_of", &ServerReader::read_switch);
    each("local_port_of", &ServerReader::read_port);
    // Without all links, whose ends are wrong cannot be told.
    const bool whole = reading_.links_whole && reading_.nodes_whole;
    if (whole && reading_.errors.size() == before) finish();
    if (!whole || reading_.errors.size() > before) forget();
  }

 private:
  /// Which GPU of which server.
  struct Gpu {
    std::size_t server{0};
    std::size_t index{0};
  };

  void each(std::string_view key, void (ServerReader::*read_word)(const ServerWord&)) {
    for (const ServerWord& word : named_.server_words) {
      if (word.key == key) (this->*read_word)(word);
    }
  }

  [[nodiscard]] std::string name(NodeId node) const { return in_quotes(out_.nodes[node.index()].name); }

  void complain(const ServerWord& word, std::string message) {
    const Path nodes = topology_.at("nodes");
    const Path node = nodes.key(out_.nodes[word.node.index()].name);
    const Path path = node.key(word.key);
    reading_.errors.add(word.name->place, path.text(), std::move(message));
  }

  /// Of a node that is known to have said it.
  void complain(NodeId node, std::string_view key, std::string message) {
    const auto word = std::ranges::find_if(named_.server_words,
                                           [&](const ServerWord& one) { return one.node == node && one.key == key; });
    complain(*word, std::move(message));
  }

  [[nodiscard]] std::optional<NodeId> find(const ServerWord& word) {
    const Path nodes = topology_.at("nodes");
    const Path node = nodes.key(out_.nodes[word.node.index()].name);
    const Path path = node.key(word.key);
    return names_.find_node(reading_, *word.name, path);
  }

  [[nodiscard]] bool is_spelled(std::size_t server) const {
    return std::ranges::binary_search(named_.spelled_servers, server);
  }

  void read_nic(const ServerWord& word) {
    const auto owner = find(word);
    if (!owner || !gpus_[word.node.index()]) return;  // told
    const Gpu& borrower = *gpus_[word.node.index()];
    const std::optional<Gpu>& lender = gpus_[owner->index()];
    ServerConfig& server = out_.servers[borrower.server];
    if (!lender || lender->server != borrower.server) {
      return complain(word, name(*owner) + " is no GPU of server " + in_quotes(server.name));
    }
    server.nics[borrower.index] = *owner;
  }

  void check_nic(const ServerWord& word) {
    if (!gpus_[word.node.index()]) return;
    const Gpu& borrower = *gpus_[word.node.index()];
    const ServerConfig& server = out_.servers[borrower.server];
    const NodeId lender = server.nics[borrower.index];
    const NodeId its = server.nics[gpus_[lender.index()]->index];
    if (its != lender) complain(word, name(lender) + " has no NIC to lend; it uses that of " + name(its));
  }

  void read_switch(const ServerWord& word) {
    const auto of_name = [&](std::size_t s) { return out_.servers[s].name == word.name->text; };
    const auto found = std::ranges::find_if(named_.spelled_servers, of_name);
    if (found == named_.spelled_servers.end()) {
      if (!reading_.nodes_whole) return;
      return complain(word, "no host says server: " + yaml_text(word.name->text) + ", as the GPUs of this server do");
    }
    NodeId& known = out_.servers[*found].local_switch;
    if (!known.is_none()) {
      return complain(word, "server " + in_quotes(word.name->text) + " has a switch already, " + name(known));
    }
    known = word.node;
  }

  void read_port(const ServerWord& word) {
    const auto host = find(word);
    if (!host) return;
    const std::optional<Gpu>& gpu = gpus_[host->index()];
    if (!gpu || !is_spelled(gpu->server)) {
      return complain(word, name(*host) + " is no GPU that says server: NAME");
    }
    ServerConfig& server = out_.servers[gpu->server];
    const NodeId nic = server.nics[gpu->index];
    if (nic != *host) {
      return complain(word, name(*host) + " uses the NIC of " + name(nic) +
                                ", so its own link leads to the server's switch, and it has no other port");
    }
    server.local_ports.resize(server.gpus.size());
    NodeId& known = server.local_ports[gpu->index];
    if (!known.is_none()) return complain(word, name(*host) + " has a port inside its server already, " + name(known));
    known = word.node;
  }

  void finish() {
    std::vector<const LinkConfig*> links(out_.nodes.size(), nullptr);
    for (const LinkConfig& link : out_.links) links[link.a.index()] = links[link.b.index()] = &link;
    for (const std::size_t s : named_.spelled_servers) {
      ServerConfig& server = out_.servers[s];
      if (server.local_switch.is_none()) {
        check_without_switch(server);
        continue;
      }
      server.local_ports.resize(server.gpus.size());
      for (std::size_t gpu = 0; gpu < server.gpus.size(); ++gpu) finish_port(server, gpu, links);
      const NodeId first = server.local_ports.front();
      const LinkConfig* local = first.is_none() ? nullptr : links[first.index()];
      if (!local) continue;  // told
      server.local = local->a == first ? *local : turned(*local);
      server.local->a = server.local->b = NodeId{};
    }
  }

  /// Others read on after an error, and no server is to be half there.
  void forget() {
    for (const std::size_t s : named_.spelled_servers) {
      ServerConfig& server = out_.servers[s];
      server.nics = server.gpus;
      server.local_ports.clear();
      server.local_switch = NodeId{};
    }
  }

  void check_without_switch(const ServerConfig& server) {
    const std::string advice = "give it one, {kind: switch, local_switch_of: " + yaml_text(server.name) + '}';
    for (std::size_t gpu = 0; gpu < server.gpus.size(); ++gpu) {
      const NodeId host = server.gpus[gpu];
      if (server.nics[gpu] != host) {
        complain(host, "nic", "a GPU without a NIC needs a switch of server " + in_quotes(server.name) + "; " + advice);
      } else if (!server.local_ports.empty() && !server.local_ports[gpu].is_none()) {
        complain(server.local_ports[gpu], "local_port_of",
                 "server " + in_quotes(server.name) + " has no switch for this port; " + advice);
      }
    }
  }

  void finish_port(ServerConfig& server, std::size_t gpu, const std::vector<const LinkConfig*>& links) {
    const NodeId host = server.gpus[gpu];
    NodeId& port = server.local_ports[gpu];
    const bool has_nic = server.nics[gpu] == host;
    if (!has_nic) port = host;
    if (port.is_none()) {
      return complain(host, "server",
                      "server " + in_quotes(server.name) + " has the switch " + name(server.local_switch) +
                          ", and this GPU has no port there; give it one, {kind: host, local_port_of: " +
                          yaml_text(out_.nodes[host.index()].name) + '}');
    }
    const LinkConfig* link = links[port.index()];
    if (!link || link->peer_of(port) == server.local_switch) return;  // a host without a link is told elsewhere
    complain(port, has_nic ? "local_port_of" : "nic",
             "its link leads to " + name(link->peer_of(port)) + ", not to " + name(server.local_switch) +
                 ", the switch of server " + in_quotes(server.name));
  }

  Section& topology_;
  Reading& reading_;
  const Names& names_;
  const NamedByNodes& named_;
  TopologyConfig& out_;
  std::vector<std::optional<Gpu>> gpus_;  ///< by node
};

}  // namespace

void read_servers(Section& topology, const Names& names, const NamedByNodes& named, TopologyConfig& out) {
  if (named.server_words.empty()) return;
  ServerReader{topology, names, named, out}.read();
}

}  // namespace soya::reading
