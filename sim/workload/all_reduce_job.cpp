#include "workload/all_reduce_job.hpp"

#include <fmt/format.h>

#include <utility>

#include "workload/unfinished.hpp"

namespace soya {

AllReduceProgram::AllReduceProgram(const AllReduceConfig& config, const std::vector<std::string>& host_names)
    : repeat_{static_cast<std::size_t>(config.repeat)},
      layout_{{config.size, config.element}, static_cast<int>(config.hosts.size()), config.ring},
      group_{{config.name, config.hosts, config.ring, config.priority}, host_names},
      log_{group_.ranks()} {
  group_.expect_slices(transfers());
}

std::int64_t AllReduceProgram::transfers() const {
  return static_cast<std::int64_t>(repeat_) * layout_.slices_in_all();
}

Time AllReduceProgram::advance(HostContext& context, int rank) {
  while (group_.finished(rank)) {
    if (log_.running(rank)) log_.ended(rank, context.now());
    if (log_.count(rank) == repeat_) break;
    log_.begun(rank, context.now());
    group_.begin(context, layout_);
  }
  return Time::never();
}

bool AllReduceProgram::done(int rank) const {
  return log_.count(rank) == repeat_ && !log_.running(rank) && group_.quiet(rank);
}

JobReport AllReduceProgram::report() const {
  JobReport report;
  for (std::size_t k = 0; k < repeat_; ++k) {
    const std::optional<CollectiveLog::Span> whole = log_.whole(k);
    if (!whole) break;
    report.collectives.push_back(
        {fmt::format("{}/{}", group_.members().name, k), layout_.size(), group_.ranks(), whole->begun, whole->ended});
  }
  UnfinishedLines lines;
  for (int rank = 0; rank < group_.ranks(); ++rank) {
    if (done(rank)) continue;
    lines.add([&] {
      return fmt::format("{}: all-reduce {} of {}: {}", group_.members().name, log_.count(rank), repeat_,
                         group_.waiting(rank));
    });
  }
  report.unfinished_count = lines.count();
  report.unfinished = std::move(lines).take();
  return report;
}

}  // namespace soya
