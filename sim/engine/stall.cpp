// When nothing moves any more: is it a stall, and which pauses wait for each other?
#include <algorithm>
#include <map>
#include <optional>

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
    const Switch& peer = state_.switches[state_.routing->ports().switch_at(plug.peer).index()];
    std::vector<std::size_t> targets;
    for (std::size_t p = 0; p < peer.port_count(); ++p) {
      const auto target = index_.find({plug.peer.index(), p, egress.priority.value()});
      if (target == index_.end()) continue;
      bool holds = false;
      peer.for_each_waiting(state_.packets, PortId{p}, egress.priority,
                            [&](const Packet& packet) { holds |= packet.ingress == plug.peer_port.value(); });
      if (holds) targets.push_back(target->second);
    }
    return targets;
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

std::vector<std::string> SimulationState::pause_cycle() const {
  const PauseGraph graph{*this};
  std::vector<std::size_t> cycle = graph.cycle();
  if (cycle.empty()) return {};
  // Begins at the first name, so that the order of a file changes nothing.
  const auto name_of = [&](std::size_t i) -> const std::string& { return node_name(graph.at(i).at.node); };
  std::rotate(cycle.begin(),
              std::min_element(cycle.begin(), cycle.end(),
                               [&](std::size_t a, std::size_t b) { return name_of(a) < name_of(b); }),
              cycle.end());
  std::string names;
  Time since = Time{0};  // the wait is circular from the last of its pauses on
  for (const std::size_t i : cycle) {
    names += name_of(i) + ">";
    since = std::max(since, graph.at(i).since);
  }
  names += name_of(cycle.front());
  return {"pause cycle " + names + " on priority " + std::to_string(graph.at(cycle.front()).priority.value()) +
          " since " + time_text(since)};
}

/// When the last of what is to come by itself will have come: an end of compute, a start, a fault. The present where
/// nothing is to come.
Time SimulationState::asleep_until() const {
  Time last = context.now;
  if (next_fault < faults.size()) last = std::max(last, faults.back().at);
  for (const JobState& job : jobs) {
    for (const HostId host : job.hosts) {
      if (job.finished[host.index()] || !job.job->computing(host)) continue;
      const SourceId wake = job.wake[host.index()];
      SOYA_CHECK(events.pending(wake), "a job that goes on by itself has asked to be woken");
      last = std::max(last, events.time_of(wake));
    }
  }
  return last;
}

/// Whether a slow receiver still has frames to handle, and may resume its sender then.
bool SimulationState::receiver_works() const {
  return std::any_of(nics.begin(), nics.end(), [](const Nic& nic) { return nic.receive_occupancy() > Bytes{0}; });
}

/// Whether some egress is paused by a neighbour that no longer asks for it: its XON was lost or is under way.
bool SimulationState::pause_will_expire() const {
  const PortMap& map = routing->ports();
  for (std::size_t n = 0; n < map.node_count(); ++n) {
    for (std::size_t p = 0; p < map.ports_of(NodeId{n}).size(); ++p) {
      const PortLink& plug = map.at({NodeId{n}, PortId{p}});
      const unsigned paused = port_at({NodeId{n}, PortId{p}}).pause_clock.paused().bits();
      const unsigned asked = port_at({plug.peer, plug.peer_port}).pause_refresher.asking().bits();
      if ((paused & ~asked) != 0) return true;
    }
  }
  return false;
}

void SimulationState::check_stall() {
  const Time due = counters.last_data_start + circular_after;
  if (context.now < due) return events.schedule(stall_source, due, Phase::sample);
  // No check before the last sleeper wakes could find a stall: a job that computes for days costs one, not millions.
  const Time awake = asleep_until();
  if (awake > context.now || receiver_works() || pause_will_expire()) {
    return events.schedule(stall_source, std::max(awake, context.now + circular_after), Phase::sample);
  }
  stall_report = pause_cycle();
  if (stall_report.empty() && context.now < counters.last_data_start + stalled_after) {
    const Time whole = counters.last_data_start + stalled_after;
    return events.schedule(stall_source, std::min(whole, context.now + circular_after), Phase::sample);
  }
  ending = Ending::stalled;
}

}  // namespace soya
