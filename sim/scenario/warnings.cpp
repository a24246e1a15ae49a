#include <algorithm>
#include <deque>
#include <limits>
#include <map>

#include "scenario/decode.hpp"

namespace soya::reading {

namespace {

std::string time_text(Duration time) {
  return format_number(time.picoseconds(), Dimension::duration);
}
std::string size_text(std::int64_t bytes) {
  return format_number(bytes, Dimension::size);
}

void warn_at(Reading& reading, const Where& where, std::string message) {
  reading.warnings.add(Place{}, Diagnostic{where, std::move(message)});
}

const std::vector<HostId>* hosts_of(const JobConfig& job) {
  if (const auto* ddp = std::get_if<DdpConfig>(&job)) return &ddp->hosts;
  if (const auto* all_reduce = std::get_if<AllReduceConfig>(&job)) return &all_reduce->hosts;
  return nullptr;
}

void warn_idle_hosts(const Scenario& scenario, const Names& names, Reading& reading) {
  std::vector<bool> works(names.host_count(), false);
  for (const JobConfig& job : scenario.jobs) {
    if (const auto* hosts = hosts_of(job)) {
      for (const HostId host : *hosts) works[host.index()] = true;
    } else {
      for (const FlowConfig& flow : std::get<FlowsConfig>(job).flows)
        works[flow.from.index()] = works[flow.to.index()] = true;
    }
  }
  const auto idle = std::count(works.begin(), works.end(), false);
  if (idle == 0) return;
  constexpr std::size_t listed = 5;
  std::string list;
  std::size_t count = 0;
  for (std::size_t i = 0; i < works.size() && count <= listed; ++i) {
    if (works[i]) continue;
    list += count == 0 ? "" : ", ";
    list += count < listed ? names.name(HostId{i}) : "…";
    ++count;
  }
  warn_at(reading, Where{{}, 0, 0, "workload"},
          std::to_string(idle) + (idle == 1 ? " host has" : " hosts have") + " no work: " + list +
              "; check that this is meant");
}

void warn_early_stop(const Scenario& scenario, Reading& reading) {
  if (!scenario.stop.after) return;
  std::optional<Time> first;
  for (const JobConfig& job : scenario.jobs) {
    const auto* flows = std::get_if<FlowsConfig>(&job);
    if (!flows) return;
    for (const FlowConfig& flow : flows->flows) first = first ? std::min(*first, flow.start) : flow.start;
  }
  if (!first || Time{0} + *scenario.stop.after > *first) return;
  warn_at(reading, scenario.where("stop.after"),
          "the run ends at " + time_text(*scenario.stop.after) + " and the first flow starts at " +
              time_text(*first - Time{0}) + ", so nothing is sent");
}

/// What a shortest path does to a window: its slowest rate and its delay one way.
struct Reach {
  std::int64_t hops{std::numeric_limits<std::int64_t>::max()};
  Rate rate{0};
  Duration delay{0};
};

/// Shortest paths from one node to all others, computed once for each node that asks. In a fabric of thousands of
/// leaves the first ones speak for all, and the larger it is, the fewer they are: a warning is worth a second at most.
class Reaches {
 public:
  static constexpr std::size_t most_sources = 256;
  static constexpr std::size_t most_reaches = 4'000'000;

  explicit Reaches(const TopologyConfig& topology) : topology_{topology}, links_(topology.nodes.size()) {
    for (std::size_t i = 0; i < topology.links.size(); ++i) {
      links_[topology.links[i].a.index()].push_back(LinkId{i});
      links_[topology.links[i].b.index()].push_back(LinkId{i});
    }
  }

  Reach between(NodeId from, NodeId to) {
    // A host has one link, so all hosts of a switch share its paths.
    const LinkConfig& first = topology_.links[links_[from.index()].front().index()];
    const LinkConfig& last = topology_.links[links_[to.index()].front().index()];
    if (first.peer_of(from) == to) return {1, first.rate_from(from), first.one_way()};
    const bool known = computed_.count(first.peer_of(from)) != 0;
    if (!known && computed_.size() >= sources()) return {};
    Reach reach = from_switch(first.peer_of(from))[last.peer_of(to).index()];
    if (reach.hops == Reach{}.hops) return reach;
    reach.rate = std::min({reach.rate, first.rate_from(from), last.rate_from(last.peer_of(to))});
    reach.delay += first.one_way() + last.one_way();
    return reach;
  }

 private:
  [[nodiscard]] std::size_t sources() const {
    return std::clamp<std::size_t>(most_reaches / links_.size(), 1, most_sources);
  }

