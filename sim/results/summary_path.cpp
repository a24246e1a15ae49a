#include "results/summary_path.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/suggest.hpp"
#include "results/json_view.hpp"
#include "results/summary.hpp"

namespace soya {

using Kind = JsonValue::Kind;

struct SummaryText::Json {
  explicit Json(std::string_view json) : text{json}, view{text} {}
  std::string text;
  JsonView view;
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

JsonValue item_of(const JsonValue& list, std::int64_t number) {
  JsonValue item = list.first();
  for (std::int64_t i = 0; i < number && item; ++i) item = item.next();
  return item;
}

/// None where there is no such row.
JsonValue row_of(const JsonValue& list, const Part& part) {
  if (!list.is(Kind::array)) return {};
  if (part.kind == Part::Kind::named_row) {
    JsonValue row = list.first();
    while (row && row.member("name").text() != part.text) row = row.next();
    return row;
  }
  const std::int64_t at = part.row < 0 ? static_cast<std::int64_t>(list.size()) + part.row : part.row;
  return at < 0 ? JsonValue{} : item_of(list, at);
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
std::optional<double> value_of_list(const JsonValue& list, std::span<const Part> parts) {
  if (parts.size() == 1 && parts[0].text == "count") return static_cast<double>(list.size());
  if (parts.size() != 2 || !is_aggregate(parts[1].text)) return std::nullopt;
  std::vector<double> values;
  for (JsonValue row = list.first(); row; row = row.next()) {
    if (const auto number = row.member(parts[0].text).number()) values.push_back(*number);
  }
  return aggregate(values, parts[1].text);
}

/// One row of everything, so that its summary shows what a summary may have.
std::string sample_text() {
  RunResults run;
  run.complete = false;
  run.steps.emplace_back();
  run.collectives.emplace_back();
  run.perftest.emplace_back();
  run.tiers.emplace_back();
  run.accelerators.emplace_back();
  run.reconvergences.emplace_back();
  return summary_json(run, {});
}

JsonValue sample() {
  static const std::string text = sample_text();
  static const JsonView view{text};
  return view.root();
}

/// Of a sample, null is a number that it does not have.
bool is_numeric(const JsonValue& value) {
  return value.is(Kind::number) || value.is(Kind::boolean) || value.is(Kind::null);
}

/// Paths of the numbers of `value`, with `[0]` for a row and `.max` for a column of a list.
void add_paths(const JsonValue& value, const std::string& path, std::vector<std::string>& paths) {
  if (is_numeric(value)) paths.push_back(path);
  if (value.is(Kind::object)) {
    for (JsonValue below = value.first(); below; below = below.next()) {
      add_paths(below, (path.empty() ? "" : path + ".") + std::string{below.key()}, paths);
    }
  }
  if (!value.is(Kind::array)) return;
  paths.push_back(path + ".count");
  for (JsonValue cell = value.first().first(); cell; cell = cell.next()) {
    if (!is_numeric(cell)) continue;
    const std::string key{cell.key()};
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
  // Of a group that exists: what it has, `transfers.time` is one that has not.
  std::string members;
  const std::string group{path.substr(0, path.find_first_of(".["))};
  for (const std::string_view each : known) {
    const bool below = each.starts_with(group + ".") && each.find_first_of(".[", group.size() + 1) == each.npos;
    if (below && !each.ends_with(".count")) members += (members.empty() ? "" : ", ") + std::string{each};
  }
  if (!members.empty()) return start + "there are " + members;
  return start +
         "there are sound, simulated_ps, drops.lossless, buffers.headroom_peak_bytes, transfers.slowdown_p99, "
         "steps.step_ms.max, collectives[0].time_us and all other numbers of summary.json, which `soya run SCENARIO "
         "--json` prints";
}

std::string row_needed(const std::string& list, std::string_view column) {
  const std::string of_all = list + "." + std::string{column};
  return in_quotes(of_all) + " is a list; say which of it you mean, as " + in_quotes(of_all + ".max") + " (" +
         std::string{aggregates_text} + "), or the row, as " + in_quotes(list + "[0]." + std::string{column});
}

/// `parts` behind the list at `path`, whose one row is `row`.
std::optional<std::string> list_fault(std::string_view whole, const std::string& path, const JsonValue& row,
                                      std::span<const Part> parts) {
  if (parts.size() == 1 && parts[0].text == "count") return std::nullopt;
  if (parts.empty()) return in_quotes(path) + " is a list; " + in_quotes(path + ".count") + " is how many rows it has";
  if (!is_numeric(row.member(parts[0].text)) || parts.size() > 2) return unknown(whole);
  if (parts.size() == 1) return row_needed(path, parts[0].text);
  if (is_aggregate(parts[1].text)) return std::nullopt;
  return "unknown aggregate " + in_quotes(parts[1].text) + " in " + in_quotes(whole) + "; there are " +
         std::string{aggregates_text};
}

std::string no_number(std::string_view path, const JsonValue& value) {
  if (value.is(Kind::string)) return in_quotes(path) + " is a text, not a number";
  JsonValue first = value.first();
  while (first && !is_numeric(first)) first = first.next();
  return in_quotes(path) + " is a group; say which number of it, as " +
         in_quotes(std::string{path} + "." + std::string{first.key()});
}

}  // namespace

SummaryText::SummaryText(std::string_view json) : json_{std::make_unique<Json>(json)} {
  if (!json_->view.root().is(Kind::object)) throw std::invalid_argument{"not the text of a summary.json"};
}

SummaryText::~SummaryText() = default;
SummaryText::SummaryText(SummaryText&&) noexcept = default;
SummaryText& SummaryText::operator=(SummaryText&&) noexcept = default;

std::optional<double> SummaryText::value(std::string_view path) const {
  const auto parts = parts_of(path);
  if (!parts) return std::nullopt;
  JsonValue at = json_->view.root();
  for (std::size_t i = 0; i < parts->size() && at; ++i) {
    const Part& part = (*parts)[i];
    if (part.kind != Part::Kind::key) {
      at = row_of(at, part);
    } else if (at.is(Kind::array)) {
      return value_of_list(at, std::span{*parts}.subspan(i));
    } else {
      at = at.member(part.text);
    }
  }
  return at.number();
}

std::optional<std::string> summary_path_fault(std::string_view path) {
  const auto parts = parts_of(path);
  if (!parts) return unknown(path);
  JsonValue at = sample();
  std::string so_far;
  for (std::size_t i = 0; i < parts->size(); ++i) {
    const Part& part = (*parts)[i];
    if (part.kind == Part::Kind::key && at.is(Kind::array)) {
      return list_fault(path, so_far, at.first(), std::span{*parts}.subspan(i));
    }
    if (part.kind != Part::Kind::key) {
      const bool named = part.kind == Part::Kind::named_row;
      if (!at.is(Kind::array) || at.size() == 0 || (named && !at.first().member("name"))) return unknown(path);
      at = at.first();
      continue;
    }
    at = at.member(part.text);
    if (!at) return unknown(path);
    so_far += (so_far.empty() ? "" : ".") + std::string{part.text};
  }
  if (at.is(Kind::array)) return list_fault(path, so_far, {}, {});
  return is_numeric(at) ? std::nullopt : std::optional{no_number(path, at)};
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
