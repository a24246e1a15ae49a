// Runs another program and waits for it: Graphviz, Slurm's commands.
// Simplifies: what goes in and comes out is whole, in files, so that no pipe fills up. Source: POSIX.1-2017
// posix_spawn(). Validated by tests/unit/tools/program_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace soya::cli {

struct ProgramEnd {
  int status{0};  ///< 128 + the signal that ended it
  std::string out;
  std::string notes;  ///< what it wrote to standard error, its first 64 KiB
};

/// `words` with `in` as standard input; absent where there is no program words[0]. Throws `MachineError`.
[[nodiscard]] std::optional<ProgramEnd> run_program(std::vector<std::string> words, std::string_view in = {});

}  // namespace soya::cli
