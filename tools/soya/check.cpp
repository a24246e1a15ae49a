#include "check.hpp"

#include <fmt/format.h>

#include "engine/simulation.hpp"
#include "exit_status.hpp"
#include "memory.hpp"
#include "output.hpp"
#include "prepare.hpp"
#include "text_table.hpp"

namespace soya::cli {

int check(const CheckOptions& options) {
  const auto limit = memory_limit(options.memory_limit);
  const std::vector<PlannedRun> runs = read_runs(options.scenario, options.read);
  Warnings warnings;
  add_warnings(warnings, runs);
  warnings.close("");
  const PlannedRun& shown = runs.front();
  const std::int64_t need = estimated_need(runs, 1);
  const std::string answer =
      effective_yaml(shown.scenario) + fmt::format("# Memory: at most {} (estimate)\n", size_text(need));
  if (limit && need > *limit) print_answer(answer);
  refuse_beyond(limit, need, shown.scenario);
  // Building finds what reading cannot: flows without a path, headroom that does not fit its buffer.
  for (const PlannedRun& run : runs) const Simulation built{run.scenario};
  print_answer(answer);
  return ExitStatus::sound;
}

}  // namespace soya::cli
