#include "scenario/sweep_search.hpp"

#include <algorithm>
#include <string>

#include "scenario/sweep_checks.hpp"
#include "scenario/sweep_levels.hpp"

namespace soya::reading {

namespace {

bool read_end(const Node& node, std::string_view name, const SweptKey& key, std::int64_t& out, Problems& problems) {
  const Node* given = node.find(name);
  if (!given || !given->is_scalar()) {
    problems.add(node.place, "search",
                 "expected " + std::string{name} + ": where the search " + (name == "from" ? "begins" : "ends"));
    return false;
  }
  const KeyNumber number = key_number(key.key(), given->text);
  if (!number.value) problems.add(given->place, "search." + std::string{name}, number.complaint);
  out = static_cast<std::int64_t>(number.value.value_or(0));
  return number.value.has_value();
}

/// By default as fine as anybody measures: 1 byte, 1 Mbps, 1 ns, 1 m.
std::int64_t usual_resolution(Dimension dimension) {
  switch (dimension) {
    case Dimension::rate:
      return 1'000'000;
    case Dimension::duration:
    case Dimension::length:
      return 1'000;
    default:
      return 1;
  }
}

bool read_resolution(const Node* node, const SweptKey& key, SearchConfig& search, Problems& problems) {
  const Dimension dimension = key.measure().dimension;
  search.resolution = std::min(usual_resolution(dimension), search.high - search.low);
  if (!node) return true;
  const ParsedNumber number =
      node->is_scalar() ? parse_number(node->text, dimension) : ParsedNumber{0, NumberFault::spelling};
  if (number.fault != NumberFault::none || number.value < 1 || number.value > search.high - search.low) {
    problems.add(
        node->place, "search.resolution",
        "expected " + std::string{described(dimension)} + " above 0 and no more than the range, got " + shown(*node));
    return false;
  }
  search.resolution = static_cast<std::int64_t>(number.value);
  return true;
}

}  // namespace

std::optional<SearchConfig> read_search(const Node& node, Problems& problems) {
  const auto fail = [&](const Node& at, const std::string& message) {
    problems.add(at.place, "search", message);
    return std::nullopt;
  };
  refuse_others(node, "search", {"smallest", "largest", "from", "to", "resolution", "such_that"}, problems);
  const Node* smallest = node.find("smallest");
  const Node* largest = node.find("largest");
  const Node* goal = smallest ? smallest : largest;
  const Node* condition = node.find("such_that");
  if ((smallest == nullptr) == (largest == nullptr) || !goal->is_scalar() || !condition || !condition->is_scalar()) {
    return fail(node,
                "expected a key and a condition: {smallest: fabric.headroom.size, from: 1KiB, to: 64MiB, "
                "such_that: drops.lossless == 0}, or largest:");
  }
  const SweptKey key{goal->text};
  if (!key.fault().empty()) return fail(*goal, key.fault());
  if (const std::string why = unswept(key.path()); !why.empty()) return fail(*goal, why);
  const Kind kind = key.key().kind;
  if (!key.is_number() || kind == Kind::ratio || kind == Kind::probability) {
    return fail(*goal, key.path() + " is no size, rate, duration, length or whole number, so it cannot be halved");
  }
  SearchConfig search;
  search.goal = smallest ? SearchGoal::smallest : SearchGoal::largest;
  search.path = written(*goal);
  search.unit = key.measure().unit;
  search.base_unit = key.measure().base;
  search.per_unit = key.measure().base_per_unit;
  search.such_that = written(*condition);
  const bool low = read_end(node, "from", key, search.low, problems);
  const bool high = read_end(node, "to", key, search.high, problems);
  if (!low || !high) return std::nullopt;
  if (search.low >= search.high)
    return fail(*node.find("from"),
                "from is not below to, so there is nothing to search; both goals write the smaller end as from:");
  if (!read_resolution(node.find("resolution"), key, search, problems)) return std::nullopt;
  return search;
}

}  // namespace soya::reading
