#include "output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "core/utf8.hpp"
#include "display_width.hpp"
#include "results/files.hpp"

namespace soya::cli {

namespace {

/// 0, or the error number.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// Whether a terminal that calls itself `term` moves its cursor and shows colours.
bool is_capable(const char* term) {
  return term != nullptr && std::string_view{term} != "dumb";
}

}  // namespace

void print_answer(std::string_view text) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error != 0 && error != EPIPE) throw MachineError("standard output", system_reason(error));
}

void print_note(std::string_view text) {
  write_all(STDERR_FILENO, text);
}

std::string message_text(std::string_view text, std::optional<std::size_t> columns) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line = visible(text.substr(0, end));
    out += columns ? wrapped(line, *columns, "", "  ") : line + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

void print_message(std::string_view text) {
  print_note(message_text(text, notes_go_to_a_terminal() ? std::optional{terminal_columns()} : std::nullopt));
}

Colour colour_for(const Terminal& terminal) {
  const bool refused = terminal.no_color != nullptr && *terminal.no_color != '\0';
  return terminal.reads && is_capable(terminal.term) && !refused ? Colour::on : Colour::off;
}

Colour answer_colour() {
  return colour_for({::isatty(STDOUT_FILENO) != 0, std::getenv("NO_COLOR"), std::getenv("TERM")});
}

std::string coloured(std::string_view text, std::string_view code, Colour colour) {
  return colour == Colour::on ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string{text};
}

bool notes_go_to_a_terminal() {
  return ::isatty(STDERR_FILENO) != 0 && is_capable(std::getenv("TERM"));
}

std::size_t terminal_columns() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2) return 80;
  return size.ws_col;
}

void occupy_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // Read-only: writing an answer to a closed standard output stays an error.
    if (const int opened = ::open("/dev/null", O_RDONLY); opened >= 0 && opened != descriptor) ::close(opened);
  }
}

}  // namespace soya::cli
