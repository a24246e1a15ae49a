#include "scenario/sweep_sample.hpp"

#include <algorithm>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <numeric>
#include <utility>

#include "core/random.hpp"
#include "scenario/sweep_checks.hpp"
#include "scenario/sweep_levels.hpp"

namespace soya::reading {

namespace {

constexpr std::int64_t most_points = 1'000'000;

enum class Method { latin_hypercube, random };

/// Shares from 0 to 1, one for each point.
std::vector<double> shares(std::size_t points, Method method, RandomStream stream) {
  std::vector<double> out(points);
  boost::random::uniform_01<double> uniform;
  if (method == Method::random) {
    for (double& share : out) share = uniform(stream);
    return out;
  }
  std::vector<std::size_t> parts(points);
  std::iota(parts.begin(), parts.end(), std::size_t{0});
  for (std::size_t i = points; i > 1; --i) {
    const boost::random::uniform_int_distribution<std::size_t> any{0, i - 1};
    std::swap(parts[i - 1], parts[any(stream)]);
  }
  for (std::size_t i = 0; i < points; ++i) {
    out[i] = (static_cast<double>(parts[i]) + uniform(stream)) / static_cast<double>(points);
  }
  return out;
}

std::vector<ReadLevel> draw_from_list(const SweptKey& key, const Node& list, const std::vector<double>& shares,
                                      Problems& problems) {
  std::vector<ReadLevel> choices;
  for (const Node& value : list.children) {
    if (auto level = read_level(key, value, problems)) choices.push_back(std::move(*level));
  }
  if (choices.empty()) problems.add(list.place, key.path(), "the list is empty, so the sweep has no points");
  std::vector<ReadLevel> out;
  for (const double share : shares) {
    if (choices.empty()) break;
    const auto chosen = static_cast<std::size_t>(share * static_cast<double>(choices.size()));
    out.push_back(choices[std::min(chosen, choices.size() - 1)]);
  }
  return out;
}

std::vector<ReadLevel> draw(const SweptKey& key, const Node& range, const std::vector<double>& shares,
                            Problems& problems) {
  if (range.is_list()) return draw_from_list(key, range, shares, problems);
  std::vector<ReadLevel> out;
  const auto ends = range.is_map() ? Range::read(key, range, {}, problems) : std::nullopt;
  if (!range.is_map()) {
    problems.add(range.place, key.path(), "expected a range {from: …, to: …} or a list, got " + shown(range));
  }
  for (const double share : shares) {
    if (ends) out.push_back(ends->at(share));
  }
  return out;
}

std::optional<Method> read_method(const Node* node, Problems& problems) {
  if (!node || (node->is_scalar() && node->text == "latin-hypercube")) return Method::latin_hypercube;
  if (node->is_scalar() && node->text == "random") return Method::random;
  problems.add(node->place, "sample.method", "expected one of latin-hypercube, random, got " + shown(*node));
  return std::nullopt;
}

}  // namespace

Factor read_sample(const Node& node, Problems& problems) {
  refuse_others(node, "sample", {"points", "method", "seed", "ranges"}, problems);
  const Node* points = node.find("points");
  const Node* ranges = node.find("ranges");
  if (!points || !ranges || !ranges->is_map() || ranges->children.empty()) {
    problems.add(node.place, "sample", "expected {points: 200, ranges: {KEY: {from: …, to: …}}}");
    return {};
  }
  const auto count = read_count(*points, "sample.points", 1, most_points, problems);
  const auto method = read_method(node.find("method"), problems);
  const Node* given = node.find("seed");
  const auto seed = given ? read_count(*given, "sample.seed", 0, INT64_MAX, problems) : std::optional<std::int64_t>{1};
  if (!count || !method || !seed) return {};
  const RandomStreams streams{static_cast<std::uint64_t>(*seed)};
  Factor sample;
  sample.levels.resize(static_cast<std::size_t>(*count));
  for (const Node& range : ranges->children) {
    const SweptKey key{range.key};
    if (const std::string& why = key.fault().empty() ? unswept(key.path()) : key.fault(); !why.empty()) {
      problems.add(range.key_place, "sample", why);
      continue;
    }
    const auto share = shares(sample.levels.size(), *method, streams.stream("sample/" + key.path()));
    Factor column = factor_of(key, draw(key, range, share, problems));
    if (column.levels.empty()) return {};
    sample.columns.push_back(std::move(column.columns.front()));
    for (std::size_t i = 0; i < sample.levels.size(); ++i) {
      sample.levels[i].cells.push_back(std::move(column.levels[i].cells.front()));
      sample.levels[i].values.push_back(std::move(column.levels[i].values.front()));
    }
  }
  if (sample.columns.empty()) return {};
  return sample;
}

}  // namespace soya::reading
