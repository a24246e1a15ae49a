#include "results/summary_path.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/suggest.hpp"
#include "results/summary.hpp"

namespace soya {

using Value = nlohmann::ordered_json;

struct SummaryText::Json {
  Value root;
};

namespace {

constexpr std::array<std::string_view, 7> aggregates{"max", "min", "mean", "sum", "first", "last", "count"};
constexpr std::string_view aggregates_text = "max, min, mean, sum, first, last, count";

/// One part of a path: a key, the number of a row or the name of one.
struct Part {
  enum class Kind { key, row, named_row } kind{Kind::key};
  std::string_view text;  ///< of a key or name
  std::int64_t row{0};    ///< below 0: from the end
};

/// The row between brackets, at the start of `text`, and how long that is; absent where it is none.
std::optional<std::pair<Part, std::size_t>> bracketed(std::string_view text) {
  if (text.starts_with("[\"")) {
    const std::size_t end = text.find("\"]", 2);
    if (end == std::string_view::npos) return std::nullopt;
    return std::pair{Part{Part::Kind::named_row, text.substr(2, end - 2)}, end + 2};
  }
  const std::size_t end = text.find(']');
  if (end == std::string_view::npos) return std::nullopt;
  Part part{Part::Kind::row, {}};
  const auto [read, error] = std::from_chars(text.data() + 1, text.data() + end, part.row);
  if (error != std::errc{} || read != text.data() + end) return std::nullopt;
  return std::pair{part, end + 1};
}

/// Absent where `path` is not spelled as a path.
std::optional<std::vector<Part>> parts_of(std::string_view path) {
  std::vector<Part> parts;
  while (!path.empty()) {
    if (path.front() == '[') {
      const auto part = bracketed(path);
      if (!part || parts.empty()) return std::nullopt;
      parts.push_back(part->first);
      path.remove_prefix(part->second);
    } else {
      const std::size_t end = std::min(path.find_first_of(".["), path.size());
      if (end == 0) return std::nullopt;
      parts.push_back({Part::Kind::key, path.substr(0, end)});
      path.remove_prefix(end);
    }
    if (path.empty() || path.front() == '[') continue;
    if (path.front() != '.' || path.size() == 1 || path[1] == '[') return std::nullopt;
    path.remove_prefix(1);
  }
  return parts.empty() ? std::nullopt : std::optional{parts};
}

bool is_aggregate(std::string_view name) {
  return std::ranges::find(aggregates, name) != aggregates.end();
}

std::optional<double> number_of(const Value& value) {
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  return value.is_number() ? std::optional{value.get<double>()} : std::nullopt;
}

const Value* child(const Value& of, std::string_view key) {
  if (!of.is_object()) return nullptr;
  const auto found = of.find(key);
  return found == of.end() ? nullptr : &*found;
}

const Value* row_of(const Value& list, const Part& part) {
  if (!list.is_array()) return nullptr;
  if (part.kind == Part::Kind::named_row) {
    const auto found = std::ranges::find_if(list, [&](const Value& row) {
      const Value* name = child(row, "name");
      return name != nullptr && name->is_string() && name->get_ref<const std::string&>() == part.text;
    });
    return found == list.end() ? nullptr : &*found;
  }
  const auto count = static_cast<std::int64_t>(list.size());
  const std::int64_t at = part.row < 0 ? count + part.row : part.row;
  return at < 0 || at >= count ? nullptr : &list[static_cast<std::size_t>(at)];
}

std::optional<double> aggregate(const std::vector<double>& values, std::string_view name) {
  if (name == "count") return static_cast<double>(values.size());
  if (values.empty()) return std::nullopt;
  if (name == "first") return values.front();
  if (name == "last") return values.back();
  if (name == "max") return *std::ranges::max_element(values);
  if (name == "min") return *std::ranges::min_element(values);
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return name == "sum" ? sum : sum / static_cast<double>(values.size());
}

/// `parts` behind the name of a list: "count", or a column and what is asked of it.
std::optional<double> value_of_list(const Value& list, std::span<const Part> parts) {
  if (parts.size() == 1 && parts[0].text == "count") return static_cast<double>(list.size());
  if (parts.size() != 2 || !is_aggregate(parts[1].text)) return std::nullopt;
  std::vector<double> values;
  for (const Value& row : list) {
    const Value* cell = child(row, parts[0].text);
    const auto number = cell != nullptr ? number_of(*cell) : std::nullopt;
    if (number) values.push_back(*number);
  }
  return aggregate(values, parts[1].text);
}

/// One row of everything, so that its summary shows what a summary may have.
const Value& sample() {
  static const Value parsed = [] {
    RunResults run;
    run.steps.emplace_back();
    run.collectives.emplace_back();
    run.perftest.emplace_back();
    run.tiers.emplace_back();
    run.accelerators.emplace_back();
    run.reconvergences.emplace_back();
    Value json = Value::parse(summary_json(run, {}));
    json["incomplete"] = false;
    return json;
  }();
  return parsed;
}

/// Of a sample, null is a number that it does not have.
bool is_numeric(const Value& value) {
  return value.is_number() || value.is_boolean() || value.is_null();
}

/// Paths of the numbers of `value`, with `[0]` for a row and `.max` for a column of a list.
void add_paths(const Value& value, const std::string& path, std::vector<std::string>& paths) {
  if (is_numeric(value)) paths.push_back(path);
  if (value.is_object()) {
    for (const auto& [key, below] : value.items()) add_paths(below, path.empty() ? key : path + "." + key, paths);
  }
  if (!value.is_array()) return;
  paths.push_back(path + ".count");
  if (value.empty() || !value[0].is_object()) return;
  for (const auto& [key, cell] : value[0].items()) {
    if (!is_numeric(cell)) continue;
    paths.push_back(path + "[0]." + key);
    for (const std::string_view each : aggregates) paths.push_back(path + "." + key + "." + std::string{each});
  }
}

const std::vector<std::string>& all_paths() {
  static const std::vector<std::string> paths = [] {
    std::vector<std::string> found;
    add_paths(sample(), "", found);
    return found;
  }();
  return paths;
}

std::string in_quotes(std::string_view text) {
  return "\"" + std::string{text} + "\"";
}

std::string unknown(std::string_view path) {
  const std::string start = "unknown quantity " + in_quotes(path) + "; ";
  const std::vector<std::string_view> known{all_paths().begin(), all_paths().end()};
  if (const auto near = nearest(path, known)) return start + "did you mean " + in_quotes(*near) + "?";
  // What was said without its group: lossless of drops.lossless.
  for (const std::string_view each : known) {
    if (each.ends_with("." + std::string{path})) return start + "did you mean " + in_quotes(each) + "?";
  }
  return start +
         "there are sound, drops.lossless, buffers.headroom_peak_bytes, steps.step_ms.max, collectives[0].time_us "
         "and all other numbers of summary.json";
}

std::string row_needed(const std::string& list, std::string_view column) {
  const std::string of_all = list + "." + std::string{column};
  return in_quotes(of_all) + " is a list; say which of it you mean, as " + in_quotes(of_all + ".max") + " (" +
         std::string{aggregates_text} + "), or the row, as " + in_quotes(list + "[0]." + std::string{column});
}

/// `parts` behind the list at `path`, whose one row is `row`.
std::optional<std::string> list_fault(std::string_view whole, const std::string& path, const Value& row,
                                      std::span<const Part> parts) {
  if (parts.size() == 1 && parts[0].text == "count") return std::nullopt;
  if (parts.empty()) return in_quotes(path) + " is a list; " + in_quotes(path + ".count") + " is how many rows it has";
  const Value* cell = child(row, parts[0].text);
  if (cell == nullptr || !is_numeric(*cell) || parts.size() > 2) return unknown(whole);
  if (parts.size() == 1) return row_needed(path, parts[0].text);
  if (is_aggregate(parts[1].text)) return std::nullopt;
  return "unknown aggregate " + in_quotes(parts[1].text) + " in " + in_quotes(whole) + "; there are " +
         std::string{aggregates_text};
}

std::string no_number(std::string_view path, const Value& value) {
  if (value.is_string()) return in_quotes(path) + " is a text, not a number";
  const auto first = std::ranges::find_if(value, is_numeric);
  return in_quotes(path) + " is a group; say which number of it, as " +
         in_quotes(std::string{path} + "." + first.key());
}

}  // namespace

SummaryText::SummaryText(std::string_view json) : json_{std::make_unique<Json>()} {
  json_->root = Value::parse(json, nullptr, false);
  if (!json_->root.is_object()) throw std::invalid_argument{"not the text of a summary.json"};
}

SummaryText::~SummaryText() = default;
SummaryText::SummaryText(SummaryText&&) noexcept = default;
SummaryText& SummaryText::operator=(SummaryText&&) noexcept = default;

std::optional<double> SummaryText::value(std::string_view path) const {
  const auto parts = parts_of(path);
  if (!parts) return std::nullopt;
  const Value* at = &json_->root;
  for (std::size_t i = 0; i < parts->size(); ++i) {
    const Part& part = (*parts)[i];
    if (part.kind != Part::Kind::key) {
      at = row_of(*at, part);
    } else if (at->is_array()) {
      return value_of_list(*at, std::span{*parts}.subspan(i));
    } else {
      at = child(*at, part.text);
    }
    if (at == nullptr) return std::nullopt;
  }
  return number_of(*at);
}

std::optional<std::string> summary_path_fault(std::string_view path) {
  const auto parts = parts_of(path);
  if (!parts) return unknown(path);
  const Value* at = &sample();
  std::string so_far;
  for (std::size_t i = 0; i < parts->size(); ++i) {
    const Part& part = (*parts)[i];
    if (part.kind == Part::Kind::key && at->is_array()) {
      return list_fault(path, so_far, at->empty() ? Value{} : (*at)[0], std::span{*parts}.subspan(i));
    }
    if (part.kind != Part::Kind::key) {
      const bool named = part.kind == Part::Kind::named_row;
      if (!at->is_array() || at->empty() || (named && child((*at)[0], "name") == nullptr)) return unknown(path);
      at = &(*at)[0];
      continue;
    }
    at = child(*at, part.text);
    if (at == nullptr) return unknown(path);
    so_far += (so_far.empty() ? "" : ".") + std::string{part.text};
  }
  if (at->is_array()) return list_fault(path, so_far, Value{}, {});
  return is_numeric(*at) ? std::nullopt : std::optional{no_number(path, *at)};
}

std::string_view unit_of_quantity(std::string_view name) {
  constexpr std::array<std::string_view, 8> units{"bytes", "ps", "us", "ms", "gbps", "GBps", "mpps", "share"};
  std::size_t dot = name.rfind('.');
  if (dot != std::string_view::npos && is_aggregate(name.substr(dot + 1))) {
    if (name.substr(dot + 1) == "count") return {};
    name = name.substr(0, dot);
    dot = name.rfind('.');
  }
  std::string_view word = dot == std::string_view::npos ? name : name.substr(dot + 1);
  while (!word.empty()) {
    const std::size_t start = word.rfind('_');
    const std::string_view last = start == std::string_view::npos ? word : word.substr(start + 1);
    const auto found = std::ranges::find(units, last);
    if (found != units.end()) return *found;
    word = start == std::string_view::npos ? std::string_view{} : word.substr(0, start);
  }
  return {};
}

}  // namespace soya
