#include "sweep/run_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <utility>

#include "core/observer.hpp"
#include "results/summary.hpp"
#include "results/summary_path.hpp"
#include "scenario/quantity.hpp"
#include "sweep/bisect.hpp"
#include "sweep/point_id.hpp"
#include "sweep/point_plan.hpp"
#include "sweep/points_csv.hpp"

namespace soya {

namespace {

/// Messages without the files they are about, and with those that `laid` names as it names them: shards that call a
/// file by different names have the same results. `folder` is where relative paths start.
std::string reasons(const ScenarioError& error, const std::vector<LaidValue>& laid,
                    const std::filesystem::path& folder) {
  std::string out;
  for (const Diagnostic& diagnostic : error.diagnostics()) {
    std::string message = diagnostic.message;
    for (const LaidValue& value : laid) {
      const std::string end = ": " + (folder / value.text).lexically_normal().string();
      if (message.ends_with(end)) message = message.substr(0, message.size() - end.size()) + ": " + value.text;
    }
    if (!out.empty()) out += "; ";
    if (!diagnostic.where.path.empty()) out += diagnostic.where.path + ": ";
    out += message;
  }
  return out;
}

std::string joined(const std::vector<std::string>& reasons) {
  std::string out;
  for (const std::string& reason : reasons) out += (out.empty() ? "" : "; ") + reason;
  return out;
}

std::optional<NameKind> kind_of_quantity(std::string_view name) {
  if (summary_path_fault(name)) return std::nullopt;
  return NameKind{std::string{unit_of_quantity(name)}, true, false};
}

/// Whether one lost frame decides that `condition` fails: then a probe need not go on to its end.
bool fails_by_a_loss(std::string_view condition) {
  if (condition.find_first_of("()|&!") != std::string_view::npos || condition.find(" or ") != std::string_view::npos) {
    return false;
  }
  while (true) {
    const std::size_t end = condition.find(" and ");
    std::string_view part = condition.substr(0, end);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    part = part.substr(0, part.find_last_not_of(' ') + 1);
    if (part == "drops.lossless == 0" || part == "sound == 1") return true;
    if (end == std::string_view::npos) return false;
    condition.remove_prefix(end + 5);
  }
}

/// Ends a run when told to, and where `loss_decides` with the first lossless frame that a buffer refuses.
class TrialWatch final : public RunMonitor, public Observer {
 public:
  TrialWatch(const Scenario& scenario, bool loss_decides, const StopQuestion& stopped)
      : lossless_{scenario.pfc.priorities}, loss_decides_{loss_decides}, stopped_{stopped} {}

  void observe(const Fact& fact) override {
    lost_ = lost_ || (fact.kind == FactKind::frame_dropped && lossless_.contains(fact.priority));
  }
  bool proceed(const Progress&) override { return !decided() && !(stopped_ && stopped_()); }
  void transfer_finished(const TransferRow&) override {}

  [[nodiscard]] bool decided() const { return loss_decides_ && lost_; }

