#include "sweep_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "display_width.hpp"
#include "sweep/shard.hpp"
#include "text_table.hpp"

namespace soya::cli {

namespace {

/// "leaf1 port host3 lost 12 packets" and the same of port host4 are one kind of reason.
std::string kind_of(const std::string& why) {
  std::string kind;
  bool digits = false;
  for (const char c : why) {
    const bool digit = c >= '0' && c <= '9';
    if (digit && digits) continue;
    kind += digit ? '0' : c;
    digits = digit;
  }
  return kind;
}

constexpr std::size_t reasons_shown = 8;

std::string reasons_text(const std::string& heading, const std::vector<OutcomeReason>& reasons) {
  if (reasons.empty()) return {};
  std::string text = "\n" + heading + "\n";
  constexpr std::size_t columns = 100;
  for (std::size_t i = 0; i < reasons.size() && i < reasons_shown; ++i) {
    const OutcomeReason& reason = reasons[i];
    const std::string begin =
        fmt::format("  {:>9}  {:<9}  point {}: ", grouped(reason.points), outcome_name(reason.outcome), reason.first);
    text += begin + shortened(reason.why_not, columns - std::min(columns - 20, display_width(begin))) + "\n";
  }
  if (reasons.size() > reasons_shown) text += fmt::format("  and {} more kinds\n", reasons.size() - reasons_shown);
  return text;
}

}  // namespace

SweepSummary sweep_summary(StoreReader& reader) {
  SweepSummary summary;
  summary.head = reader.head();
  summary.points = points_in(summary.head.shard, summary.head.points);
  std::map<std::pair<PointOutcome, std::string>, OutcomeReason> reasons;
  reader.for_each(
      [&](const StoredPoint& point) {
        ++summary.done;
        ++summary.outcomes[point.outcome];
        if (point.why_not.empty() && point.outcome == PointOutcome::sound) return;
        OutcomeReason& reason = reasons[{point.outcome, kind_of(point.why_not)}];
        if (reason.points++ > 0) return;
        reason.outcome = point.outcome;
        reason.why_not = point.why_not;
        reason.first = point.point;
      },
      StoreDetail::without_effective);
  for (auto& [kind, reason] : reasons) summary.reasons.push_back(std::move(reason));
  std::ranges::stable_sort(summary.reasons, [](const OutcomeReason& a, const OutcomeReason& b) {
    return std::tie(b.points, a.first) < std::tie(a.points, b.first);
  });
  return summary;
}

std::string sweep_summary_text(const SweepSummary& summary, const std::string& files, Colour colour) {
  const Shard& shard = summary.head.shard;
  std::string title = summary.head.name;
  if (shard.count > 1) title += ", shard " + shard_text(shard);
  std::string text = coloured(title, bold, colour) +
                     fmt::format(": {} of {} points have a result\n", grouped(summary.done), grouped(summary.points));
  for (const auto& [outcome, points] : summary.outcomes) {
    text += fmt::format("  {:>9}  {}\n", grouped(points), outcome_name(outcome));
  }
  const auto is_sound = [](const OutcomeReason& reason) { return reason.outcome == PointOutcome::sound; };
  std::vector<OutcomeReason> edges;
  std::vector<OutcomeReason> others;
  std::ranges::partition_copy(summary.reasons, std::back_inserter(edges), std::back_inserter(others), is_sound);
  text += reasons_text("Without a sound run, and why (points, the first of them)", others);
  text += reasons_text("Answers at the edge of what can be built (points, the first of them)", edges);
  return text + "\n" + files + "\n";
}

}  // namespace soya::cli
