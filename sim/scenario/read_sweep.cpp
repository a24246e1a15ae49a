#include "scenario/read_sweep.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>
#include <span>
#include <utility>

#include "core/input_text.hpp"
#include "scenario/decode.hpp"
#include "scenario/input_file.hpp"
#include "scenario/parse.hpp"
#include "scenario/sweep_checks.hpp"
#include "scenario/sweep_levels.hpp"
#include "scenario/sweep_sample.hpp"
#include "scenario/sweep_schema.hpp"
#include "scenario/sweep_search.hpp"

namespace soya {

namespace reading {

namespace {

constexpr std::size_t most_errors = 100;
constexpr std::size_t largest_file = std::size_t{64} << 20;
constexpr std::int64_t most_seeds = 1'000'000;
/// Beyond it counting the points alone takes hours.
constexpr Int128 most_combinations = 1'000'000'000'000;

class SweepReader {
 public:
  SweepReader(const std::string& file, const ReadOptions& options)
      : file_{file}, options_{options}, source_{sources_.add(file, std::filesystem::path{file}.parent_path())} {}

  SweepConfig read() {
    const Node root = load();
    sweep_.file = file_;
    if (!root.find("scenario") && (root.find("topology") || root.find("workload"))) {
      problems_.add(root.place, "", "is a scenario, and a sweep is a file beside it that names it: " + example());
      throw_errors();
    }
    refuse_others(root, "", sweep_keys(), problems_);
    read_name(root);
    const Node* scenario = root.find("scenario");
    if (!scenario || !scenario->is_scalar() || scenario->text.empty()) {
      problems_.add(scenario ? scenario->place : root.place, "scenario",
                    "expected the file of the scenario that is swept");
      throw_errors();
    }
    sweep_.scenario = resolve(scenario->text, sources_[source_].folder);
    if (const auto fault = input_fault(sweep_.scenario)) {
      problems_.add(scenario->place, "scenario", *fault + ": " + scenario->text);
      throw_errors();
    }
    if (const Node* set = root.find("set")) sweep_.fixed = read_values(*set, "set");
    if (const Node* search = root.find("search")) sweep_.search = read_search(*search, problems_);
    open_scenario(*scenario);
    read_factors(root);
    throw_errors();
    const Node* seeds = root.find("seeds");
    refuse_rivals(sweep_, options_, seeds && seeds->is_list(), source_, problems_);
    throw_errors();
    read_seeds(seeds);
    read_texts(root.find("only"), "only", sweep_.only);
    read_texts(root.find("keep"), "keep", sweep_.keep);
    if (!root.find("keep")) sweep_.keep = {{"drops.lossless"}, {"pfc.pause_frames"}, {"simulated_ps"}};
    refuse_too_many(root);
    throw_errors();
    return std::move(sweep_);
  }

 private:
  void throw_errors() {
    if (!problems_.empty()) throw ScenarioError{problems_.sorted(most_errors)};
  }

  /// The sweep that a user who gave a scenario may have meant.
  [[nodiscard]] std::string example() const {
    return "scenario: " + std::filesystem::path{file_}.filename().string() +
           ", then axes: and its keys; one run of it is soya run " + file_;
  }

  Node load() {
    const auto fail = [&](const std::string& message) {
      problems_.add({source_, 0, 0}, "", message);
      throw_errors();
    };
    if (const auto fault = input_fault(file_)) fail(*fault);
    InputText input = read_input(file_, largest_file);
    if (input.fault == InputFault::system) fail(unreadable(std::strerror(input.error)));
    if (input.fault == InputFault::too_large) fail("is larger than 64MiB");
    if (input.fault == InputFault::nothing_comes) fail(nothing_comes_text);
    if (input.text.find_first_not_of(" \t\r\n") == std::string::npos) fail("file is empty");
    sweep_.text = input.text;
    auto root = parse_yaml(std::move(input.text), source_, problems_);
    throw_errors();
    if (!root || !root->is_map()) fail("expected a mapping of keys: scenario, axes, seeds, keep, …");
    return std::move(*root);
  }

