#include "sweep/store_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace soya {

namespace {

using Json = nlohmann::ordered_json;

struct OutcomeName {
  PointOutcome outcome;
  std::string_view name;
};

constexpr std::array<OutcomeName, 5> outcome_names{{{PointOutcome::sound, "sound"},
                                                    {PointOutcome::unsound, "unsound"},
                                                    {PointOutcome::refused, "refused"},
                                                    {PointOutcome::no_answer, "no-answer"},
                                                    {PointOutcome::crashed, "crashed"}}};

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// What `read` makes of the JSON; whatever it is not content with is a `StoreTextError`.
template <class Read>
auto read_json(std::string_view text, Read read) {
  try {
    return read(Json::parse(text));
  } catch (const Json::exception& error) {
    throw StoreTextError(error.what());
  }
}

}  // namespace

std::string_view outcome_name(PointOutcome outcome) {
  return std::ranges::find(outcome_names, outcome, &OutcomeName::outcome)->name;
}

std::optional<PointOutcome> outcome_of(std::string_view name) {
  const auto* const found = std::ranges::find(outcome_names, name, &OutcomeName::name);
  if (found == outcome_names.end()) return std::nullopt;
  return found->outcome;
}

std::string columns_text(const std::vector<Column>& columns) {
  Json json = Json::array();
  for (const Column& column : columns) json.push_back({{"name", column.name}, {"unit", column.unit}});
  return dumped(json);
}

std::vector<Column> columns_from(std::string_view text) {
  return read_json(text, [](const Json& json) {
    std::vector<Column> columns;
    for (const Json& each : json) columns.push_back({each.at("name"), each.at("unit")});
    return columns;
  });
}

std::string names_text(const std::vector<std::string>& names) {
  return dumped(Json(names));
}

std::vector<std::string> names_from(std::string_view text) {
  return read_json(text, [](const Json& json) { return json.get<std::vector<std::string>>(); });
}

std::string cells_text(const std::vector<Cell>& cells) {
  Json json = Json::array();
  for (const Cell& cell : cells) {
    const bool known = cell.number && std::isfinite(*cell.number);
    json.push_back(Json::array({cell.text, known ? Json(*cell.number) : Json(nullptr)}));
  }
  return dumped(json);
}

std::vector<Cell> cells_from(std::string_view text) {
  return read_json(text, [](const Json& json) {
    std::vector<Cell> cells;
    for (const Json& each : json) {
      Cell cell{each.at(0), std::nullopt};
      if (!each.at(1).is_null()) cell.number = each.at(1).get<double>();
      cells.push_back(std::move(cell));
    }
    return cells;
  });
}

std::string numbers_text(const std::vector<std::pair<std::string, double>>& numbers) {
  Json json = Json::object();
  for (const auto& [name, number] : numbers) {
    if (std::isfinite(number)) json[name] = number;
  }
  return dumped(json);
}

std::vector<std::pair<std::string, double>> numbers_from(std::string_view text) {
  return read_json(text, [](const Json& json) {
    std::vector<std::pair<std::string, double>> numbers;
    for (const auto& [name, number] : json.items()) numbers.emplace_back(name, number.get<double>());
    return numbers;
  });
}

}  // namespace soya
