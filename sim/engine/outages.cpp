#include "engine/outages.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "core/quantity_text.hpp"

namespace soya {

namespace {

/// A change of a link as the switches see it.
struct Notice {
  Time at;
  LinkId link;
  bool is_dead{true};
};

/// What the switches learn of a link that is down from `first` to `second` of each pair, in order and apart. Between
/// two outages it is not up for them unless it is up for as long as they take to learn of it.
void add_notices(LinkId link, const std::vector<std::pair<Time, Time>>& downs, Duration delay,
                 std::vector<Notice>& notices) {
  bool is_dead = false;
  for (std::size_t i = 0; i < downs.size(); ++i) {
    const auto [from, to] = downs[i];
    if (!is_dead && to - from > delay) {
      notices.push_back({from + delay, link, true});
      is_dead = true;
    }
    const bool stays_up = i + 1 == downs.size() || downs[i + 1].first - to > delay;
    if (is_dead && to != Time::never() && stays_up) {
      notices.push_back({to + delay, link, false});
      is_dead = false;
    }
  }
}

/// Sorted, and joined where they touch.
std::vector<std::pair<Time, Time>> joined(std::vector<std::pair<Time, Time>> spans) {
  std::ranges::sort(spans);
  std::vector<std::pair<Time, Time>> out;
  for (const auto& span : spans) {
    if (!out.empty() && span.first <= out.back().second) {
      out.back().second = std::max(out.back().second, span.second);
    } else {
      out.push_back(span);
    }
  }
  return out;
}

/// "without switch spine1, leaf1 - spine2; with leaf2 - spine2 again".
class Wording {
 public:
  explicit Wording(const Scenario& scenario) : topology_{scenario.topology}, outages_{outages_of(scenario)} {}

  [[nodiscard]] std::string text(const std::vector<Notice>& notices, Time at, Duration delay) const {
    std::string text;
    for (const bool is_dead : {true, false}) {
      const std::set<std::string> names = changed(notices, is_dead, at, delay);
      if (names.empty()) continue;
      text += (text.empty() ? "" : "; ") + std::string{is_dead ? "without " : "with "} + listed(names);
      if (!is_dead) text += " again";
    }
    return text;
  }

 private:
  [[nodiscard]] std::set<std::string> changed(const std::vector<Notice>& notices, bool is_dead, Time at,
                                              Duration delay) const {
    std::set<std::string> names;
    std::set<NodeId> switches;
    for (const Outage& outage : outages_) {
      if (outage.node.is_none()) continue;
      if (is_dead ? outage.from + delay != at : !outage.to || *outage.to + delay != at) continue;
      switches.insert(outage.node);
    }
    for (const Notice& notice : notices) {
      if (notice.is_dead != is_dead) continue;
      const LinkConfig& link = topology_.links[notice.link.index()];
      bool is_of_switch = false;
      for (const NodeId end : {link.a, link.b}) {
        if (!switches.contains(end)) continue;
        is_of_switch = true;
        names.insert("switch " + topology_.nodes[end.index()].name);
      }
      if (is_of_switch) continue;
      const auto [first, second] =
          std::minmax(topology_.nodes[link.a.index()].name, topology_.nodes[link.b.index()].name);
      names.insert("link " + first + " - " + second);
    }
    return names;
  }

  [[nodiscard]] static std::string listed(const std::set<std::string>& names) {
    constexpr std::size_t spelled_out = 4;
    std::string text;
    std::size_t count = 0;
    for (const std::string& name : names) {
      if (count == spelled_out) break;
      text += (count++ == 0 ? "" : ", ") + name;
    }
    if (names.size() > count) text += " and " + grouped(static_cast<std::int64_t>(names.size() - count)) + " more";
    return text;
  }

