#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "workload/ddp_job.hpp"
#include "workload/intervals.hpp"
#include "workload/unfinished.hpp"

namespace soya {

JobReport DdpProgram::report() const {
  JobReport report;
  std::size_t ended = steps_;
  for (const Rank& rank : ranks_) ended = std::min(ended, rank.steps.size());
  for (std::size_t step = 0; step < ended; ++step) report.steps.push_back(step_report(step));
  report_collectives(report);
  UnfinishedLines lines;
  for (int rank = 0; rank < group_.ranks(); ++rank) {
    if (!done(rank)) lines.add([&] { return unfinished(rank); });
  }
  report.unfinished_count = lines.count();
  report.unfinished = std::move(lines).take();
  return report;
}

StepReport DdpProgram::step_report(std::size_t step) const {
  StepReport report;
  report.step = static_cast<int>(step);
  report.forward = forward_;
  report.backward = backward_;
  report.sent_per_rank_min = ranks_.front().steps[step].sent;
  for (int rank = 0; rank < group_.ranks(); ++rank) add_rank(report, step, rank);
  return report;
}

/// Takes the longest of each time; a rank's times count from its own start of the step.
void DdpProgram::add_rank(StepReport& report, std::size_t step, int rank) const {
  const StepRecord& record = rank_state(rank).steps[step];
  const Duration length = record.ended - record.begun;
  const Duration compute_end = forward_ + backward_;
  // One rank sends nothing: the all-reduces that it begins and ends at once are no communication.
  if (!buckets_.empty() && group_.ranks() > 1) {
    const Time first = log_.of(rank, step * buckets_.size()).begun;
    const Time last = log_.of(rank, (step + 1) * buckets_.size() - 1).ended;
    report.communication = std::max(report.communication, last - first);
    report.exposed = std::max(report.exposed, last - (record.begun + compute_end));
  }
  const Duration computed = covered({{Duration{0}, compute_end}, {length - optimiser_, length}});
  report.idle = std::max(report.idle, length - computed);
  report.step_time = std::max(report.step_time, length);
  report.sent_total += record.sent;
  report.sent_per_rank_min = std::min(report.sent_per_rank_min, record.sent);
  report.sent_per_rank_max = std::max(report.sent_per_rank_max, record.sent);
}

void DdpProgram::report_collectives(JobReport& report) const {
  for (std::size_t k = 0; k < steps_ * buckets_.size(); ++k) {
    const std::optional<CollectiveLog::Span> whole = log_.whole(k);
    if (!whole) break;
    const std::size_t bucket = k % buckets_.size();
    report.collectives.push_back({fmt::format("{}/step{}/bucket{}", group_.members().name, k / buckets_.size(), bucket),
                                  buckets_[bucket].size, group_.ranks(), whole->begun, whole->ended});
  }
}

std::string DdpProgram::unfinished(int rank) const {
  const Rank& state = rank_state(rank);
  const std::string step =
      fmt::format("{}: step {} of {}", group_.members().name, std::min(state.steps.size() + 1, steps_), steps_);
  if (state.phase == Phase::done || log_.running(rank)) {
    return fmt::format("{}, bucket {} of {}: {}", step,
                       state.phase == Phase::done ? buckets_.size() : state.next_bucket, buckets_.size(),
                       group_.waiting(rank));
  }
  return fmt::format("{}, {} of {} buckets reduced: rank {} computes", step,
                     state.phase == Phase::optimiser ? buckets_.size() : state.next_bucket, buckets_.size(), rank);
}

}  // namespace soya
