#include "scenario/sweep_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/suggest.hpp"
#include "scenario/key_places.hpp"
#include "scenario/sweep_checks.hpp"

namespace soya::reading {

namespace {

constexpr std::array<Measure, 5> measures{{{Dimension::none, "", 1, ""},
                                           {Dimension::size, "bytes", 1, "B"},
                                           {Dimension::rate, "gbps", 1e9, "bps"},
                                           {Dimension::duration, "us", 1e6, "ps"},
                                           {Dimension::length, "m", 1e3, "mm"}}};

/// More levels are no list that anybody means, and every shard holds them in memory.
constexpr std::int64_t most_levels = 1'000'000;

bool is_decimal(Kind kind) {
  return kind == Kind::ratio || kind == Kind::probability;
}

/// A decimal of a ratio or probability; one eighth may be written 1/8.
std::optional<double> decimal_of(Kind kind, std::string_view text) {
  if (kind == Kind::probability) {
    const auto probability = parse_probability(text);
    return probability ? std::optional{std::stod(format_probability(*probability))} : std::nullopt;
  }
  const ParsedRatio ratio = parse_ratio(text);
  if (ratio.fault != NumberFault::none) return std::nullopt;
  return static_cast<double>(ratio.value.numerator) / static_cast<double>(ratio.value.denominator);
}

double number_in(const Measure& measure, Int128 value) {
  return static_cast<double>(value) / measure.base_per_unit;
}

/// Of a key that takes several kinds of value: whichever of them `text` is.
void guess_number(std::string_view text, ReadLevel& out) {
  for (const Measure& measure : measures) {
    const ParsedNumber number = parse_number(text, measure.dimension);
    if (number.fault != NumberFault::none) continue;
    out.level.cells[0].number = number_in(measure, number.value);
    out.unit = measure.unit;
    return;
  }
}

std::string names_of(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    out += (i == 0 ? "" : (i + 1 == names.size() ? " or " : ", ")) + names[i];
  }
  return out;
}

}  // namespace

const Measure& measure_of(Dimension dimension) {
  return *std::ranges::find(measures, dimension, &Measure::dimension);
}

std::string flow_text(const Node& node) {
  if (node.type == NodeType::null) return "null";
  if (node.is_scalar()) return node.quoted ? yaml_text(node.text) : node.text;
  std::string out;
  for (const Node& child : node.children) {
    if (!out.empty()) out += ", ";
    if (node.is_map()) out += yaml_text(child.key) + ": ";
    out += child.is_scalar() ? yaml_text(child.text) : flow_text(child);
  }
  return node.is_map() ? '{' + out + '}' : '[' + out + ']';
}

SweptKey::SweptKey(std::string path) : path_{std::move(path)} {
  const std::vector<KnownKey> found = find_keys(path_);
  if (!found.empty() && found.front().from_top) {
    key_ = found.front().place.key;
    return;
  }
  fault_ = "unknown key \"" + path_ + '"';
  std::vector<std::string> meant;
  for (const KnownKey& known : found) meant.push_back(known.place.path);
  if (meant.empty()) meant = near_keys(path_);
  meant.resize(std::min<std::size_t>(meant.size(), 3));
  fault_ += meant.empty() ? "; `soya explain` lists the keys" : "; did you mean " + names_of(meant) + "?";
}

bool SweptKey::is_number() const {
  switch (key_->kind) {
    case Kind::integer:
    case Kind::size:
    case Kind::rate:
    case Kind::duration:
    case Kind::length:
      return true;
    default:
      return is_decimal(key_->kind);
  }
}

const Measure& SweptKey::measure() const {
  return measure_of(dimension_of(key_->kind));
}

std::string SweptKey::spelled(Int128 value) const {
  return format_number(value, key_->bare ? Dimension::none : dimension_of(key_->kind));
}

std::optional<ReadLevel> read_level(const SweptKey& key, const Node& value, Problems& problems) {
  if (value.type == NodeType::null) {
    problems.add(value.place, key.path(), "expected a value, got nothing");
    return std::nullopt;
  }
  if (!takes(key, value, problems)) return std::nullopt;
  ReadLevel out;
  out.level.cells.push_back({flow_text(value), std::nullopt});
  if (value.is_scalar() && key.is_number() && (value.text != key.key().word || value.text.empty())) {
    if (is_decimal(key.key().kind)) {
      out.level.cells[0].number = decimal_of(key.key().kind, value.text);
      if (!out.level.cells[0].number) {
        const bool ratio = key.key().kind == Kind::ratio;
        problems.add(value.place, key.path(),
                     std::string{"expected a "} + (ratio ? "ratio such as 1/8" : "probability such as 1e-5") +
                         ", got \"" + value.text + '"');
        return std::nullopt;
      }
    } else {
      const KeyNumber number = key_number(key.key(), value.text);
      if (!number.value) {
        problems.add(value.place, key.path(), number.complaint);
        return std::nullopt;
      }
      out.level.cells[0] = {key.spelled(*number.value), number_in(key.measure(), *number.value)};
      out.unit = key.measure().unit;
    }
  } else if (value.is_scalar() && !key.is_number()) {
    guess_number(value.text, out);
  }
  out.level.values.push_back({key.path(), flow_text(value), value.place.line, value.place.column});
  return out;
}

