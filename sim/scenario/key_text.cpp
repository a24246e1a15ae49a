#include "scenario/key_text.hpp"

#include <algorithm>
#include <array>

namespace soya::reading {

namespace {

constexpr std::array<Spelling, 8> all_spellings{{
    {Kind::size, "size", "`64B`, `4KiB`, `25MiB`, `1MB`, `1Gb` (bits). K is 1000, Ki is 1024"},
    {Kind::rate, "rate", "`100Gbps`, `100Gb/s`, `12.5GB/s`, `2.5Gbps`"},
    {Kind::duration, "time", "`10ns`, `5us` or `5µs`, `1.5ms`, `10s`, `800ps`"},
    {Kind::length, "length", "`3m`, `50cm`, `300km`"},
    {Kind::ratio, "ratio", "`1/8`, `0.125`, `2`"},
    {Kind::probability, "probability", "`1e-5`, `0.001`, `0`: a decimal from 0 to 1"},
    {Kind::integer, "whole number", "`42`, `1e9`, `0x1F`, `0o17`; `010` is refused"},
    {Kind::priority, "priority", "0 to 7; a list of them `[3, 4]`, which may be empty"},
}};

std::string joined(const std::vector<std::string_view>& words, Markup markup, std::string_view between) {
  std::string out;
  for (const std::string_view word : words) out += (out.empty() ? "" : std::string{between}) + markup(word);
  return out;
}

std::string item_text(const Form& form, bool several, Markup markup) {
  switch (form.item) {
    case Kind::integer:
      return several ? "whole numbers" : "whole number";
    case Kind::size:
      return several ? "sizes" : "size";
    case Kind::file:
      return "path of a file";
    case Kind::probability:
      return "probability";
    case Kind::choice:
      return joined(split_choices(form.choices), markup, " or ");
    case Kind::section:
      return (form.choices.empty() ? "" : joined(split_choices(form.choices), markup, ", ") + " or keys of ") +
             markup(keys_of(form.section).place);
    default:
      return several ? "names" : "name";
  }
}

/// `range` stands behind whole numbers.
std::string form_text(const Form& form, const std::string& range, Markup markup) {
  const std::string keys = form.item == Kind::section && form.choices.empty() ? "keys of " : "";
  const std::string limits = form.item == Kind::integer && !range.empty() ? ", " + range : "";
  const std::string count = form.count == 0 ? "" : std::to_string(form.count) + " ";
  switch (form.group) {
    case Group::one:
      return keys + item_text(form, false, markup) + limits;
    case Group::list:
      return "list of " + count + item_text(form, true, markup) + limits;
    case Group::map:
      return "names, each with " + keys + item_text(form, false, markup);
    case Group::variants:
      return "names, each with key paths and values";
  }
  return "";
}

/// A mapping of its own is told by its path already.
bool is_own_mapping(const Key& key) {
  return key.kind == Kind::section && key.forms.size == 1;
}

std::string forms_text(const Key& key, const std::string& range, Markup markup) {
  if (is_own_mapping(key)) return "keys";
  std::string text;
  for (const Form& form : key.forms) text += (text.empty() ? "" : ", or ") + form_text(form, range, markup);
  return text;
}

bool has_integers(const Key& key) {
  return std::ranges::any_of(key.forms, [](const Form& form) { return form.item == Kind::integer; });
}

std::string_view usual_value(Kind kind) {
  switch (kind) {
    case Kind::flag:
      return "true";
    case Kind::integer:
      return "4";
    case Kind::size:
      return "64KiB";
    case Kind::rate:
      return "100Gbps";
    case Kind::duration:
      return "10ms";
    case Kind::length:
      return "300km";
    case Kind::ratio:
      return "1/8";
    case Kind::probability:
      return "1e-5";
    case Kind::priority:
      return "3";
    case Kind::priorities:
      return "[3]";
    case Kind::file:
      return "file.yaml";
    case Kind::text:
      return "NAME";
    default:
      return "{}";
  }
}

}  // namespace

std::string plain(std::string_view word) {
  return std::string{word};
}

std::string kind_text(const Key& key, Markup markup) {
  switch (key.kind) {
    case Kind::text:
      return "text";
    case Kind::file:
      return "path of a file";
    case Kind::flag:
      return "true or false";
    case Kind::choice:
      return joined(choices_of(key), plain, ", ");
    case Kind::integer:
      return "whole number";
    case Kind::size:
      return key.bare ? "size or bytes" : "size";
    case Kind::rate:
      return "rate";
    case Kind::duration:
      return "time";
    case Kind::length:
      return "length";
    case Kind::ratio:
      return "ratio";
    case Kind::probability:
      return "probability";
    case Kind::priority:
      return "priority";
    case Kind::priorities:
      return "list of priorities";
    case Kind::section:
    case Kind::structured:
      return forms_text(key, "", markup);
  }
  return "";
}

std::string range_text(const Key& key) {
  if (key.kind == Kind::ratio) return "above 0 to " + format_number(key.most, Dimension::none);
  const bool ranged = key.kind == Kind::integer || has_integers(key) || dimension_of(key.kind) != Dimension::none;
  if (!ranged) return {};
  const Dimension dimension = key.bare ? Dimension::none : dimension_of(key.kind);
  return format_number(key.least, dimension) + " to " + format_number(key.most, dimension);
}

std::string value_text(const Key& key, Markup markup) {
  const std::string range = range_text(key);
  std::string text = kind_text(key, markup);
  if (key.forms.size > 0)
    text = forms_text(key, range, markup);
  else if (!range.empty())
    text += ", " + range;
  if (!key.word.empty()) text += ", or " + markup(key.word);
  return text;
}

std::span<const Spelling> spellings() {
  return all_spellings;
}

std::string spelling_of(Kind kind) {
  const auto found =
      std::ranges::find(all_spellings, kind == Kind::priorities ? Kind::priority : kind, &Spelling::kind);
  if (found == all_spellings.end()) return {};
  std::string text{found->spellings};
  std::erase(text, '`');
  return text;
}

std::string example_value(const Key& key) {
  if (!key.example.empty()) return std::string{key.example};
  const bool says_nothing = key.standard.empty() || key.standard == "\"\"" || key.standard == key.word;
  if (!says_nothing) return std::string{key.standard};
  if (key.kind == Kind::choice) return std::string{choices_of(key).front()};
  if (key.kind == Kind::structured && !key.word.empty()) return std::string{key.word};
  return std::string{usual_value(key.kind)};
}

}  // namespace soya::reading
