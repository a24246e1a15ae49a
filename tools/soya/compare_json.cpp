#include <cmath>
#include <nlohmann/json.hpp>

#include "compare_text.hpp"

namespace soya::cli {

namespace {

using Json = nlohmann::ordered_json;

const char* unit_name(Unit unit) {
  switch (unit) {
    case Unit::picoseconds:
      return "ps";
    case Unit::bytes:
      return "bytes";
    case Unit::gbps:
      return "Gbps";
    case Unit::gigabytes_per_second:
      return "GB/s";
    case Unit::share:
      return "share";
    case Unit::ratio:
      return "ratio";
    case Unit::count:
      return "count";
  }
  return "";
}

const char* finding_name(Finding finding) {
  switch (finding) {
    case Finding::change:
      return "change";
    case Finding::untold:
      return "untold";
    case Finding::no_change:
      return "no_change";
  }
  return "";
}

template <class T>
Json json_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json side_json(const Side& side) {
  Json runs = Json::array();
  for (const Outcome& outcome : side.runs) {
    const RunResults& run = outcome.run.results;
    runs.push_back({{"name", run.name},
                    {"variant", outcome.run.name},
                    {"seed", run.seed},
                    {"version", run.version},
                    {"sound", run.sound},
                    {"why_not", run.why_not},
                    {"fingerprint", run.fingerprint}});
  }
  return {{"title", side.title}, {"runs", std::move(runs)}};
}

Json compared_json(const ComparedSide& side) {
  Json input = Json::array();
  for (const KeyDifference& key : side.input) {
    input.push_back({{"key", key.path}, {"before", json_or_null(key.before)}, {"after", json_or_null(key.after)}});
  }
  Json outcome = Json::array();
  for (const Difference& each : side.outcome.differences) {
    outcome.push_back({{"name", each.name},
                       {"unit", unit_name(each.unit)},
                       {"before", each.before},
                       {"after", each.after},
                       {"relative", json_or_null(each.relative)},
                       {"standard_error", json_or_null(each.uncertainty)},
                       {"p", json_or_null(each.p)},
                       {"finding", finding_name(each.finding)},
                       {"where_before", each.where_before},
                       {"where_after", each.where_after}});
  }
  Json unpaired = Json::array();
  for (const Unpaired& each : side.outcome.unpaired) {
    unpaired.push_back({{"name", each.name},
                        {"unit", unit_name(each.unit)},
                        {"before", json_or_null(each.before)},
                        {"after", json_or_null(each.after)},
                        {"runs_before", each.runs_before},
                        {"runs_after", each.runs_after}});
  }
  return {{"input", std::move(input)}, {"outcome", std::move(outcome)}, {"unpaired", std::move(unpaired)}};
}

}  // namespace

std::string comparison_json(const std::vector<Side>& sides, const std::vector<ComparedSide>& all) {
  Json json;
  json["sides"] = Json::array();
  for (const Side& side : sides) json["sides"].push_back(side_json(side));
  json["against_first"] = Json::array();
  for (const ComparedSide& side : all) json["against_first"].push_back(compared_json(side));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace soya::cli
