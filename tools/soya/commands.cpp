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
      import_command(),
      explain_command(),
      schema_command(),
  };
  return all;
}

std::string general_help() {
  std::string text =
      "soya simulates lossless Ethernet fabrics (RoCEv2, PFC) packet by packet.\n\n"
      "Usage: soya COMMAND [ARGUMENT...] [OPTION...]\n\nCommands:\n";
  for (const Command& each : commands()) text += fmt::format("  {:<10}{}\n", each.name, each.meaning);
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
