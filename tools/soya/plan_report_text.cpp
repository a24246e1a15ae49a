#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "display_width.hpp"
#include "forecast.hpp"
#include "plan_report.hpp"
#include "plan_text.hpp"
#include "text_table.hpp"

namespace soya::cli {

namespace {

constexpr std::size_t line_width = 100;
constexpr std::size_t jobs_shown = 6;
constexpr std::size_t tiers_shown = 8;
constexpr std::size_t links_shown = 5;
constexpr std::size_t kinds_shown = 2;
constexpr std::size_t names_shown = 4;

std::string span_text(Duration time) {
  return duration_text(time.picoseconds());
}
std::string span_text(const std::optional<Duration>& time) {
  return time ? span_text(*time) : "-";
}
std::string size_text(Bytes size) {
  return cli::size_text(size.count());
}

std::string section(const std::string& title, const std::string& table, Colour colour) {
  return "\n" + coloured(title, bold, colour) + "\n" + table;
}

std::string job_section(const PlanReport& report, Colour colour) {
  TextTable table{{{"job", Align::left, 20},
                   {"data"},
                   {"acknowledges"},
                   {"control"},
                   {"at least"},
                   {"one of its parts"},
                   {"estimate"}}};
  const std::vector<JobPlan>& jobs = report.loads.jobs;
  for (std::size_t j = 0; j < std::min(jobs.size(), jobs_shown); ++j) {
    const JobPlan& job = jobs[j];
    const std::string part = job.unit_at_least ? job.unit + " " + span_text(*job.unit_at_least) : "-";
    table.add({printable(job.name), size_text(job.sends.data), size_text(job.sends.acknowledge),
               size_text(job.sends.control), span_text(job.at_least), part, span_text(job.estimate)});
  }
  std::string text = table.text();
  if (jobs.size() > jobs_shown) text += fmt::format("  and {} more jobs in --json\n", jobs.size() - jobs_shown);
  return section("Jobs: bytes on the wire, the time they take at least, and an estimate by max-min fair rates", text,
                 colour);
}

std::string ratio_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.2f}", value) : "-";
}

std::string tier_section(const PlanReport& report, const LoadPlan& plan, Colour colour, const std::string& title) {
  std::vector<Bytes> loads;
  for (const WireLoad& load : plan.traffic.loads) loads.push_back(load.total());
  TextTable table{{{"from", Align::left, 18},
                   {"to", Align::left, 18},
                   {"links"},
                   {"mean load"},
                   {"largest"},
                   {"largest / mean"},
                   {"unused"}}};
  std::string idle;
  for (std::size_t t = 0; t < plan.tiers.size(); ++t) {
    const TierLinks& links = plan.tiers[t];
    const LoadSpread spread = spread_of(links, loads);
    const auto count = static_cast<long long>(links.directions.size());
    if (t < tiers_shown) {
      table.add({printable(links.from), printable(links.to), grouped(count), size_text(spread.mean),
                 size_text(spread.max), ratio_text(spread.max_to_mean), grouped(spread.unused)});
    }
    if (!links.choice || spread.unused == 0 || spread.unused == count) continue;
    std::string names;
    std::size_t named = 0;
    for (const LinkDirection d : links.directions) {
      if (loads[d] > Bytes{0} || named == names_shown) continue;
      names += (named++ == 0 ? "" : ", ") + printable(direction_name(report.scenario.topology, report.ports, d));
    }
    if (spread.unused > static_cast<long long>(named)) names += ", …";
    idle += wrapped(fmt::format("{} of {} links from {} to {} carry nothing: {}", grouped(spread.unused),
                                grouped(count), printable(links.from), printable(links.to), names),
                    line_width, "  ", "    ");
  }
  std::string text = table.text();
  if (plan.tiers.size() > tiers_shown) {
    text += fmt::format("  and {} more pairs of tiers in --json\n", plan.tiers.size() - tiers_shown);
  }
  return section(title, text + idle, colour);
}

