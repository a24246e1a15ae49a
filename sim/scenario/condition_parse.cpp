#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include "scenario/condition_tree.hpp"

namespace soya {

namespace {

/// Parentheses and nots within each other; more is no condition that anybody wrote.
constexpr int most_depth = 100;

constexpr std::string_view example = "a condition such as drops.lossless == 0";

struct Token {
  enum class Kind : std::uint8_t { end, name, word, number, quoted, comparison, and_, or_, not_, open, close } kind;
  std::string text;
  std::size_t position;
  Comparison comparison{Comparison::equal};
};

std::string in_quotes(std::string_view text) {
  return "\"" + std::string{text} + "\"";
}

std::string described(const Token& token) {
  return token.kind == Token::Kind::end ? "the end" : in_quotes(token.text);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_{text} {}

  Token next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    if (at_ == text_.size()) return {Token::Kind::end, "", at_};
    if (auto token = operation()) return *std::move(token);
    const char c = text_[at_];
    if (c == '"') return quoted();
    if (is_digit(c) || (c == '-' && is_digit(peek(1)))) return number();
    if (starts_name(c)) return name();
    if (c == '=') throw ConditionFault{"\"=\" compares nothing; write ==", at_};
    throw ConditionFault{"expected a name, a comparison or a value, got " + in_quotes(text_.substr(at_, 1)), at_};
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  std::optional<Token> operation() {
    struct Sign {
      std::string_view text;
      Token::Kind kind;
      Comparison comparison{Comparison::equal};
    };
    using Kind = Token::Kind;
    static constexpr std::array<Sign, 11> signs{{{"==", Kind::comparison, Comparison::equal},
                                                 {"!=", Kind::comparison, Comparison::unequal},
                                                 {"<=", Kind::comparison, Comparison::at_most},
                                                 {">=", Kind::comparison, Comparison::at_least},
                                                 {"<", Kind::comparison, Comparison::less},
                                                 {">", Kind::comparison, Comparison::more},
                                                 {"&&", Kind::and_},
                                                 {"||", Kind::or_},
                                                 {"!", Kind::not_},
                                                 {"(", Kind::open},
                                                 {")", Kind::close}}};
    for (const Sign& sign : signs) {
      if (text_.substr(at_).starts_with(sign.text)) {
        return take(sign.kind, at_ + sign.text.size(), sign.comparison);
      }
    }
    return std::nullopt;
  }

  Token take(Token::Kind kind, std::size_t end, Comparison comparison = Comparison::equal) {
    const std::size_t start = std::exchange(at_, end);
    return {kind, std::string{text_.substr(start, end - start)}, start, comparison};
  }

  /// Behind the quote that ends the text which starts at `open`.
  [[nodiscard]] std::size_t end_of_quoted(std::size_t open) const {
    const std::size_t close = text_.find('"', open + 1);
    if (close == std::string_view::npos) throw ConditionFault{"the quotes that open here do not close", open};
    return close + 1;
  }

  Token quoted() {
    Token token = take(Token::Kind::quoted, end_of_quoted(at_));
    token.text = token.text.substr(1, token.text.size() - 2);
    return token;
  }

  /// 100km, 12.5GB/s, 1/8, 4:1, 1e-3, 5\u00B5s.
  Token number() {
    std::size_t end = at_ + 1;
    while (end < text_.size()) {
      const char c = text_[end];
      const bool exponent = (c == '-' || c == '+') && (text_[end - 1] == 'e' || text_[end - 1] == 'E');
      if (!exponent && !is_digit(c) && !starts_name(c) && c != '.' && c != '/' && c != ':') break;
      ++end;
    }
    return take(Token::Kind::number, end);
  }

  /// fabric.headroom.mode, steps[0].step_ms, switches."leaf.1".latency, shared-pool.
  Token name() {
    std::size_t end = at_ + 1;
    while (end < text_.size()) {
      const char c = text_[end];
      const bool quotes = c == '"' && (text_[end - 1] == '.' || text_[end - 1] == '[');
      if (quotes) {
        end = end_of_quoted(end);
        continue;
      }
      if (!is_digit(c) && !starts_name(c) && c != '.' && c != '[' && c != ']' && c != '-' && c != ':') break;
      ++end;
    }
    Token token = take(Token::Kind::word, end);
    if (token.text == "and") token.kind = Token::Kind::and_;
    if (token.text == "or") token.kind = Token::Kind::or_;
    if (token.text == "not") token.kind = Token::Kind::not_;
    if (token.text.find_first_of(".[") != std::string::npos) token.kind = Token::Kind::name;
    return token;
  }

  std::string_view text_;
  std::size_t at_{0};
};

class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_{text}, token_{lexer_.next()} {}

