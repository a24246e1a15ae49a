// The fabric as an explicit list of nodes and links: what families generate and what the engine builds from.
// Simplifies: a link is full duplex; its directions are independent and may differ in rate.
// Validated by tests/unit/topology.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnostic.hpp"
#include "core/ids.hpp"
#include "core/loss_config.hpp"
#include "core/units.hpp"

namespace soya {

enum class NodeKind { host, switch_, wan_accelerator };

/// Where a node stands on the Earth, in degrees north and east.
struct Coordinates {
  double latitude{0};
  double longitude{0};
  bool operator==(const Coordinates&) const = default;
};

struct NodeConfig {
  std::string name{};  ///< unique, UTF-8
  NodeKind kind{NodeKind::host};
  Where where{};
  std::optional<std::uint8_t> tier{};   ///< of a switch: 1 next to the hosts, 2 above; absent: by distance (tiers.hpp)
  std::optional<Coordinates> place{};   ///< known where a map said so
};

/// A link between two nodes. `between[0]` to `between[1]` is the forward direction.
struct LinkConfig {
  NodeId a{};
  NodeId b{};
  Rate rate{100'000'000'000};               ///< forward rate
  std::optional<Rate> reverse_rate{};       ///< b to a, where it differs
  Length length{3'000};                     ///< cable length, a to b
  std::optional<Length> reverse_length{};   ///< b to a, where it goes another way
  Duration per_kilometre{5'000'000};        ///< 5 µs/km: refractive index about 1.5; 4.9–5.13 in the field
  Duration delay{0};                        ///< fixed transport delay added to the propagation, a to b
  std::optional<Duration> reverse_delay{};  ///< b to a, where it differs
  std::optional<LossConfig> loss{};         ///< each way by itself; absent: nothing is lost at random
  Where where{};

  [[nodiscard]] Rate rate_from(NodeId node) const { return node == a ? rate : reverse_rate.value_or(rate); }
  [[nodiscard]] NodeId peer_of(NodeId node) const { return node == a ? b : a; }
  [[nodiscard]] Length length_from(NodeId node) const { return node == a ? length : reverse_length.value_or(length); }
  [[nodiscard]] Duration delay_from(NodeId node) const { return node == a ? delay : reverse_delay.value_or(delay); }
  /// Transport delay included.
  [[nodiscard]] Duration forward_way() const { return propagation(length, per_kilometre) + delay; }
  [[nodiscard]] Duration reverse_way() const {
    return propagation(reverse_length.value_or(length), per_kilometre) + reverse_delay.value_or(delay);
  }
  [[nodiscard]] Duration one_way_from(NodeId node) const { return node == a ? forward_way() : reverse_way(); }
  [[nodiscard]] Duration round_trip() const { return forward_way() + reverse_way(); }
  [[nodiscard]] bool is_asymmetric() const { return forward_way() != reverse_way(); }
};

/// A route set by hand: at the switch `at`, frames for the hosts `to` leave towards the neighbour `via`, whatever the
/// shortest path is. `via` is a switch, or the one host of `to`.
struct StaticRoute {
  NodeId at{};
  std::vector<NodeId> to{};
  NodeId via{};
  Where where{};
};

/// One of the two boxes at the ends of a long link that acknowledge for the far side (wan/accelerator.hpp). It has two
/// links: one to its partner and one to its site.
struct AcceleratorConfig {
  NodeId node{};
  NodeId partner{};           ///< none until it is read
  Bytes buffer{67'108'864};  ///< for each direction; 64 MiB hold a round trip of 300 km at 100G, 37.5 MB, and headroom
  Where where{};
};

/// A server of several GPUs. Each GPU is a host, whose NIC is its own or that of another GPU of the server. Where the
/// server has a link of its own (NVLink), each GPU has a second port: a host, too, that only the engine knows.
struct ServerConfig {
  std::string name{};
  std::vector<NodeId> gpus{};         ///< hosts, by index of the GPU
  std::vector<NodeId> nics{};         ///< by GPU: the host whose NIC it uses; itself where it has one
  std::optional<LinkConfig> local{};  ///< the link of each GPU inside the server, where there is one
  NodeId local_switch{};              ///< the server's own switch; none where there is no local link
  std::vector<NodeId> local_ports{};  ///< by GPU: hosts on that switch, behind all other hosts; empty where there is none
  Where where{};
};

/// The whole graph. A node's id is its index in `nodes`, a link's its index in `links`.
struct TopologyConfig {
  std::string name{};
  std::vector<NodeConfig> nodes{};
  std::vector<LinkConfig> links{};
  std::vector<AcceleratorConfig> accelerators{};  ///< by AcceleratorId, in the order of `nodes`
  std::vector<ServerConfig> servers{};
  std::vector<StaticRoute> routes{};  ///< none twice for the same switch and host
};

}  // namespace soya
