#include "check.hpp"

#include <fmt/format.h>

#include "exit_status.hpp"
#include "memory.hpp"
#include "output.hpp"
#include "plan_text.hpp"
#include "prepare.hpp"
#include "text_table.hpp"

namespace soya::cli {

int check(const CheckOptions& options) {
  const auto limit = memory_limit(options.memory_limit);
  const std::vector<PlannedRun> runs = read_runs(options.scenario, options.read);
  const PlannedRun& shown = runs.front();
  const std::int64_t need = estimated_need(runs, 1);
  const std::string answer =
      effective_yaml(shown.scenario) + fmt::format("# Memory: at most {} (estimate)\n", size_text(need));
  if (limit && need > *limit) print_answer(answer);
  refuse_beyond(limit, need, shown.scenario);
  const auto built = build_first(runs, "");
  print_answer(answer + plan_text(plan_of(*built)));
  return ExitStatus::sound;
}

}  // namespace soya::cli
