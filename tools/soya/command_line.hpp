// The command line: one declaration of each command and option serves the parser, --help, the man page and the
// completion.
// Simplifies: nothing. Source: GNU coding standards for long options. Validated by tests/cli/help_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenario/read.hpp"

namespace soya::cli {

struct Option {
  std::string name;      ///< without dashes
  std::string argument;  ///< empty: a flag
  std::string meaning;   ///< empty: the next option's, on one line with it
};

/// What stands on a command line: values by option, and what is no option.
struct Parsed {
  std::vector<std::pair<std::string, std::string>> values;
  std::vector<std::string> positional;

  [[nodiscard]] std::optional<std::string> value(const std::string& name) const;
  [[nodiscard]] bool has(const std::string& name) const { return value(name).has_value(); }
};

struct Command {
  std::string name;
  std::string operands;  ///< as the usage line has them: SCENARIO, [KEY]
  std::string meaning;   ///< one line
  std::string notes;     ///< lines
  std::vector<Option> options;
  std::vector<std::string> examples;
  /// Returns the exit status; --help is answered before. Throws what main.cpp turns into a status.
  int (*run)(const Command& self, const Parsed& parsed){nullptr};
};

/// Options that several commands share.
[[nodiscard]] const Option& set_option();
[[nodiscard]] const Option& seed_option();
[[nodiscard]] const Option& memory_option();
[[nodiscard]] const Option& help_option();

[[nodiscard]] std::string help_of(const Command& command);

/// `arguments` without the command's name. Throws `UsageError`.
[[nodiscard]] Parsed parse(const Command& of, const std::vector<std::string>& arguments);

/// Text of a `UsageError` of this command.
[[nodiscard]] std::string usage_error(const Command& of, const std::string& message);

/// Values of the shared options and operands; they throw `UsageError` where one is wrong.
[[nodiscard]] std::string one_scenario(const Command& of, const Parsed& parsed);
[[nodiscard]] ReadOptions read_options(const Command& of, const Parsed& parsed);
[[nodiscard]] std::optional<std::int64_t> memory_size(const Command& of, const Parsed& parsed);  ///< bytes
/// Where the option is not given: absent.
[[nodiscard]] std::optional<std::int64_t> whole_number(const Command& of, const Parsed& parsed,
                                                       const std::string& option, std::int64_t least, std::int64_t most,
                                                       const std::string& expected);

/// `name`, and the nearest of `known` where it is near enough: "; did you mean --seed?".
[[nodiscard]] std::string suggestion(const std::string& name, const std::vector<std::string>& known);

}  // namespace soya::cli