 private:
  PrioritySet lossless_;
  bool loss_decides_;
  const StopQuestion& stopped_;
  bool lost_{false};
};

/// Numbers of a search that points.csv has anyway.
bool is_of_search(std::string_view name) {
  return name == "answer" || name == "probes" || name == "monotone";
}

Diagnostic complaint(const SweepConfig& sweep, const Written& text, const std::string& path, const std::string& what) {
  return {{sweep.file, text.line, text.column, path}, what};
}

}  // namespace

void check_quantities(const SweepConfig& sweep) {
  std::vector<Diagnostic> faults;
  for (const Column& column : columns_of(sweep)) {
    if (std::ranges::find(points_csv_columns, column.name) == points_csv_columns.end()) continue;
    faults.push_back({{sweep.file, 0, 0, "cases"},
                      "\"" + column.name + "\" is a column that every points.csv has; give the cases another name"});
  }
  for (const Written& kept : sweep.keep) {
    if (kept.text.starts_with("plan.")) {
      if (std::ranges::find(closed_form_names, kept.text) != closed_form_names.end()) continue;
      faults.push_back(complaint(
          sweep, kept, "keep",
          fmt::format("there is no closed form \"{}\"; there are {}", kept.text, fmt::join(closed_form_names, ", "))));
      continue;
    }
    if (sweep.search && is_of_search(kept.text)) continue;
    if (const auto fault = summary_path_fault(kept.text)) faults.push_back(complaint(sweep, kept, "keep", *fault));
  }
  if (sweep.search) {
    const Written& text = sweep.search->such_that;
    try {
      const Condition condition = Condition::parse(text.text);
      for (const Condition::Name& name : condition.names()) {
        const auto fault = summary_path_fault(name.text);
        if (fault) throw ConditionFault{*fault, name.position};
      }
      if (const auto fault = condition.check(kind_of_quantity)) throw ConditionFault{*fault};
    } catch (const ConditionFault& fault) {
      faults.push_back(complaint(sweep, text, "search.such_that", fault.what() + (", in \"" + text.text + '"')));
    }
  }
  if (!faults.empty()) throw ScenarioError{faults};
}

PointRunner::PointRunner(const SweepConfig& sweep, const PointSpace& space, const ReadOptions& read)
    : sweep_{sweep}, space_{space}, reader_{sweep.scenario, read, sweep.file} {
  if (!sweep_.search) return;
  such_that_ = Condition::parse(sweep_.search->such_that.text);
  loss_decides_ = fails_by_a_loss(sweep_.search->such_that.text);
}

std::filesystem::path PointRunner::folder() const {
  return std::filesystem::path{sweep_.file}.parent_path();
}

std::string PointRunner::base_id() {
  try {
    return point_id(reader_.read({sweep_.fixed, std::nullopt, std::nullopt}), "", "");
  } catch (const ScenarioError& error) {
    return text_id(reasons(error, sweep_.fixed, folder()));
  }
}

std::string PointRunner::task() const {
  if (!sweep_.search) return "run";
  const SearchConfig& search = *sweep_.search;
  return fmt::format("{} {} from {} to {} by {} such that {}",
                     search.goal == SearchGoal::smallest ? "smallest" : "largest", search.path.text, search.low,
                     search.high, search.resolution, search.such_that.text);
}

Laid PointRunner::laid_at(const Point& point, std::int64_t value) const {
  Laid laid = space_.laid(point);
  const SearchConfig& search = *sweep_.search;
  laid.values.push_back(
      {search.path.text, std::to_string(value) + search.base_unit, search.path.line, search.path.column});
  return laid;
}

PreparedPoint PointRunner::prepare(const Point& point) {
  const Laid laid = sweep_.search ? laid_at(point, sweep_.search->high) : space_.laid(point);
  try {
    const Scenario scenario = reader_.read(laid);
    PreparedPoint prepared{point_id(scenario, SOYA_VERSION, task()), 0, estimated_memory_bytes(scenario)};
    try {
      prepared.packet_hops = estimated_packet_hops(scenario);
    } catch (const std::exception&) {
      // What keeps it from being planned keeps it from being run, too, and that is its result.
    }
    return prepared;
  } catch (const ScenarioError& error) {
    std::string text =
        std::string{SOYA_VERSION} + '\n' + task() + '\n' + base_id() + '\n' + reasons(error, laid.values, folder());
    for (const LaidValue& value : laid.values) text += '\n' + value.path + ": " + value.text;
    return {text_id(text + '\n' + std::to_string(laid.seed.value_or(0)) + laid.variant.value_or("")), 0, 0};
  }
}

PointRunner::Trial PointRunner::trial(const Laid& laid, const StopQuestion& stopped) {
  Trial trial;
  try {
    const Scenario scenario = reader_.read(laid);
    trial.effective = plain_yaml(scenario);
    Simulation simulation{scenario};
    TrialWatch watch{scenario, loss_decides_, stopped};
    if (loss_decides_) simulation.observe(watch);
    const RunResults results = simulation.run(&watch);
    if (watch.decided()) {
      trial.holds = false;
      return trial;
    }
    trial.stopped = !results.complete;
    trial.sound = results.sound;
    trial.why_not = joined(results.why_not);
    trial.summary = summary_line(results);
  } catch (const ScenarioError& error) {
    trial.refused = reasons(error, laid.values, folder());
  }
  if (!such_that_ || trial.stopped) return trial;
  if (trial.refused) {
    trial.holds = false;
    return trial;
  }
  const SummaryText summary{trial.summary};
  trial.holds = such_that_->holds([&](std::string_view name) -> std::optional<NamedValue> {
    const auto value = summary.value(name);
    return value ? std::optional{NamedValue{*value, std::string{unit_of_quantity(name)}}} : std::nullopt;
  });
  return trial;
}

/// The values of a search in the order in which a condition goes from failing to holding.
class PointRunner::Search final {
 public:
  Search(PointRunner& runner, const Point& point, const StopQuestion& stopped)
      : runner_{runner}, search_{*runner.sweep_.search}, point_{point}, stopped_{stopped} {
    const std::int64_t width = search_.high - search_.low;
    last_ = width / search_.resolution + (width % search_.resolution == 0 ? 0 : 1);
  }

