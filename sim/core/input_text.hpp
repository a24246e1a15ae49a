// The whole text of a file or pipe that a user names.
// Simplifies: POSIX only. A pipe that somebody has open is waited for without end, one that nobody writes to is not.
// Source: POSIX.1-2017 open() and read() of a FIFO. Validated by tests/unit/core/input_text_test.cpp.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace soya {

enum class InputFault {
  none,
  system,         ///< `error` says which
  too_large,      ///< more than was asked for
  nothing_comes,  ///< a pipe that nobody has written to
};

struct InputText {
  std::string text;
  InputFault fault{InputFault::none};
  int error{0};  ///< errno
};

/// What is told of `InputFault::nothing_comes`.
inline constexpr const char* nothing_comes_text =
    "is a pipe from which nothing (more) comes, and files may be read more than once: save it as a file";

/// Reads `file` to its end, at most `limit` bytes. A pipe has `patience` for its writer to come.
[[nodiscard]] InputText read_input(const std::string& file, std::size_t limit,
                                   std::chrono::milliseconds patience = std::chrono::seconds{1});

}  // namespace soya