std::string hottest_section(const PlanReport& report, const LoadPlan& plan, Colour colour, const std::string& title) {
  TextTable table{{{"link", Align::left, 44}, {"load"}, {"data"}, {"acknowledges"}, {"control"}, {"time at rate"}}};
  for (std::size_t i = 0; i < std::min(links_shown, plan.hottest.size()); ++i) {
    const LinkDirection d = plan.hottest[i];
    const WireLoad& load = plan.traffic.loads[d];
    const auto share = [&](Bytes part) {
      return fmt::format("{:.1f} %",
                         100.0 * static_cast<double>(part.count()) / static_cast<double>(load.total().count()));
    };
    table.add({printable(direction_name(report.scenario.topology, report.ports, d)), size_text(load.total()),
               share(load.data), share(load.acknowledge), share(load.control), span_text(plan.times[d])});
  }
  return section(title, table.text(), colour);
}

/// What is exact of the loads, and what may differ.
std::string accuracy(const LoadPlan& plan) {
  const auto carrying = static_cast<long long>(plan.hottest.size());
  const auto bounded = static_cast<long long>(
      std::ranges::count_if(plan.hottest, [&](LinkDirection d) { return !plan.traffic.exact[d]; }));
  std::string text;
  if (bounded > 0) {
    text +=
        wrapped(fmt::format("Acknowledges are an upper bound on {} of {} directions: one may answer several packets.",
                            grouped(bounded), grouped(carrying)),
                line_width, "", "  ");
  }
  for (const std::string& doubt : plan.traffic.doubts)
    text += wrapped("Not in it: " + doubt + ".", line_width, "", "  ");
  return text + wrapped("PFC frames are in no load.", line_width, "", "  ");
}

std::string remaining_section(const PlanReport& report, Colour colour) {
  if (!report.after_faults) return "";
  const LoadPlan& remaining = *report.after_faults;
  TextTable table{
      {{"job", Align::left, 24}, {"at least"}, {"estimate"}, {"at least, remaining"}, {"estimate, remaining"}}};
  for (std::size_t j = 0; j < std::min(remaining.jobs.size(), jobs_shown); ++j) {
    const JobPlan& before = report.loads.jobs[j];
    const JobPlan& after = remaining.jobs[j];
    table.add({printable(after.name), span_text(before.at_least), span_text(before.estimate), span_text(after.at_least),
               span_text(after.estimate)});
  }
  return section("With the remaining links, from the start on", table.text(), colour) +
         tier_section(report, remaining, colour, "Loads by tiers with the remaining links") +
         hottest_section(report, remaining, colour, "Hottest links with the remaining links");
}

}  // namespace

std::string plan_report_text(const PlanReport& report, Colour colour) {
  const LoadPlan& plan = report.loads;
  std::string text = training_text(report.plan, "");
  text += fmt::format("{}: planned, not simulated; seed {}\n", printable(report.scenario.name), report.scenario.seed);
  if (plan.hottest.empty()) {
    text += "  nothing is sent\n";
  } else {
    const LinkDirection d = plan.hottest.front();
    text += wrapped(fmt::format("at least {}; the bottleneck is {} with {}, {} at its rate", span_text(plan.at_least),
                                printable(direction_name(report.scenario.topology, report.ports, d)),
                                size_text(plan.traffic.loads[d].total()), span_text(plan.times[d])),
                    line_width, "  ", "  ");
  }
  text += fmt::format("  a run takes {} and at most {} of memory\n", estimate_text(report.estimate),
                      size_text(estimated_memory_bytes(report.scenario)));
  text += job_section(report, colour);
  text += tier_section(report, plan, colour, "Loads by tiers");
  if (!plan.hottest.empty()) text += hottest_section(report, plan, colour, "Hottest links");
  text += remaining_section(report, colour);
  const std::string headroom = headroom_plan_text(report.plan, "", kinds_shown);
  return text + (headroom.empty() ? "" : "\n" + headroom) + "\n" + accuracy(plan);
}

}  // namespace soya::cli