  /// Step `step` of 0 to `last`: from the end that should fail to the one that should hold.
  [[nodiscard]] std::int64_t value(std::int64_t step) const {
    const std::int64_t from_low = search_.goal == SearchGoal::smallest ? step : last_ - step;
    return from_low == last_ ? search_.high : search_.low + from_low * search_.resolution;
  }

  bool holds(std::int64_t step) {
    if (const auto known = known_.find(step); known != known_.end()) return known->second;
    Trial trial = runner_.trial(runner_.laid_at(point_, value(step)), stopped_);
    if (trial.stopped) throw SearchStopped{};
    if (!trial.holds) throw NoValue{};
    const bool held = *trial.holds;
    known_[step] = held;
    if (trial.refused) refusals_[step] = *trial.refused;
    if (held && (!best_step_ || step < *best_step_)) {
      best_step_ = step;
      best_ = std::move(trial);
    }
    return held;
  }

  /// What keeps the two ends from having an answer between them.
  [[nodiscard]] std::optional<std::string> ends_fault() {
    const bool first = holds(0);
    const bool last = holds(last_);
    const bool smallest = search_.goal == SearchGoal::smallest;
    if (first && last) {
      return fmt::format("both ends hold: {} does, and {} does; {}", shown(0), shown(last_),
                         smallest ? "begin lower (from)" : "end higher (to)");
    }
    if (last) return std::nullopt;
    const auto refusal = refusals_.find(last_);
    const std::string why = refusal == refusals_.end() ? "" : " (refused: " + refusal->second + ")";
    if (first) {
      return fmt::format("not monotone here: {} holds and {} does not{}", shown(0), shown(last_), why);
    }
    const char* end = smallest ? "end higher (to)" : "begin lower (from)";
    if (!why.empty()) end = smallest ? "end where it can be built (to)" : "begin where it can be built (from)";
    return fmt::format("both ends fail: {} does, and {} does{}; {}", shown(0), shown(last_), why, end);
  }

  /// Searches between two ends that differ. Absent, with a reason in `why`, where the answer is not the only one.
  [[nodiscard]] std::optional<std::int64_t> answer(std::string& why) {
    const BisectAnswer found = bisect({0, last_, guess()}, [this](std::int64_t step) { return holds(step); });
    monotone_ = found.monotone;
    if (monotone_) {
      edge_ = refusal_beside(*found.smallest);
      return value(*found.smallest);
    }
    why = not_monotone();
    return std::nullopt;
  }

  [[nodiscard]] bool monotone() const { return monotone_; }
  /// Why the value beside the answer cannot be built; empty where it was run, and failed.
  [[nodiscard]] const std::string& edge() const { return edge_; }
  [[nodiscard]] std::int64_t probes() const { return std::ssize(known_); }
  [[nodiscard]] const Trial& best() const { return best_; }

  /// The condition has no value: a quantity that such a run does not have.
  struct NoValue {};

