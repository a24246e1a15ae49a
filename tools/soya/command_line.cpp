#include "command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <charconv>
#include <limits>
#include <string_view>

#include "core/suggest.hpp"
#include "core/utf8.hpp"
#include "exit_status.hpp"
#include "scenario/quantity.hpp"

namespace soya::cli {

namespace {

namespace po = boost::program_options;

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

bool is_repeatable(const std::string& option) {
  return option == "set" || option == "with" || option == "sbatch";
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

/// Whole decimal digits only: "-1", "0x10" and "1e3" are no seeds and no counts.
template <class Number>
Number whole_decimal(const Command& of, const std::string& option, const std::string& text,
                     const std::string& expected) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc{} && stop == end && !text.starts_with('-')) return number;
  throw UsageError(usage_error(of, fmt::format("--{}: expected {}, got \"{}\"", option, expected, text)));
}

/// An option, or several that share a meaning: "--vlan, --ipv6".
struct HelpLine {
  std::string spelling;
  std::string meaning;
};

std::vector<HelpLine> help_lines(const Command& of) {
  std::vector<HelpLine> lines;
  std::string together;
  for (const Option& option : of.options) {
    std::string spelling = together + "--" + option.name;
    if (option.meaning.empty()) {
      together = spelling + ", ";
      continue;
    }
    if (option.name == "help") spelling += ", -h";
    // What several options take, their meaning says.
    if (!option.argument.empty() && together.empty()) spelling += " " + option.argument;
    lines.push_back({std::move(spelling), option.meaning});
    together.clear();
  }
  return lines;
}

}  // namespace

const Option& set_option() {
  static const Option option{"set", "PATH=VALUE", "override a key: fabric.headroom.size=2KiB; repeatable"};
  return option;
}

const Option& seed_option() {
  static const Option option{"seed", "N", "override the scenario's seed"};
  return option;
}

const Option& memory_option() {
  static const Option option{"memory-limit", "SIZE", "refuse what needs more; default 80 % of free memory"};
  return option;
}

const Option& help_option() {
  static const Option option{"help", "", "this text"};
  return option;
}

std::optional<std::string> Parsed::value(const std::string& name) const {
  for (const auto& [key, text] : values) {
    if (key == name) return text;
  }
  return std::nullopt;
}

std::string usage_error(const Command& of, const std::string& message) {
  return fmt::format("soya {0}: {1}\nTry: soya {0} --help", of.name, visible(message));
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
    if (!is_repeatable(token.string_key) && parsed.has(token.string_key)) {
      throw UsageError(usage_error(of, "--" + token.string_key + " is given twice"));
    }
    parsed.values.emplace_back(token.string_key, token.value.empty() ? "" : token.value.front());
  }
  return parsed;
}

std::string help_of(const Command& of) {
  std::string text = fmt::format("Usage: soya {} {} [OPTION...]\n\n{}: {}.\n\n{}\nOptions:\n", of.name, of.operands,
                                 of.name, of.meaning, of.notes);
  const std::vector<HelpLine> lines = help_lines(of);
  std::size_t width = 21;
  for (const HelpLine& line : lines) width = std::max(width, line.spelling.size());
  for (const HelpLine& line : lines) text += fmt::format("  {:<{}} {}\n", line.spelling, width, line.meaning);
  text += "\nExamples:\n";
  for (const std::string& example : of.examples) text += "  " + example + "\n";
  return text;
}

std::string one_scenario(const Command& of, const Parsed& parsed) {
  if (parsed.positional.empty()) throw UsageError(usage_error(of, "which SCENARIO? Name a YAML file"));
  if (parsed.positional.size() > 1) {
    const std::string extra = parsed.positional[1];
    throw UsageError(usage_error(of, "one SCENARIO at a time; \"" + extra + "\" is one too many"));
  }
  return parsed.positional.front();
}

ReadOptions read_options(const Command& of, const Parsed& parsed) {
  ReadOptions read;
  for (const auto& [key, text] : parsed.values) {
    if (key == "set") read.sets.push_back(text);
  }
  if (const auto seed = parsed.value("seed")) {
    read.seed = whole_decimal<std::uint64_t>(of, "seed", *seed, "a whole number from 0 to 18446744073709551615");
  }
  read.variant = parsed.value("variant");
  return read;
}

std::optional<std::int64_t> whole_number(const Command& of, const Parsed& parsed, const std::string& option,
                                         std::int64_t least, std::int64_t most, const std::string& expected) {
  const auto text = parsed.value(option);
  if (!text) return std::nullopt;
  const auto number = whole_decimal<std::int64_t>(of, option, *text, expected);
  if (number >= least && number <= most) return number;
  throw UsageError(usage_error(of, fmt::format("--{}: expected {}, got \"{}\"", option, expected, *text)));
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

std::string suggestion(const std::string& name, const std::vector<std::string>& known) {
  std::vector<std::string_view> candidates{known.begin(), known.end()};
  // An abbreviation is not accepted, but what it stands for is known.
  const auto longer = [&](std::string_view each) { return name.size() > 2 && each.starts_with(name); };
  if (const auto found = std::find_if(candidates.begin(), candidates.end(), longer); found != candidates.end()) {
    return fmt::format("; did you mean {}?", *found);
  }
  const auto near = nearest(name, candidates);
  return near ? fmt::format("; did you mean {}?", *near) : "";
}

}  // namespace soya::cli
