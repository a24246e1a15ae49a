#include "workload/all_reduce_job.hpp"

#include <fmt/format.h>

#include <utility>

#include "workload/unfinished.hpp"

namespace soya {

AllReduceJob::AllReduceJob(const AllReduceConfig& config, const std::vector<std::string>& host_names)
    : repeat_{static_cast<std::size_t>(config.repeat)},
      layout_{{config.size, config.element}, static_cast<int>(config.hosts.size()), config.ring},
      group_{{config.name, config.hosts, config.ring, config.priority}, host_names},
      log_{group_.ranks()},
      alarms_(config.hosts.size()) {}

std::int64_t AllReduceJob::transfers() const {
  return static_cast<std::int64_t>(repeat_) * layout_.slices_in_all();
}

void AllReduceJob::start(HostContext& context) {
  advance(context);
}

void AllReduceJob::woke(HostContext& context) {
  alarms_[static_cast<std::size_t>(group_.rank_of(context.host()))].rang();
  group_.woke(context);
  advance(context);
}

void AllReduceJob::sent(HostContext& context, const Completion& completion) {
  group_.sent(context, completion);
  advance(context);
}

void AllReduceJob::received(HostContext& context, const Completion& completion) {
  group_.received(context, completion);
  advance(context);
}

void AllReduceJob::advance(HostContext& context) {
  const int rank = group_.rank_of(context.host());
  while (group_.finished(rank)) {
    if (log_.running(rank)) log_.ended(rank, context.now());
    if (log_.count(rank) == repeat_) break;
    log_.begun(rank, context.now());
    group_.begin(context, layout_);
  }
  alarms_[static_cast<std::size_t>(rank)].set(context, group_.next_reduction(rank));
}

bool AllReduceJob::done(int rank) const {
  return log_.count(rank) == repeat_ && !log_.running(rank) && group_.quiet(rank);
}

bool AllReduceJob::finished(HostId host) const {
  return !group_.has(host) || done(group_.rank_of(host));
}

bool AllReduceJob::computing(HostId host) const {
  return group_.has(host) && group_.next_reduction(group_.rank_of(host)) != Time::never();
}

JobReport AllReduceJob::report() const {
  JobReport report;
  for (std::size_t k = 0; k < repeat_; ++k) {
    const std::optional<CollectiveLog::Span> whole = log_.whole(k);
    if (!whole) break;
    report.collectives.push_back(
        {fmt::format("{}/{}", name(), k), layout_.size(), group_.ranks(), whole->begun, whole->ended});
  }
  UnfinishedLines lines;
  for (int rank = 0; rank < group_.ranks(); ++rank) {
    if (done(rank)) continue;
    lines.add([&] {
      return fmt::format("{}: all-reduce {} of {}: {}", name(), log_.count(rank), repeat_, group_.waiting(rank));
    });
  }
  report.unfinished_count = lines.count();
  report.unfinished = std::move(lines).take();
  return report;
}

}  // namespace soya
