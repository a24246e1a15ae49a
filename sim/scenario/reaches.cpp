#include "scenario/reaches.hpp"

#include <algorithm>
#include <deque>

namespace soya::reading {

namespace {

constexpr Rate fastest{std::numeric_limits<std::int64_t>::max()};
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
    longest_link = std::max({longest_link, link.forward_way(), link.reverse_way()});
    asymmetric_ = asymmetric_ || link.is_asymmetric();
  }
  for (const StaticRoute& route : topology_.routes) {
    for (const NodeId host : route.to) routes_[host][route.at] = route.via;
  }
  for (const AcceleratorConfig& one : topology_.accelerators) partners_[one.node] = one.partner;
  Duration longest_switch{0};
  std::size_t switches = 0;
  for (const NodeConfig& node : topology_.nodes) {
    const bool is_switch = node.kind == NodeKind::switch_;
    latencies_.push_back(is_switch ? scenario.switches[switches++].latency : Duration{0});
    longest_switch = std::max(longest_switch, latencies_.back());
  }
  // A path meets each switch and accelerator once at most.
  const std::size_t most_links = switches + topology_.accelerators.size() + 1;
  const Int128 bound = 2 * (static_cast<Int128>(most_links) * longest_link.picoseconds() +
                            static_cast<Int128>(switches) * longest_switch.picoseconds());
  longest_round_trip_ = Duration{static_cast<std::int64_t>(std::min<Int128>(bound, INT64_MAX))};
}

std::optional<Distance> Reaches::between(NodeId from, NodeId to) {
  const std::optional<Reach> there = one_way(from, to);
  if (!there) return std::nullopt;
  const bool alike = !asymmetric_ && routes_.count(from) == 0 && routes_.count(to) == 0;
  const std::optional<Reach> back = alike ? there : one_way(to, from);
  if (!back) return std::nullopt;
  return Distance{there->rate, plus(there->delay, back->delay), plus(there->hauls, back->hauls)};
}

std::optional<Reach> Reaches::one_way(NodeId from, NodeId to) {
  // A host has one link, so all hosts of a switch share its paths.
  const LinkConfig& first = topology_.links[links_[from.index()].front().index()];
  const LinkConfig& last = topology_.links[links_[to.index()].front().index()];
  if (first.peer_of(from) == to) {
    Reach direct{1, fastest, Duration{0}};
    go(direct, first, from);
    return direct;
  }
  const bool routed = routes_.count(to) != 0;
  const NodeId start = first.peer_of(from);
  const NodeId end = last.peer_of(to);
  if (computed_.count(routed ? end : start) == 0 && computed_.size() >= sources()) return std::nullopt;
  std::optional<Reach> reach = routed ? by_routes(start, end, to) : from_switch(start)[end.index()];
  if (!reach || !is_known(*reach)) return std::nullopt;
  go(*reach, first, from);
  go(*reach, last, end);
  return reach;
}

std::optional<Reach> Reaches::by_routes(NodeId start, NodeId end, NodeId host) {
  const std::vector<Reach>& distances = from_switch(end);
  const std::map<NodeId, NodeId>& routes = routes_.at(host);
  Reach reach{0, fastest, latency(start)};
  for (NodeId node = start; node != end;) {
    const auto route = routes.find(node);
    const auto leads_on = [&](LinkId id) {
      const NodeId peer = topology_.links[id.index()].peer_of(node);
      if (route != routes.end()) return peer == route->second;
      return is_known(distances[peer.index()]) && distances[peer.index()].hops < distances[node.index()].hops;
    };
    const std::vector<LinkId>& links = links_[node.index()];
    const auto next = std::find_if(links.begin(), links.end(), leads_on);
    // Routes in a loop are an error of the build.
    if (next == links.end() || reach.hops > static_cast<std::int64_t>(links_.size())) return std::nullopt;
    const LinkConfig& link = topology_.links[next->index()];
    go(reach, link, node);
    node = link.peer_of(node);
    reach.delay = plus(reach.delay, latency(node));
    ++reach.hops;
  }
  return reach;
}

void Reaches::go(Reach& reach, const LinkConfig& link, NodeId from) const {
  const auto partner = partners_.find(from);
  const bool answers = partner != partners_.end() && partner->second == link.peer_of(from);
  Duration& sum = answers ? reach.hauls : reach.delay;
  sum = plus(sum, link.one_way_from(from));
  reach.rate = std::min(reach.rate, link.rate_from(from));
}

std::size_t Reaches::sources() const {
  return std::clamp<std::size_t>(most_reaches / links_.size(), 1, most_sources);
}

const std::vector<Reach>& Reaches::from_switch(NodeId start) {
  const auto [entry, is_new] = computed_.try_emplace(start);
  std::vector<Reach>& reaches = entry->second;
  if (!is_new) return reaches;
  reaches.resize(topology_.nodes.size());
  reaches[start.index()] = {0, fastest, latency(start)};
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
      there = here;
      ++there.hops;
      go(there, link, node);
      there.delay = plus(there.delay, latency(peer));
      queue.push_back(peer);
    }
  }
  return reaches;
}

}  // namespace soya::reading
