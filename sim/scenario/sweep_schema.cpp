#include "scenario/sweep_schema.hpp"

#include <array>
#include <nlohmann/json.hpp>

namespace soya {

namespace {

using Json = nlohmann::ordered_json;

struct SweepKeyText {
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array<SweepKeyText, 12> keys{{
    {"scenario", "the file that is swept; a path starts at the sweep's own folder"},
    {"name", "of the sweep, and so of out/<name>; by default that of the file"},
    {"set", "key paths and values laid over the scenario at every point"},
    {"axes", "key paths, each with a list of values or a range"},
    {"zip", "axes that go together, value by value: a mapping of such, or a list of mappings"},
    {"cases", "names, each with names of cases and their key paths and values"},
    {"variants", "all, or a list of the scenario's variants, base among them"},
    {"sample", "points drawn from ranges in place of a grid"},
    {"only", "conditions on columns; combinations that fail one are no points"},
    {"seeds", "a number, counted from the scenario's seed, or a list"},
    {"search", "the smallest or largest value of a key with which a condition holds, found at every point"},
    {"keep", "quantities for points.csv"},
}};

Json reference(const char* name) {
  return {{"$ref", std::string{"#/definitions/"} + name}};
}

Json object(Json properties, const std::vector<std::string>& required) {
  Json schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = required;
  schema["additionalProperties"] = false;
  return schema;
}

/// Names that the file chooses, each with what `value` says.
Json named(Json value) {
  return {{"type", "object"}, {"minProperties", 1}, {"additionalProperties", std::move(value)}};
}

Json any_of(std::vector<Json> ways) {
  return {{"anyOf", std::move(ways)}};
}

const Json text{{"type", "string"}};
const Json scalar{{"type", Json::array({"string", "number"})}};
const Json texts{{"type", "array"}, {"minItems", 1}, {"items", {{"type", "string"}}}};

Json definitions() {
  Json range = object({{"from", scalar},
                       {"to", scalar},
                       {"points", {{"type", "integer"}, {"minimum", 2}}},
                       {"step", scalar},
                       {"scale", {{"enum", {"linear", "log"}}}}},
                      {"from", "to"});
  range["oneOf"] = {{{"required", {"points"}}}, {{"required", {"step"}}}};
  const Json open_range =
      object({{"from", scalar}, {"to", scalar}, {"scale", {{"enum", {"linear", "log"}}}}}, {"from", "to"});
  const Json list{{"type", "array"}, {"minItems", 1}};
  Json search = object({{"smallest", text},
                        {"largest", text},
                        {"from", scalar},
                        {"to", scalar},
                        {"resolution", scalar},
                        {"such_that", text}},
                       {"from", "to", "such_that"});
  search["oneOf"] = {{{"required", {"smallest"}}}, {{"required", {"largest"}}}};
  return {{"values", {{"type", "object"}}},
          {"axes", named(any_of({list, range}))},
          {"sample", object({{"points", {{"type", "integer"}, {"minimum", 1}}},
                             {"method", {{"enum", {"latin-hypercube", "random"}}}},
                             {"seed", {{"type", "integer"}, {"minimum", 0}}},
                             {"ranges", named(any_of({list, open_range}))}},
                            {"points", "ranges"})},
          {"search", std::move(search)}};
}

Json schema_of(std::string_view key) {
  if (key == "scenario" || key == "name") return text;
  if (key == "set") return reference("values");
  if (key == "axes") return reference("axes");
  if (key == "zip") {
    return any_of({reference("axes"), {{"type", "array"}, {"minItems", 1}, {"items", reference("axes")}}});
  }
  if (key == "cases") return named(named(reference("values")));
  if (key == "variants") return any_of({{{"const", "all"}}, texts});
  if (key == "seeds") {
    return any_of({{{"type", "integer"}, {"minimum", 1}},
                   {{"type", "array"}, {"minItems", 1}, {"items", {{"type", "integer"}, {"minimum", 0}}}}});
  }
  if (key == "sample" || key == "search") return reference(key == "sample" ? "sample" : "search");
  return any_of({text, texts});  // only, keep
}

}  // namespace

std::vector<std::string_view> sweep_keys() {
  std::vector<std::string_view> names;
  for (const SweepKeyText& key : keys) names.push_back(key.name);
  return names;
}

std::string sweep_json_schema() {
  Json schema{
      {"$schema", "http://json-schema.org/draft-07/schema#"},
      {"$comment",
       "Written by `soya schema sweep`. It cannot say which key paths there are and what they take: `soya sweep "
       "run --dry-run` tells."},
      {"title", "Soya sweep"},
      {"type", "object"},
      {"properties", Json::object()}};
  for (const SweepKeyText& key : keys) {
    Json& property = schema["properties"][std::string{key.name}];
    property["description"] = key.meaning;
    Json what = schema_of(key.name);
    // Beside $ref nothing else counts in draft-07.
    if (what.contains("$ref")) {
      property["allOf"] = Json::array({std::move(what)});
    } else {
      property.update(what);
    }
  }
  schema["required"] = {"scenario"};
  schema["additionalProperties"] = false;
  schema["definitions"] = definitions();
  return schema.dump(1) + "\n";
}

}  // namespace soya
