#include "scenario/sweep_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "core/suggest.hpp"

namespace soya::reading {

namespace {

/// Whether the key at `path` is inside of that at `outer`.
bool is_below(std::string_view path, std::string_view outer) {
  return path.size() > outer.size() && path.starts_with(outer) &&
         (path[outer.size()] == '.' || path[outer.size()] == '[');
}

/// Laid over others, a mapping keeps what it does not name.
bool replaces_all(const LaidValue& value) {
  return !value.text.starts_with('{');
}

/// What a factor lays, by path, each with one of its values; and at how many of its levels.
struct Given {
  const LaidValue* value;
  std::size_t levels;
};
using GivenByPath = std::map<std::string_view, Given>;

GivenByPath given_by(const Factor& factor) {
  GivenByPath given;
  for (const Level& level : factor.levels) {
    std::set<std::string_view> here;
    for (const LaidValue& value : level.values) {
      if (here.insert(value.path).second) ++given.try_emplace(value.path, Given{&value, 0}).first->second.levels;
    }
  }
  return given;
}

/// "in line 3", or of cases "by mode in line 3".
std::string whence(const Factor& factor, const LaidValue& value) {
  const bool named = std::ranges::find(factor.columns, value.path, &Column::name) != factor.columns.end();
  return (named ? "in line " : "by " + factor.columns.front().name + " in line ") + std::to_string(value.line);
}

class RivalCheck final {
 public:
  RivalCheck(const SweepConfig& sweep, std::uint32_t source, Problems& problems)
      : sweep_{sweep}, source_{source}, problems_{problems} {
    for (const Factor& factor : sweep.factors) given_.push_back(given_by(factor));
  }

  /// Two factors that give one key: the later one would decide alone.
  void between_factors() {
    for (std::size_t later = 1; later < given_.size(); ++later) {
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        for (const auto& [path, given] : given_[later]) compare(sweep_.factors[earlier], given_[earlier], *given.value);
      }
    }
  }

  void with_search() {
    if (!sweep_.search) return;
    const std::string& key = sweep_.search->path.text;
    const auto refuse = [&](const LaidValue& value) {
      if (value.path == key) add(value, "is searched for, so nothing else gives it; leave it out here");
    };
    for (const LaidValue& value : sweep_.fixed) refuse(value);
    for (const GivenByPath& given : given_) {
      for (const auto& [path, each] : given) refuse(*each.value);
    }
  }

  /// A value under set: is for the points at which nothing else gives the key, and here there are none.
  void with_set() {
    for (const LaidValue& value : sweep_.fixed) {
      for (std::size_t f = 0; f < given_.size(); ++f) {
        for (const auto& [path, given] : given_[f]) {
          if (given.levels < sweep_.factors[f].levels.size()) continue;
          const bool hidden = is_below(value.path, path) && replaces_all(*given.value);
          if (value.path != path && !hidden) continue;
          add(value, "has no effect, since every point has a " + std::string{path} + " from line " +
                         std::to_string(given.value->line) +
                         (hidden ? "; give it as an axis behind that" : "; leave it out here"));
        }
      }
    }
  }

  /// `--set` is below what the sweep lays.
  void with_option(const std::string& path) {
    const bool searched = sweep_.search && sweep_.search->path.text == path;
    const bool varied = std::ranges::any_of(given_, [&](const GivenByPath& given) { return given.contains(path); });
    if (searched || varied) {
      problems_.add({source_, 0, 0}, path, "--set gives it, and the sweep varies it; leave --set out");
      return;
    }
    for (const LaidValue& value : sweep_.fixed) {
      if (value.path != path && !is_below(path, value.path) && !is_below(value.path, path)) continue;
      add(value, "--set gives " + path + ", and the sweep's own set: stands above it; change it here");
    }
  }

 private:
  void add(const LaidValue& value, std::string message) {
    problems_.add({source_, value.line, value.column}, value.path, std::move(message));
  }

