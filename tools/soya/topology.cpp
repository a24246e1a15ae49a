#include "topology.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "display_width.hpp"
#include "engine/routes.hpp"
#include "exit_status.hpp"
#include "output.hpp"
#include "results/files.hpp"
#include "scenario/topology_files.hpp"
#include "topology/families.hpp"
#include "topology_drawing.hpp"
#include "topology_text.hpp"

namespace soya::cli {

namespace {

std::string topology_file(const Command& self, const Parsed& parsed) {
  if (parsed.positional.empty()) {
    throw UsageError(usage_error(self, "which FILE? Name a scenario, a topology, or a map (.graphml, .dot, .gv)"));
  }
  if (parsed.positional.size() > 1) {
    throw UsageError(usage_error(self, "one FILE at a time; \"" + parsed.positional[1] + "\" is one too many"));
  }
  return parsed.positional.front();
}

enum class Format { describe, json, graphml, dot, yaml, svg };

Format format_named(std::string_view name) {
  if (name == "graphml") return Format::graphml;
  if (name == "dot" || name == "gv") return Format::dot;
  if (name == "yaml" || name == "yml") return Format::yaml;
  return name == "svg" ? Format::svg : Format::describe;
}

/// --to, or what the ending of --out says.
Format format_of(const Command& self, const Parsed& parsed) {
  const auto to = parsed.value("to");
  if (to && parsed.has("json")) throw UsageError(usage_error(self, "--json describes; leave it or --to out"));
  if (parsed.has("json")) return Format::json;
  if (to) {
    const Format format = format_named(*to);
    if (format != Format::describe) return format;
    throw UsageError(usage_error(self, "--to: expected graphml, dot, yaml or svg, got \"" + *to + '"'));
  }
  const std::string ending = std::filesystem::path{parsed.value("out").value_or("")}.extension().string();
  if (ending.empty() || ending == ".txt") return Format::describe;
  if (ending == ".json") return Format::json;
  const Format format = format_named(ending.substr(1));
  if (format != Format::describe) return format;
  throw UsageError(usage_error(self,
                               "--out: expected .graphml, .dot, .yaml or .svg, or .txt or .json for the "
                               "description, got \"" +
                                   ending + "\"; --to says a format that no ending does"));
}

std::string described(const Scenario& scenario, Format format) {
  const TopologyConfig& topology = scenario.topology;
  const DescribedTopology all{topology, describe(topology), buffer_cycles(routing_of(scenario))};
  return format == Format::json ? topology_json(all) : topology_text(all);
}

/// What the format has no words for is told: nobody finds out by what is missing.
void tell_left_out(const std::vector<std::string>& parts, const char* format) {
  for (const std::string& part : parts) print_message(fmt::format("warning: {} does not say {}\n", format, part));
}

std::string answer(const Scenario& scenario, Format format) {
  const TopologyConfig& topology = scenario.topology;
  switch (format) {
    case Format::graphml:
      tell_left_out(left_out_of_graphs(scenario), "GraphML");
      return topology_graphml(topology);
    case Format::dot:
      tell_left_out(left_out_of_graphs(scenario), "DOT");
      return topology_dot(topology);
    case Format::yaml:
      return topology_yaml(scenario);
    case Format::svg:
      return svg_of(draw(topology));
    case Format::describe:
    case Format::json:
      break;
  }
  return described(scenario, format);
}

std::string families_text() {
  std::string text;
  for (const FamilyInfo& family : family_table()) {
    text += fmt::format("{}: {{{}}}\n", family.name, family.parameters);
    text += wrapped(family.shape, 100, "  ", "  ");
    text += wrapped(family.formulas, 100, "  ", "  ");
    text += wrapped(family.source, 100, "  source: ", "    ");
  }
  return text;
}

/// Nobody means to lose what was read.
void refuse_input_as_output(const Command& self, const std::string& file, const std::string& out) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(out, none) || !std::filesystem::equivalent(file, out, none)) return;
  throw UsageError(usage_error(self, "--out: \"" + out + "\" is read here; write to another file"));
}

int topology(const Command& self, const Parsed& parsed) {
  if (parsed.has("families")) {
    if (!parsed.positional.empty()) throw UsageError(usage_error(self, "--families stands alone; leave FILE out"));
    print_answer(families_text());
    return ExitStatus::sound;
  }
  const std::string file = topology_file(self, parsed);
  const Format format = format_of(self, parsed);
  const auto out = parsed.value("out");
  if (out && out->empty()) throw UsageError(usage_error(self, "--out: expected a file, got \"\""));
  const Scenario scenario = read_topology_file(file, read_options(self, parsed));
  if (out) refuse_input_as_output(self, file, *out);
  for (const Diagnostic& warning : scenario.warnings) print_message("warning: " + warning.text() + '\n');
  try {
    const std::string text = answer(scenario, format);
    if (out) {
      atomic_write(*out, text);
    } else {
      print_answer(text);
    }
  } catch (const DrawingError& error) {
    print_message(std::string{"soya: "} + error.what() + '\n');
    return ExitStatus::machine_refused;
  }
  return ExitStatus::sound;
}

}  // namespace

Command topology_command() {
  return {"topology",
          "FILE",
          "describe a topology, draw it, or write it for another program",
          "FILE is a scenario, a topology, or a map: GraphML or DOT. Without --to it says\n"
          "how many nodes and links of what kind there are, bisection, diameter, equal-cost\n"
          "paths, oversubscription, links without a twin, and if the routes can deadlock.\n"
          "Exit status: 0 good, 2 bad input, 4 not writable or no Graphviz to draw with.\n",
          {set_option(),
           {"variant", "NAME", "the topology of this variant of a scenario"},
           {"to", "FORMAT", "graphml, dot, yaml or svg (which Graphviz draws)"},
           {"out", "FILE", "write there; without --to its ending says the format"},
           {"json", "", "the description as JSON"},
           {"families", "", "what `parts` of a topology may be, with their formulas"},
           help_option()},
          {"soya topology topologies/two-servers-leaf-spine.yaml",
           "soya topology topologies/four-cities.graphml --out four-cities.svg"},
          topology};
}

}  // namespace soya::cli
