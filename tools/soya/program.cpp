#include "program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>

#include "core/input_text.hpp"
#include "results/files.hpp"

extern char** environ;

namespace soya::cli {

namespace {

constexpr std::size_t most_out = std::size_t{1} << 30;
constexpr std::size_t most_notes = std::size_t{1} << 16;

/// A file under a name of its own that goes when this goes.
class ScratchFile final {
 public:
  ScratchFile() {
    std::string name = (std::filesystem::temp_directory_path() / "soya-XXXXXX").string();
    const int descriptor = ::mkstemp(name.data());
    if (descriptor < 0) throw MachineError(name, system_reason(errno));
    ::close(descriptor);
    path_ = name;
  }
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

std::optional<ProgramEnd> run_program(std::vector<std::string> words, std::string_view in) {
  const ScratchFile input;
  const ScratchFile output;
  const ScratchFile notes;
  atomic_write(input.path(), in);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input.path().c_str(), O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.path().c_str(), O_WRONLY | O_TRUNC, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, notes.path().c_str(), O_WRONLY | O_TRUNC, 0);
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed == ENOENT || failed == EACCES) return std::nullopt;
  if (failed != 0) throw MachineError(words[0], system_reason(failed));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return ProgramEnd{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                    read_input(output.path(), most_out).text, read_input(notes.path(), most_notes).text};
}

}  // namespace soya::cli
