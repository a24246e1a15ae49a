// Runs Graphviz: the picture comes from a program of its own, so that Soya works without it.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include "core/input_text.hpp"
#include "results/files.hpp"
#include "topology_drawing.hpp"

extern char** environ;

namespace soya::cli {

namespace {

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

/// The exit status of `words` with standard streams from and to files; nothing where there is no such program.
std::optional<int> run(std::vector<std::string> words, const ScratchFile& in, const ScratchFile& out,
                       const ScratchFile& notes) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, in.path().c_str(), O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.path().c_str(), O_WRONLY | O_TRUNC, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, notes.path().c_str(), O_WRONLY | O_TRUNC, 0);
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed == ENOENT || failed == EACCES) return std::nullopt;
  if (failed != 0) throw MachineError(words[0], system_reason(failed));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::string svg_of(const Drawing& drawing) {
  constexpr std::size_t largest_picture = std::size_t{1} << 30;
  const ScratchFile in;
  const ScratchFile out;
  const ScratchFile notes;
  atomic_write(in.path(), drawing.dot);
  std::vector<std::string> words{drawing.layout == Layout::tiers ? "dot" : "neato", "-Tsvg"};
  if (drawing.layout == Layout::map) words.emplace_back("-n");
  const std::optional<int> status = run(words, in, out, notes);
  const std::string instead = "; --to dot works without it, and other programs draw that";
  if (!status) {
    throw DrawingError("cannot draw: the program " + words[0] +
                       " of Graphviz is not there; install the package graphviz" + instead);
  }
  std::string svg = read_input(out.path(), largest_picture).text;
  if (*status == 0 && !svg.empty()) return svg;
  const std::string said = read_input(notes.path(), 1 << 16).text;
  throw DrawingError(fmt::format("cannot draw: {} ended with status {}{}{}{}", words[0], *status,
                                 said.empty() ? "" : ": ", said.substr(0, said.find('\n')), instead));
}

}  // namespace soya::cli
