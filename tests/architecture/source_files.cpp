#include "architecture/source_files.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace soya::architecture {
namespace {

[[nodiscard]] bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
[[nodiscard]] bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Walks over source text and blanks what is not code.
class Blanker final {
 public:
  explicit Blanker(std::string_view text) : text_{text}, out_{text} {}

  [[nodiscard]] std::string run() {
    while (at_ < text_.size()) step();
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  [[nodiscard]] char previous() const { return at_ == 0 ? ' ' : text_[at_ - 1]; }

  void step() {
    if (starts("//")) return blank_until(text_.find('\n', at_));
    if (starts("/*")) return blank_until(end_after("*/", at_ + 2));
    if (starts("R\"") && (!is_word(previous()) || previous() == '8')) return raw_string();
    if (text_[at_] == '"' || text_[at_] == '\'') return literal(text_[at_]);
    if (is_word(text_[at_])) return word();
    ++at_;
  }

  /// A word or number, with the quotes that separate digits.
  void word() {
    const bool number = is_digit(text_[at_]);
    while (at_ < text_.size()) {
      const bool separator = number && text_[at_] == '\'' && at_ + 1 < text_.size() && is_word(text_[at_ + 1]);
      if (!is_word(text_[at_]) && !separator) return;
      if (starts("R\"")) return;
      ++at_;
    }
  }

  void literal(char quote) {
    ++at_;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      const std::size_t length = text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n' ? 2 : 1;
      blank_until(at_ + length);
    }
    if (at_ < text_.size()) ++at_;
  }

  void raw_string() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return blank_until(text_.size());
    const std::string close = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
    at_ += 2;
    blank_until(end_after(close, open));
    out_[at_ - 1] = '"';
  }

  [[nodiscard]] std::size_t end_after(std::string_view what, std::size_t from) const {
    const std::size_t found = text_.find(what, from);
    return found == std::string_view::npos ? text_.size() : found + what.size();
  }

  void blank_until(std::size_t end) {
    for (end = std::min(end, text_.size()); at_ < end; ++at_) {
      if (text_[at_] != '\n') out_[at_] = ' ';
    }
  }

  std::string_view text_;
  std::string out_;
  std::size_t at_{0};
};

/// `code` with preprocessor lines blanked, continued ones too.
[[nodiscard]] std::string without_directives(std::string code) {
  bool continued = false;
  for (std::size_t begin = 0; begin < code.size();) {
    const std::size_t end = std::min(code.find('\n', begin), code.size());
    const std::size_t first = code.find_first_not_of(' ', begin);
    const bool directive = continued || (first < end && code[first] == '#');
    continued = directive && end > begin && code[end - 1] == '\\';
    if (directive) std::fill(code.begin() + std::ptrdiff_t(begin), code.begin() + std::ptrdiff_t(end), ' ');
    begin = end + 1;
  }
  return code;
}

/// A head of a class, namespace and so on: what its braces hold is looked into.
[[nodiscard]] bool opens_scope(std::string_view head) {
  if (head.starts_with("template")) {
    int depth = 0;
    std::size_t i = head.find('<');
    for (; i < head.size(); ++i) {
      depth += head[i] == '<' ? 1 : head[i] == '>' ? -1 : 0;
      if (depth == 0) break;
    }
    head = i < head.size() ? head.substr(i + 1) : std::string_view{};
    head.remove_prefix(std::min(head.find_first_not_of(' '), head.size()));
  }
  for (const std::string_view keyword :
       {"namespace", "inline namespace", "class", "struct", "union", "enum", "extern \""}) {
    if (head.starts_with(keyword)) return true;
  }
  return false;
}

[[nodiscard]] bool opens_function(std::string_view head) {
  return head.find(')') != std::string_view::npos && head.back() != '=' && head.back() != ',' && head.back() != '(';
}

/// Follows the braces of code that holds no comment, literal or directive.
class BraceScanner final {
 public:
  explicit BraceScanner(std::string_view code) : code_{code} {}

