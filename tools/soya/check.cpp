#include "check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exit_status.hpp"
#include "forecast.hpp"
#include "memory.hpp"
#include "output.hpp"
#include "plan_text.hpp"
#include "prepare.hpp"
#include "text_table.hpp"

namespace soya::cli {

namespace {

/// What is printed is one run; the others of the file are named, since the keys above do not hold them.
std::string variants_line(const std::vector<PlannedRun>& runs) {
  constexpr std::size_t names_shown = 5;
  if (runs.size() == 1) return "";
  std::string names;
  for (std::size_t i = 1; i < std::min(runs.size(), names_shown + 1); ++i) {
    names += (i == 1 ? "" : ", ") + runs[i].variant;
  }
  if (runs.size() > names_shown + 1) names += fmt::format(" and {} more", runs.size() - 1 - names_shown);
  return fmt::format("# Variants beside this base: {}; --variant NAME prints one\n", names);
}

int check(const Command& self, const Parsed& parsed) {
  const std::string scenario = one_scenario(self, parsed);
  const ReadOptions read = read_options(self, parsed);
  const auto limit = memory_limit(memory_size(self, parsed));
  const std::vector<PlannedRun> runs = read_runs(scenario, read);
  const PlannedRun& shown = runs.front();
  const std::int64_t need = estimated_need(runs, 1);
  const std::string answer = effective_yaml(shown.scenario) + variants_line(runs) +
                             fmt::format("# Memory: at most {} (estimate)\n", size_text(need));
  if (limit && need > *limit) print_answer(answer);
  refuse_beyond(limit, need, shown.scenario);
  const BuiltRuns built = build_first(runs, "");
  print_answer(answer + fmt::format("# Work: {} (estimate)\n", estimate_text(built.estimates.front())) +
               plan_text(plan_of(*built.first)));
  return ExitStatus::sound;
}

}  // namespace

Command check_command() {
  return {"check",
          "SCENARIO",
          "print the effective scenario and warnings, without simulating",
          "Prints every key with its value and origin, as YAML that reads back to the same\n"
          "scenario; in comments the memory and work of a run, and the plan: what closed\n"
          "forms say of training steps and headroom. Warnings go to standard error.\n"
          "Exit status: 0 good, 2 bad input, 4 too large for this machine to build.\n",
          {set_option(),
           seed_option(),
           {"variant", "NAME", "print this variant instead of the base"},
           memory_option(),
           help_option()},
          {"soya check scenarios/incast.yaml", "soya check scenarios/incast.yaml --set fabric.buffer.size=16MiB"},
          check};
}

}  // namespace soya::cli
