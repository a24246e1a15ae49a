// What the exit status of the command says; the list of docs/results.md.
// Source: docs/results.md; 130 and 143 are 128 + the signal, as shells have it. Validated by tests/cli.
#pragma once

#include <stdexcept>
#include <string>

namespace soya::cli {

struct ExitStatus {
  static constexpr int sound = 0;
  static constexpr int internal_error = 1;
  static constexpr int bad_input = 2;
  static constexpr int not_sound = 3;
  static constexpr int machine_refused = 4;
  static constexpr int signal_base = 128;
};

/// A command line that cannot be understood: exit status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The run would not fit this machine: exit status 4.
class MemoryRefusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace soya::cli