  const TopologyConfig& topology_;
  std::vector<Outage> outages_;
};

}  // namespace

std::vector<Outage> outages_of(const Scenario& scenario) {
  std::vector<Outage> outages;
  const auto add_link = [&](LinkId link, Time from, std::optional<Time> to) {
    outages.push_back({link, NodeId::none(), from, to});
  };
  for (const FaultConfig& fault : scenario.faults) {
    if (const auto* down = std::get_if<LinkDownFault>(&fault)) add_link(down->link, down->down, down->up);
    if (const auto* down = std::get_if<SwitchDownFault>(&fault)) {
      outages.push_back({LinkId::none(), down->node, down->down, down->up});
    }
    const auto* protection = std::get_if<ProtectionFault>(&fault);
    if (protection == nullptr || protection->outage == Duration{0}) continue;
    add_link(protection->link, protection->at, protection->at + protection->outage);
    const auto back = protection->until;
    if (back) add_link(protection->link, *back, *back + protection->outage);
  }
  std::ranges::stable_sort(outages, {}, [](const Outage& outage) { return std::pair{outage.from, outage.to}; });
  return outages;
}

std::vector<LinkId> links_of(const TopologyConfig& topology, const Outage& outage) {
  if (outage.node.is_none()) return {outage.link};
  std::vector<LinkId> links;
  for (std::size_t l = 0; l < topology.links.size(); ++l) {
    if (topology.links[l].a == outage.node || topology.links[l].b == outage.node) links.emplace_back(l);
  }
  return links;
}

std::vector<bool> dead_links_at_last(const Scenario& scenario) {
  std::vector<bool> dead(scenario.topology.links.size());
  for (const Outage& outage : outages_of(scenario)) {
    if (outage.to) continue;
    for (const LinkId link : links_of(scenario.topology, outage)) dead[link.index()] = true;
  }
  return dead;
}

std::vector<Reconvergence> reconvergences_of(const Scenario& scenario) {
  if (!scenario.routing.reconvergence) return {};
  const Duration delay = *scenario.routing.reconvergence;
  std::map<LinkId, std::vector<std::pair<Time, Time>>> downs;
  for (const Outage& outage : outages_of(scenario)) {
    for (const LinkId link : links_of(scenario.topology, outage)) {
      downs[link].emplace_back(outage.from, outage.to.value_or(Time::never()));
    }
  }
  std::vector<Notice> notices;
  for (auto& [link, spans] : downs) add_notices(link, joined(std::move(spans)), delay, notices);
  std::ranges::stable_sort(notices, {}, &Notice::at);

  const Wording wording{scenario};
  std::vector<Reconvergence> all;
  std::vector<bool> dead(scenario.topology.links.size());
  for (std::size_t n = 0; n < notices.size();) {
    std::vector<Notice> together;
    for (const Time at = notices[n].at; n < notices.size() && notices[n].at == at; ++n) together.push_back(notices[n]);
    for (const Notice& notice : together) dead[notice.link.index()] = notice.is_dead;
    const Time at = together.front().at;
    all.push_back({at, dead, wording.text(together, at, delay)});
  }
  return all;
}

std::vector<std::string> cut_off_hosts(const TopologyConfig& topology, const std::vector<bool>& dead) {
  std::vector<std::size_t> root(topology.nodes.size());
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&](std::size_t node) {
    while (root[node] != node) node = root[node] = root[root[node]];
    return node;
  };
  for (std::size_t l = 0; l < topology.links.size(); ++l) {
    if (!dead[l]) root[find(topology.links[l].a.index())] = find(topology.links[l].b.index());
  }
  std::map<std::size_t, std::vector<std::string>> parts;
  for (std::size_t n = 0; n < topology.nodes.size(); ++n) {
    if (topology.nodes[n].kind == NodeKind::host) parts[find(n)].push_back(topology.nodes[n].name);
  }
  // Of parts as large the one with the first name stays: the order of a file changes nothing.
  for (auto& [part, names] : parts) std::ranges::sort(names);
  const auto largest = std::ranges::max_element(parts, [](const auto& a, const auto& b) {
    return std::pair{a.second.size(), b.second.front()} < std::pair{b.second.size(), a.second.front()};
  });
  std::vector<std::string> cut_off;
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    if (part != largest) cut_off.insert(cut_off.end(), part->second.begin(), part->second.end());
  }
  std::ranges::sort(cut_off);
  return cut_off;
}

}  // namespace soya
