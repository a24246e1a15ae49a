// What all families share: runs of nodes of one tier, and links of one kind between them.
// Simplifies: nothing. Source: ours. Validated by tests/unit/topology/families_test.cpp.
// Not included outside sim/topology/families*.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "topology/topology_config.hpp"

namespace soya {

/// Nodes that were appended one after another.
struct NodeRun {
  std::size_t first{0};
  std::size_t count{0};

  [[nodiscard]] NodeId at(std::size_t k) const { return NodeId{first + k}; }
};

struct LinkEnds {
  NodeId a;
  NodeId b;
};

class FamilyBuilder {
 public:
  FamilyBuilder(TopologyConfig& topology, const std::string& prefix, const Where& where)
      : topology_{topology}, prefix_{prefix}, where_{where} {}

  NodeId host(const std::string& name) { return node(name, NodeKind::host, 0); }
  NodeId switch_(const std::string& name, std::size_t tier) { return node(name, NodeKind::switch_, tier); }

  /// {prefix}host1…
  NodeRun hosts(std::size_t count) {
    return run(count, [&](std::size_t k) { host("host" + std::to_string(k)); });
  }
  /// {prefix}{stem}1…
  NodeRun switches(const std::string& stem, std::size_t count, std::size_t tier) {
    return run(count, [&](std::size_t k) { switch_(stem + std::to_string(k), tier); });
  }
  /// {prefix}{group}1-{stem}1…, `each` of them to a group.
  NodeRun grouped(const std::string& group, const std::string& stem, std::size_t groups, std::size_t each,
                  std::size_t tier) {
    return run(groups * each, [&](std::size_t k) {
      switch_(group + std::to_string((k - 1) / each + 1) + '-' + stem + std::to_string((k - 1) % each + 1), tier);
    });
  }

  void link(const LinkConfig& kind, const LinkEnds& ends) {
    LinkConfig link = kind;
    link.a = ends.a;
    link.b = ends.b;
    link.where = where_;
    topology_.links.push_back(std::move(link));
  }
  /// `each` hosts to a switch, in order.
  void hang(const LinkConfig& kind, const NodeRun& hosts, const NodeRun& switches, std::size_t each) {
    for (std::size_t h = 0; h < hosts.count; ++h) link(kind, {hosts.at(h), switches.at(h / each)});
  }

 private:
  NodeId node(const std::string& name, NodeKind kind, std::size_t tier) {
    const NodeId id{topology_.nodes.size()};
    NodeConfig& node = topology_.nodes.emplace_back();
    node.name = prefix_ + name;
    node.kind = kind;
    node.where = where_;
    if (kind != NodeKind::host) node.tier = static_cast<std::uint8_t>(tier);
    return id;
  }

  /// `add` is called with 1 to `count`.
  template <class Add>
  NodeRun run(std::size_t count, const Add& add) {
    const NodeRun out{topology_.nodes.size(), count};
    topology_.nodes.reserve(out.first + count);
    for (std::size_t k = 1; k <= count; ++k) add(k);
    return out;
  }

  TopologyConfig& topology_;
  const std::string& prefix_;
  const Where& where_;
};

[[nodiscard]] constexpr std::size_t counted(std::int64_t number) {
  return static_cast<std::size_t>(number);
}

}  // namespace soya