  void read_name(const Node& root) {
    const Node* name = root.find("name");
    sweep_.name = name ? name->text : std::filesystem::path{file_}.stem().string();
    if (!name) return;
    if (!name->is_scalar() || name->text.empty()) {
      problems_.add(name->place, "name", "expected a name, got " + (name->is_scalar() ? "nothing" : shown(*name)));
    } else if (const auto fault = name_fault(name->text)) {
      problems_.add(name->place, "name", *fault);
    }
  }

  /// A mapping of key paths to values.
  std::vector<LaidValue> read_values(const Node& node, const std::string& path) {
    std::vector<LaidValue> values;
    if (!node.is_map()) {
      problems_.add(node.place, path, "expected a mapping of key paths to values, got " + shown(node));
      return values;
    }
    for (const Node& entry : node.children) {
      const SweptKey key{entry.key};
      if (!key.fault().empty()) {
        problems_.add(entry.key_place, path, key.fault());
      } else if (auto level = read_level(key, entry, problems_)) {
        values.push_back(std::move(level->level.values.front()));
      }
    }
    return values;
  }

  /// `FileTexts` would hold the text for every reader; the one here is only asked what can be laid.
  void open_scenario(const Node& scenario) {
    try {
      reader_ = std::make_unique<ScenarioReader>(sweep_.scenario, options_, file_);
    } catch (const ScenarioError& error) {
      for (const Diagnostic& diagnostic : error.diagnostics()) problems_.add(scenario.place, diagnostic);
      throw_errors();
    }
  }

  void read_factors(const Node& root) {
    for (const Node& part : root.children) {
      if (part.key == "axes") read_axes(part);
      if (part.key == "cases") read_cases(part);
      if (part.key == "zip") read_zips(part);
      if (part.key == "sample") add(read_sample(part, problems_), part);
      if (part.key == "variants") read_variants(part);
    }
  }

  void add(Factor factor, const Node& node) {
    if (factor.levels.empty()) return;
    for (const Column& column : factor.columns) {
      if (!column_names_.insert(column.name).second) {
        problems_.add(node.key_place, column.name, "varies twice; one axis, case, zip or sample decides on a key");
      }
      if (sweep_.search && sweep_.search->path.text == column.name) {
        problems_.add(node.key_place, column.name, "is searched for, so it is no axis");
      }
    }
    // A list that is longer holds numbers, whose path is that of the first.
    constexpr std::size_t most_looked_at = 1000;
    for (const Level& level : std::span{factor.levels}.first(std::min(factor.levels.size(), most_looked_at))) {
      refuse_faults(level);
    }
    sweep_.factors.push_back(std::move(factor));
  }

  /// Paths that lead nowhere in this scenario: a link type or an item of a list that it has not.
  void refuse_faults(const Level& level) {
    Laid laid{sweep_.fixed, std::nullopt, std::nullopt};
    laid.values.insert(laid.values.end(), level.values.begin(), level.values.end());
    for (const Diagnostic& fault : reader_->faults_of(laid)) {
      problems_.add({source_, fault.where.line, fault.where.column}, fault);
    }
  }

  void read_axes(const Node& axes) {
    if (!axes.is_map()) {
      return problems_.add(axes.place, "axes",
                           "expected a mapping of key paths to lists of values, got " + shown(axes));
    }
    for (const Node& entry : axes.children) add(read_axis(entry, problems_), entry);
  }

