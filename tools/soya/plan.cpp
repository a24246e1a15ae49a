#include "plan.hpp"

#include <algorithm>

#include "engine/outages.hpp"
#include "exit_status.hpp"
#include "output.hpp"
#include "plan_report.hpp"
#include "prepare.hpp"

namespace soya::cli {

namespace {

/// The links that faults take down for ever, which switches route round in the end.
std::vector<bool> links_lost(const Command& self, const std::string& file, const Scenario& scenario) {
  std::vector<bool> lost = dead_links_at_last(scenario);
  if (std::ranges::none_of(lost, [](bool dead) { return dead; })) {
    throw UsageError(usage_error(self, "--after-faults: no fault of " + file +
                                           " lasts: a link_down without `until` does, such as "
                                           "{link_down: {between: [leaf1, spine1], at: 1ms}}"));
  }
  if (!scenario.routing.reconvergence) {
    throw UsageError(usage_error(self,
                                 "--after-faults: fabric.routing.reconvergence is never, so switches do not route "
                                 "round what has failed"));
  }
  return lost;
}

int plan(const Command& self, const Parsed& parsed) {
  const std::string file = one_scenario(self, parsed);
  const ReadOptions options = read_options(self, parsed);
  const PlannedRun run{options.variant.value_or(""), read_scenario(file, options)};
  Warnings warnings;
  warnings.add(run);
  warnings.close("; `soya check` prints them all");
  const PlannedScenario planned{run.scenario};
  PlanReport report{run.scenario,
                    planned.routing().ports(),
                    plan_of(planned.input()),
                    load_plan(planned.input()),
                    estimate_run(planned.input()),
                    {}};
  if (parsed.has("after-faults")) {
    const PlannedScenario remaining{run.scenario, links_lost(self, file, run.scenario)};
    report.after_faults = load_plan(remaining.input());
  }
  print_answer(parsed.has("json") ? plan_report_json(report) : plan_report_text(report, answer_colour()));
  return ExitStatus::sound;
}

}  // namespace

Command plan_command() {
  return {"plan",
          "SCENARIO",
          "what closed forms say: loads of links, bounds, estimates",
          "Routing matrix x demand: bytes of data, acknowledges and control messages on\n"
          "every link, the bottleneck, lower bounds of jobs, steps and transfers, estimates\n"
          "by max-min fair rates, how evenly tiers are loaded, headroom. No simulation.\n"
          "Exit status: 0 good, 2 bad input, 4 the machine refused.\n",
          {set_option(),
           seed_option(),
           {"variant", "NAME", "plan this variant instead of the base"},
           {"after-faults", "", "and with the links that faults leave"},
           {"json", "", "print all of it as JSON, every link and transfer"},
           help_option()},
          {"soya plan scenarios/janog55-ddp.yaml", "soya plan scenarios/incast.yaml --seed 7 --json"},
          plan};
}

}  // namespace soya::cli
