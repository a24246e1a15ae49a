// A topology written by names, for tests.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "topology/topology_config.hpp"

namespace soya::test {

class SmallTopology {
 public:
  SmallTopology& host(const std::string& name) { return node(name, NodeKind::host); }
  SmallTopology& switch_(const std::string& name) { return node(name, NodeKind::switch_); }
  SmallTopology& link(const std::string& a, const std::string& b) {
    LinkConfig link;
    link.a = id(a);
    link.b = id(b);
    config.links.push_back(link);
    return *this;
  }
  SmallTopology& link(const std::string& a, const std::string& b, Rate rate) {
    link(a, b);
    config.links.back().rate = rate;
    return *this;
  }
  /// The switch added last stands in `tier`.
  SmallTopology& in_tier(std::uint8_t tier) {
    config.nodes.back().tier = tier;
    return *this;
  }
  SmallTopology& route(const std::string& at, const std::vector<std::string>& to, const std::string& via) {
    StaticRoute route{id(at), {}, id(via), {}};
    for (const std::string& host : to) route.to.push_back(id(host));
    config.routes.push_back(std::move(route));
    return *this;
  }
  [[nodiscard]] NodeId id(const std::string& name) const {
    for (std::size_t i = 0; i < config.nodes.size(); ++i) {
      if (config.nodes[i].name == name) return NodeId{i};
    }
    throw std::out_of_range(name);
  }

  TopologyConfig config;

 private:
  SmallTopology& node(const std::string& name, NodeKind kind) {
    config.nodes.push_back({name, kind, {}});
    return *this;
  }
};

}  // namespace soya::test
