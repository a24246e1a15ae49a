// When nothing moves any more: is it a stall, and which pauses wait for each other?
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/quantity_text.hpp"
#include "engine/state.hpp"

namespace soya {

namespace {

/// A direction of a link that is paused for one priority: the egress that may not send.
struct PausedEgress {
  PortRef at;
  Priority priority;
  Time since;
};

class PauseGraph {
 public:
  explicit PauseGraph(const SimulationState& state) : state_{state} { collect(); }

  /// The first cycle of paused egresses, in the order in which each waits for the next; empty when there is none.
  [[nodiscard]] std::vector<std::size_t> cycle() const {
    std::vector<int> colour(paused_.size(), 0);
    std::vector<std::size_t> path;
    for (std::size_t start = 0; start < paused_.size(); ++start) {
      if (colour[start] == 0 && visit(start, colour, path)) return path;
    }
    return {};
  }
  [[nodiscard]] const PausedEgress& at(std::size_t i) const { return paused_[i]; }

 private:
  void collect() {
    const PortMap& map = state_.routing->ports();
    for (std::size_t n = 0; n < map.node_count(); ++n) {
      const NodeId node{n};
      for (std::size_t p = 0; p < map.ports_of(node).size(); ++p) {
        const Port& port = state_.port_at({node, PortId{p}});
        for (std::uint8_t priority = 0; priority < Priority::count; ++priority) {
          if (!port.pause_clock.paused().contains(Priority{priority})) continue;
          const PortRef ref{node, PortId{p}};
          index_[{node.index(), p, priority}] = paused_.size();
          paused_.push_back({ref, Priority{priority}, port.pause_clock.paused_since(Priority{priority})});
        }
      }
    }
  }

  /// The paused egresses that `i` waits for: those whose queues, in the node that paused `i`, hold frames that came
  /// from `i`.
  [[nodiscard]] std::vector<std::size_t> waits_for(std::size_t i) const {
    const PausedEgress& egress = paused_[i];
    const PortLink& plug = state_.routing->ports().at(egress.at);
    if (state_.routing->ports().is_host(plug.peer)) return {};
    if (state_.routing->ports().is_accelerator(plug.peer)) return waits_beyond(plug.peer, egress.priority);
    const Switch& peer = state_.switches[state_.routing->ports().switch_at(plug.peer).index()];
    std::vector<std::size_t> targets;
    for (std::size_t p = 0; p < peer.port_count(); ++p) {
      const auto target = index_.find({plug.peer.index(), p, egress.priority.value()});
      if (target == index_.end()) continue;
      bool holds = false;
      peer.for_each_waiting(PortId{p}, egress.priority,
                            [&](const WaitingFrame& frame) { holds |= frame.ingress == plug.peer_port; });
      if (holds) targets.push_back(target->second);
    }
    return targets;
  }

  /// An accelerator that is full waits for its partner, which has no room while the egress to its site is paused.
  [[nodiscard]] std::vector<std::size_t> waits_beyond(NodeId accelerator, Priority priority) const {
    const PortMap& map = state_.routing->ports();
    const Accelerator& near = state_.accelerator_at(accelerator);
    const NodeId partner = map.at({accelerator, near.haul_port()}).peer;
    const Accelerator& far = state_.accelerator_at(partner);
    const auto target = index_.find({partner.index(), far.site_port().index(), priority.value()});
    if (target == index_.end() || far.inbound().held() == Bytes{0}) return {};
    return {target->second};
  }

  /// Depth first; leaves the cycle in `path` when it finds one.
  bool visit(std::size_t i, std::vector<int>& colour, std::vector<std::size_t>& path) const {
    colour[i] = 1;
    path.push_back(i);
    for (const std::size_t next : waits_for(i)) {
      if (colour[next] == 1) {
        path.erase(path.begin(), std::find(path.begin(), path.end(), next));
        return true;
      }
      if (colour[next] == 0 && visit(next, colour, path)) return true;
    }
    colour[i] = 2;
    path.pop_back();
    return false;
  }

