// The command line: one declaration of each option serves the parser and --help; the man page and the completion are
// held against it by a test.
// Simplifies: nothing. Source: GNU coding standards for long options. Validated by tests/cli/help_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/results_folder.hpp"
#include "scenario/read.hpp"

namespace soya::cli {

struct CheckOptions {
  std::string scenario;
  ReadOptions read;
  std::optional<std::int64_t> memory_limit;  ///< bytes
};

enum class Answer { text, json };

struct RunOptions {
  std::string scenario;
  ReadOptions read;
  int threads{1};
  bool quiet{false};
  std::optional<std::string> out;
  Answer answer{Answer::text};
  CsvFiles csv{CsvFiles::none};
  std::optional<std::int64_t> memory_limit;  ///< bytes
};

/// Help of the command as a whole, and of one subcommand.
[[nodiscard]] std::string general_help();
[[nodiscard]] std::string help_of(const std::string& command);

/// Names of the subcommands.
[[nodiscard]] std::vector<std::string> command_names();

/// `arguments` without the subcommand's name. Absent: help was asked for. Throws `UsageError`.
[[nodiscard]] std::optional<RunOptions> parse_run(const std::vector<std::string>& arguments);
[[nodiscard]] std::optional<CheckOptions> parse_check(const std::vector<std::string>& arguments);

/// `name`, and the nearest of `known` where it is near enough: "; did you mean --seed?".
[[nodiscard]] std::string suggestion(const std::string& name, const std::vector<std::string>& known);

}  // namespace soya::cli