  void compare(const Factor& factor, const GivenByPath& earlier, const LaidValue& value) {
    for (const auto& [path, given] : earlier) {
      const std::string where = whence(factor, *given.value);
      if (path == value.path) {
        add(value, "is given " + where + " too; one axis, case, zip or sample decides on a key");
      } else if (is_below(path, value.path) && replaces_all(value)) {
        add(value, "replaces " + std::string{path} + ", given " + where + "; write it before that");
      }
    }
  }

  const SweepConfig& sweep_;
  std::uint32_t source_;
  Problems& problems_;
  std::vector<GivenByPath> given_;
};

}  // namespace

std::string unswept(std::string_view path) {
  if (path == "seed") return "seeds are no axis; write seeds: 5, or seeds: [1, 2, 7]";
  if (path == "name" || path == "variants" || path.starts_with("variants.")) {
    return std::string{path} + " is no axis; for variants write variants: all";
  }
  if (path == "extends") return "extends is no axis; it belongs into the scenario's file";
  return "";
}

std::string case_name_fault(std::string_view name) {
  static constexpr std::string_view signs = " \t\r\n\"'`,;*/^()<>=!&|#";
  if (name.empty()) return "expected a name for these cases, got nothing";
  if (name.find_first_of(signs) != std::string_view::npos) {
    return "cases cannot be called so: a name without blanks, quotes, commas and signs such as * / = becomes a column";
  }
  for (const std::string_view taken : {"seed", "variant", "answer", "probes", "monotone", "sound"}) {
    if (name == taken)
      return "cases cannot be called \"" + std::string{name} + "\", as sweeps call a number of their own";
  }
  return "";
}

bool takes(const SweptKey& key, const Node& value, Problems& problems) {
  const Kind kind = key.key().kind;
  if (kind == Kind::section || kind == Kind::structured || kind == Kind::priorities) return true;
  if (!value.is_scalar()) {
    problems.add(value.place, key.path(), "expected a single value, got " + shown(value));
    return false;
  }
  if (kind != Kind::choice && kind != Kind::flag) return true;
  const std::vector<std::string_view> choices = choices_of(key.key());
  if ((!value.text.empty() && value.text == key.key().word) || std::ranges::find(choices, value.text) != choices.end())
    return true;
  std::string words;
  for (const std::string_view choice : choices) words += (words.empty() ? "" : ", ") + std::string{choice};
  const auto near = nearest(value.text, choices);
  problems.add(value.place, key.path(),
               "expected one of " + words + ", got " + shown(value) +
                   (near ? "; did you mean \"" + std::string{*near} + "\"?" : ""));
  return false;
}

void refuse_equal_levels(const Factor& factor, bool listed, std::uint32_t source, Problems& problems) {
  std::set<std::string> seen;
  for (const Level& level : factor.levels) {
    std::string text;
    for (const Cell& cell : level.cells) text += (cell.number ? fmt::format("{}", *cell.number) : cell.text) + '\n';
    if (seen.insert(std::move(text)).second) continue;
    const LaidValue& value = level.values.front();
    const std::string& shown = level.cells.front().text;
    problems.add({source, value.line, value.column}, factor.columns.front().name,
                 listed ? shown + " stands there twice" : "so many points give " + shown + " twice; take fewer");
    return;
  }
}

void refuse_rivals(const SweepConfig& sweep, const ReadOptions& options, bool seeds_listed, std::uint32_t source,
                   Problems& problems) {
  RivalCheck check{sweep, source, problems};
  check.between_factors();
  check.with_search();
  check.with_set();
  for (const std::string& assignment : options.sets) {
    const std::string path = assignment.substr(0, assignment.find('='));
    if (assignment.size() > path.size()) check.with_option(path);
    if (path == "seed" && seeds_listed) {
      problems.add({source, 0, 0}, path, "--set gives it, and the sweep lists its seeds; leave --set out");
    }
  }
  if (!seeds_listed) return;
  if (options.seed)
    problems.add({source, 0, 0}, "seeds", "--seed gives one, and the sweep lists its seeds; leave it out");
  for (const LaidValue& value : sweep.fixed) {
    if (value.path != "seed") continue;
    problems.add({source, value.line, value.column}, "seed",
                 "has no effect, since seeds: lists them; leave it out here");
  }
}

}  // namespace soya::reading
