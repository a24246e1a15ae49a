// Standard output carries the answer, standard error everything else.
// Simplifies: colour is three of the eight ANSI colours. Source: no-color.org for NO_COLOR.
// Validated by tests/unit/tools/output_test.cpp and tests/cli/output_test.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace soya::cli {

/// Writes the answer to standard output. A reader that has gone (a closed pipe) is no error; a full disk throws
/// `MachineError`.
void print_answer(std::string_view text);

/// Writes to standard error; what cannot be written there is lost.
void print_note(std::string_view text);

/// Warnings and errors, one on each line of `text`, made `visible`: as they are for a file or another command, and
/// broken between words where a terminal of `columns` reads.
[[nodiscard]] std::string message_text(std::string_view text, std::optional<std::size_t> columns);
/// Writes `message_text` to standard error.
void print_message(std::string_view text);

enum class Colour { off, on };

/// What decides on colour: whether a terminal reads, and the values of NO_COLOR and TERM, null where they are not set.
struct Terminal {
  bool reads{false};
  const char* no_color{nullptr};
  const char* term{nullptr};
};

/// On where a terminal reads that knows colours, and NO_COLOR is not set or empty.
[[nodiscard]] Colour colour_for(const Terminal& terminal);

/// `colour_for` standard output and the environment.
[[nodiscard]] Colour answer_colour();

inline constexpr std::string_view bold = "1";
/// `text` in the colour of an ANSI code such as `bold`, or as it is.
[[nodiscard]] std::string coloured(std::string_view text, std::string_view code, Colour colour);

[[nodiscard]] bool notes_go_to_a_terminal();
/// Columns of the terminal behind standard error; 80 where it does not say.
[[nodiscard]] std::size_t terminal_columns();

/// Descriptors 0 to 2 exist afterwards, so that no result file takes the place of a closed standard output.
void occupy_standard_descriptors();

}  // namespace soya::cli
