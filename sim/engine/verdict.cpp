// Is the run sound, and if not, why: where, when and how much.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "core/quantity_text.hpp"
#include "engine/state.hpp"
#include "workload/unfinished.hpp"

namespace soya {

namespace {

/// Lines of one kind that are spelled out; the rest are counted.
constexpr std::size_t spelled_out = 5;

/// Appends at most `spelled_out` of `lines`, the first of `count`, and says how many the others are.
void append(std::vector<std::string>& to, const std::vector<std::string>& lines, std::size_t count, const char* kind) {
  const std::size_t shown = std::min(lines.size(), spelled_out);
  to.insert(to.end(), lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(shown));
  if (count == shown) return;
  to.push_back(fmt::format("… and {} more {}", grouped(static_cast<std::int64_t>(count - shown)), kind));
}
void append(std::vector<std::string>& to, const std::vector<std::string>& lines, const char* kind) {
  append(to, lines, lines.size(), kind);
}

/// "1 frame", "2 frames".
[[nodiscard]] std::string counted(std::int64_t count, const char* what) {
  return fmt::format("{} {}{}", grouped(count), what, count == 1 ? "" : "s");
}

struct PlacedDrop {
  SwitchId where;
  std::string node;
  std::string port;
  LosslessDrop drop;
};

/// Which headroom was too small for the first frame lost, and what it would have taken.
[[nodiscard]] std::string headroom_shortage(const Switch& where, const LosslessDrop& drop) {
  const SharedBuffer& buffer = where.buffer();
  const auto [port, priority] = drop.group;
  const Headroom& headroom = buffer.headroom();
  const std::size_t group = port.index() * Priority::count + priority.index();
  const auto shortage = [](const char* what, Bytes size, Bytes needed) {
    return fmt::format("{} {}, needed at least {}, {} missing", what, bytes_text(size), bytes_text(needed),
                       bytes_text(needed - size));
  };
  switch (drop.limit) {
    case HeadroomLimit::pool:
      return shortage("shared headroom pool", headroom.carved(), headroom.total_needed());
    case HeadroomLimit::cap:
      return shortage("cap of a group in the shared headroom pool", headroom.size(group), headroom.needed(group));
    case HeadroomLimit::port:
      return shortage("headroom of the port", headroom.size(group), headroom.port_needed(group));
    case HeadroomLimit::none:
      return fmt::format("no headroom, needed at least {}", bytes_text(headroom.needed(group)));
    case HeadroomLimit::on_chip:
      return fmt::format("on-chip memory {} was full, {} missing: more arrives than is written off chip",
                         bytes_text(where.deep_memory()->on_chip_size()), bytes_text(drop.missing));
    case HeadroomLimit::group:
      break;
  }
  return shortage("headroom", headroom.size(group), headroom.needed(group));
}

[[nodiscard]] std::vector<std::string> lossless_drops(const SimulationState& state) {
  std::vector<PlacedDrop> drops;
  for (std::size_t s = 0; s < state.switches.size(); ++s) {
    const NodeId node = state.node_of(SwitchId{s});
    for (const LosslessDrop& drop : state.switches[s].lossless_drops()) {
      drops.push_back({SwitchId{s}, state.node_name(node), state.port_name(node, drop.group.port), drop});
    }
  }
  // By name, not by number: the order of a file changes nothing.
  std::sort(drops.begin(), drops.end(), [](const PlacedDrop& a, const PlacedDrop& b) {
    return std::tie(a.drop.time, a.node, a.port, a.drop.group.priority) <
           std::tie(b.drop.time, b.node, b.port, b.drop.group.priority);
  });
  std::vector<std::string> lines;
  for (const PlacedDrop& placed : drops) {
    const auto [port, priority] = placed.drop.group;
    const Switch& where = state.switches[placed.where.index()];
    lines.push_back(fmt::format("lossless drop at {} port {} priority {}: first at {}, {} in all; {}", placed.node,
                                placed.port, priority.value(), time_text(placed.drop.time),
                                counted(where.buffer().dropped_frames(port, priority), "frame"),
                                headroom_shortage(where, placed.drop)));
  }
  const auto at_switches = static_cast<std::ptrdiff_t>(lines.size());
  for (std::size_t h = 0; h < state.nics.size(); ++h) {
    const std::int64_t overruns = state.nics[h].counters().overruns;
    if (overruns == 0) continue;
    lines.push_back(fmt::format("lossless drop at host {}: its receive buffer refused {}",
                                state.node_name(state.node_of(HostId{h})), counted(overruns, "frame")));
  }
  for (std::uint32_t i = 0; i < state.accelerators.size(); ++i) {
    const std::int64_t refused = state.accelerators[i].counters().lossless_drops;
    if (refused == 0) continue;
    lines.push_back(fmt::format("lossless drop at wan_accelerator {}: its buffer refused {}",
                                state.node_name(state.routing->ports().node_of(AcceleratorId{i})),
                                counted(refused, "frame")));
  }
  std::sort(lines.begin() + at_switches, lines.end());
  return lines;
}

[[nodiscard]] std::vector<std::string> failed_queue_pairs(const SimulationState& state) {
  std::vector<std::string> lines;
  for (std::size_t h = 0; h < state.nics.size(); ++h) {
    const std::vector<QueuePair>& queue_pairs = state.nics[h].queue_pairs();
    for (std::size_t q = 0; q < queue_pairs.size(); ++q) {
      const Requester& requester = queue_pairs[q].requester;
      if (!requester.failed()) continue;
      const QueuePairOwner owner = state.owners[h][q];
      const std::string& connection = state.jobs[owner.job.index()].job->connections()[owner.connection].identity;
      const std::string& host = state.node_name(state.node_of(HostId{h}));
      if (requester.failure() == Requester::Failure::retries) {
        lines.push_back(fmt::format("retries exhausted at {}: connection {} gave up after {} without progress", host,
                                    connection, counted(requester.retries(), "time-out")));
      } else {
        lines.push_back(fmt::format("no receive posted at {}: connection {} of {} gave up after {} in a row",
                                    state.node_name(state.node_of(queue_pairs[q].peer)), connection, host,
                                    counted(requester.receiver_retries(), "RNR NAK")));
      }
    }
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// Links and switches that a fault took down while frames were on them: what retries and stalls mostly come from.
[[nodiscard]] std::vector<std::string> outages(const SimulationState& state) {
  std::map<std::pair<LinkId, NodeId>, std::string> when;
  for (const Outage& outage : outages_of(state.scenario)) {
    if (outage.from > state.now) continue;
    std::string& text = when[{outage.link, outage.node}];
    text += fmt::format("{} from {}{}", text.empty() ? "down" : ",", time_text(outage.from),
                        outage.to ? " to " + time_text(*outage.to) : std::string{" on"});
  }
  const PortMap& map = state.routing->ports();
  std::vector<std::string> lines;
  for (const auto& [what, text] : when) {
    const auto& [link, node] = what;
    std::int64_t lost = node.is_none() ? 0 : state.switches[map.switch_at(node).index()].losses().failure;
    for (const LinkId one : links_of(state.scenario.topology, {link, node, Time{0}, std::nullopt})) {
      const LinkPorts& ends = map.ends_of(one);
      lost += state.lost_towards(ends.a) + state.lost_towards(ends.b);
    }
    if (lost == 0) continue;
    if (!node.is_none()) {
      lines.push_back(fmt::format("switch {} was {}: {} lost in it and on its links", state.node_name(node), text,
                                  counted(lost, "frame")));
      continue;
    }
    // By name, not as the file lists them: the order of a file changes nothing.
    const LinkPorts& ends = map.ends_of(link);
    const auto [first, second] = std::minmax(state.node_name(ends.a.node), state.node_name(ends.b.node));
    lines.push_back(fmt::format("link {} to {} was {}: {} lost on it", first, second, text, counted(lost, "frame")));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// Hosts that no route leads to, as switches know it when the run ends.
[[nodiscard]] std::vector<std::string> cut_off(const SimulationState& state) {
  if (state.reconverged.empty() || state.reconverged.back().cut_off_hosts == 0) return {};
  const ReconvergenceRow& last = state.reconverged.back();
  std::int64_t no_path = 0;
  for (const Switch& one : state.switches) no_path += one.losses().no_path;
  const std::string lost = no_path == 0 ? "" : "; " + counted(no_path, "frame") + " lost for want of a path";
  return {fmt::format("cut off from {} on, {}: {} ({}){}", time_text(Time{last.time_ps}), last.what,
                      counted(last.cut_off_hosts, "host"), last.cut_off, lost)};
}

[[nodiscard]] std::string how_it_ended(const SimulationState& state) {
  const std::string now = time_text(state.now);
  switch (state.ending) {
    case Ending::stalled:
      return fmt::format("stalled: at {} no data frame had started for {}", now,
                         time_text(state.now - state.totals().last_data_start));
    case Ending::stopped:
      return state.now == Time{0} + longest_run ? fmt::format("unfinished at {}, where every run ends", now)
                                                        : fmt::format("unfinished at stop.after, {}", now);
    case Ending::drained:
      return fmt::format("unfinished: at {} nothing was left to happen", now);
    case Ending::interrupted:
      return fmt::format("interrupted at {}", now);
    case Ending::done:
      break;
  }
  return fmt::format("unfinished at {}", now);
}

/// What is not finished, a line each, and how many lines there would be if none were left out.
struct Unfinished {
  std::vector<std::string> lines;
  std::size_t count{0};
};

/// Flows with the bytes that have arrived, which a job cannot know.
void add_unfinished_flows(const SimulationState& state, JobId id, const FlowsConfig& config, Unfinished& to) {
  const JobState& job = state.jobs[id.index()];
  std::vector<std::int64_t> missing;
  for (const FlowConfig& flow : config.flows) missing.push_back(flow.messages);
  for (const TransferRecord& record : state.transfers) {
    if (record.job == id && record.finish != Time::never()) --missing[record.connection];
  }
  const std::vector<ConnectionConfig>& connections = job.job->connections();
  std::vector<std::size_t> unfinished;
  for (std::size_t c = 0; c < missing.size(); ++c) {
    if (missing[c] > 0) unfinished.push_back(c);
  }
  to.count += unfinished.size();
  // By name, as the drops.
  const std::size_t shown = std::min(unfinished.size(), spelled_out);
  std::partial_sort(unfinished.begin(), unfinished.begin() + static_cast<std::ptrdiff_t>(shown), unfinished.end(),
                    [&](std::size_t a, std::size_t b) { return connections[a].identity < connections[b].identity; });
  unfinished.resize(shown);
  for (const std::size_t c : unfinished) {
    const FlowConfig& flow = config.flows[c];
    const QueuePair& requester = state.nics[flow.from.index()].queue_pairs()[job.ends[c].at_a.index()];
    const QueuePair& responder = state.nics[flow.to.index()].queue_pairs()[job.ends[c].at_b.index()];
    const bool reads = flow.operation == Operation::read;
    to.lines.push_back(fmt::format("{}: {} of {} messages unfinished, {} of {} delivered",
                                   flow_label(job.job->name(), connections[c].identity), grouped(missing[c]),
                                   grouped(flow.messages), grouped(reads ? requester.requester.delivered() : responder.responder.delivered()),
                                   bytes_text(flow.messages * flow.size)));
  }
}

[[nodiscard]] Unfinished unfinished_work(const SimulationState& state) {
  Unfinished unfinished;
  for (std::size_t j = 0; j < state.jobs.size(); ++j) {
    if (const auto* flows = std::get_if<FlowsConfig>(&state.scenario.jobs[j])) {
      add_unfinished_flows(state, JobId{j}, *flows, unfinished);
      continue;
    }
    const JobReport report = state.jobs[j].job->report();
    unfinished.lines.insert(unfinished.lines.end(), report.unfinished.begin(), report.unfinished.end());
    unfinished.count += report.unfinished_count;
  }
  return unfinished;
}

}  // namespace

std::vector<std::string> SimulationState::why_not_sound() const {
  std::vector<std::string> why;
  append(why, lossless_drops(*this), "places with lossless drops");
  why.insert(why.end(), stall_report.begin(), stall_report.end());
  const std::vector<std::string> failed = failed_queue_pairs(*this);
  append(why, failed, "failed queue pairs");
  if (!failed.empty() || parts_unfinished() > 0) {
    append(why, cut_off(*this), "");
    append(why, outages(*this), "links and switches that were down");
  }
  append(why, undelivered(), "connections with bytes that were acknowledged and not delivered");
  const bool frames_left = ending == Ending::stalled || ending == Ending::drained;
  if (parts_unfinished() > 0 || (frames_left && (packets_in_use() > 0 || totals().asking > 0))) {
    why.push_back(how_it_ended(*this));
    const Unfinished unfinished = unfinished_work(*this);
    append(why, unfinished.lines, unfinished.count, "unfinished");
    if (parts_unfinished() == 0) why.push_back(counted(packets_in_use(), "frame") + " left in the fabric");
  }
  return why;
}

}  // namespace soya