  const SimulationState& state_;
  std::vector<PausedEgress> paused_;
  std::map<std::tuple<std::size_t, std::size_t, std::uint8_t>, std::size_t> index_;
};

}  // namespace

PauseCycle SimulationState::pause_cycle() const {
  const PauseGraph graph{*this};
  std::vector<std::size_t> cycle = graph.cycle();
  if (cycle.empty()) return {};
  // Begins at the first name, so that the order of a file changes nothing.
  const auto name_of = [&](std::size_t i) -> const std::string& { return node_name(graph.at(i).at.node); };
  std::rotate(cycle.begin(),
              std::min_element(cycle.begin(), cycle.end(),
                               [&](std::size_t a, std::size_t b) { return name_of(a) < name_of(b); }),
              cycle.end());
  PauseCycle found;
  Time since = Time{0};  // the wait is circular from the last of its pauses on
  for (const std::size_t i : cycle) {
    found.nodes.push_back(graph.at(i).at.node);
    found.text += name_of(i) + ">";
    since = std::max(since, graph.at(i).since);
  }
  found.text = "pause cycle " + found.text + name_of(cycle.front()) + " on priority " +
               std::to_string(graph.at(cycle.front()).priority.value()) + " since " + time_text(since);
  return found;
}

/// When the next of what is to come by itself comes: an end of compute, a start, a fault. Nothing where nothing is to
/// come after the present.
std::optional<Time> SimulationState::next_awake() const {
  Time next = Time::never();
  if (next_fault < faults.size()) next = faults[next_fault].at;
  for (const JobState& job : jobs) {
    for (const HostId host : job.hosts) {
      if (job.finished[host.index()] != 0 || !job.job->computing(host)) continue;
      const SourceId wake = job.wake[host.index()];
      const EventQueue& events = home_of(host).events;
      SOYA_CHECK(events.pending(wake), "a job that goes on by itself has asked to be woken");
      if (events.time_of(wake) > now) next = std::min(next, events.time_of(wake));
    }
  }
  if (next == Time::never()) return std::nullopt;
  return next;
}

/// When the next scripted fault comes that could end a circular wait: a release at a node that the wait depends on, or
/// a link or switch of them that goes down, whose pauses then end. Whatever jobs do later, only adds frames.
std::optional<Time> SimulationState::next_fault_for(const PauseCycle& cycle) const {
  const PortMap& map = routing->ports();
  std::set<NodeId> nodes;
  std::vector<NodeId> unseen = cycle.nodes;
  while (!unseen.empty()) {
    const NodeId node = unseen.back();
    unseen.pop_back();
    if (!nodes.insert(node).second || map.is_host(node)) continue;
    const auto plugs = map.ports_of(node);
    for (std::size_t p = 0; p < plugs.size(); ++p) {
      if (!port_at({node, PortId{p}}).pause_clock.paused().empty()) unseen.push_back(plugs[p].peer);
    }
  }
  for (std::size_t f = next_fault; f < faults.size(); ++f) {
    const FaultStep& step = faults[f];
    switch (step.kind) {
      case FaultStep::Kind::link_down: {
        const LinkPorts& ends = map.ends_of(step.link);
        if (nodes.contains(ends.a.node) && nodes.contains(ends.b.node)) return step.at;
        break;
      }
      case FaultStep::Kind::switch_down:
      case FaultStep::Kind::release:
        if (nodes.contains(step.node)) return step.at;
        break;
      default:  // what arrives takes another way, what waits stays
        break;
    }
  }
  return std::nullopt;
}

/// Whether a NIC goes on by itself: a slow receiver that still has frames to handle, and may resume its sender then, or
/// one that waits for a time to end, such as that of an RNR NAK.
bool SimulationState::receiver_works() const {
  return std::any_of(nics.begin(), nics.end(),
                     [](const Nic& nic) { return nic.receive_occupancy() > Bytes{0} || nic.waits(); });
}

/// Whether a frame is on its way to or from off-chip memory, and may be sent or resume a sender then.
bool SimulationState::memory_works() const {
  return std::any_of(switches.begin(), switches.end(), [](const Switch& one) {
    return one.deep_memory() != nullptr && one.deep_memory()->moving();
  });
}

/// Whether some egress is paused by a neighbour that no longer asks for it, since its XON was lost or is under way, or
/// that cannot ask, since the link is down.
bool SimulationState::pause_will_expire() const {
  const PortMap& map = routing->ports();
  for (std::size_t n = 0; n < map.node_count(); ++n) {
    for (std::size_t p = 0; p < map.ports_of(NodeId{n}).size(); ++p) {
      const PortLink& plug = map.at({NodeId{n}, PortId{p}});
      const unsigned paused = port_at({NodeId{n}, PortId{p}}).pause_clock.paused().bits();
      const unsigned asked = port_at({plug.peer, plug.peer_port}).pause_refresher.asking().bits();
      if ((paused & ~asked) != 0) return true;
      if (paused != 0 && is_down_towards({NodeId{n}, PortId{p}})) return true;
    }
  }
  return false;
}

void SimulationState::check_stall() {
  const auto look_again = [&](Time at) { script.schedule(stall_source, at, Phase::sample); };
  const Time due = totals().last_data_start + circular_after;
  if (now < due) return look_again(due);
  const Time soon = now + circular_after;
  if (receiver_works() || memory_works() || pause_will_expire()) return look_again(soon);
  const PauseCycle cycle = pause_cycle();
  if (cycle.nodes.empty()) {
    // No check before the next sleeper wakes could find a stall: a job that computes for days costs one, not millions.
    // What it wakes for may have to wait for replies first.
    if (const std::optional<Time> awake = next_awake()) return look_again(std::max(*awake + circular_after, soon));
    const Time whole = totals().last_data_start + stalled_after;
    if (now < whole) return look_again(std::min(whole, soon));
  } else {
    // No sleeper ends a circular wait, and its pauses are refreshed all the while. A fault takes a while to do so.
    if (const std::optional<Time> fault = next_fault_for(cycle)) return look_again(*fault + circular_after);
    stall_report = {cycle.text};
  }
  ending = Ending::stalled;
}

}  // namespace soya
