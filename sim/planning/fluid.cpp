#include "planning/fluid.hpp"

#include <algorithm>
#include <limits>

#include "planning/max_min.hpp"

namespace soya {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
/// Times that differ by rounding alone are one.
constexpr double rounding = 1e-12;

/// Where an activity stands.
struct Progress {
  std::int64_t cycle{0};
  std::size_t stage{0};
  double begun{0};  ///< the cycle
  double from{0};   ///< the stage starts then, or has
  double left{0};   ///< bytes of the stage
  bool flows{false};
  double ended{never};
};

class Fluid {
 public:
  Fluid(const LinkColumns& columns, std::span<const Rate> rates, std::span<const FluidActivity> activities,
        double together)
      : max_min_{columns, rates}, activities_{activities}, together_{together}, progress_(activities.size()) {
    for (std::size_t a = 0; a < activities.size(); ++a) {
      progress_[a].begun = activities[a].start;
      first_ = std::min(first_, activities[a].start);
      enter(a, activities[a].start);
    }
  }

  [[nodiscard]] std::vector<double> ends() {
    double now = first_;
    for (double next = start_due(now); next < never; next = start_due(now)) {
      now = pass(now, next);
    }
    std::vector<double> ends;
    for (const Progress& one : progress_) ends.push_back(one.ended);
    return ends;
  }

 private:
  /// The stage that `a` stands at begins at `at` or when it is ready; those of no bytes are passed.
  void enter(std::size_t a, double at) {
    const FluidActivity& activity = activities_[a];
    Progress& progress = progress_[a];
    progress.flows = false;
    while (progress.cycle < activity.cycles) {
      for (; progress.stage < activity.stages.size(); ++progress.stage) {
        const FluidStage& stage = activity.stages[progress.stage];
        at = std::max(at, progress.begun + stage.ready);
        progress.from = at;
        progress.left = stage.bytes;
        if (stage.bytes > 0) return;
      }
      at = std::max(at, progress.begun + activity.least) + activity.after;
      progress.begun = at;
      progress.stage = 0;
      ++progress.cycle;
    }
    progress.ended = at;
  }

  /// Lets what is due at `now` flow. Returns when the next change comes.
  [[nodiscard]] double start_due(double now) {
    flowing_.clear();
    columns_.clear();
    double next = never;
    for (std::size_t a = 0; a < progress_.size(); ++a) {
      Progress& one = progress_[a];
      if (one.ended < never) continue;
      if (one.from > now + rounding * (now - first_)) {
        next = std::min(next, one.from);
        continue;
      }
      one.flows = true;
      flowing_.push_back(a);
      columns_.push_back(activities_[a].stages[one.stage].column);
    }
    if (flowing_.empty()) return next;
    const std::vector<double>& rates = max_min_.rates(columns_);
    rates_ = &rates;
    for (std::size_t i = 0; i < flowing_.size(); ++i)
      next = std::min(next, now + progress_[flowing_[i]].left / rates[i]);
    return next;
  }

  /// Lets `next - now` pass, and a little more where ends come close together. Returns the time then.
  [[nodiscard]] double pass(double now, double next) {
    const double until = next + (together_ + rounding) * (next - first_);
    double last = next;
    for (std::size_t i = 0; i < flowing_.size(); ++i) {
      const std::size_t a = flowing_[i];
      const double end = now + progress_[a].left / (*rates_)[i];
      if (end > until) continue;
      last = std::max(last, end);
    }
    for (std::size_t i = 0; i < flowing_.size(); ++i) {
      const std::size_t a = flowing_[i];
      Progress& one = progress_[a];
      const double end = now + one.left / (*rates_)[i];
      if (end <= last) {
        ++one.stage;
        enter(a, end);
      } else {
        one.left -= (*rates_)[i] * (last - now);
      }
    }
    return last;
  }

  MaxMin max_min_;
  std::span<const FluidActivity> activities_;
  double together_;
  std::vector<Progress> progress_;
  double first_{never};
  std::vector<std::size_t> flowing_;
  std::vector<std::uint32_t> columns_;
  const std::vector<double>* rates_{nullptr};
};

}  // namespace

std::vector<double> fluid_ends(const LinkColumns& columns, std::span<const Rate> rates,
                               std::span<const FluidActivity> activities, double together) {
  if (activities.empty()) return {};
  return Fluid{columns, rates, activities, together}.ends();
}

}  // namespace soya
