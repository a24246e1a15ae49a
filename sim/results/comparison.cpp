#include "results/comparison.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/check.hpp"

namespace soya {

namespace {

constexpr double false_share = 0.01;  ///< expected among what is called a change
constexpr double least_told = 0.001;  ///< relative difference

/// One quantity in every run of one side.
struct Series {
  Quantity first;
  std::vector<double> values;  ///< by run; shorter than the side where a run lacks it

  [[nodiscard]] const std::string& name() const { return first.name; }
};

std::vector<Series> series_of(std::span<const RunResults> runs) {
  std::vector<Series> all;
  for (const RunResults& run : runs) {
    for (const Quantity& quantity : quantities_of(run)) {
      auto known = std::ranges::find(all, quantity.name, &Series::name);
      if (known == all.end()) known = all.insert(all.end(), {quantity, {}});
      known->values.push_back(quantity.value);
    }
  }
  return all;
}

const Series* find(const std::vector<Series>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &Series::name);
  return found == all.end() ? nullptr : &*found;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Fills in what the spread of the paired differences says.
void test_pairs(const std::vector<double>& before, const std::vector<double>& after, Difference& result) {
  const std::size_t pairs = before.size();
  if (pairs < 2) return;
  std::vector<double> differences(pairs);
  for (std::size_t i = 0; i < pairs; ++i) differences[i] = after[i] - before[i];
  const double middle = mean(differences);
  double squares = 0;
  for (const double each : differences) squares += (each - middle) * (each - middle);
  const double error = std::sqrt(squares / static_cast<double>(pairs - 1) / static_cast<double>(pairs));
  result.uncertainty = error;
  // The rounding of sums is no spread.
  const double scale = std::max(std::abs(result.before), std::abs(result.after));
  if (error <= scale * 1e-12) return;
  const boost::math::students_t distribution{static_cast<double>(pairs - 1)};
  result.p = 2 * boost::math::cdf(boost::math::complement(distribution, std::abs(middle) / error));
}

bool is_told(const Difference& difference) {
  if (difference.after == difference.before) return false;
  return !difference.relative || std::abs(*difference.relative) >= least_told;
}

double magnitude(const Difference& difference) {
  if (difference.after == difference.before) return 0;
  return difference.relative ? std::abs(*difference.relative) : std::numeric_limits<double>::infinity();
}

/// Benjamini and Hochberg's procedure over all m that were tested: the k with the smallest p, where k is the largest
/// with p_k <= k/m of the share. What no seed changes needs no test.
void find_changes(std::vector<Difference>& differences) {
  std::vector<Difference*> tested;
  for (Difference& difference : differences) {
    if (difference.p) {
      tested.push_back(&difference);
    } else if (difference.uncertainty && is_told(difference)) {
      difference.finding = Finding::change;
    }
  }
  std::ranges::stable_sort(tested, {}, [](const Difference* one) { return *one->p; });
  std::size_t changes = 0;
  for (std::size_t i = 0; i < tested.size(); ++i) {
    const double bound = false_share * static_cast<double>(i + 1) / static_cast<double>(tested.size());
    if (*tested[i]->p <= bound) changes = i + 1;
  }
  for (Difference* each : std::span{tested}.first(changes)) {
    if (is_told(*each)) each->finding = Finding::change;
  }
}

Difference difference_of(const Series& old, const Series& now) {
  Difference difference{old.first.name, old.first.unit, mean(old.values), mean(now.values), {}, {}, {}};
  if (difference.before != 0) {
    difference.relative = (difference.after - difference.before) / std::abs(difference.before);
  }
  difference.where_before = old.first.where;
  difference.where_after = now.first.where;
  test_pairs(old.values, now.values, difference);
  return difference;
}

}  // namespace

Comparison compare(std::span<const RunResults> before, std::span<const RunResults> after, Cause cause) {
  SOYA_CHECK(!before.empty() && before.size() == after.size(), "runs come in pairs");
  const std::vector<Series> old_series = series_of(before);
  const std::vector<Series> new_series = series_of(after);
  Comparison comparison;
  for (const Series& old : old_series) {
    const Series* now = find(new_series, old.first.name);
    if (now && old.values.size() == before.size() && now->values.size() == after.size()) {
      comparison.differences.push_back(difference_of(old, *now));
    } else {
      Unpaired unpaired{old.first.name, old.first.unit, old.values.size(), 0, mean(old.values)};
      if (now) unpaired.runs_after = now->values.size(), unpaired.after = mean(now->values);
      comparison.unpaired.push_back(std::move(unpaired));
    }
  }
  for (const Series& now : new_series) {
    if (find(old_series, now.first.name)) continue;
    comparison.unpaired.push_back({now.first.name, now.first.unit, 0, now.values.size(), {}, mean(now.values)});
  }
  if (before.size() > 1) {
    find_changes(comparison.differences);
  } else if (cause == Cause::some && before.front().seed == after.front().seed) {
    for (Difference& each : comparison.differences) {
      if (is_told(each)) each.finding = Finding::untold;
    }
  }
  std::ranges::stable_sort(comparison.differences, [](const Difference& a, const Difference& b) {
    return a.finding != b.finding ? a.finding < b.finding : magnitude(a) > magnitude(b);
  });
  return comparison;
}

}  // namespace soya