  const std::vector<Reach>& from_switch(NodeId start) {
    const auto [entry, is_new] = computed_.try_emplace(start);
    std::vector<Reach>& reach = entry->second;
    if (!is_new) return reach;
    reach.resize(topology_.nodes.size());
    reach[start.index()] = {0, Rate{std::numeric_limits<std::int64_t>::max()}, Duration{0}};
    std::deque<NodeId> queue{start};
    while (!queue.empty()) {
      const NodeId node = queue.front();
      queue.pop_front();
      for (const LinkId id : links_[node.index()]) extend(reach, node, topology_.links[id.index()], queue);
    }
    return reach;
  }

  static void extend(std::vector<Reach>& reach, NodeId node, const LinkConfig& link, std::deque<NodeId>& queue) {
    const NodeId peer = link.peer_of(node);
    Reach& there = reach[peer.index()];
    if (there.hops != Reach{}.hops) return;
    const Reach& here = reach[node.index()];
    there = {here.hops + 1, std::min(here.rate, link.rate_from(node)), here.delay + link.one_way()};
    queue.push_back(peer);
  }

  const TopologyConfig& topology_;
  std::vector<std::vector<LinkId>> links_;
  std::map<NodeId, std::vector<Reach>> computed_;
};

/// Bytes in flight that keep the slowest link of a path busy: rate × round trip.
std::int64_t in_flight(const Reach& reach) {
  return bytes_in(reach.delay * 2, reach.rate).count();
}

class WindowCheck {
 public:
  WindowCheck(const Scenario& scenario, const Names& names, Reading& reading)
      : scenario_{scenario}, names_{names}, reading_{reading}, reaches_{scenario.topology} {}

  void flows(const FlowsConfig& job) {
    for (const FlowConfig& flow : job.flows) {
      const int depth = scenario_.nics[flow.from.index()].queue_depth;
      if (flow.messages <= depth) continue;
      const Reach reach = reaches_.between(names_.node(flow.from), names_.node(flow.to));
      if (reach.hops == Reach{}.hops) continue;
      const Int128 window = static_cast<Int128>(depth) * flow.size.count();
      if (window >= in_flight(reach)) continue;
      // One flow says it for its job: the others mostly differ in their ends only.
      return warn_at(reading_, flow.where,
                     "queue_depth " + std::to_string(depth) + " x " + size_text(flow.size.count()) +
                         " is less than the " + size_text(in_flight(reach)) + " that fill the path; " +
                         ends(flow.from, flow.to) + " cannot reach line rate; check nic.queue_depth");
    }
  }

  void ring(const std::vector<HostId>& hosts, const RingConfig& ring, const Where& where) {
    const Int128 window = static_cast<Int128>(ring.channels) * ring.slots * ring.slice.count();
    for (std::size_t rank = 0; rank < hosts.size() && hosts.size() > 1; ++rank) {
      const HostId next = hosts[(rank + 1) % hosts.size()];
      const Reach reach = reaches_.between(names_.node(hosts[rank]), names_.node(next));
      if (reach.hops == Reach{}.hops || window >= in_flight(reach)) continue;
      return warn_at(reading_, where,
                     std::to_string(ring.channels) + " channels x " + std::to_string(ring.slots) + " slots x " +
                         size_text(ring.slice.count()) + " are less than the " + size_text(in_flight(reach)) +
                         " that fill the path; " + ends(hosts[rank], next) +
                         " cannot reach line rate; check ring.channels and ring.slots");
    }
  }

 private:
  [[nodiscard]] std::string ends(HostId from, HostId to) const { return names_.name(from) + " to " + names_.name(to); }

  const Scenario& scenario_;
  const Names& names_;
  Reading& reading_;
  Reaches reaches_;
};

void warn_small_windows(const Scenario& scenario, const Names& names, Reading& reading) {
  WindowCheck check{scenario, names, reading};
  for (const JobConfig& job : scenario.jobs) {
    if (const auto* flows = std::get_if<FlowsConfig>(&job)) check.flows(*flows);
    if (const auto* all_reduce = std::get_if<AllReduceConfig>(&job))
      check.ring(all_reduce->hosts, all_reduce->ring, all_reduce->where);
    if (const auto* ddp = std::get_if<DdpConfig>(&job)) check.ring(ddp->hosts, ddp->ring, ddp->where);
  }
}

}  // namespace

void warn(const Scenario& scenario, const Names& names, Reading& reading) {
  if (scenario.jobs.empty()) {
    warn_at(reading, Where{{}, 0, 0, "workload"}, "is empty: nothing will be sent");
    return;
  }
  warn_idle_hosts(scenario, names, reading);
  warn_early_stop(scenario, reading);
  warn_small_windows(scenario, names, reading);
}

}  // namespace soya::reading
