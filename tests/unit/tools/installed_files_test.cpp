// The man page and the bash completion of tools/install say what each command declares. UPDATE_SNAPSHOTS=1 renews them.
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "soya/commands.hpp"
#include "support/temporary_folder.hpp"

namespace soya::cli {
namespace {

/// As roff reads it: a dash that stays one, and no line that begins as a request does.
std::string roff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    line_begins = c == '\n';
    if (c == '-')
      out += "\\-";
    else if (c == '\\')
      out += "\\e";
    else if (c == '\'')
      out += "\\(aq";
    else
      out += c;
  }
  return out;
}

/// Options that share a meaning stand together: all but the last of them have none.
std::string option_entry(const Option& option, bool shares) {
  std::string text = std::string{shares ? ".TQ" : ".TP"} + "\n\\fB" + roff("--" + option.name) + "\\fR";
  if (option.name == "help") text += ", \\fB\\-h\\fR";
  if (!option.argument.empty()) text += " \\fI" + roff(option.argument) + "\\fR";
  return text + "\n" + (option.meaning.empty() ? "" : roff(option.meaning) + "\n");
}

std::string synopsis() {
  std::string text = ".SH SYNOPSIS\n";
  for (const Command& command : commands()) {
    text += "\\fBsoya " + command.name + "\\fR " + roff(command.operands) + " [\\fIOPTION\\fR...]\n.br\n";
  }
  return text + "\\fBsoya \\-\\-help\\fR | \\fBsoya \\-\\-version\\fR\n";
}

std::string command_sections() {
  std::string text = ".SH COMMANDS\n";
  for (const Command& command : commands()) {
    text += ".SS soya " + command.name + " " + roff(command.operands) + "\n" + roff(command.meaning) + ".\n.PP\n" +
            roff(command.notes);
    bool shares = false;
    for (const Option& option : command.options) {
      text += option_entry(option, shares);
      shares = option.meaning.empty();
    }
  }
  return text;
}

std::string examples() {
  std::string text = ".SH EXAMPLES\n.nf\n";
  for (const Command& command : commands()) {
    for (const std::string& example : command.examples) text += roff(example) + "\n";
  }
  return text + ".fi\n";
}

/// The kind of what a command takes beside options, as the completion knows kinds: the words of a choice, or a name.
std::string operand_kind(std::string operands) {
  std::erase_if(operands, [](char c) { return c == '[' || c == ']' || c == ' ' || c == '.'; });
  return operands;
}

std::string completion_block() {
  std::string names;
  std::string cases;
  std::string family;
  std::string seconds;
  for (const Command& command : commands()) {
    const std::size_t blank = command.name.find(' ');
    if (blank == std::string::npos) {
      names += (names.empty() ? "" : " ") + command.name;
    } else {
      if (family.empty()) names += " " + (family = command.name.substr(0, blank));
      REQUIRE(command.name.starts_with(family + ' '));
      seconds += (seconds.empty() ? "" : " ") + command.name.substr(blank + 1);
    }
    std::string options;
    std::string values;
    for (const Option& option : command.options) {
      options += (options.empty() ? "--" : " --") + option.name;
      if (!option.argument.empty()) values += (values.empty() ? "--" : " --") + option.name + ":" + option.argument;
    }
    cases += "    \"" + command.name + "\")\n      options=\"" + options + "\"\n      values=\"" + values +
             "\"\n      operand=\"" + operand_kind(command.operands) + "\"\n      ;;\n";
  }
  return "_soya_commands=\"" + names + "\"\n_soya_family() {\n  case $1 in\n    " + family + ") second=\"" + seconds +
         "\" ;;\n  esac\n}\n_soya_command() {\n  case $1 in\n" + cases + "  esac\n}\n";
}

/// `file` with `text` between the line `begin`, which is a part of `text`, and the line `end`.
void check_part(const std::string& name, const std::string& begin, const std::string& end, const std::string& text) {
  const std::string file = std::string{SOYA_SOURCE_DIR} + "/tools/install/" + name;
  std::string whole = test::read_text(file);
  const std::size_t first = whole.find(begin);
  REQUIRE_MESSAGE(first != std::string::npos, begin);
  const std::size_t last = end.empty() ? whole.size() : whole.find(end, first);
  REQUIRE_MESSAGE(last != std::string::npos, end);
  if (std::getenv("UPDATE_SNAPSHOTS") != nullptr) {
    test::write_text(file, whole.substr(0, first) + text + whole.substr(last));
    return;
  }
  CHECK(whole.substr(first, last - first) == text);
}

TEST_CASE("the man page says what each command declares") {
  check_part("soya.1", ".SH SYNOPSIS\n", ".SH DESCRIPTION\n", synopsis());
  check_part("soya.1", ".SH COMMANDS\n", ".SH EXIT STATUS\n", command_sections());
  check_part("soya.1", ".SH EXAMPLES\n", "", examples());
  CHECK(test::read_text(SOYA_SOURCE_DIR "/tools/install/soya.1").find("\"soya " SOYA_VERSION "\"") !=
        std::string::npos);
}

TEST_CASE("the completion knows what each command declares") {
  check_part("soya.bash", "_soya_commands=", "# End of what is written.\n", completion_block());
}

}  // namespace
}  // namespace soya::cli
