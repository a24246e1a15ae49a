#include "planning/sonic_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace soya {

namespace {

using Json = nlohmann::ordered_json;

constexpr int deepest_nesting = 64;  // of any JSON: what reads it goes down level by level

[[noreturn]] void fail(const std::string& file, std::string path, std::string message, int line = 0, int column = 0) {
  throw ScenarioError({Diagnostic{Where{file, line, column, std::move(path)}, std::move(message)}});
}

/// Line and column of the byte at `offset`, both from 1.
std::pair<int, int> place_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t start = before.rfind('\n');
  const auto line = std::count(before.begin(), before.end(), '\n');
  const std::size_t column = before.size() - (start == std::string_view::npos ? 0 : start + 1);
  return {static_cast<int>(line) + 1, static_cast<int>(column) + 1};
}

/// What is the matter with text that is no JSON from `offset` on: the mistakes that hands make first.
std::string fault_of(std::string_view text, std::size_t offset) {
  if (text.find("{%") != std::string_view::npos || text.find("{{") != std::string_view::npos) {
    return "is a Jinja template, not JSON; render it with sonic-cfggen, or give the switch's config_db.json";
  }
  std::string fault = "is not JSON from here on";
  constexpr std::string_view blanks = " \t\r\n";
  if (text.find_first_not_of(blanks, offset) == std::string_view::npos) return fault + ": the file ends too early";
  const char here = text[offset];
  if (here == '#' || here == '/') return fault + ": JSON has no comments";
  const std::size_t before = text.substr(0, offset).find_last_not_of(blanks);
  const bool comma = before != std::string_view::npos && text[before] == ',';
  if (comma && (here == '}' || here == ']')) return fault + ": leave out the comma before it";
  return fault;
}

Json parsed(const std::string& file, std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  std::vector<std::set<std::string>> keys;
  std::string twice;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth > deepest_nesting) fail(file, "", fmt::format("nests deeper than {} levels", deepest_nesting));
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second && twice.empty()) {
      twice = value.get<std::string>();
    }
    return true;
  };
  try {
    Json json = Json::parse(text, watch);
    if (!twice.empty())
      fail(file, "", fmt::format("the key \"{}\" stands twice in one object; SONiC keeps one of them", twice));
    return json;
  } catch (const Json::parse_error& error) {
    const std::size_t offset = error.byte > 0 ? error.byte - 1 : 0;
    const auto [line, column] = place_of(text, offset);
    fail(file, "", fault_of(text, offset), line, column);
  }
}

/// A field's value: texts and numbers as they are written, lists with commas.
std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string all;
  for (const Json& item : value) all += (all.empty() ? "" : ",") + text_of(item);
  return all;
}

/// BUFFER_POOL of BUFFER_POOL_TABLE, as APPL_DB has it.
std::string config_name(std::string_view table) {
  if (table.ends_with("_TABLE")) table.remove_suffix(6);
  return std::string{table};
}

class Collector final {
 public:
  Collector(const std::string& file, SonicBuffers& buffers) : file_{file}, buffers_{buffers} {}

  void collect(const Json& json) {
    if (json.is_array()) {
      for (const Json& item : json) collect(item);
    } else if (json.is_object()) {
      for (const auto& [key, value] : json.items()) member(key, value);
    }
  }

 private:
  void member(const std::string& key, const Json& value) {
    const std::size_t separator = key.find_first_of("|:");
    if (key.starts_with("BUFFER_") && separator != std::string::npos) {
      // A database dumped key by key: BUFFER_POOL|ingress_lossless_pool, perhaps with its type beside its value.
      const bool typed = value.is_object() && value.contains("value") && value.at("value").is_object();
      add(config_name(key.substr(0, separator)), key.substr(separator + 1), typed ? value.at("value") : value);
    } else if (key.starts_with("BUFFER_")) {
      if (!value.is_object()) fail(file_, key, "expected an object of entries, got " + std::string{value.type_name()});
      for (const auto& [name, fields] : value.items()) add(config_name(key), name, fields);
    } else if (holds_buffers(value)) {
      collect(value);
    } else if (key != "OP") {  // of a list that swssconfig takes: what it does with the entry beside
      note_table(key.substr(0, separator));
    }
  }

  /// At any depth: a dump may hold one database among several.
  static bool holds_buffers(const Json& json) {
    if (json.is_array()) return std::ranges::any_of(json, [](const Json& item) { return holds_buffers(item); });
    return json.is_object() && std::ranges::any_of(json.items(), [](const auto& item) {
             return item.key().starts_with("BUFFER_") || holds_buffers(item.value());
           });
  }

  void note_table(const std::string& table) {
    auto& tables = buffers_.other_tables;
    if (std::ranges::find(tables, table) == tables.end()) tables.push_back(table);
  }

  void add(std::string table, const std::string& name, const Json& fields) {
    if (!fields.is_object()) {
      fail(file_, table + "." + name, "expected an object of fields, got " + std::string{fields.type_name()});
    }
    SonicEntry entry{file_, std::move(table), name, {}};
    for (const auto& [key, value] : fields.items()) entry.fields.emplace_back(key, text_of(value));
    const SonicEntry* earlier = buffers_.find(entry.table, name);
    if (earlier == nullptr) return buffers_.entries.push_back(std::move(entry));
    if (earlier->fields == entry.fields) return;
    fail(file_, entry.table + "." + name, "differs from that of " + earlier->file + "; give the files of one switch");
  }

  const std::string& file_;
  SonicBuffers& buffers_;
};

}  // namespace

std::optional<std::string> SonicEntry::field(std::string_view key) const {
  for (const auto& [name_of_field, value] : fields) {
    if (name_of_field == key) return value;
  }
  return std::nullopt;
}

const SonicEntry* SonicBuffers::find(std::string_view table, std::string_view name) const {
  const auto found = std::ranges::find_if(
      entries, [&](const SonicEntry& entry) { return entry.table == table && entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

void add_sonic_json(const std::string& file, std::string_view text, SonicBuffers& buffers) {
  Collector{file, buffers}.collect(parsed(file, text));
}

}  // namespace soya
