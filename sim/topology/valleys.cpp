#include "topology/valleys.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace soya {
namespace {

class Ways {
 public:
  explicit Ways(const Routing& routing) : routing_{routing}, ports_{routing.ports()}, heights_(ports_.node_count(), 0) {
    std::vector<NodeId> next;
    for (std::size_t n = 0; n < heights_.size(); ++n) {
      if (ports_.is_host(NodeId{n})) next.push_back(NodeId{n});
    }
    for (std::size_t i = 0; i < next.size(); ++i) {
      for (const PortLink& link : ports_.ports_of(next[i])) {
        std::uint32_t& height = heights_[link.peer.index()];
        if (ports_.is_host(link.peer) || height != 0) continue;
        height = heights_[next[i].index()] + 1;
        if (height == 1) starts_.push_back(ports_.switch_at(link.peer));
        next.push_back(link.peer);
      }
    }
  }

  /// Whether frames from hosts anywhere to `destination` pass a valley.
  [[nodiscard]] bool has_valley(HostId destination) {
    seen_.assign(ports_.forwarder_count(), false);
    std::vector<SwitchId> next = starts_;
    for (const SwitchId at : next) seen_[at.index()] = true;
    while (!next.empty()) {
      const SwitchId at = next.back();
      next.pop_back();
      for (const PortId port : routing_.table(at).candidates(destination)) {
        const NodeId peer = ports_.at({ports_.node_of(at), port}).peer;
        if (ports_.is_host(peer)) continue;
        const std::uint32_t height = heights_[ports_.node_of(at).index()];
        if (heights_[peer.index()] == height) return true;
        const SwitchId there = ports_.switch_at(peer);
        if (heights_[peer.index()] < height && goes_up(there, destination)) return true;
        if (seen_[there.index()]) continue;
        seen_[there.index()] = true;
        next.push_back(there);
      }
    }
    return false;
  }

 private:
  [[nodiscard]] bool goes_up(SwitchId at, HostId destination) const {
    const NodeId node = ports_.node_of(at);
    return std::ranges::any_of(routing_.table(at).candidates(destination), [&](PortId port) {
      const NodeId peer = ports_.at({node, port}).peer;
      return heights_[peer.index()] >= heights_[node.index()];  // of hosts 0
    });
  }

  const Routing& routing_;
  const PortMap& ports_;
  std::vector<std::uint32_t> heights_;  ///< by NodeId: links to the nearest host
  std::vector<SwitchId> starts_;        ///< with hosts
  std::vector<bool> seen_;              ///< scratch, by SwitchId
};

}  // namespace

bool has_valleys(const Routing& routing) {
  Ways ways{routing};
  // Twins have the same neighbours and the same height, so that what leads to one has a valley where the other's has.
  return std::ranges::any_of(routing.one_host_of_each_column(),
                             [&](HostId destination) { return ways.has_valley(destination); });
}

}  // namespace soya
