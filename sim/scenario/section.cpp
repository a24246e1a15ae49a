#include "scenario/section.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "core/check.hpp"
#include "core/suggest.hpp"

namespace soya::reading {

namespace {

/// A whole file read as one text is told by how it begins.
std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 200;
  if (text.size() <= longest) return '"' + std::string{text} + '"';
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // between two characters
  return '"' + std::string{text.substr(0, end)} + "…\"";
}

std::string joined(const std::vector<std::string_view>& words) {
  std::string out;
  for (const std::string_view word : words) out += (out.empty() ? "" : ", ") + std::string{word};
  return out;
}

std::string expected(const Key& key) {
  switch (key.kind) {
    case Kind::text:
      return "a name";
    case Kind::file:
      return "the path of a file";
    case Kind::flag:
      return "true or false";
    case Kind::choice:
      return (choices_of(key).size() > 1 ? "one of " : "") + joined(choices_of(key));
    case Kind::ratio:
      return "a ratio such as 1/8 or 4";
    case Kind::probability:
      return "a probability from 0 to 1, such as 1e-5";
    case Kind::priority:
      return "a priority from 0 to 7";
    case Kind::priorities:
      return "a list of priorities such as [3, 4]";
    case Kind::section:
      return "a mapping of keys";
    case Kind::structured:
      return std::string{key.meaning};
    default:
      return std::string{described(dimension_of(key.kind))};
  }
}

/// "; allowed: auto, or 0B to 1TiB", for numbers.
std::string allowed(const Key& key) {
  std::string out = "; allowed: ";
  if (!key.word.empty()) out += std::string{key.word} + ", or ";
  if (key.kind == Kind::ratio) return out + "above 0 up to " + format_number(key.most, Dimension::none);
  const Dimension dimension = key.bare ? Dimension::none : dimension_of(key.kind);
  return out + format_number(key.least, dimension) + " to " + format_number(key.most, dimension) +
         (key.bare ? " bytes" : "");
}

/// 010KiB without its leading zeros; of 000 one is left.
std::string without_zeros(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of('0'), text.size());
  const bool has_digits = first < text.size() && text[first] >= '0' && text[first] <= '9';
  return (has_digits ? "" : "0") + std::string{text.substr(first)};
}

}  // namespace

KeyNumber key_number(const Key& key, std::string_view text) {
  const auto complaint = [](std::string message) { return KeyNumber{std::nullopt, std::move(message)}; };
  const Dimension dimension = dimension_of(key.kind);
  ParsedNumber number = parse_number(text, dimension);
  if (number.fault == NumberFault::bare && key.bare) number = parse_number(text, Dimension::none);
  const std::string got = in_quotes(text);
  const std::string wrong = "expected " + expected(key) + ", got " + got;
  switch (number.fault) {
    case NumberFault::bare:
      return complaint(wrong);
    case NumberFault::spelling:
      return complaint(wrong + allowed(key));
    case NumberFault::leading_zero: {
      const bool negative = text[0] == '-';
      const std::string rest = without_zeros(text.substr(negative ? 1 : 0));
      const std::string octal = key.kind == Kind::integer && !negative && rest != "0" ? " or 0o" + rest : "";
      return complaint(got + " has a leading zero; write " + (negative ? "-" : "") + rest + octal + allowed(key));
    }
    case NumberFault::fraction:
      if (dimension == Dimension::none) return complaint(wrong + allowed(key));
      return complaint(std::string{text} + " is not a whole number of " + std::string{base_unit(dimension)});
    default:
      break;
  }
  if (number.fault == NumberFault::overflow || number.value < key.least || number.value > key.most) {
    const bool too_large = number.fault == NumberFault::overflow ? text[0] != '-' : number.value > key.most;
    const std::string because =
        key.range_because.empty() || !too_large ? "" : " (" + std::string{key.range_because} + ")";
    return complaint(std::string{text} + " is out of range" + allowed(key) + because);
  }
  return {number.value, ""};
}

