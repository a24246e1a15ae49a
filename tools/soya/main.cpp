// The soya command: picks the subcommand and turns what goes wrong into a message and an exit status.

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "commands.hpp"
#include "core/check.hpp"
#include "core/diagnostic.hpp"
#include "core/utf8.hpp"
#include "exit_status.hpp"
#include "output.hpp"
#include "results/files.hpp"
#include "results/reader.hpp"

namespace soya::cli {

namespace {

int run(const Command& command, const std::vector<std::string>& arguments) {
  const Parsed parsed = parse(command, arguments);
  if (!parsed.has("help")) return command.run(command, parsed);
  print_answer(help_of(command));
  return ExitStatus::sound;
}

int dispatch(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    print_note(general_help());
    return ExitStatus::bad_input;
  }
  const std::string& name = arguments.front();
  const std::vector<std::string> rest{arguments.begin() + 1, arguments.end()};
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
    if (command.name == name) return run(command, rest);
    known.push_back(command.name);
  }
  known.insert(known.end(), {"--help", "--version"});
  std::string hint = suggestion(name, known);
  if (hint.empty() && (name.ends_with(".yaml") || name.ends_with(".yml")))
    hint = "; did you mean soya run " + name + "?";
  throw UsageError(fmt::format("soya: unknown {} {}{}\nTry: soya --help", name.starts_with('-') ? "option" : "command",
                               visible(name), visible(hint)));
}

std::string defect_report(const std::string& what, const std::vector<std::string>& arguments) {
  std::string command = "soya";
  for (const std::string& argument : arguments) command += " " + visible(argument);
  return fmt::format(
      "soya: an internal check failed: {}\n"
      "This is a defect of Soya, not of your scenario. Please report the line above with\n"
      "  version  {}\n  command  {}\n"
      "and the scenario, as `soya check SCENARIO` prints it.\n",
      what, SOYA_VERSION, command);
}

int guarded(const std::vector<std::string>& arguments) {
  try {
    return dispatch(arguments);
  } catch (const UsageError& error) {
    print_note(std::string{error.what()} + "\n");
    return ExitStatus::bad_input;
  } catch (const ScenarioError& error) {
    print_message(std::string{error.what()} + "\n");
    return ExitStatus::bad_input;
  } catch (const ResultsError& error) {
    print_message(std::string{error.what()} + "\n");
    return ExitStatus::bad_input;
  } catch (const MachineError& error) {
    print_note(std::string{"soya: "} + error.what() + "\n");
    return ExitStatus::machine_refused;
  } catch (const MemoryRefusal& error) {
    print_note(std::string{"soya: "} + error.what() + "\n");
    return ExitStatus::machine_refused;
  } catch (const std::bad_alloc&) {
    // No formatting: there is no memory for it.
    print_note("soya: out of memory. `soya check SCENARIO` estimates what a run needs.\n");
    return ExitStatus::machine_refused;
  } catch (const std::exception& error) {
    print_note(defect_report(error.what(), arguments));
    return ExitStatus::internal_error;
  }
}

}  // namespace

}  // namespace soya::cli

int main(int argc, char** argv) {
  // A closed pipe and a file that may not grow become errors of write(), which have a place and a message.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  soya::cli::occupy_standard_descriptors();
  return soya::cli::guarded(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
}
