#include "scenario/schema.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "scenario/key_text.hpp"
#include "scenario/keys.hpp"
#include "scenario/probability.hpp"
#include "scenario/tree.hpp"

namespace soya {

namespace {

using namespace reading;
using Json = nlohmann::ordered_json;

std::string whole(const std::string& pattern) {
  return "^" + pattern + "$";
}

/// Place of a section without the marks of lists and maps: workload.ddp, topology.links.
std::string definition_name(SectionId id) {
  std::string name{keys_of(id).place};
  for (const std::string_view mark : {"[]", ".*"}) {
    for (std::size_t at = name.find(mark); at != std::string::npos; at = name.find(mark)) name.erase(at, mark.size());
  }
  return name;
}

Json reference(SectionId id) {
  return {{"$ref", "#/definitions/" + definition_name(id)}};
}

/// A name is what stands there: 42 and true are names too.
Json name_schema() {
  return {{"type", {"string", "number", "boolean"}}};
}

Json number_limit(Int128 value) {
  if (value < 0) return static_cast<std::int64_t>(value);
  return static_cast<std::uint64_t>(value);
}

/// YAML reads 42, 1e9 and 0x1F as numbers; in quotes they are text, and as good.
Json integer_schema(const Key& key) {
  return {{"type", {"integer", "string"}},
          {"minimum", number_limit(key.least)},
          {"maximum", number_limit(key.most)},
          {"pattern", whole(number_pattern(Dimension::none))}};
}

Json choice_schema(const Key& key) {
  Json schema;
  for (const std::string_view word : choices_of(key)) {
    if (key.kind == Kind::flag) schema["enum"].push_back(word == "true");
    schema["enum"].push_back(word);
  }
  return schema;
}

Json quantity_schema(const Key& key) {
  const std::string pattern = number_pattern(dimension_of(key.kind));
  if (!key.bare) return {{"type", "string"}, {"pattern", whole(pattern)}};
  Json schema = integer_schema(key);
  schema["pattern"] = whole("(?:" + pattern + "|" + number_pattern(Dimension::none) + ")");
  return schema;
}

Json ratio_schema(const Key& key) {
  return {{"type", {"number", "string"}},
          {"exclusiveMinimum", 0},
          {"maximum", number_limit(key.most)},
          {"pattern", whole(ratio_pattern())}};
}

Json probability_schema() {
  return {{"type", {"number", "string"}}, {"minimum", 0}, {"maximum", 1}, {"pattern", whole(probability_pattern())}};
}

Json priorities_schema() {
  const Json item{{"type", {"integer", "string"}}, {"minimum", 0}, {"maximum", 7}, {"pattern", "^[0-7]$"}};
  return {{"type", "array"}, {"items", item}, {"uniqueItems", true}};
}

Json item_schema(const Key& key, const Form& form) {
  switch (form.item) {
    case Kind::section: {
      if (form.choices.empty()) return reference(form.section);
      Json words;
      for (const std::string_view word : split_choices(form.choices)) words["enum"].push_back(word);
      return {{"anyOf", {words, reference(form.section)}}};
    }
    case Kind::integer:
      return integer_schema(key);
    case Kind::probability:
      return probability_schema();
    case Kind::size:
      return {{"type", "string"}, {"pattern", whole(number_pattern(Dimension::size))}};
    case Kind::choice: {
      Json schema;
      for (const std::string_view word : split_choices(form.choices)) schema["enum"].push_back(word);
      return schema;
    }
    default:
      return name_schema();
  }
}

/// A regular expression of key paths: the first step is a key of `section`, and `behind` follows.
std::string path_pattern(SectionId section, const std::string& behind) {
  std::string names;
  for (const Key& key : keys_of(section).own) {
    const bool belongs_into_a_file =
        key.kind == Kind::file || (key.forms.size > 0 && key.forms.all[0].group == Group::variants);
    if (!belongs_into_a_file) names += (names.empty() ? "" : "|") + std::string{key.name};
  }
  return "^\"?(?:" + names + ")\"?" + behind;
}

Json variants_schema() {
  const Json paths{{"type", "object"}, {"propertyNames", {{"pattern", path_pattern(SectionId::root, "(?:[.\\[]|$)")}}}};
  return {{"type", "object"}, {"additionalProperties", paths}};
}

Json form_schema(const Key& key, const Form& form) {
  switch (form.group) {
    case Group::one:
      return item_schema(key, form);
    case Group::list: {
      Json schema{{"type", "array"}, {"items", item_schema(key, form)}};
      if (form.count > 0) schema["minItems"] = schema["maxItems"] = form.count;
      return schema;
    }
    case Group::map:
      return {{"type", "object"}, {"additionalProperties", item_schema(key, form)}};
    case Group::variants:
      return variants_schema();
  }
  return {};
}

/// Each way to write the value.
std::vector<Json> alternatives(const Key& key) {
  std::vector<Json> ways;
  if (!key.word.empty()) ways.push_back({{"enum", {key.word}}});
  for (const Form& form : key.forms) ways.push_back(form_schema(key, form));
  switch (key.kind) {
    case Kind::section:
    case Kind::structured:
      break;
    case Kind::text:
    case Kind::file:
      ways.push_back(name_schema());
      break;
    case Kind::flag:
    case Kind::choice:
      ways.push_back(choice_schema(key));
      break;
    case Kind::integer:
    case Kind::priority:
      ways.push_back(integer_schema(key));
      break;
    case Kind::ratio:
      ways.push_back(ratio_schema(key));
      break;
    case Kind::probability:
      ways.push_back(probability_schema());
      break;
    case Kind::priorities:
      ways.push_back(priorities_schema());
      break;
    default:
      ways.push_back(quantity_schema(key));
  }
  if (may_be_null(key)) ways.push_back({{"type", "null"}});
  return ways;
}

std::string description(const Key& key) {
  std::string text{key.meaning};
  text += "\n\n" + value_text(key);
  if (key.required)
    text += "; required";
  else if (!key.standard.empty())
    text += "; default " + std::string{key.standard} + ": " + std::string{key.source};
  return text;
}

/// Editors offer it; a list or mapping they would offer as a text.
std::optional<Json> default_value(const Key& key) {
  if (key.standard.empty() || key.standard == "\"\"" || key.standard.find_first_of("[{") == 0) return std::nullopt;
  if (key.kind == Kind::flag) return key.standard == "true";
  const ParsedNumber number = parse_number(key.standard, Dimension::none);
  const bool is_number =
      key.kind == Kind::integer || key.kind == Kind::structured || key.kind == Kind::probability || key.bare;
  if (is_number && number.fault == NumberFault::none) return number_limit(number.value);
  return key.standard;
}

Json key_schema(const Key& key) {
  Json schema{{"description", description(key)}};
  if (auto standard = default_value(key)) schema["default"] = std::move(*standard);
  std::vector<Json> ways = alternatives(key);
  // Beside $ref nothing else counts in draft-07, so even a single one stands apart.
  if (ways.size() == 1 && !ways.front().contains("$ref"))
    schema.update(ways.front());
  else
    schema["anyOf"] = std::move(ways);
  return schema;
}

/// Keys that exclude each other, of those that the section has.
Json rivals_schema(const SectionKeys& section) {
  Json all = Json::array();
  for (const Rivals& pair : rival_keys()) {
    if (!section.find(pair.one) || !section.find(pair.other)) continue;
    all.push_back({{"not", {{"required", {pair.one, pair.other}}}}});
  }
  return all;
}

Json section_schema(SectionId id) {
  const SectionKeys& section = keys_of(id);
  Json schema{{"type", "object"}, {"properties", Json::object()}};
  for (const auto keys : {section.own, section.shared}) {
    for (const Key& key : keys) {
      schema["properties"][std::string{key.name}] = key_schema(key);
      if (key.required) schema["required"].push_back(key.name);
    }
  }
  schema["additionalProperties"] = false;
  if (section.picks == Picks::exactly_one) schema["minProperties"] = schema["maxProperties"] = 1;
  if (Json rivals = rivals_schema(section); !rivals.empty()) schema["allOf"] = std::move(rivals);
  return schema;
}

void collect_sections(SectionId id, std::set<SectionId>& out) {
  const SectionKeys& section = keys_of(id);
  for (const auto keys : {section.own, section.shared}) {
    for (const Key& key : keys) {
      for (const Form& form : key.forms) {
        if (form.item == Kind::section && out.insert(form.section).second) collect_sections(form.section, out);
      }
    }
  }
}

/// What the file's mapping may hold; a file that extends another need not hold what is required, and may hold key
/// paths.
Json file_schema(SchemaOf file) {
  const Key& extends = *keys_of(SectionId::root).find("extends");
  const SectionId section = file == SchemaOf::scenario ? SectionId::root : SectionId::topology;
  Json schema = section_schema(section);
  schema["patternProperties"] = {{path_pattern(section, "[.\\[]"), Json::object()}};
  if (file == SchemaOf::topology) schema["properties"][std::string{extends.name}] = key_schema(extends);
  if (!schema.contains("required")) return schema;
  schema["if"] = {{"not", {{"required", {extends.name}}}}};
  schema["then"] = {{"required", schema["required"]}};
  schema.erase("required");
  return schema;
}

}  // namespace

std::string json_schema(SchemaOf file) {
  const bool scenario = file == SchemaOf::scenario;
  Json schema{
      {"$schema", "http://json-schema.org/draft-07/schema#"},
      {"$comment",
       "Written by `soya schema`; draft-07 is the latest that all releases of yaml-language-server read. It cannot "
       "say ranges of quantities with units, which names exist, and rules that join several keys: `soya check` "
       "tells them."},
      {"title", scenario ? "Soya scenario" : "Soya topology"}};
  schema.update(file_schema(file));
  std::set<SectionId> sections;
  collect_sections(scenario ? SectionId::root : SectionId::topology, sections);
  for (const SectionId id : sections) schema["definitions"][definition_name(id)] = section_schema(id);
  return schema.dump(1) + "\n";
}

}  // namespace soya
