#include "scenario/reaches.hpp"

#include <algorithm>
#include <deque>

namespace soya::reading {

namespace {

constexpr std::size_t most_sources = 256;
constexpr std::size_t most_reaches = 4'000'000;

bool is_known(const Reach& reach) {
  return reach.hops != Reach{}.hops;
}

}  // namespace

Reaches::Reaches(const Scenario& scenario) : topology_{scenario.topology}, links_(topology_.nodes.size()) {
  Duration longest_link{0};
  for (std::size_t i = 0; i < topology_.links.size(); ++i) {
    const LinkConfig& link = topology_.links[i];
    links_[link.a.index()].push_back(LinkId{i});
    links_[link.b.index()].push_back(LinkId{i});
    longest_link = std::max(longest_link, link.one_way());
  }
  Duration longest_switch{0};
  std::size_t switches = 0;
  for (const NodeConfig& node : topology_.nodes) {
    const bool is_switch = node.kind == NodeKind::switch_;
    latencies_.push_back(is_switch ? scenario.switches[switches++].latency : Duration{0});
    longest_switch = std::max(longest_switch, latencies_.back());
  }
  // A shortest path meets each switch once at most.
  const Int128 bound = 2 * (static_cast<Int128>(switches + 1) * longest_link.picoseconds() +
                            static_cast<Int128>(switches) * longest_switch.picoseconds());
  longest_round_trip_ = Duration{static_cast<std::int64_t>(std::min<Int128>(bound, INT64_MAX))};
}

std::optional<Reach> Reaches::between(NodeId from, NodeId to) {
  // A host has one link, so all hosts of a switch share its paths.
  const LinkConfig& first = topology_.links[links_[from.index()].front().index()];
  const LinkConfig& last = topology_.links[links_[to.index()].front().index()];
  if (first.peer_of(from) == to) return Reach{1, first.rate_from(from), first.one_way()};
  if (computed_.count(first.peer_of(from)) == 0 && computed_.size() >= sources()) return std::nullopt;
  Reach reach = from_switch(first.peer_of(from))[last.peer_of(to).index()];
  if (!is_known(reach)) return std::nullopt;
  reach.rate = std::min({reach.rate, first.rate_from(from), last.rate_from(last.peer_of(to))});
  reach.delay += first.one_way() + last.one_way();
  return reach;
}

std::size_t Reaches::sources() const {
  return std::clamp<std::size_t>(most_reaches / links_.size(), 1, most_sources);
}

const std::vector<Reach>& Reaches::from_switch(NodeId start) {
  const auto [entry, is_new] = computed_.try_emplace(start);
  std::vector<Reach>& reaches = entry->second;
  if (!is_new) return reaches;
  reaches.resize(topology_.nodes.size());
  reaches[start.index()] = {0, Rate{std::numeric_limits<std::int64_t>::max()}, latency(start)};
  std::deque<NodeId> queue{start};
  while (!queue.empty()) {
    const NodeId node = queue.front();
    queue.pop_front();
    const Reach& here = reaches[node.index()];
    for (const LinkId id : links_[node.index()]) {
      const LinkConfig& link = topology_.links[id.index()];
      const NodeId peer = link.peer_of(node);
      Reach& there = reaches[peer.index()];
      if (is_known(there)) continue;
      there = {here.hops + 1, std::min(here.rate, link.rate_from(node)), here.delay + link.one_way() + latency(peer)};
      queue.push_back(peer);
    }
  }
  return reaches;
}

}  // namespace soya::reading
