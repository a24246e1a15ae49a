// The commands of README.md and of the guides, as written there: each prints on standard output what the page shows
// below it.
// `[...]` on a line of its own stands for lines left out. UPDATE_SNAPSHOTS=1 renews what is shown.
#include <doctest/doctest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/temporary_folder.hpp"

namespace soya::test {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

const fs::path project{SOYA_SOURCE_DIR};
constexpr std::string_view left_out = "[...]";

Lines lines_in(const std::string& text) {
  Lines lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string text_of(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// A fenced block: `language` stands behind the fence, `lines` are the README's from `first` on, from 0.
struct Block {
  std::string language;
  std::size_t first{0};
  Lines lines;
};

std::vector<Block> blocks_of(const Lines& readme) {
  std::vector<Block> blocks;
  bool open = false;
  for (std::size_t i = 0; i < readme.size(); ++i) {
    if (readme[i].starts_with("```")) {
      open = !open;
      if (open) blocks.push_back({readme[i].substr(3), i + 1, {}});
    } else if (open) {
      blocks.back().lines.push_back(readme[i]);
    }
  }
  CHECK_FALSE(open);
  return blocks;
}

/// What the page shows below a command.
struct Shown {
  std::string command;
  Lines output;
};

std::vector<Shown> commands_of(const Block& block) {
  std::vector<Shown> commands;
  for (const std::string& line : block.lines) {
    if (line.starts_with("$ ")) {
      commands.push_back({line.substr(2), {}});
    } else {
      REQUIRE_FALSE(commands.empty());
      commands.back().output.push_back(line);
    }
  }
  return commands;
}

/// `actual` with the middle left out where `shown` leaves it out.
Lines as_shown(const Lines& shown, const Lines& actual) {
  const auto gap = std::find(shown.begin(), shown.end(), left_out);
  if (gap == shown.end()) return actual;
  const auto head = static_cast<std::size_t>(gap - shown.begin());
  const auto tail = static_cast<std::size_t>(shown.end() - gap) - 1;
  if (head + tail > actual.size()) return actual;
  Lines out(actual.begin(), actual.begin() + static_cast<std::ptrdiff_t>(head));
  out.emplace_back(left_out);
  out.insert(out.end(), actual.end() - static_cast<std::ptrdiff_t>(tail), actual.end());
  return out;
}

/// A checkout as the README's reader has it after tools/quickstart, with the binary of this build.
class Checkout final {
 public:
  Checkout() {
    for (const char* name : {"scenarios", "topologies"}) fs::create_symlink(project / name, folder_ / name);
    fs::create_directories(folder_ / "build/release/bin");
    fs::create_symlink(SOYA_BINARY, folder_ / "build/release/bin/soya");
  }

  void save(const std::string& name, const Lines& lines) { write_text(folder_ / name, text_of(lines)); }

  /// Runs `command` with `preamble` before it; what it has printed is in `out`.
  int run(const std::string& preamble, const std::string& command, Lines& out) {
    const std::string script = folder_ / "command.sh";
    write_text(script, "cd '" + folder_.path().string() + "' || exit 99\n" + preamble + "\n" + command + "\n");
    const std::string caught = folder_ / "caught";
    const std::string run = "sh '" + script + "' >'" + caught + "' 2>'" + (folder_ / "notes").string() + "' </dev/null";
    const int status = std::system(run.c_str());
    out = lines_in(read_text(caught));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  [[nodiscard]] std::string notes() const { return read_text(folder_ / "notes"); }

 private:
  TemporaryFolder folder_;
};

/// The name in backquotes in the last line that says something before `line`: "Save this as `mine.yaml`".
std::string file_named_before(const Lines& readme, std::size_t line) {
  while (line-- > 0) {
    const std::size_t begin = readme[line].find('`');
    if (begin == std::string::npos || readme[line].starts_with("```")) continue;
    return readme[line].substr(begin + 1, readme[line].find('`', begin + 1) - begin - 1);
  }
  return {};
}

/// Seconds in release, minutes without optimisation.
bool too_slow_here([[maybe_unused]] const std::string& command) {
#ifdef NDEBUG
  return false;
#else
  return command == "soya run scenarios/janog55-ddp.yaml";
#endif
}

/// Tools of the reader's that are no part of Soya.
bool lacks_a_tool(Checkout& checkout, const std::string& command) {
  for (const std::string tool : {"sqlite3", "jq"}) {
    Lines out;
    const bool used = command.starts_with(tool + " ") || command.find("| " + tool + " ") != std::string::npos;
    if (used && checkout.run("", "command -v " + tool, out) != 0) return true;
  }
  return false;
}

/// Runs the commands of a block and returns the block as it should be. A command that fails leaves what is shown.
Lines run_block(Checkout& checkout, const std::string& preamble, const Block& block) {
  Lines renewed;
  for (const Shown& shown : commands_of(block)) {
    CAPTURE(shown.command);
    renewed.push_back("$ " + shown.command);
    Lines expected = shown.output;
    if (!too_slow_here(shown.command) && !lacks_a_tool(checkout, shown.command)) {
      Lines actual;
      const int status = checkout.run(preamble, shown.command, actual);
      CHECK_MESSAGE(status == 0, checkout.notes());
      if (status == 0) expected = as_shown(shown.output, actual);
      if (std::getenv("UPDATE_SNAPSHOTS") == nullptr)
        CHECK(text_of(shown.output) == text_of(as_shown(shown.output, actual)));
    }
    renewed.insert(renewed.end(), expected.begin(), expected.end());
  }
  return renewed;
}

/// The line of the README that makes `soya` a command.
std::string path_line(const std::vector<Block>& blocks) {
  for (const Block& block : blocks) {
    for (const std::string& line : block.lines) {
      if (block.language == "sh" && line.starts_with("export PATH=")) return line;
    }
  }
  return {};
}

/// The pages that show commands and what they print.
const std::vector<std::string> pages{"README.md", "docs/headroom.md", "docs/long-haul.md", "docs/sweeps.md", "docs/topologies.md"};

/// Blocks that the page tells its reader to save.
bool is_a_file(const std::string& language) {
  return language == "yaml" || language == "ini" || language == "sql" || language == "jq";
}

/// Runs every command of a page and returns the page as it should be.
Lines run_page(const Lines& page, const std::string& preamble) {
  Checkout checkout;
  Lines renewed;
  std::size_t copied = 0;
  std::size_t consoles = 0;
  const auto copy_until = [&](std::size_t end) {
    renewed.insert(renewed.end(), page.begin() + static_cast<std::ptrdiff_t>(copied),
                   page.begin() + static_cast<std::ptrdiff_t>(end));
  };
  for (const Block& block : blocks_of(page)) {
    if (is_a_file(block.language)) checkout.save(file_named_before(page, block.first - 1), block.lines);
    if (block.language != "console") continue;
    ++consoles;
    copy_until(block.first);
    const Lines lines = run_block(checkout, preamble, block);
    renewed.insert(renewed.end(), lines.begin(), lines.end());
    copied = block.first + block.lines.size();
  }
  CHECK(consoles >= 4);
  copy_until(page.size());
  return renewed;
}

TEST_CASE("the README's commands, and those of the guides, print what the pages show") {
  const std::string preamble = path_line(blocks_of(lines_in(read_text(project / "README.md"))));
  REQUIRE_FALSE(preamble.empty());
  for (const std::string& page : pages) {
    CAPTURE(page);
    const Lines renewed = run_page(lines_in(read_text(project / page)), preamble);
    if (std::getenv("UPDATE_SNAPSHOTS") != nullptr) write_text(project / page, text_of(renewed));
  }
}

TEST_CASE("the README's two commands are there and can be run") {
  const std::string readme = read_text(project / "README.md");
  for (const char* command : {"tools/quickstart", "tools/test"}) {
    CHECK(readme.find(std::string("\n") + command + " ") != std::string::npos);
    const fs::perms may = fs::status(project / command).permissions();
    CHECK((may & fs::perms::owner_exec) != fs::perms::none);
  }
}

TEST_CASE("nothing in a block of these pages is wider than a terminal") {
  const auto letters = [](const std::string& line) {
    return std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  };
  for (const std::string& page : pages) {
    for (const Block& block : blocks_of(lines_in(read_text(project / page)))) {
      for (const std::string& line : block.lines) CHECK_MESSAGE(letters(line) <= 100, line);
    }
  }
}

}  // namespace
}  // namespace soya::test
