#include "options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <charconv>
#include <limits>
#include <string_view>

#include "core/utf8.hpp"
#include "exit_status.hpp"
#include "scenario/quantity.hpp"
#include "scenario/suggest.hpp"

namespace soya::cli {

namespace {

namespace po = boost::program_options;

struct Option {
  std::string name;      ///< without dashes
  std::string argument;  ///< empty: a flag
  std::string meaning;   ///< lines
};

struct Command {
  std::string name;
  std::string meaning;
  std::string notes;
  std::vector<Option> options;
  std::vector<std::string> examples;
};

const Option set_option{"set", "PATH=VALUE", "override a key: fabric.headroom.size=2KiB; repeatable"};
const Option seed_option{"seed", "N", "override the scenario's seed"};
const Option memory_option{"memory-limit", "SIZE", "refuse what needs more; default 80 % of free memory"};
const Option help_option{"help", "", "this text"};

const std::vector<Command>& commands() {
  static const std::vector<Command> all{
      {"run",
       "simulate; summary on standard output, results on disk",
       "Runs base and variants side by side. Writes results.sqlite and summary.json to\n"
       "DIR; an earlier result stays until the new one is whole. An interrupted run\n"
       "writes what there is, to DIR.incomplete where DIR holds a complete result.\n"
       "Exit status: 0 sound, 2 bad input, 3 not sound, 4 the machine refused.\n",
       {set_option,
        seed_option,
        {"variant", "NAME", "run this variant alone, into out/<name>-<variant>"},
        {"out", "DIR", "folder of the results; default out/<name>"},
        {"json", "", "print summary.json instead of the summary"},
        {"csv", "", "write every table as CSV too"},
        {"threads", "N", "run N of base and variants at a time; same results"},
        memory_option,
        {"quiet", "", "no progress and no closing line on standard error"},
        help_option},
       {"soya run scenarios/janog55-ddp.yaml --set 'workload[0].ddp.backward=300ms'",
        "soya run scenarios/incast.yaml --out results/incast --csv"}},
      {"check",
       "print the effective scenario and warnings, without simulating",
       "Prints every key with its value and origin, as YAML that reads back to the same\n"
       "scenario; in comments the memory a run needs at most, and the plan: what closed\n"
       "forms say of training steps and headroom. Warnings go to standard error.\n"
       "Exit status: 0 good, 2 bad input, 4 too large for this machine to build.\n",
       {set_option,
        seed_option,
        {"variant", "NAME", "print this variant instead of the base"},
        memory_option,
        help_option},
       {"soya check scenarios/incast.yaml", "soya check scenarios/incast.yaml --set fabric.buffer.size=16MiB"}}};
  return all;
}

const Command& command(const std::string& name) {
  for (const Command& candidate : commands()) {
    if (candidate.name == name) return candidate;
  }
  throw UsageError("no command " + name);
}

std::string usage_error(const Command& of, const std::string& message) {
  return fmt::format("soya {0}: {1}\nTry: soya {0} --help", of.name, visible(message));
}

/// What stands on a command line: values by option, and what is no option.
struct Parsed {
  std::vector<std::pair<std::string, std::string>> values;
  std::vector<std::string> positional;

  [[nodiscard]] std::optional<std::string> value(const std::string& name) const {
    for (const auto& [key, text] : values) {
      if (key == name) return text;
    }
    return std::nullopt;
  }
  [[nodiscard]] bool has(const std::string& name) const { return value(name).has_value(); }
};

po::parsed_options tokenise(const Command& of, const std::vector<std::string>& arguments) {
  po::options_description description;
  for (const Option& option : of.options) {
    const std::string names = option.name == "help" ? "help,h" : option.name;
    if (option.argument.empty()) {
      description.add_options()(names.c_str(), "");
    } else {
      description.add_options()(names.c_str(), po::value<std::vector<std::string>>(), "");
    }
  }
  // Guessing would make a script's abbreviation mean something else once an option is added.
  const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  try {
    return po::command_line_parser(arguments).options(description).style(style).allow_unregistered().run();
  } catch (const po::error& error) {
    throw UsageError(usage_error(of, error.what()));
  }
}

/// `--out --csv`: the value was forgotten, or it is meant and must be written so that one sees it.
void refuse_option_as_value(const Command& of, const po::option& token) {
  if (token.original_tokens.size() < 2) return;
  const std::string& value = token.original_tokens[1];
  if (!value.starts_with("--")) return;
  const std::string option = "--" + token.string_key;
  throw UsageError(usage_error(
      of, fmt::format("{0}: expected a value, got {1}; write {0}={1} if that is the value", option, value)));
}

Parsed parse(const Command& of, const std::vector<std::string>& arguments) {
  std::vector<std::string> known;
  for (const Option& option : of.options) known.push_back("--" + option.name);
  Parsed parsed;
  const po::parsed_options tokens = tokenise(of, arguments);
  for (const po::option& token : tokens.options) {
    if (token.position_key >= 0 && !token.unregistered) {
      parsed.positional.push_back(token.value.front());
      continue;
    }
    if (token.unregistered) {
      const std::string written = token.original_tokens.front();
      const std::string name = written.substr(0, written.find('='));
      throw UsageError(usage_error(of, "unknown option " + name + suggestion(name, known)));
    }
    refuse_option_as_value(of, token);
    if (token.string_key != "set" && parsed.has(token.string_key)) {
      throw UsageError(usage_error(of, "--" + token.string_key + " is given twice"));
    }
    parsed.values.emplace_back(token.string_key, token.value.empty() ? "" : token.value.front());
  }
  return parsed;
}

std::string one_scenario(const Command& of, const Parsed& parsed) {
  if (parsed.positional.empty()) throw UsageError(usage_error(of, "which SCENARIO? Name a YAML file"));
  if (parsed.positional.size() > 1) {
    const std::string extra = parsed.positional[1];
    throw UsageError(usage_error(of, "one SCENARIO at a time; \"" + extra + "\" is one too many"));
  }
  return parsed.positional.front();
}

/// Whole decimal digits only: "-1", "0x10" and "1e3" are no seeds and no counts.
template <class Number>
Number whole_number(const Command& of, const std::string& option, const std::string& text, const char* expected) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc{} && stop == end && !text.starts_with('-')) return number;
  throw UsageError(usage_error(of, fmt::format("--{}: expected {}, got \"{}\"", option, expected, text)));
}