Factor factor_of(const SweptKey& key, std::vector<ReadLevel> levels) {
  Factor factor;
  factor.columns.push_back({key.path(), levels.empty() ? "" : levels.front().unit});
  const bool measured = std::ranges::all_of(levels, [&](const ReadLevel& level) {
    return level.level.cells[0].number && level.unit == factor.columns[0].unit;
  });
  if (!measured) factor.columns[0].unit.clear();
  for (ReadLevel& level : levels) {
    if (!measured) level.level.cells[0].number.reset();
    factor.levels.push_back(std::move(level.level));
  }
  return factor;
}

void refuse_others(const Node& node, const std::string& path, const std::vector<std::string_view>& known,
                   Problems& problems) {
  for (const Node& child : node.children) {
    if (std::ranges::find(known, child.key) != known.end()) continue;
    std::string message = "unknown key \"" + child.key + '"';
    if (const auto near = nearest(child.key, known)) {
      message += "; did you mean \"" + std::string{*near} + "\"?";
    } else {
      message += "; known: ";
      for (const std::string_view name : known) message += (name == known.front() ? "" : ", ") + std::string{name};
    }
    problems.add(child.key_place, path, message);
  }
}

std::optional<std::int64_t> read_count(const Node& node, const std::string& path, std::int64_t least, std::int64_t most,
                                       Problems& problems) {
  const ParsedNumber number =
      node.is_scalar() ? parse_number(node.text, Dimension::none) : ParsedNumber{0, NumberFault::spelling};
  if (number.fault == NumberFault::none && number.value >= least && number.value <= most) {
    return static_cast<std::int64_t>(number.value);
  }
  problems.add(
      node.place, path,
      "expected a whole number from " + std::to_string(least) + " to " + std::to_string(most) + ", got " + shown(node));
  return std::nullopt;
}

// ---- ranges --------------------------------------------------------------------------------------------------------

std::optional<Range> Range::read(const SweptKey& key, const Node& node, std::initializer_list<std::string_view> others,
                                 Problems& problems) {
  std::vector<std::string_view> known{"from", "to", "scale"};
  known.insert(known.end(), others);
  refuse_others(node, key.path(), known, problems);
  const Node* from = node.find("from");
  const Node* to = node.find("to");
  if (!key.is_number()) {
    problems.add(node.place, key.path(), "a range needs a key that takes numbers; list the values: [first, second]");
    return std::nullopt;
  }
  if (!from || !to || !from->is_scalar() || !to->is_scalar()) {
    problems.add(node.place, key.path(), "a range has both ends: {from: …, to: …, points: 9}");
    return std::nullopt;
  }
  Range range{key, node.place};
  if (!range.read_ends(*from, *to, problems)) return std::nullopt;
  const Node* scale = node.find("scale");
  if (!scale || (scale->is_scalar() && scale->text == "linear")) return range;
  if (!scale->is_scalar() || scale->text != "log") {
    problems.add(scale->place, key.path(), "scale: expected one of linear, log, got " + shown(*scale));
    return std::nullopt;
  }
  range.logarithmic_ = true;
  if (range.from_ > 0 || range.first_ > 0) return range;
  problems.add(from->place, key.path(), "a logarithmic scale begins above 0, got " + shown(*from));
  return std::nullopt;
}

bool Range::read_ends(const Node& from, const Node& to, Problems& problems) {
  const auto first = read_level(key_, from, problems);
  const auto last = read_level(key_, to, problems);
  if (!first || !last) return false;
  const auto low = first->level.cells[0].number;
  const auto high = last->level.cells[0].number;
  if (!low || !high) {
    problems.add(from.place, key_.path(), "expected two numbers, got " + shown(from) + " and " + shown(to));
    return false;
  }
  if (!(*low < *high)) {
    problems.add(from.place, key_.path(),
                 "expected from below to, got " + shown(from) + " and " + shown(to) + "; a list may have any order: [" +
                     from.text + ", " + to.text + "]");
    return false;
  }
  if (is_decimal(key_.key().kind)) {
    first_ = *low;
    last_ = *high;
  } else {
    from_ = *key_number(key_.key(), from.text).value;
    to_ = *key_number(key_.key(), to.text).value;
  }
  return true;
}