Section::Section(Reading& reading, const Node* node, const Path& path, SectionId id, Absent absent, Noted noted)
    : reading_{reading}, node_{node}, path_{path}, keys_{keys_of(id)}, absent_{absent}, noted_{noted} {
  if (!node_) return;
  place_ = node_->place;
  if (node_->type != NodeType::map) {
    // A key whose mapping is commented out is an empty mapping; an item of a list without a word is a slip.
    if (node_->type != NodeType::null || path_.is_item()) error("expected a mapping of keys, got " + shown(*node_));
    node_ = nullptr;
    return;
  }
  for (const Node& child : node_->children) {
    if (const Key* key = keys_.find(child.key)) {
      if (child.type == NodeType::null && !may_be_null(*key)) wrong(*key, child.place, shown(child));
      continue;
    }
    reading_.errors.add(child.key_place, path_.key(child.key).text(),
                        "unknown key" + (reading_.errors.few() ? suggestion(keys_, child.key) : ""));
  }
}

const Node* Section::given(std::string_view name) const {
  const Node* value = node_ ? node_->find(name) : nullptr;
  return value && value->type != NodeType::null ? value : nullptr;
}

Place Section::place(std::string_view name) const {
  const Node* value = node_ ? node_->find(name) : nullptr;
  return value ? value->place : place_;
}

Where Section::where(const std::string& name) const {
  if (name.empty()) return reading_.sources.where(place_, path_.text());
  return reading_.sources.where(place(name), path_.key(name).text());
}

const Key& Section::declared(std::string_view name) const {
  const Key* key = keys_.find(name);
  SOYA_CHECK(key, "every key that is read is declared");
  return *key;
}

void Section::error(std::string_view name, std::string message) {
  reading_.errors.add(place(name), path_.key(name).text(), std::move(message));
}

void Section::error(std::string message) {
  reading_.errors.add(place_, path_.text(), std::move(message));
}

void Section::report(const Place& place, const Key& key, std::string message) {
  refused_.push_back(key.name);
  reading_.errors.add(place, path_.key(key.name).text(), std::move(message));
}

bool Section::right(std::initializer_list<std::string_view> names) const {
  return std::none_of(names.begin(), names.end(), [&](std::string_view name) {
    return std::find(refused_.begin(), refused_.end(), name) != refused_.end();
  });
}

void Section::wrong(const Key& key, const Place& place, std::string_view got) {
  report(place, key, "expected " + expected(key) + ", got " + std::string{got});
}

std::optional<Section::Text> Section::text_of(const Key& key) {
  const Node* value = node_ ? node_->find(key.name) : nullptr;
  if (!value) {
    if (absent_ == Absent::keep) return std::nullopt;
    if (key.required) report(place_, key, "missing; expected " + expected(key));
    if (key.standard.empty()) return std::nullopt;
    return Text{key.standard == "\"\"" ? std::string_view{} : key.standard, place_, false};
  }
  if (!value->is_scalar()) {
    wrong(key, value->place, shown(*value));
    return std::nullopt;
  }
  return Text{value->text, value->place, true};
}

std::optional<Int128> Section::number_of(const Key& key, const Text& text) {
  KeyNumber number = key_number(key, text.text);
  if (!number.value) report(text.place, key, std::move(number.complaint));
  return number.value;
}

std::optional<std::size_t> Section::choice_of(const Key& key, const Text& text) {
  const std::vector<std::string_view> choices = choices_of(key);
  const auto found = std::find(choices.begin(), choices.end(), text.text);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  const auto near = nearest(text.text, choices);
  wrong(key, text.place,
        in_quotes(text.text) + (near && choices.size() > 1 ? "; did you mean " + in_quotes(*near) + "?" : ""));
  return std::nullopt;
}

