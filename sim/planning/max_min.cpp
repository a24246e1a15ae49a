#include "planning/max_min.hpp"

#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace soya {

namespace {

constexpr double open_rate = -1;
/// Levels that differ by rounding alone are one.
constexpr double nearly = 1 + 1e-12;

}  // namespace

MaxMin::MaxMin(const LinkColumns& columns, std::span<const Rate> rates) : columns_{columns} {
  capacity_.reserve(rates.size());
  for (const Rate rate : rates) capacity_.push_back(static_cast<double>(rate.bits_per_second()) / 8);
  links_.resize(rates.size());
}

void MaxMin::gather(std::span<const std::uint32_t> active) {
  for (const LinkDirection d : used_) links_[d] = {};
  used_.clear();
  std::uint32_t entries = 0;
  for (const std::uint32_t column : active) {
    for (const LinkShare& one : columns_[column]) {
      Link& link = links_[one.direction];
      if (link.count++ == 0) {
        used_.push_back(one.direction);
        link.left = capacity_[one.direction];
      }
      link.open += one.share;
      ++entries;
    }
  }
  std::uint32_t first = 0;
  for (const LinkDirection d : used_) {
    links_[d].first = first;
    first += std::exchange(links_[d].count, 0U);
  }
  crossing_.resize(entries);
  for (std::uint32_t flow = 0; flow < active.size(); ++flow) {
    for (const LinkShare& one : columns_[active[flow]]) {
      Link& link = links_[one.direction];
      crossing_[link.first + link.count++] = flow;
    }
  }
}

void MaxMin::fix(std::uint32_t flow, double rate, std::span<const std::uint32_t> active) {
  rates_[flow] = rate;
  for (const LinkShare& one : columns_[active[flow]]) {
    Link& link = links_[one.direction];
    link.left -= one.share * rate;
    link.open -= one.share;
  }
}

const std::vector<double>& MaxMin::rates(std::span<const std::uint32_t> active) {
  gather(active);
  rates_.assign(active.size(), open_rate);
  // A link's level only rises while others are filled: one that comes up too early is put back.
  using Level = std::pair<double, LinkDirection>;
  std::priority_queue<Level, std::vector<Level>, std::greater<>> next;
  for (const LinkDirection d : used_) next.emplace(links_[d].level(), d);
  while (!next.empty()) {
    const auto [level, d] = next.top();
    next.pop();
    const Link& link = links_[d];
    bool open = false;
    for (std::uint32_t i = 0; i < link.count && !open; ++i) open = rates_[crossing_[link.first + i]] == open_rate;
    if (!open) continue;
    if (const double now = link.level(); now > level * nearly) {
      next.emplace(now, d);
      continue;
    }
    for (std::uint32_t i = 0; i < link.count; ++i) {
      const std::uint32_t flow = crossing_[link.first + i];
      if (rates_[flow] == open_rate) fix(flow, level, active);
    }
  }
  for (double& rate : rates_) {
    if (rate == open_rate) rate = std::numeric_limits<double>::infinity();
  }
  return rates_;
}

}  // namespace soya
