#include "scenario/key_places.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "core/suggest.hpp"

namespace soya::reading {

namespace {

using Names = std::vector<std::string>;

std::string_view group_suffix(Group group) {
  switch (group) {
    case Group::list:
      return "[]";
    case Group::map:
      return ".*";
    default:
      return "";
  }
}

void add_places(SectionId id, const std::string& prefix, std::vector<KeyPlace>& out) {
  const SectionKeys& section = keys_of(id);
  for (const auto keys : {section.own, section.shared}) {
    for (const Key& key : keys) {
      const std::string path = prefix + std::string{key.name};
      out.push_back({path, id, &key});
      for (const Form& form : key.forms) {
        if (form.item != Kind::section) continue;
        add_places(form.section, path + std::string{group_suffix(form.group)} + '.', out);
      }
    }
  }
}

/// `workload[0].ddp.bucket` is workload, ddp, bucket; a name in quotes is one name.
Names names_in(std::string_view path) {
  Names names{""};
  bool quoted = false;
  bool index = false;
  for (const char c : path) {
    if (c == '"')
      quoted = !quoted;
    else if (!quoted && c == '.')
      names.emplace_back();
    else if (!quoted && (c == '[' || c == ']'))
      index = c == '[';
    else if (!index)
      names.back() += c;
  }
  return names;
}

std::string joined(std::span<const std::string> names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ".") + name;
  return out;
}

/// Whether `asked` is the end of `known`; what it begins with is named, not any name.
bool is_end(const Names& asked, const Names& known) {
  if (asked.size() > known.size()) return false;
  const auto begin = known.end() - static_cast<std::ptrdiff_t>(asked.size());
  if (*begin == "*") return false;
  return std::equal(begin, known.end(), asked.begin(),
                    [](const std::string& is, const std::string& said) { return is == "*" || is == said; });
}

bool is_page_place(const KeyPlace& place) {
  const std::string_view section = keys_of(place.section).place;
  return place.path == (section.empty() ? "" : std::string{section} + '.') + std::string{place.key->name};
}

/// All places of one declaration, the one of the reference page first.
KnownKey known_key(const Key& key, const std::vector<KeyPlace>& places) {
  std::vector<KeyPlace> same;
  std::ranges::copy_if(places, std::back_inserter(same), [&](const KeyPlace& place) { return place.key == &key; });
  const auto first = std::ranges::find_if(same, is_page_place);
  if (first != same.end()) std::rotate(same.begin(), first, first + 1);
  KnownKey known{same.front(), {}, false};
  for (std::size_t i = 1; i < same.size(); ++i) known.also.push_back(same[i].path);
  return known;
}

/// What stands below a mapping of names: `switches.leaf1` is as good as `switches`.
bool names_an_entry(const Names& asked, const KeyPlace& place) {
  const auto maps = [](const Form& form) { return form.group == Group::map || form.group == Group::variants; };
  if (asked.size() < 2 || !std::ranges::any_of(place.key->forms, maps)) return false;
  return is_end({asked.begin(), asked.end() - 1}, names_in(place.path));
}

/// A key whose last name alone is spelled otherwise, in the group that was named.
std::optional<std::string> near_sibling(const Names& asked) {
  std::vector<KeyPlace> siblings;
  for (const KeyPlace& place : key_places()) {
    const Names names = names_in(place.path);
    if (asked.size() < 2 || names.size() != asked.size()) continue;
    if (is_end({asked.begin(), asked.end() - 1}, {names.begin(), names.end() - 1})) siblings.push_back(place);
  }
  std::vector<std::string_view> names;
  for (const KeyPlace& place : siblings) names.push_back(place.key->name);
  const auto near = nearest(asked.back(), names);
  if (!near) return std::nullopt;
  return std::ranges::find(siblings, *near, [](const KeyPlace& place) { return place.key->name; })->path;
}

}  // namespace

std::vector<KeyPlace> key_places() {
  std::vector<KeyPlace> places;
  add_places(SectionId::root, "", places);
  return places;
}

std::vector<KnownKey> find_keys(std::string_view path) {
  const std::vector<KeyPlace> places = key_places();
  const Names asked = names_in(path);
  std::vector<KnownKey> found;
  for (const KeyPlace& place : places) {
    const Names names = names_in(place.path);
    const bool is_entry = names_an_entry(asked, place);
    if (!is_entry && !is_end(asked, names)) continue;
    const auto same = std::ranges::find_if(found, [&](const KnownKey& known) { return known.place.key == place.key; });
    KnownKey& known = same == found.end() ? found.emplace_back(known_key(*place.key, places)) : *same;
    known.from_top = known.from_top || asked.size() == names.size() + (is_entry ? 1 : 0);
  }
  std::stable_partition(found.begin(), found.end(), [](const KnownKey& known) { return known.from_top; });
  return found;
}

std::vector<std::string> near_keys(std::string_view unknown) {
  // Keys are lower-case; who wrote capitals hardly meant another key.
  std::string lower{unknown};
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  const Names asked = names_in(lower);
  if (const auto beside = near_sibling(asked)) return {*beside};
  std::vector<std::string> ends;  // as many names as were asked for
  std::vector<std::string> meant;
  for (const KeyPlace& place : key_places()) {
    const Names names = names_in(place.path);
    if (names.size() >= asked.size()) ends.push_back(joined(std::span{names}.last(asked.size())));
  }
  const std::vector<std::string_view> candidates{ends.begin(), ends.end()};
  if (const auto near = nearest(joined(asked), candidates)) {
    meant.emplace_back(*near);
  } else if (const std::string_view ours = meant_by(asked.back()); !ours.empty()) {
    Names other = asked;
    other.back() = ours;
    meant = {joined(other), std::string{ours}};
  } else {
    meant.push_back(asked.back());
  }
  for (const std::string& path : meant) {
    std::vector<std::string> out;
    for (const KnownKey& known : find_keys(path)) out.push_back(known.place.path);
    constexpr std::size_t most = 3;
    out.resize(std::min(out.size(), most));
    if (!out.empty()) return out;
  }
  return {};
}

std::string yaml_line(std::string_view path, std::string_view value) {
  std::string line;
  std::string close;
  const auto open = [&](std::string_view begin, std::string_view end) {
    line += begin;
    close.insert(0, end);
  };
  bool in_item = true;  // the top level is a mapping already
  std::string name;
  const auto put_name = [&] {
    if (name.empty()) return;
    if (!in_item) open("{", "}");
    line += (name == "*" ? "NAME" : name) + ": ";
    in_item = false;
    name.clear();
  };
  for (const char c : path) {
    if (c == '.' || c == '[')
      put_name();
    else if (c != ']')
      name += c;
    if (c == '[') {
      open("[{", "}]");
      in_item = true;
    }
  }
  put_name();
  return line + std::string{value} + close;
}

}  // namespace soya::reading
