#include "schema.hpp"

#include "exit_status.hpp"
#include "output.hpp"
#include "scenario/schema.hpp"
#include "scenario/sweep_schema.hpp"

namespace soya::cli {

namespace {

int schema(const Command& self, const Parsed& parsed) {
  if (parsed.positional.size() > 1) {
    throw UsageError(usage_error(self, "one schema at a time; \"" + parsed.positional[1] + "\" is one too many"));
  }
  const std::string what = parsed.positional.empty() ? "scenario" : parsed.positional.front();
  if (what != "scenario" && what != "topology" && what != "sweep") {
    throw UsageError(usage_error(self, "expected scenario, topology or sweep, got \"" + what + "\"" +
                                           suggestion(what, {"scenario", "topology", "sweep"})));
  }
  if (what == "sweep") {
    print_answer(sweep_json_schema());
  } else {
    print_answer(json_schema(what == "scenario" ? SchemaOf::scenario : SchemaOf::topology));
  }
  return ExitStatus::sound;
}

}  // namespace

Command schema_command() {
  return {"schema",
          "[scenario | topology | sweep]",
          "the format of a scenario as JSON Schema, for editors",
          "A line at the head of a file leads editors with yaml-language-server to it:\n"
          "# yaml-language-server: $schema=scenario.schema.json\n"
          "Exit status: 0 good, 2 bad input.\n",
          {help_option()},
          {"soya schema > scenario.schema.json", "soya schema topology > topology.schema.json"},
          schema};
}

}  // namespace soya::cli
