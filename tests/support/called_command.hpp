// Calls a command of soya inside the test's process and catches what it prints.
// Simplifies: what it throws, and main.cpp would print, is the error text. Source: ours.
// Validated by the tests that use it.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "soya/command_line.hpp"
#include "support/run_command.hpp"
#include "support/temporary_folder.hpp"

namespace soya::test {

/// A descriptor that leads into a file while this lives.
class Redirected final {
 public:
  Redirected(int descriptor, const std::filesystem::path& file) : descriptor_{descriptor}, kept_{::dup(descriptor)} {
    const int target = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(target, descriptor_);
    ::close(target);
  }
  ~Redirected() {
    ::dup2(kept_, descriptor_);
    ::close(kept_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  int descriptor_;
  int kept_;
};

/// Texts come without `folder`'s path. Status -1: it threw, and `err` is what.
inline CommandResult call_command(const cli::Command& command, const TemporaryFolder& folder,
                                  const std::vector<std::string>& arguments) {
  const TemporaryFolder caught;
  CommandResult result;
  {
    const Redirected out{STDOUT_FILENO, caught / "out"};
    const Redirected err{STDERR_FILENO, caught / "err"};
    try {
      result.status = command.run(command, cli::parse(command, arguments));
    } catch (const std::exception& error) {
      result.status = -1;
      result.err = error.what();
    }
  }
  result.out = read_text(caught / "out");
  result.err += read_text(caught / "err");
  const std::string prefix = folder.path().string() + "/";
  for (std::string* const text : {&result.out, &result.err}) {
    for (std::size_t at = text->find(prefix); at != std::string::npos; at = text->find(prefix)) {
      text->erase(at, prefix.size());
    }
  }
  return result;
}

}  // namespace soya::test
