// Which of several ports that are as good a frame takes, where more than the flow's hash decides.
// Simplifies: a flow is known by its whole hash, and never forgotten; a choice takes no time and sees this switch
// alone, its queues as they are when the frame arrives. Source: Dixit et al., INFOCOM 2013 (spraying); Vanini et al.,
// NSDI 2017 (flowlets); Ghorbani et al., SIGCOMM 2017 (the shortest queue). Validated by
// tests/unit/fabric/path_choice_test.cpp and tests/analytic/routing_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "core/random.hpp"
#include "core/units.hpp"
#include "net/packet.hpp"
#include "topology/routing.hpp"
#include "topology/routing_config.hpp"

namespace soya {

/// Of one switch.
class PathChoice final {
 public:
  PathChoice(const RoutingConfig& config, RandomStream stream) : config_{config}, stream_{stream} {}

  /// None where there is no path. `queued(port)` are the bytes that wait for a port in the frame's priority.
  template <class Queued>
  [[nodiscard]] PortId choose(const RoutingTable& routes, const Packet& packet, Time now, Queued queued) {
    const std::span<const PortId> ports = routes.candidates(packet.destination);
    if (ports.empty()) return PortId::none();
    if (ports.size() == 1) return ports[0];
    switch (config_.policy) {
      case RoutingPolicy::spray:
        return config_.spray == SprayOrder::random ? random_of(ports) : next_in_turn(ports);
      case RoutingPolicy::adaptive:
        return least_queued(ports, packet.flow_hash, queued);
      case RoutingPolicy::flowlet: {
        Flowlet& flowlet = flowlet_of(packet.flow_hash);
        if (is_new(flowlet, ports, now)) {
          flowlet.port = config_.flowlet == FlowletChoice::random ? random_of(ports)
                                                                  : least_queued(ports, packet.flow_hash, queued);
        }
        flowlet.last = now;
        return flowlet.port;
      }
      case RoutingPolicy::ecmp:
      case RoutingPolicy::weighted:
        break;
    }
    return routes.next_port(packet.destination, packet.flow_hash);
  }

  /// The routes are others from now on.
  void rerouted() { turns_.clear(); }

 private:
  struct Turn {
    const PortId* set{nullptr};  ///< the candidates, of which each set is stored once
    std::uint32_t next{0};
  };
  struct Flowlet {
    std::uint64_t flow_hash{0};
    Time last{Time::never()};  ///< when its last frame came; never: the place is empty
    PortId port;
  };

  [[nodiscard]] static std::size_t part_of(std::uint64_t hash, std::size_t count) {
    return static_cast<std::size_t>(((hash >> 32) * count) >> 32);
  }
  [[nodiscard]] PortId random_of(std::span<const PortId> ports) { return ports[part_of(stream_(), ports.size())]; }
  [[nodiscard]] PortId next_in_turn(std::span<const PortId> ports);
  [[nodiscard]] Flowlet& flowlet_of(std::uint64_t flow_hash);
  [[nodiscard]] bool is_new(const Flowlet& flowlet, std::span<const PortId> ports, Time now) const;
  void grow();

  /// Of those with equally few bytes the one that the flow's hash says.
  template <class Queued>
  [[nodiscard]] static PortId least_queued(std::span<const PortId> ports, std::uint64_t flow_hash, Queued queued) {
    Bytes least = queued(ports[0]);
    std::size_t equal = 1;
    for (const PortId port : ports.subspan(1)) {
      const Bytes bytes = queued(port);
      if (bytes > least) continue;
      equal = bytes < least ? 1 : equal + 1;
      least = bytes;
    }
    std::size_t skipped = part_of(mix(flow_hash), equal);
    for (const PortId port : ports) {
      if (queued(port) == least && skipped-- == 0) return port;
    }
    return ports[0];
  }

  RoutingConfig config_;
  RandomStream stream_;
  std::vector<Turn> turns_;        ///< in the order in which their sets were first used
  std::vector<Flowlet> flowlets_;  ///< open addressing, a power of two, at most half full
  std::size_t flows_{0};
};

}  // namespace soya
