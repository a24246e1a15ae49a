// The soya command: picks the subcommand and turns what goes wrong into a message and an exit status.

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include "commands.hpp"
#include "core/utf8.hpp"
#include "exit_status.hpp"
#include "failure.hpp"
#include "output.hpp"

namespace soya::cli {

namespace {

int run(const Command& command, const std::vector<std::string>& arguments) {
  const Parsed parsed = parse(command, arguments);
  if (!parsed.has("help")) return command.run(command, parsed);
  print_answer(help_of(command));
  return ExitStatus::sound;
}

/// The words of a command's name: "sweep run" has two.
std::vector<std::string> words_of(const std::string& name) {
  const std::size_t blank = name.find(' ');
  if (blank == std::string::npos) return {name};
  return {name.substr(0, blank), name.substr(blank + 1)};
}

bool begins_with(const std::vector<std::string>& arguments, const std::vector<std::string>& words) {
  return arguments.size() >= words.size() && std::equal(words.begin(), words.end(), arguments.begin());
}

/// `first` alone, or with a second word that no command of that family has.
int family(const std::string& first, const std::vector<std::string>& arguments) {
  const std::string second = arguments.size() > 1 ? arguments[1] : "";
  if (second == "--help" || second == "-h") {
    print_answer(family_help(first));
    return ExitStatus::sound;
  }
  if (second.empty() || second.starts_with('-')) {
    print_note(family_help(first));
    return ExitStatus::bad_input;
  }
  std::vector<std::string> known;
  for (const Command& command : commands()) {
    if (words_of(command.name).front() == first) known.push_back(words_of(command.name).back());
  }
  throw UsageError(fmt::format("soya: unknown command {} {}{}\nTry: soya {} --help", first, visible(second),
                               visible(suggestion(second, known)), first));
}

int dispatch(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    print_note(general_help());
    return ExitStatus::bad_input;
  }
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h") {
    print_answer(general_help());
    return ExitStatus::sound;
  }
  if (name == "--version") {
    print_answer("soya " SOYA_VERSION "\n");
    return ExitStatus::sound;
  }
  std::vector<std::string> known;
  for (const Command& command : commands()) {
    const std::vector<std::string> words = words_of(command.name);
    if (begins_with(arguments, words)) return run(command, {arguments.begin() + std::ssize(words), arguments.end()});
    known.push_back(words.front());
  }
  if (std::ranges::find(known, name) != known.end()) return family(name, arguments);
  known.insert(known.end(), {"--help", "--version"});
  std::string hint = suggestion(name, known);
  if (hint.empty() && (name.ends_with(".yaml") || name.ends_with(".yml")))
    hint = "; did you mean soya run " + name + "?";
  throw UsageError(fmt::format("soya: unknown {} {}{}\nTry: soya --help", name.starts_with('-') ? "option" : "command",
                               visible(name), visible(hint)));
}

}  // namespace

}  // namespace soya::cli

int main(int argc, char** argv) {
  // A closed pipe and a file that may not grow become errors of write(), which have a place and a message.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  soya::cli::occupy_standard_descriptors();
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  return soya::cli::reported(arguments, [&] { return soya::cli::dispatch(arguments); });
}