  void read_cases(const Node& cases) {
    if (!cases.is_map()) {
      return problems_.add(cases.place, "cases", "expected a mapping of names to cases, got " + shown(cases));
    }
    for (const Node& list : cases.children) {
      Factor factor{{{list.key, ""}}, {}};
      if (const std::string why = case_name_fault(list.key); !why.empty()) problems_.add(list.key_place, "cases", why);
      if (!list.is_map() || list.children.empty()) {
        problems_.add(list.place, "cases." + path_name(list.key),
                      "expected names, each with a mapping of key paths to values, got " + shown(list));
        continue;
      }
      for (const Node& one : list.children) {
        const std::string path = "cases." + path_name(list.key) + '.' + path_name(one.key);
        if (one.key.empty()) problems_.add(one.key_place, path, "expected a name for this case, got nothing");
        factor.levels.push_back({{{one.key, std::nullopt}}, read_values(one, path)});
        for (const LaidValue& value : factor.levels.back().values) refuse_unswept(value, path);
      }
      add(std::move(factor), list);
    }
  }

  void refuse_unswept(const LaidValue& value, const std::string& path) {
    const std::string why = unswept(value.path);
    if (!why.empty()) problems_.add({source_, value.line, value.column}, path, why);
  }

  void read_zips(const Node& zips) {
    if (zips.is_map()) return add(read_zip(zips), zips);
    if (!zips.is_list()) {
      return problems_.add(zips.place, "zip", "expected a mapping of axes that go together, or a list of such");
    }
    for (const Node& zip : zips.children) add(read_zip(zip), zip);
  }

  Factor read_zip(const Node& zip) {
    Factor joined;
    if (!zip.is_map() || zip.children.size() < 2) {
      problems_.add(zip.place, "zip", "expected at least two axes that go together, value by value");
      return joined;
    }
    for (const Node& entry : zip.children) {
      Factor axis = read_zipped(entry);
      if (axis.levels.empty()) return {};
      if (joined.levels.empty()) {
        joined = std::move(axis);
        continue;
      }
      if (axis.levels.size() != joined.levels.size()) {
        problems_.add(entry.place, "zip",
                      entry.key + " has " + std::to_string(axis.levels.size()) + " values and " +
                          joined.columns.front().name + " has " + std::to_string(joined.levels.size()) +
                          "; axes that go together have as many");
        return {};
      }
      joined.columns.push_back(std::move(axis.columns.front()));
      for (std::size_t i = 0; i < joined.levels.size(); ++i) {
        joined.levels[i].cells.push_back(std::move(axis.levels[i].cells.front()));
        joined.levels[i].values.push_back(std::move(axis.levels[i].values.front()));
      }
    }
    refuse_equal_levels(joined, true, source_, problems_);
    return joined;
  }

  /// Of axes that go together one alone may say the same value twice.
  Factor read_zipped(const Node& entry) {
    const SweptKey key{entry.key};
    if (!key.fault().empty() || !unswept(key.path()).empty() || !entry.is_list()) return read_axis(entry, problems_);
    std::vector<ReadLevel> levels;
    for (const Node& value : entry.children) {
      if (auto level = read_level(key, value, problems_)) levels.push_back(std::move(*level));
    }
    return levels.empty() ? read_axis(entry, problems_) : factor_of(key, std::move(levels));
  }

