// Runs a shell command and catches what a user sees: exit status, standard output, standard error.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "support/temporary_folder.hpp"

namespace soya::test {

struct CommandResult {
  int status{0};  ///< 128 + the signal for a command that a signal ended
  std::string out;
  std::string err;
};

/// `command` runs in `folder` under sh; "$SOYA" is the binary.
inline CommandResult run_command(const TemporaryFolder& folder, const std::string& command) {
  const TemporaryFolder caught;
  const std::string out = caught / "out";
  const std::string err = caught / "err";
  const std::string script = "cd '" + folder.path().string() + "' || exit 99; SOYA='" SOYA_BINARY "'; { " + command +
                             "\n} >'" + out + "' 2>'" + err + "' </dev/null";
  const int status = std::system(script.c_str());
  CommandResult result;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read_text(out);
  result.err = read_text(err);
  return result;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace soya::test