  Condition::Node whole() {
    Condition::Node node = any_of(0);
    if (token_.kind == Token::Kind::close) throw ConditionFault{"\")\" closes nothing", token_.position};
    if (token_.kind != Token::Kind::end) {
      throw ConditionFault{"expected and, or, or the end, got " + described(token_), token_.position};
    }
    return node;
  }

 private:
  using Node = Condition::Node;
  using Kind = Token::Kind;

  Token advance() {
    Token token = lexer_.next();
    std::swap(token, token_);
    return token;
  }

  Node any_of(int depth) {
    Node first = all_of(depth);
    if (token_.kind != Kind::or_) return first;
    Node node{.kind = Node::Kind::or_};
    node.children.push_back(std::move(first));
    while (token_.kind == Kind::or_) {
      advance();
      node.children.push_back(all_of(depth));
    }
    return node;
  }

  Node all_of(int depth) {
    Node first = one_of(depth);
    if (token_.kind != Kind::and_) return first;
    Node node{.kind = Node::Kind::and_};
    node.children.push_back(std::move(first));
    while (token_.kind == Kind::and_) {
      advance();
      node.children.push_back(one_of(depth));
    }
    return node;
  }

  Node one_of(int depth) {
    if (depth > most_depth) throw ConditionFault{"too many parentheses and nots within each other", token_.position};
    if (token_.kind == Kind::not_) {
      advance();
      Node node{.kind = Node::Kind::not_};
      node.children.push_back(one_of(depth + 1));
      return node;
    }
    if (token_.kind != Kind::open) return comparison();
    const Token open = advance();
    Node node = any_of(depth + 1);
    if (token_.kind == Kind::end) throw ConditionFault{"\"(\" does not close", open.position};
    if (token_.kind != Kind::close) {
      throw ConditionFault{"expected and, or, or \")\", got " + described(token_), token_.position};
    }
    advance();
    return node;
  }

  Node comparison() {
    if (token_.kind == Kind::number || token_.kind == Kind::quoted) {
      throw ConditionFault{"expected a name on the left of a comparison, got " + described(token_), token_.position};
    }
    if (token_.kind != Kind::word && token_.kind != Kind::name) {
      throw ConditionFault{"expected " + std::string{example} + ", got " + described(token_), token_.position};
    }
    Node node;
    Token left = advance();
    if (token_.kind != Kind::comparison) {
      throw ConditionFault{"expected == != < <= > or >= behind " + in_quotes(left.text) + ", got " + described(token_),
                           token_.position};
    }
    node.left = {std::move(left.text), left.position};
    node.comparison = token_.comparison;
    const Token sign = advance();
    node.right = operand(sign.text);
    return node;
  }

  Operand operand(std::string_view sign) {
    Operand::Kind kind{};
    switch (token_.kind) {
      case Kind::number:
        kind = Operand::Kind::number;
        break;
      case Kind::word:
        kind = Operand::Kind::word;
        break;
      case Kind::name:
        kind = Operand::Kind::name;
        break;
      case Kind::quoted:
        kind = Operand::Kind::quoted;
        break;
      default:
        throw ConditionFault{"expected a value behind " + std::string{sign} + ", got " + described(token_),
                             token_.position};
    }
    Token token = advance();
    return {kind, std::move(token.text), token.position};
  }

  Lexer lexer_;
  Token token_;
};

}  // namespace

Condition::Node parse_condition(std::string_view text) {
  return Parser{text}.whole();
}

}  // namespace soya