 private:
  /// Headroom has a closed form, near which the answer is.
  [[nodiscard]] std::optional<std::int64_t> guess() const {
    if (search_.goal != SearchGoal::smallest || !search_.path.text.ends_with("headroom.size")) return std::nullopt;
    const Scenario scenario = runner_.reader_.read(runner_.laid_at(point_, search_.high));
    for (const auto& [name, value] : closed_forms(scenario)) {
      if (name != "plan.headroom_static_bytes" || value >= static_cast<double>(search_.high)) continue;
      const std::int64_t above = static_cast<std::int64_t>(value) - search_.low;
      return above / search_.resolution + (above % search_.resolution == 0 ? 0 : 1);
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string refusal_beside(std::int64_t step) const {
    const auto refusal = refusals_.find(step - 1);
    return refusal == refusals_.end() ? "" : fmt::format("{} is refused: {}", shown(step - 1), refusal->second);
  }

  [[nodiscard]] std::string not_monotone() const {
    const auto holding = std::ranges::find_if(known_, [](const auto& probe) { return probe.second; });
    const auto failing = std::find_if(holding, known_.end(), [](const auto& probe) { return !probe.second; });
    return fmt::format("not monotone here: {} holds and {} does not", shown(holding->first),
                       failing == known_.end() ? "another" : shown(failing->first));
  }

  [[nodiscard]] std::string shown(std::int64_t step) const {
    using reading::Dimension;
    const std::string& unit = search_.base_unit;
    const Dimension dimension = unit == "B"     ? Dimension::size
                                : unit == "bps" ? Dimension::rate
                                : unit == "ps"  ? Dimension::duration
                                : unit == "mm"  ? Dimension::length
                                                : Dimension::none;
    return reading::format_number(value(step), dimension);
  }

  PointRunner& runner_;
  const SearchConfig& search_;
  const Point& point_;
  const StopQuestion& stopped_;
  std::int64_t last_{0};
  std::map<std::int64_t, bool> known_;
  std::map<std::int64_t, std::string> refusals_;
  std::optional<std::int64_t> best_step_;
  Trial best_;
  bool monotone_{true};
  std::string edge_;
};

std::optional<std::string> PointRunner::ends_fault(const Point& point, const StopQuestion& stopped) {
  Search search{*this, point, stopped};
  try {
    return search.ends_fault();
  } catch (const Search::NoValue&) {
    return "this run has no value for such_that: " + sweep_.search->such_that.text;
  }
}

std::optional<StoredPoint> PointRunner::run(const Point& point, const std::string& id, const StopQuestion& stopped) {
  StoredPoint out{point.number, id, space_.cells(point), PointOutcome::sound, {}, {}, {}, {}};
  const auto fill = [&](const Trial& trial) {
    out.outcome = trial.refused ? PointOutcome::refused : trial.sound ? PointOutcome::sound : PointOutcome::unsound;
    out.why_not = trial.refused.value_or(trial.why_not);
    out.effective = trial.effective;
    out.summary = trial.summary;
  };
  if (!sweep_.search) {
    const Trial trial = this->trial(space_.laid(point), stopped);
    if (trial.stopped) return std::nullopt;
    fill(trial);
    if (!trial.refused) out.extra = closed_forms(reader_.read(space_.laid(point)));
    return out;
  }
  Search search{*this, point, stopped};
  std::optional<std::int64_t> answer;
  std::string why;
  try {
    if (const auto fault = search.ends_fault()) {
      why = *fault;
    } else {
      answer = search.answer(why);
    }
  } catch (const Search::NoValue&) {
    why = "such_that has no value here: " + sweep_.search->such_that.text;
  } catch (const SearchStopped&) {
    return std::nullopt;
  }
  if (answer) {
    fill(search.best());
    if (out.why_not.empty()) out.why_not = search.edge();
    out.extra = closed_forms(reader_.read(laid_at(point, *answer)));
    out.extra.emplace_back("answer", static_cast<double>(*answer) / sweep_.search->per_unit);
  } else {
    out.outcome = PointOutcome::no_answer;
    out.why_not = why;
  }
  out.extra.emplace_back("probes", static_cast<double>(search.probes()));
  out.extra.emplace_back("monotone", search.monotone() ? 1 : 0);
  return out;
}

}  // namespace soya