ReadOptions read_options(const Command& of, const Parsed& parsed) {
  ReadOptions read;
  for (const auto& [key, text] : parsed.values) {
    if (key == "set") read.sets.push_back(text);
  }
  if (const auto seed = parsed.value("seed")) {
    read.seed = whole_number<std::uint64_t>(of, "seed", *seed, "a whole number from 0 to 18446744073709551615");
  }
  read.variant = parsed.value("variant");
  return read;
}

std::optional<std::int64_t> memory_size(const Command& of, const Parsed& parsed) {
  const auto text = parsed.value("memory-limit");
  if (!text) return std::nullopt;
  const reading::ParsedNumber size = reading::parse_number(*text, reading::Dimension::size);
  if (size.fault != reading::NumberFault::none || size.value < 1) {
    throw UsageError(usage_error(of, "--memory-limit: expected a size such as 512MiB or 64GiB, got \"" + *text + "\""));
  }
  return static_cast<std::int64_t>(std::min<Int128>(size.value, std::numeric_limits<std::int64_t>::max()));
}

}  // namespace

std::string suggestion(const std::string& name, const std::vector<std::string>& known) {
  std::vector<std::string_view> candidates{known.begin(), known.end()};
  // An abbreviation is not accepted, but what it stands for is known.
  const auto longer = [&](std::string_view each) { return name.size() > 2 && each.starts_with(name); };
  if (const auto found = std::find_if(candidates.begin(), candidates.end(), longer); found != candidates.end()) {
    return fmt::format("; did you mean {}?", *found);
  }
  const auto near = reading::nearest(name, candidates);
  return near ? fmt::format("; did you mean {}?", *near) : "";
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& candidate : commands()) names.push_back(candidate.name);
  return names;
}

std::string general_help() {
  std::string text =
      "soya simulates lossless Ethernet fabrics (RoCEv2, PFC) packet by packet.\n\n"
      "Usage: soya COMMAND SCENARIO [OPTION...]\n\nCommands:\n";
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

std::string help_of(const std::string& name) {
  const Command& of = command(name);
  std::string text = fmt::format("Usage: soya {} SCENARIO [OPTION...]\n\n{}: {}.\n\n{}\nOptions:\n", of.name, of.name,
                                 of.meaning, of.notes);
  for (const Option& option : of.options) {
    std::string spelling = "--" + option.name;
    if (option.name == "help") spelling += ", -h";
    if (!option.argument.empty()) spelling += " " + option.argument;
    text += fmt::format("  {:<21} {}\n", spelling, option.meaning);
  }
  text += "\nExamples:\n";
  for (const std::string& example : of.examples) text += "  " + example + "\n";
  return text;
}

std::optional<RunOptions> parse_run(const std::vector<std::string>& arguments) {
  const Command& of = command("run");
  const Parsed parsed = parse(of, arguments);
  if (parsed.has("help")) return std::nullopt;
  RunOptions options;
  options.scenario = one_scenario(of, parsed);
  options.read = read_options(of, parsed);
  options.out = parsed.value("out");
  if (options.out && options.out->empty()) throw UsageError(usage_error(of, "--out: expected a folder, got \"\""));
  if (const auto threads = parsed.value("threads")) {
    options.threads = whole_number<int>(of, "threads", *threads, "a number of threads from 1 to 1024");
    if (options.threads < 1 || options.threads > 1024) {
      throw UsageError(
          usage_error(of, "--threads: expected a number of threads from 1 to 1024, got \"" + *threads + "\""));
    }
  }
  options.quiet = parsed.has("quiet");
  options.answer = parsed.has("json") ? Answer::json : Answer::text;
  options.csv = parsed.has("csv") ? CsvFiles::every_table : CsvFiles::none;
  options.memory_limit = memory_size(of, parsed);
  return options;
}

std::optional<CheckOptions> parse_check(const std::vector<std::string>& arguments) {
  const Command& of = command("check");
  const Parsed parsed = parse(of, arguments);
  if (parsed.has("help")) return std::nullopt;
  CheckOptions options;
  options.scenario = one_scenario(of, parsed);
  options.read = read_options(of, parsed);
  options.memory_limit = memory_size(of, parsed);
  return options;
}

}  // namespace soya::cli
