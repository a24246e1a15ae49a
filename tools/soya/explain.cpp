#include "explain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "display_width.hpp"
#include "exit_status.hpp"
#include "output.hpp"
#include "scenario/key_places.hpp"
#include "scenario/key_text.hpp"

namespace soya::cli {

namespace {

using namespace reading;

constexpr std::size_t columns = 100;

std::string line(std::string_view label, const std::string& text) {
  if (text.empty()) return "";
  return wrapped(text, columns, fmt::format("  {:<11}", label), std::string(13, ' '));
}

std::string joined(const std::vector<std::string>& paths) {
  std::string out;
  for (const std::string& path : paths) out += (out.empty() ? "" : ", ") + path;
  return out;
}

std::string default_of(const Key& key) {
  if (key.required) return "none: a scenario must give it";
  if (key.standard.empty()) return "none";
  return fmt::format("{}: {}", key.standard, key.source);
}

struct Row {
  std::string name;
  std::string standard;
  std::string meaning;
};

/// One line each, the meaning cut where the line ends: `soya explain` of the key has it whole.
std::string row_lines(const std::vector<Row>& rows) {
  std::size_t name = 0;
  std::size_t standard = 0;
  for (const Row& row : rows) {
    name = std::max(name, display_width(row.name));
    standard = std::max(standard, display_width(row.standard));
  }
  std::string text;
  for (const Row& row : rows) {
    std::string begin = "  " + pad_right(row.name, name) + "  ";
    if (standard > 0) begin += pad_right(row.standard, standard) + "  ";
    text += begin + shortened(row.meaning, columns - std::min(columns - 20, display_width(begin))) + "\n";
  }
  return text;
}

/// One that says nothing beside what its keys say.
bool is_mapping(const Key& key) {
  return key.kind == Kind::section && key.forms.size == 1 && key.word.empty();
}

std::string short_default(const Key& key) {
  if (key.required) return "required";
  return is_mapping(key) && key.standard.empty() ? "keys" : shortened(key.standard, 24);
}

/// The keys of each mapping that `key` may hold.
std::string keys_below(const KeyPlace& place) {
  std::string text;
  for (const Form& form : place.key->forms) {
    if (form.item != Kind::section) continue;
    const SectionKeys& section = keys_of(form.section);
    std::vector<Row> rows;
    for (const auto keys : {section.own, section.shared}) {
      for (const Key& key : keys) rows.push_back({std::string{key.name}, short_default(key), std::string{key.meaning}});
    }
    const std::string_view picks = section.picks == Picks::exactly_one ? ", exactly one of them" : "";
    text += fmt::format("\nKeys of {}{}:\n{}", section.place, picks, row_lines(rows));
  }
  return text;
}

std::string about(const KnownKey& known) {
  const Key& key = *known.place.key;
  std::string text = wrapped(known.place.path + ": " + std::string{key.meaning}, columns, "", "  ");
  if (is_mapping(key)) return text + line("also at", joined(known.also)) + keys_below(known.place);
  const std::string word = key.word.empty() ? "" : ", or the word " + std::string{key.word};
  text += line(key.kind == Kind::choice ? "choices" : "value", kind_text(key) + word);
  text += line("spellings", spelling_of(key.kind));
  text += line("range", range_text(key));
  text += line("default", default_of(key));
  text += line("example", yaml_line(known.place.path, example_value(key)));
  text += line("also at", joined(known.also));
  return text + keys_below(known.place);
}

std::string list_of(const std::vector<KnownKey>& found) {
  std::vector<Row> rows;
  for (const KnownKey& known : found) rows.push_back({known.place.path, "", std::string{known.place.key->meaning}});
  return row_lines(rows);
}

/// Every mapping of the format with the meaning of the key that leads to it.
std::string groups() {
  std::vector<Row> rows;
  for (const KeyPlace& place : key_places()) {
    const bool is_group = std::ranges::any_of(place.key->forms, [&](const Form& form) {
      return form.item == Kind::section && find_keys(place.path).front().place.path == place.path;
    });
    if (is_group) rows.push_back({place.path, "", std::string{place.key->meaning}});
  }
  const std::span<const Key> top = keys_of(SectionId::root).own;
  std::vector<Row> single;
  for (const Key& key : top) {
    if (key.forms.size == 0) single.push_back({std::string{key.name}, "", std::string{key.meaning}});
  }
  return "Keys at the top of a scenario:\n" + row_lines(single) +
         "\nGroups of keys; soya explain GROUP lists what one holds:\n" + row_lines(rows);
}

std::string all_paths() {
  std::string text;
  for (const KeyPlace& place : key_places()) text += place.path + "\n";
  return text;
}

std::string unknown_key(const std::string& path) {
  const std::vector<std::string> near = near_keys(path);
  const std::string hint =
      near.empty() ? "; soya explain lists the groups of keys" : "; did you mean " + joined(near) + "?";
  return fmt::format("unknown key \"{}\"{}", path, hint);
}

int explain(const Command& self, const Parsed& parsed) {
  if (parsed.positional.size() > 1) {
    throw UsageError(usage_error(self, "one KEY at a time; \"" + parsed.positional[1] + "\" is one too many"));
  }
  if (parsed.has("paths") && !parsed.positional.empty()) {
    throw UsageError(
        usage_error(self, "--paths lists every key; leave out \"" + parsed.positional[0] + "\", or --paths"));
  }
  if (parsed.has("paths")) {
    print_answer(all_paths());
    return ExitStatus::sound;
  }
  if (parsed.positional.empty()) {
    print_answer(groups());
    return ExitStatus::sound;
  }
  const std::string& path = parsed.positional.front();
  std::vector<KnownKey> found = find_keys(path);
  if (found.empty()) throw UsageError(usage_error(self, unknown_key(path)));
  if (found.size() == 1 || found.front().from_top) {
    std::string text = about(found.front());
    found.erase(found.begin());
    if (!found.empty()) text += "\nOther keys of this name:\n" + list_of(found);
    print_answer(text);
  } else {
    print_answer(fmt::format("{} is a key in several places:\n{}", path, list_of(found)));
  }
  return ExitStatus::sound;
}

}  // namespace

Command explain_command() {
  return {"explain",
          "[KEY]",
          "what a key of a scenario means, takes and is by default",
          "KEY is a path, from the top or its end only, list indices left out or not;\n"
          "a mapping lists its keys. Without KEY: all groups of keys.\n"
          "Exit status: 0 good, 2 unknown key.\n",
          {{"paths", "", "every key of the format, one path on each line"}, help_option()},
          {"soya explain fabric.headroom.size", "soya explain pfc"},
          explain};
}

}  // namespace soya::cli
