// What describe.cpp puts together: the fabric as a mesh of switches, and the figures that Boost.Graph finds on it.
// Simplifies: parallel links of two switches are one neighbour of the mesh, and hosts of a switch are its own.
// Source: ours. Validated by tests/unit/topology/describe_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "topology/describe.hpp"

namespace soya {

/// The neighbour of a switch, over all links to it.
struct MeshNeighbour {
  std::uint32_t peer{0};
  std::uint32_t links{0};
  Rate rate{};         ///< towards the neighbour, summed
  Duration one_way{};  ///< the longest of them
  LinkId first{};
};

/// A host at its switch.
struct MeshHost {
  NodeId node{};
  Rate up{};
  Rate down{};
  Duration way_up{};
  Duration way_down{};
  bool in_first_half{false};
  bool in_second_half{false};
};

struct Mesh {
  std::vector<std::vector<MeshNeighbour>> neighbours;  ///< by SwitchId, by peer
  std::vector<std::vector<MeshHost>> hosts;            ///< by SwitchId, in the order of the topology
};

/// Maximum flow between the halves of the hosts.
[[nodiscard]] Bisection bisection_of(const Mesh& mesh);
/// Links that are the only way between two parts of the mesh.
[[nodiscard]] std::vector<LinkId> bridges_of(const Mesh& mesh);

}  // namespace soya
