#include "commands.hpp"

#include <fmt/format.h>

#include "check.hpp"
#include "compare.hpp"
#include "explain.hpp"
#include "headroom.hpp"
#include "import.hpp"
#include "plan.hpp"
#include "run.hpp"
#include "schema.hpp"
#include "sweep_fit.hpp"
#include "sweep_merge.hpp"
#include "sweep_plot.hpp"
#include "sweep_run.hpp"
#include "sweep_status.hpp"
#include "topology.hpp"

namespace soya::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> all{
      run_command(),
      check_command(),
      plan_command(),
      headroom_command(),
      topology_command(),
      compare_command(),
      sweep_run_command(),
      sweep_merge_command(),
      sweep_status_command(),
      sweep_plot_command(),
      sweep_fit_command(),
      import_command(),
      explain_command(),
      schema_command(),
  };
  return all;
}

std::string family_help(const std::string& first) {
  std::string text = "Usage: soya " + first + " COMMAND [ARGUMENT...] [OPTION...]\n\nCommands:\n";
  for (const Command& each : commands()) {
    if (!each.name.starts_with(first + ' ')) continue;
    text += fmt::format("  {:<14}{}\n", each.name, each.meaning);
  }
  text += "\nsoya " + first + " COMMAND --help lists the options of a command.\n\nExamples:\n";
  std::size_t examples = 0;
  for (const Command& each : commands()) {
    if (each.name.starts_with(first + ' ') && examples++ < 2) text += "  " + each.examples.front() + "\n";
  }
  return text;
}

std::string general_help() {
  std::string text =
      "soya simulates lossless Ethernet fabrics (RoCEv2, PFC) packet by packet.\n\n"
      "Usage: soya COMMAND [ARGUMENT...] [OPTION...]\n\nCommands:\n";
  for (const Command& each : commands()) text += fmt::format("  {:<14}{}\n", each.name, each.meaning);
  text +=
      "\nOptions:\n"
      "  --help, -h  this text; soya COMMAND --help lists the options of a command\n"
      "  --version   the version\n"
      "\nExamples:\n"
      "  soya run scenarios/janog55-ddp.yaml\n"
      "  soya check scenarios/incast.yaml\n";
  return text;
}

}  // namespace soya::cli
