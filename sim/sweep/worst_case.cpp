#include "sweep/worst_case.hpp"

#include <algorithm>

#include "core/observer.hpp"
#include "engine/simulation.hpp"
#include "net/frame.hpp"
#include "sweep/bisect.hpp"
#include "sweep/worst_case_bench.hpp"

namespace soya {

namespace {

/// Phases beside the analytic worst, of the reverse frame and of the other group's.
constexpr int spaced = 4;

/// Notes the first frame that a switch refuses.
class FirstDrop final : public Observer {
 public:
  void observe(const Fact& fact) override {
    if (fact.kind == FactKind::frame_dropped && !time_) time_ = fact.time;
  }
  [[nodiscard]] const std::optional<Time>& time() const { return time_; }

 private:
  std::optional<Time> time_;
};

/// What one run shows of the sender's priority group.
struct Outcome {
  Bytes needed;
  std::optional<Duration> lost_after;  ///< the trigger frame is in
};

Outcome outcome(const WorstCaseBench& bench, Bytes headroom, const WorstCasePhase& phase, const StopQuestion& stopped) {
  Simulation simulation{bench.scenario(headroom, phase)};
  FirstDrop drop;
  simulation.observe(drop);
  StopMonitor monitor{stopped};
  const RunResults results = simulation.run(&monitor);
  if (!results.complete) throw SearchStopped{};
  Outcome found{};
  for (const QueueRow& row : results.queues) {
    if (row.lossless && row.port == WorstCaseBench::sender) found.needed = Bytes{row.headroom_needed_bytes};
  }
  if (drop.time()) found.lost_after = *drop.time() - bench.trigger();
  return found;
}

}  // namespace

HeadroomQuery query_of(const WorstCase& what) {
  const FrameSizes sizes{what.frame};
  HeadroomQuery query;
  query.rate = what.rate;
  query.reverse_rate = what.reverse_rate;
  query.one_way = what.one_way;
  query.way_back = what.way_back;
  query.largest_frame = what.message ? std::max(sizes.largest(what.operation), sizes.middle()) : sizes.middle();
  query.response = what.response;
  query.cell = what.cell;
  return query;
}

std::vector<WorstCasePhase> phases_of(const WorstCase& what) {
  const WorstCaseBench bench{what};
  const bool with_other = what.threshold == ThresholdKind::dynamic;
  // The middle of equal parts of the reverse frame's time, and of the two frame times before the trigger.
  std::vector<WorstCasePhase> phases{{Duration{1}, std::nullopt}};
  if (with_other) phases.front().other = bench.trigger_time() / 2;
  for (int i = 0; i < spaced; ++i) {
    const Duration reverse = (2 * i + 1) * bench.reverse_time() / (2 * spaced);
    if (!with_other) {
      phases.push_back({reverse, std::nullopt});
      continue;
    }
    for (int j = 0; j < spaced; ++j) phases.push_back({reverse, (2 * j + 1) * bench.trigger_time() / spaced});
  }
  return phases;
}

std::int64_t frames_in_flight(const WorstCase& what) {
  const HeadroomQuery query = query_of(what);
  return headroom_budget(query).in_flight().count() / query.largest_frame.count();
}

bool can_simulate(const WorstCase& what) {
  // The bench's buffer is at most thrice twice this with little beside it, and no buffer is larger than 1 TiB.
  constexpr Bytes most_headroom{std::int64_t{1} << 37};
  return frames_in_flight(what) <= most_frames_in_flight && headroom_budget(query_of(what)).automatic <= most_headroom;
}

std::optional<LostFrame> first_loss(const WorstCase& what, Bytes headroom, const StopQuestion& stopped) {
  const WorstCaseBench bench{what};
  for (const WorstCasePhase& phase : phases_of(what)) {
    const Outcome found = outcome(bench, headroom, phase, stopped);
    if (found.lost_after) return LostFrame{phase, *found.lost_after, found.needed};
  }
  return std::nullopt;
}

WorstCaseAnswer smallest_lossless(const WorstCase& what, const StopQuestion& stopped) {
  const WorstCaseBench bench{what};
  const Bytes automatic = headroom_budget(query_of(what)).automatic;
  WorstCaseAnswer answer;
  for (const WorstCasePhase& phase : phases_of(what)) {
    const Bytes needed = outcome(bench, automatic, phase, stopped).needed;
    ++answer.runs;
    if (needed <= answer.smallest) continue;
    answer.smallest = needed;
    answer.phase = phase;
  }
  const auto holds = [&](std::int64_t headroom) {
    answer.runs += std::ssize(phases_of(what));
    return !first_loss(what, Bytes{headroom}, stopped);
  };
  // What a frame is refused for counts as needed, so the measure is right whether or not the budget is enough.
  const BisectRange range{0, std::max(automatic, answer.smallest).count(), answer.smallest.count()};
  const BisectAnswer found = bisect(range, holds);
  answer.monotone = found.monotone;
  if (found.smallest) answer.smallest = Bytes{*found.smallest};
  return answer;
}

}  // namespace soya