  void read_variants(const Node& node) {
    std::vector<std::string> names;
    const std::vector<std::string> known = reader_->variants();
    if (node.is_scalar() && node.text == "all") {
      names = known;
      names.insert(names.begin(), "base");
    } else if (node.is_list() && std::ranges::all_of(node.children, &Node::is_scalar)) {
      for (const Node& child : node.children) names.push_back(child.text);
    }
    if (names.empty()) {
      return problems_.add(node.place, "variants", "expected all or a list of names such as [base, pool]");
    }
    Factor factor{{{"variant", ""}}, {}};
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string& name = names[i];
      if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), name) !=
          names.begin() + static_cast<std::ptrdiff_t>(i)) {
        problems_.add(node.place, "variants", name + " stands there twice");
        continue;
      }
      if (name != "base" && std::ranges::find(known, name) == known.end()) {
        std::string list = "base";
        for (const std::string& each : known) list += ", " + each;
        problems_.add(node.place, "variants", "unknown variant \"" + name + "\"; known: " + list);
        continue;
      }
      factor.levels.push_back({{{name, std::nullopt}}, {}, name == "base" ? std::nullopt : std::optional{name}});
    }
    add(std::move(factor), node);
  }

  std::uint64_t first_seed() {
    Laid laid{sweep_.fixed, std::nullopt, std::nullopt};
    std::vector<Diagnostic> errors;
    try {
      return reader_->read(laid).seed;
    } catch (const ScenarioError& error) {
      errors = error.diagnostics();
    }
    // What the scenario lacks the axes may give.
    for (const Factor& factor : sweep_.factors) {
      const Level& level = factor.levels.front();
      laid.values.insert(laid.values.end(), level.values.begin(), level.values.end());
      if (level.variant) laid.variant = level.variant;
    }
    try {
      return reader_->read(laid).seed;
    } catch (const ScenarioError&) {
      throw ScenarioError{errors};
    }
  }

  void read_seeds(const Node* node) {
    Factor factor{{{"seed", ""}}, {}};
    const auto add_seed = [&](std::uint64_t seed) {
      factor.levels.push_back({{{std::to_string(seed), static_cast<double>(seed)}}, {}, std::nullopt, seed});
    };
    constexpr std::int64_t largest_seed = std::numeric_limits<std::int64_t>::max();
    if (node && node->is_list()) {
      std::set<std::int64_t> seen;
      for (const Node& child : node->children) {
        const auto seed = read_count(child, "seeds", 0, largest_seed, problems_);
        if (seed && !seen.insert(*seed).second) problems_.add(child.place, "seeds", child.text + " stands there twice");
        if (seed) add_seed(static_cast<std::uint64_t>(*seed));
      }
      if (node->children.empty()) problems_.add(node->place, "seeds", "the list is empty, so the sweep has no points");
    } else {
      const auto count = node ? read_count(*node, "seeds", 1, most_seeds, problems_) : std::optional<std::int64_t>{1};
      const std::uint64_t first = first_seed();
      constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
      if (count && static_cast<std::uint64_t>(*count) - 1 > last - first) {
        problems_.add(node->place, "seeds",
                      "counted from the scenario's seed " + std::to_string(first) + " they go beyond the largest seed");
        return;
      }
      for (std::int64_t k = 0; count && k < *count; ++k) add_seed(first + static_cast<std::uint64_t>(k));
    }
    if (!factor.levels.empty()) sweep_.factors.push_back(std::move(factor));
  }

  void read_texts(const Node* node, const std::string& path, std::vector<Written>& out) {
    if (!node) return;
    if (node->is_scalar() && !node->text.empty()) return out.push_back(written(*node));
    if (node->is_list() && node->children.empty()) {
      return problems_.add(node->place, path, "the list is empty; leave " + path + ": out");
    }
    if (!node->is_list()) return problems_.add(node->place, path, "expected a list of texts, got " + shown(*node));
    for (const Node& child : node->children) {
      if (!child.is_scalar()) problems_.add(child.place, path, "expected a text, got " + shown(child));
      out.push_back(written(child));
    }
  }

  void refuse_too_many(const Node& root) {
    Int128 combinations = 1;
    for (const Factor& factor : sweep_.factors) {
      combinations = std::min(combinations * static_cast<Int128>(factor.levels.size()), most_combinations + 1);
    }
    if (combinations > most_combinations) {
      problems_.add(root.place, "", "more than 10^12 combinations; take a sample: of them instead");
    }
  }

  std::string file_;
  ReadOptions options_;
  Sources sources_;
  Problems problems_{sources_};
  std::uint32_t source_;
  SweepConfig sweep_;
  std::unique_ptr<ScenarioReader> reader_;
  std::set<std::string> column_names_;
};

}  // namespace

}  // namespace reading

SweepConfig read_sweep(const std::string& file, const ReadOptions& options) {
  return reading::SweepReader{file, options}.read();
}

}  // namespace soya
