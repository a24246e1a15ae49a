// Is the run sound, and if not, why: where, when and how much.
#include <algorithm>

#include <fmt/format.h>

#include "engine/state.hpp"

namespace soya {

namespace {

/// Lines of one kind that are spelled out; the rest are counted.
constexpr std::size_t spelled_out = 5;

[[nodiscard]] std::string microseconds(Time time) {
  return fmt::format("{:.3f} us", static_cast<double>(time.picoseconds()) * 1e-6);
}

/// Appends at most `spelled_out` of `lines` and a count of the others.
void append(std::vector<std::string>& to, const std::vector<std::string>& lines, const char* kind) {
  const std::size_t shown = std::min(lines.size(), spelled_out);
  to.insert(to.end(), lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(shown));
  if (lines.size() > shown) to.push_back(fmt::format("… and {} more {}", lines.size() - shown, kind));
}

struct PlacedDrop {
  SwitchId where;
  LosslessDrop drop;
};

[[nodiscard]] std::vector<std::string> lossless_drops(const SimulationState& state) {
  std::vector<PlacedDrop> drops;
  for (std::size_t s = 0; s < state.switches.size(); ++s) {
    for (const LosslessDrop& drop : state.switches[s].lossless_drops()) drops.push_back({SwitchId{s}, drop});
  }
  std::sort(drops.begin(), drops.end(), [&](const PlacedDrop& a, const PlacedDrop& b) {
    if (a.drop.time != b.drop.time) return a.drop.time < b.drop.time;
    return a.where != b.where ? a.where < b.where : a.drop.group < b.drop.group;
  });
  std::vector<std::string> lines;
  for (const PlacedDrop& placed : drops) {
    const auto [port, priority] = placed.drop.group;
    const NodeId node = state.node_of(placed.where);
    const SharedBuffer& buffer = state.switches[placed.where.index()].buffer();
    const std::int64_t configured = buffer.headroom_size(port, priority).count();
    const std::int64_t needed = buffer.headroom_needed(port, priority).count();
    lines.push_back(fmt::format(
        "lossless drop at {} port {} priority {}: first at {}, {} frames in all; headroom {} B, needed {} B, {} B missing",
        state.node_name(node), state.port_name(node, port), priority.value(), microseconds(placed.drop.time),
        buffer.dropped_frames(port, priority), configured, needed, needed - configured));
  }
  for (std::size_t h = 0; h < state.nics.size(); ++h) {
    const std::int64_t overruns = state.nics[h].counters().overruns;
    if (overruns == 0) continue;
    lines.push_back(fmt::format("lossless drop at host {}: its receive buffer refused {} frames",
                                state.node_name(state.node_of(HostId{h})), overruns));
  }
  return lines;
}

[[nodiscard]] std::vector<std::string> failed_queue_pairs(const SimulationState& state) {
  std::vector<std::string> lines;
  for (std::size_t h = 0; h < state.nics.size(); ++h) {
    const std::vector<QueuePair>& queue_pairs = state.nics[h].queue_pairs();
    for (std::size_t q = 0; q < queue_pairs.size(); ++q) {
      if (!queue_pairs[q].requester.failed()) continue;
      const QueuePairOwner owner = state.owners[h][q];
      lines.push_back(fmt::format("retries exhausted at {}: connection {} gave up after {} time-outs without progress",
                                  state.node_name(state.node_of(HostId{h})),
                                  state.jobs[owner.job.index()].job->connections()[owner.connection].identity,
                                  queue_pairs[q].requester.retries()));
    }
  }
  return lines;
}

[[nodiscard]] std::string how_it_ended(const SimulationState& state) {
  const std::string now = microseconds(state.context.now);
  switch (state.ending) {
    case Ending::stalled:
      return fmt::format("stalled: at {} no data frame had started for {} us", now,
                         state.stalled_after.picoseconds() / 1'000'000);
    case Ending::stopped: return fmt::format("unfinished at stop.after, {}", now);
    case Ending::drained: return fmt::format("unfinished: at {} nothing was left to happen", now);
    case Ending::interrupted: return fmt::format("interrupted at {}", now);
    case Ending::done: break;
  }
  return fmt::format("unfinished at {}", now);
}

}  // namespace

std::vector<std::string> SimulationState::why_not_sound() const {
  std::vector<std::string> why;
  append(why, lossless_drops(*this), "places with lossless drops");
  why.insert(why.end(), stall_report.begin(), stall_report.end());
  append(why, failed_queue_pairs(*this), "failed queue pairs");
  const bool frames_left = ending == Ending::stalled || ending == Ending::drained;
  if (parts_unfinished > 0 || (frames_left && !quiet())) {
    why.push_back(how_it_ended(*this));
    std::vector<std::string> unfinished;
    for (const JobState& job : jobs) {
      for (const std::string& line : job.job->report().unfinished) unfinished.push_back(job.job->name() + ": " + line);
    }
    append(why, unfinished, "unfinished");
    if (parts_unfinished == 0) why.push_back(fmt::format("{} frames were left in the fabric", packets.in_use()));
  }
  return why;
}

}  // namespace soya