  [[nodiscard]] std::vector<FunctionSpan> run() {
    for (; at_ < code_.size(); ++at_) step(code_[at_]);
    return std::move(functions_);
  }

 private:
  void step(char c) {
    if (c == '\n') ++line_;
    if (inner_ > 0) return inside(c);
    if (c == '{') return open();
    if (c == '}' || c == ';') return head_.clear();
    if (c == ':' && (head_ == "public" || head_ == "private" || head_ == "protected")) return head_.clear();
    add(c);
  }

  /// Collects the head, each run of blanks as one.
  void add(char c) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (head_.empty() && !blank) head_line_ = line_;
    if (blank ? !head_.empty() && head_.back() != ' ' : true) head_ += blank ? ' ' : c;
  }

  void open() {
    while (!head_.empty() && head_.back() == ' ') head_.pop_back();
    if (opens_scope(head_)) return head_.clear();
    inner_ = 1;
  }

  void inside(char c) {
    inner_ += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (inner_ > 0) return;
    // `Foo() : a_{1}, b_{2} { … }`: the braces of an initialiser belong to the head that goes on behind them.
    const std::size_t next = code_.find_first_not_of(" \n", at_ + 1);
    if (next < code_.size() && (code_[next] == ',' || code_[next] == '{')) {
      head_ += "{}";
      return;
    }
    if (!head_.empty() && opens_function(head_)) functions_.push_back({head_line_, line_, head_});
    head_.clear();
  }

  std::string_view code_;
  std::size_t at_{0};
  std::size_t line_{1};
  std::size_t head_line_{1};
  int inner_{0};
  std::string head_;
  std::vector<FunctionSpan> functions_;
};

}  // namespace

std::vector<SourceFile> read_files(const std::vector<std::string>& folders,
                                   const std::vector<std::string>& extensions) {
  namespace fs = std::filesystem;
  const fs::path root{SOYA_SOURCE_DIR};
  std::vector<SourceFile> files;
  for (const std::string& folder : folders) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (!entry.is_regular_file() || std::ranges::find(extensions, extension) == extensions.end()) continue;
      std::ifstream in(entry.path(), std::ios::binary);
      files.push_back({entry.path().lexically_relative(root).generic_string(),
                       std::string(std::istreambuf_iterator<char>(in), {})});
    }
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string code_of(std::string_view text) {
  return Blanker(text).run();
}

std::vector<Include> includes_of(std::string_view text) {
  std::vector<Include> includes;
  const std::vector<std::string> lines = lines_of(text);
  const std::vector<std::string> code = lines_of(code_of(text));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t hash = code[i].find_first_not_of(' ');
    if (hash == std::string::npos || code[i][hash] != '#') continue;
    const std::size_t word = code[i].find_first_not_of(' ', hash + 1);
    if (word == std::string::npos || !std::string_view(code[i]).substr(word).starts_with("include")) continue;
    const std::size_t open = lines[i].find_first_of("\"<", word);
    if (open == std::string::npos) continue;
    const std::size_t close = lines[i].find(lines[i][open] == '<' ? '>' : '"', open + 1);
    includes.push_back({i + 1, lines[i].substr(open + 1, close - open - 1), lines[i][open] == '<'});
  }
  return includes;
}

std::vector<FunctionSpan> functions_of(std::string_view text) {
  return BraceScanner(without_directives(code_of(text))).run();
}

std::vector<std::string> yaml_blocks(const std::string& page) {
  const std::string open = "```yaml\n";
  std::vector<std::string> blocks;
  for (std::size_t at = page.find(open); at != std::string::npos; at = page.find(open, at + 1)) {
    const std::size_t begin = at + open.size();
    blocks.push_back(page.substr(begin, page.find("```", begin) - begin));
  }
  return blocks;
}

std::string at(const SourceFile& file, std::size_t line, std::string_view message) {
  return file.path + ":" + std::to_string(line) + ": " + std::string(message);
}

std::string joined(const std::vector<std::string>& failures) {
  std::string out;
  for (const std::string& failure : failures) out += (out.empty() ? "" : "\n") + failure;
  return out;
}

}  // namespace soya::architecture