ReadLevel Range::level(Int128 value) const {
  const std::string text = key_.spelled(value);
  ReadLevel out{{{{text, number_in(key_.measure(), value)}}, {{key_.path(), text, place_.line, place_.column}}},
                std::string{key_.measure().unit}};
  return out;
}

ReadLevel Range::level(double value) const {
  // Six digits tell two points apart. A ratio has six decimals and no more.
  std::string text = fmt::format("{:.6g}", value);
  if (key_.key().kind == Kind::ratio && value < 1) {
    text = fmt::format("{:.6f}", std::max(value, 1e-6));
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
  }
  return {{{{text, std::stod(text)}}, {{key_.path(), text, place_.line, place_.column}}}, ""};
}

ReadLevel Range::at(double share) const {
  const bool decimal = is_decimal(key_.key().kind);
  const double first = decimal ? first_ : static_cast<double>(from_);
  const double last = decimal ? last_ : static_cast<double>(to_);
  const double value = logarithmic_ ? first * std::pow(last / first, share) : first + (last - first) * share;
  return decimal ? level(value) : level(std::clamp(static_cast<Int128>(std::round(value)), from_, to_));
}

ReadLevel Range::at(std::int64_t step, std::int64_t steps) const {
  const bool exact = !logarithmic_ && !is_decimal(key_.key().kind);
  if (!exact) return at(static_cast<double>(step) / static_cast<double>(steps));
  return level(from_ + ((to_ - from_) * step + steps / 2) / steps);
}

std::optional<std::vector<ReadLevel>> Range::by_step(const Node& step, Problems& problems) const {
  const auto width = step.is_scalar() && !is_decimal(key_.key().kind)
                         ? parse_number(step.text, key_.measure().dimension)
                         : ParsedNumber{0, NumberFault::spelling};
  if (width.fault != NumberFault::none || width.value <= 0 || logarithmic_) {
    problems.add(step.place, key_.path(),
                 "step: expected " + std::string{described(key_.measure().dimension)} +
                     " above 0, of a linear scale; otherwise say points: 9, got " + shown(step));
    return std::nullopt;
  }
  if ((to_ - from_) / width.value >= most_levels) {
    problems.add(step.place, key_.path(), "more than a million steps");
    return std::nullopt;
  }
  std::vector<ReadLevel> levels;
  for (Int128 value = from_; value <= to_; value += width.value) levels.push_back(level(value));
  return levels;
}

// ---- axes ----------------------------------------------------------------------------------------------------------

namespace {

std::vector<ReadLevel> read_range(const SweptKey& key, const Node& node, Problems& problems) {
  const auto range = Range::read(key, node, {"points", "step"}, problems);
  if (!range) return {};
  const Node* points = node.find("points");
  const Node* step = node.find("step");
  if ((points == nullptr) == (step == nullptr)) {
    problems.add(node.place, key.path(), "a range has either points: 9 or step: …");
    return {};
  }
  if (step) return range->by_step(*step, problems).value_or(std::vector<ReadLevel>{});
  const auto count = read_count(*points, key.path() + ".points", 2, most_levels, problems);
  std::vector<ReadLevel> levels;
  for (std::int64_t k = 0; count && k < *count; ++k) levels.push_back(range->at(k, *count - 1));
  return levels;
}

std::vector<ReadLevel> read_list(const SweptKey& key, const Node& node, Problems& problems) {
  std::vector<ReadLevel> levels;
  if (node.children.empty()) problems.add(node.place, key.path(), "the list is empty, so the sweep has no points");
  for (const Node& value : node.children) {
    if (auto level = read_level(key, value, problems)) levels.push_back(std::move(*level));
  }
  return levels;
}

}  // namespace

Factor read_axis(const Node& entry, Problems& problems) {
  const SweptKey key{entry.key};
  if (!key.fault().empty()) {
    problems.add(entry.key_place, "axes", key.fault());
    return {};
  }
  if (const std::string why = unswept(key.path()); !why.empty()) {
    problems.add(entry.key_place, "axes", why);
    return {};
  }
  if (!entry.is_list() && !entry.is_map()) {
    problems.add(entry.place, key.path(),
                 "expected a list of values or a range such as {from: …, to: …, points: 9}, got " + shown(entry) +
                     "; a value that does not vary stands under set:");
    return {};
  }
  const std::size_t before = problems.size();
  Factor factor = factor_of(key, entry.is_list() ? read_list(key, entry, problems) : read_range(key, entry, problems));
  if (problems.size() == before) refuse_equal_levels(factor, entry.is_list(), entry.place.source, problems);
  return factor;
}

}  // namespace soya::reading
