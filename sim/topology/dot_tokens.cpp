#include "topology/dot_tokens.hpp"

#include <utility>

namespace soya {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// DOT counts every byte beyond ASCII as a letter.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_{text} {}

  std::vector<DotToken> scan() {
    while (skip_blanks()) add(next());
    tokens_.push_back({DotWord::end, "", false, here_});
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] char at(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  [[nodiscard]] bool ended() const { return at_ >= text_.size(); }

  char step() {
    const char c = text_[at_++];
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++here_.column;
    if (c == '\n') here_ = {here_.line + 1, 1};
    return c;
  }

  /// Blanks and comments; lines that begin with # are the output of a preprocessor. False at the end.
  bool skip_blanks() {
    while (!ended()) {
      const std::string_view rest = text_.substr(at_);
      const ForeignPlace start = here_;
      if (rest.starts_with("/*")) {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) throw ForeignFault(start, "this comment does not end");
        while (at_ < end + 2) step();
      } else if (rest.starts_with("//") || (at() == '#' && here_.column == 1)) {
        while (!ended() && at() != '\n') step();
      } else if (at() == ' ' || at() == '\t' || at() == '\r' || at() == '\n') {
        step();
      } else {
        return true;
      }
    }
    return false;
  }

  /// Texts in quotes with + between them are one.
  void add(DotToken token) {
    const std::size_t count = tokens_.size();
    const bool joins = token.quoted && count >= 2 && tokens_[count - 1].text == "+" &&
                       tokens_[count - 1].word == DotWord::sign && tokens_[count - 2].quoted;
    if (!joins) return tokens_.push_back(std::move(token));
    tokens_.pop_back();
    tokens_.back().text += token.text;
  }

  DotToken next() {
    const ForeignPlace start = here_;
    const char c = at();
    if (c == '"') return {DotWord::name, quoted(start), true, start};
    if (c == '<') return {DotWord::name, html(start), true, start};
    if (c == '-' && (at(1) == '-' || at(1) == '>')) return {DotWord::sign, {step(), step()}, false, start};
    std::string word;
    if (is_letter(c)) {
      while (is_letter(at()) || is_digit(at())) word += step();
    } else if (is_digit(c) || c == '.' || c == '-') {
      word += step();
      // Graphviz splits 100Gbps in two; nobody who writes it means that.
      while (is_digit(at()) || at() == '.' || is_letter(at())) word += step();
    } else if (std::string_view{"{}[];,=:+"}.find(c) != std::string_view::npos) {
      return {DotWord::sign, {step()}, false, start};
    } else {
      throw ForeignFault(start, std::string{"is no DOT: unexpected '"} + c + '\'');
    }
    return {DotWord::name, std::move(word), false, start};
  }

  std::string quoted(const ForeignPlace& start) {
    std::string text;
    for (step(); !ended() && at() != '"';) {
      if (at() == '\\' && at(1) == '"') step();
      if (at() == '\\' && at(1) == '\\') text += step();
      if (at() == '\\' && (at(1) == '\n' || at(1) == '\r')) {  // the text goes on in the next line
        while (at() == '\\' || at() == '\r') step();
        if (at() == '\n') step();
      } else {
        text += step();
      }
    }
    if (ended()) throw ForeignFault(start, "is no DOT: this text in quotes does not end");
    step();
    return text;
  }

  std::string html(const ForeignPlace& start) {
    std::string text;
    int depth = 0;
    while (!ended()) {
      const char c = step();
      if (c == '<') ++depth;
      if (c == '>') --depth;
      text += c;
      if (depth == 0) return text;
    }
    throw ForeignFault(start, "is no DOT: this HTML text does not end");
  }

  std::string_view text_;
  std::size_t at_{0};
  ForeignPlace here_{1, 1};
  std::vector<DotToken> tokens_;
};

}  // namespace

std::vector<DotToken> dot_tokens(std::string_view text) {
  return Scanner{text}.scan();
}

}  // namespace soya
