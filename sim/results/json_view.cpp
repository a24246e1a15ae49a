#include "results/json_view.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace soya {

namespace {

constexpr int most_depth = 64;

[[noreturn]] void refuse() {
  throw std::invalid_argument{"not the text of a summary.json"};
}

bool is_blank(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

std::optional<double> decimal(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

JsonView::JsonView(std::string_view text) : text_{text} {
  nodes_.reserve(text.size() / 16 + 1);
  value({}, 0);
  blanks();
  if (at_ != text_.size()) refuse();
}

void JsonView::blanks() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
}

std::string_view JsonView::quoted() {
  const std::size_t start = at_;
  expect('"');
  while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2U : 1U;
  expect('"');
  return text_.substr(start, at_ - start);
}

void JsonView::expect(char c) {
  if (at_ >= text_.size() || text_[at_] != c) refuse();
  ++at_;
}

std::uint32_t JsonView::value(std::string_view key, int depth) {
  blanks();
  if (at_ >= text_.size() || depth > most_depth) refuse();
  const auto node = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({.key = key});
  const char c = text_[at_];
  if (c == '{' || c == '[') {
    nodes_[node].kind = c == '{' ? JsonValue::Kind::object : JsonValue::Kind::array;
    ++at_;
    members(node, c == '{' ? '}' : ']', depth);
  } else {
    scalar(nodes_[node]);
  }
  return node;
}

void JsonView::members(std::uint32_t node, char close, int depth) {
  std::uint32_t last = 0;
  blanks();
  while (at_ < text_.size() && text_[at_] != close) {
    if (last != 0) expect(',');
    std::string_view key;
    if (close == '}') {
      blanks();
      key = quoted();
      key = key.substr(1, key.size() - 2);
      blanks();
      expect(':');
    }
    const std::uint32_t child = value(key, depth + 1);
    if (last != 0) nodes_[last].next = child;
    last = child;
    ++nodes_[node].size;
    blanks();
  }
  expect(close);
}

void JsonView::scalar(Node& node) {
  using Kind = JsonValue::Kind;
  if (text_[at_] == '"') {
    node.kind = Kind::string;
    node.text = quoted();
    return;
  }
  const std::size_t start = at_;
  while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != ',' && text_[at_] != '}' && text_[at_] != ']') {
    ++at_;
  }
  node.text = text_.substr(start, at_ - start);
  if (node.text == "null") {
    node.kind = Kind::null;
  } else if (node.text == "true" || node.text == "false") {
    node.kind = Kind::boolean;
  } else {
    const char c = node.text.empty() ? '\0' : node.text.front();
    if (c != '-' && (c < '0' || c > '9')) refuse();
    node.kind = Kind::number;
  }
}

JsonValue::Kind JsonValue::kind() const {
  return view_ == nullptr ? Kind::none : view_->nodes_[node_].kind;
}

std::optional<double> JsonValue::number() const {
  if (is(Kind::boolean)) return view_->nodes_[node_].text == "true" ? 1 : 0;
  return is(Kind::number) ? decimal(view_->nodes_[node_].text) : std::nullopt;
}

std::string JsonValue::text() const {
  if (!is(Kind::string)) return "";
  const std::string_view quoted = view_->nodes_[node_].text;
  if (quoted.find('\\') == std::string_view::npos) return std::string{quoted.substr(1, quoted.size() - 2)};
  const auto read = nlohmann::json::parse(quoted, nullptr, false);
  return read.is_string() ? read.get<std::string>() : "";
}

std::string_view JsonValue::key() const {
  return view_ == nullptr ? std::string_view{} : view_->nodes_[node_].key;
}

JsonValue JsonValue::member(std::string_view key) const {
  if (!is(Kind::object)) return {};
  JsonValue each = first();
  while (each && each.key() != key) each = each.next();
  return each;
}

std::size_t JsonValue::size() const {
  return view_ == nullptr ? 0 : view_->nodes_[node_].size;
}

JsonValue JsonValue::first() const {
  // A node's first child stands right behind it.
  return size() == 0 ? JsonValue{} : JsonValue{view_, node_ + 1};
}

JsonValue JsonValue::next() const {
  if (view_ == nullptr || view_->nodes_[node_].next == 0) return {};
  return {view_, view_->nodes_[node_].next};
}

}  // namespace soya