std::optional<Ratio> Section::ratio_of(const Key& key, const Text& text) {
  const ParsedRatio ratio = parse_ratio(text.text);
  if (ratio.fault == NumberFault::spelling) {
    wrong(key, text.place, in_quotes(text.text) + allowed(key));
    return std::nullopt;
  }
  const Int128 most = key.most * ratio.value.denominator;
  if (ratio.fault != NumberFault::none || ratio.value.numerator <= 0 || ratio.value.numerator > most) {
    report(text.place, key, std::string{text.text} + " is out of range" + allowed(key) + ", parts up to a million");
    return std::nullopt;
  }
  return ratio.value;
}

std::optional<Probability> Section::probability_of(const Key& key, const Text& text) {
  const auto probability = parse_probability(text.text);
  if (!probability) wrong(key, text.place, in_quotes(text.text));
  return probability;
}

std::optional<PrioritySet> Section::priorities_of(const Key& key) {
  const Node* value = node_ ? node_->find(key.name) : nullptr;
  PrioritySet out;
  if (!value) {
    if (absent_ == Absent::keep) return std::nullopt;
    for (const char c : key.standard) {
      if (c >= '0' && c <= '7') out.insert(Priority{static_cast<std::uint8_t>(c - '0')});
    }
    return out;
  }
  if (!value->is_list()) {
    wrong(key, value->place, shown(*value));
    return std::nullopt;
  }
  for (const Node& item : value->children) {
    const bool is_priority = item.text.size() == 1 && item.text[0] >= '0' && item.text[0] <= '7';
    const Priority priority{static_cast<std::uint8_t>(is_priority ? item.text[0] - '0' : 0)};
    const auto index = static_cast<std::size_t>(&item - value->children.data());
    std::string message;
    if (!is_priority)
      message = "expected a priority from 0 to 7, got " + shown(item);
    else if (out.contains(priority))
      message = "priority " + item.text + " is listed twice";
    if (!message.empty())
      reading_.errors.add(item.place, at(key.name).text() + '[' + std::to_string(index) + ']', message);
    else
      out.insert(priority);
  }
  return out;
}

void Section::note(std::string_view name, std::string value, std::string origin) {
  const Node* value_node = node_ ? node_->find(name) : nullptr;
  const bool is_default = !value_node && origin.empty();
  if (noted_ == Noted::on_one_line) {
    line_ += (line_.empty() ? "" : ", ") + std::string{name} + ": " + value;
    if (is_default) defaults_ += (defaults_.empty() ? "" : ", ") + std::string{name};
    return;
  }
  if (origin.empty()) {
    origin = value_node ? reading_.sources.origin(value_node->place) : "default: " + std::string{declared(name).source};
  }
  reading_.effective.push_back({path_.key(name).text(), std::move(value), std::move(origin)});
}

void Section::finish() {
  if (noted_ != Noted::on_one_line) return;
  std::string origin = reading_.sources.origin(place_);
  if (!defaults_.empty()) origin += "; default: " + defaults_;
  reading_.effective.push_back({path_.text(), '{' + line_ + '}', std::move(origin)});
}

std::string yaml_text(std::string_view text) {
  const bool is_word =
      text == "null" || text == "Null" || text == "NULL" || text == "---" || text == "..." || text == "<<";
  const auto is_plain = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || c == '_' || c == '-' || c == '.' || c == '/' || c == '+' || byte >= 0x80;
  };
  if (!text.empty() && !is_word && text[0] != '-' && std::all_of(text.begin(), text.end(), is_plain)) {
    return std::string{text};
  }
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c == '\r')
      out += "\\r";
    else
      out += c;
  }
  return out + '"';
}

std::string yaml_list(PrioritySet priorities) {
  std::string out = "[";
  for (std::uint8_t p = 0; p < Priority::count; ++p) {
    if (priorities.contains(Priority{p})) out += (out.size() > 1 ? ", " : "") + std::to_string(p);
  }
  return out + ']';
}

std::string shown(const Node& node) {
  switch (node.type) {
    case NodeType::null:
      return "nothing";
    case NodeType::scalar:
      return in_quotes(node.text);
    case NodeType::list:
      return "a list";
    case NodeType::map:
      return "a mapping";
  }
  return "";
}

}  // namespace soya::reading
