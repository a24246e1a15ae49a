#include "compare.hpp"

#include <algorithm>

#include "compare_sides.hpp"
#include "compare_text.hpp"
#include "exit_status.hpp"
#include "output.hpp"

namespace soya::cli {

namespace {

std::vector<SideSpec> side_specs(const Command& self, const Parsed& parsed) {
  std::vector<SideSpec> sides;
  for (const std::string& operand : parsed.positional) sides.push_back({operand, {}});
  std::vector<std::string> changes;
  for (const auto& [key, text] : parsed.values) {
    if (key == "with") changes.push_back(text);
  }
  if (sides.empty()) throw UsageError(usage_error(self, "compare what? Name scenarios, or folders of results"));
  if (!changes.empty()) {
    if (sides.size() > 1) {
      throw UsageError(
          usage_error(self, "--with makes the second side of one scenario; name one, or leave --with out"));
    }
    sides.push_back({sides.front().operand, changes});
  }
  return sides;
}

CompareOptions compare_options(const Command& self, const Parsed& parsed) {
  CompareOptions options;
  options.sides = side_specs(self, parsed);
  options.read = read_options(self, parsed);
  options.seeds = whole_number(self, parsed, "seeds", 1, 1000, "a number of runs from 1 to 1000");
  if (const auto threads = whole_number(self, parsed, "threads", 1, 1024, "a number of threads from 1 to 1024")) {
    options.threads = static_cast<int>(*threads);
  }
  options.quiet = parsed.has("quiet");
  options.memory_limit = memory_size(self, parsed);
  return options;
}

int compare_sides(const Command& self, const Parsed& parsed) {
  const Sides sides = read_sides(compare_options(self, parsed));
  if (sides.signal != 0) {
    print_note("soya: interrupted, and nothing is compared; `soya run` keeps results that can be compared later\n");
    return ExitStatus::signal_base + sides.signal;
  }
  if (sides.all.size() < 2) {
    throw UsageError(usage_error(
        self, sides.all.front().title + " has no variants; name a second side, or change keys: --with PATH=VALUE"));
  }
  const std::vector<ComparedSide> all = compared(sides.all);
  print_answer(parsed.has("json") ? comparison_json(sides.all, all) : comparison_text(sides.all, all, answer_colour()));
  const bool failed = std::ranges::any_of(sides.all, [](const Side& side) {
    return std::ranges::any_of(side.runs, [](const Outcome& outcome) { return fails(verdict(outcome)); });
  });
  return failed ? ExitStatus::not_sound : ExitStatus::sound;
}

}  // namespace

Command compare_command() {
  return {"compare",
          "A [B...]",
          "what differs in the input, and what changed in the outcome",
          "Each side is a scenario, run under eight seeds, or the folder of a result;\n"
          "FILE@NAME is its variant NAME, and a,b,c are results of several seeds. One\n"
          "scenario alone is compared with its variants, or with --with. Runs are paired\n"
          "by seed; a change is what their spread does not explain (paired t test, 1 %\n"
          "of false ones).\n"
          "Exit status: 0 all sound, 2 bad input, 3 not sound, 4 the machine refused.\n",
          {{"with", "PATH=VALUE", "B is A with this key changed; repeatable"},
           {"seeds", "N", "runs of each scenario; default 8"},
           set_option(),
           seed_option(),
           {"json", "", "print all of it as JSON"},
           {"threads", "N", "run N at a time; default all cores; same results"},
           memory_option(),
           {"quiet", "", "no progress on standard error"},
           help_option()},
          {"soya compare scenarios/janog55-ddp.yaml --with 'workload[0].ddp.bucket=100MiB'",
           "soya compare out/before out/after"},
          compare_sides};
}

}  // namespace soya::cli
