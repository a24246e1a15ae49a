#include "compare_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <span>

#include "display_width.hpp"
#include "text_table.hpp"

namespace soya::cli {

namespace {

constexpr std::size_t line_width = 100;
constexpr std::size_t keys_shown = 10;
constexpr std::size_t changes_shown = 18;
constexpr std::size_t others_shown = 6;
constexpr double tenfold = 10;

/// A, B, … Z, then side 27 and so on.
std::string letter(std::size_t side) {
  return side < 26 ? std::string(1, static_cast<char>('A' + side)) : fmt::format("side {}", side + 1);
}

std::string value_text(Unit unit, double value) {
  switch (unit) {
    case Unit::picoseconds:
      return duration_text(std::llround(value));
    case Unit::bytes:
      return value < 0 ? "-" + size_text(std::llround(-value)) : size_text(std::llround(value));
    case Unit::gbps:
      return fmt::format("{:.2f} Gbps", value);
    case Unit::gigabytes_per_second:
      return fmt::format("{:.3f} GB/s", value);
    case Unit::share:
      return fmt::format("{:.2f} %", value * 100);
    case Unit::ratio:
      return fmt::format("{:.3f}", value);
    case Unit::count:
      return value == std::round(value) ? grouped(std::llround(value)) : fmt::format("{:.1f}", value);
  }
  return "";
}

/// "-19.9 %", "x 12.3" for what grew more than tenfold; the difference itself where there was nothing before.
std::string change_text(const Difference& difference) {
  if (!difference.relative) return "from nothing";
  if (std::abs(*difference.relative) < tenfold) return fmt::format("{:+.1f} %", *difference.relative * 100);
  return fmt::format("x {:.1f}", difference.after / difference.before);
}

/// The standard error, as a share of what was there before.
std::string uncertainty_text(const Difference& difference) {
  if (!difference.uncertainty || !difference.relative || std::abs(*difference.relative) >= tenfold) return "";
  const double share = *difference.uncertainty / std::abs(difference.before) * 100;
  return share < 0.05 ? "" : fmt::format("± {:.1f}", share);
}

std::string seeds_text(const Side& side) {
  if (side.runs.size() == 1) return fmt::format("seed {}", side.first().seed);
  const std::uint64_t first = side.first().seed;
  const std::uint64_t last = side.runs.back().run.results.seed;
  const bool in_a_row = last - first + 1 == side.runs.size();
  return fmt::format("{} seeds, {} {} {}", side.runs.size(), first, in_a_row ? "to" : "...", last);
}

std::string verdict_line(const Side& side) {
  std::size_t bad = 0;
  const Outcome* example = nullptr;
  for (const Outcome& outcome : side.runs) {
    if (verdict(outcome) == Verdict::sound) continue;
    ++bad;
    if (!example) example = &outcome;
  }
  if (bad == 0) return "";
  std::string text = side.runs.size() == 1
                         ? verdict_text(verdict(*example))
                         : fmt::format("{} of {} runs: {}", bad, side.runs.size(), verdict_text(verdict(*example)));
  if (!example->run.results.why_not.empty()) text += ": " + printable(example->run.results.why_not.front());
  return wrapped(text, line_width, "     ", "     ");
}

std::string legend(const std::vector<Side>& sides) {
  std::string text;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    text +=
        wrapped(printable(sides[i].title) + ": " + seeds_text(sides[i]), line_width, "  " + letter(i) + "  ", "     ");
    text += verdict_line(sides[i]);
  }
  return text;
}

std::string titled(const std::string& title, const std::string& body, Colour colour) {
  return "\n" + coloured(title, bold, colour) + "\n" + body;
}

std::string input_table(const std::vector<KeyDifference>& input, std::size_t side) {
  if (input.empty()) return "  nothing but the seed\n";
  TextTable table{{{"key", Align::left, 52}, {"A", Align::left, 20}, {letter(side), Align::left, 20}}};
  const std::size_t shown = input.size() == keys_shown + 1 ? input.size() : std::min(input.size(), keys_shown);
  for (std::size_t i = 0; i < shown; ++i) {
    table.add(
        {printable(input[i].path), printable(input[i].before.value_or("-")), printable(input[i].after.value_or("-"))});
  }
  std::string text = table.text();
  if (input.size() > shown) text += fmt::format("  and {} more; --json has all\n", input.size() - shown);
  return text;
}

bool is_listed(const Difference& difference) {
  return difference.finding != Finding::no_change;
}

std::string change_table(const std::vector<Difference>& differences, std::size_t side) {
  const auto listed = static_cast<std::size_t>(std::ranges::count_if(differences, is_listed));
  if (listed == 0) return "";
  const std::size_t shown = listed == changes_shown + 1 ? listed : std::min(listed, changes_shown);
  const std::span listed_ones{differences.data(), shown};
  const bool any_place =
      std::ranges::any_of(listed_ones, [](const Difference& each) { return !each.where_after.empty(); });
  TextTable table{{{"", Align::left, 36},
                   {"A", Align::right, 14},
                   {letter(side), Align::right, 14},
                   {"change", Align::right, 12},
                   {"", Align::left, 8},
                   {any_place ? "where in " + letter(side) : "", Align::left, 24}}};
  for (const Difference& each : listed_ones) {
    table.add({printable(each.name), value_text(each.unit, each.before), value_text(each.unit, each.after),
               change_text(each), uncertainty_text(each), printable(each.where_after)});
  }
  std::string text = table.text();
  if (listed > shown) text += fmt::format("  and {} more; --json has all\n", listed - shown);
  return text;
}

/// What differs and is not called a change, and how much is equal.
std::string others_text(const std::vector<Difference>& differences) {
  std::string names;
  std::size_t named = 0;
  std::size_t differing = 0;
  std::size_t equal = 0;
  for (const Difference& each : differences) {
    if (is_listed(each)) continue;
    if (each.before == each.after) {
      ++equal;
      continue;
    }
    ++differing;
    if (named == others_shown) continue;
    names += (named++ == 0 ? "" : ", ") + printable(each.name) + " " + change_text(each) + " " + uncertainty_text(each);
    if (names.ends_with(' ')) names.pop_back();
  }
  std::string text = fmt::format("{} quantities are equal", equal);
  if (differing > 0) {
    text = fmt::format("{} differ within the spread of seeds or by less than 0.1 %: {}{}; ", differing, names,
                       differing > named ? fmt::format(" and {} more", differing - named) : "") +
           text;
  }
  return wrapped(text + ".", line_width, "  ", "  ");
}

std::string unpaired_text(std::span<const Unpaired> unpaired, std::size_t pairs, std::size_t side) {
  const auto of = [&](std::size_t runs, const std::optional<double>& mean, Unit unit) {
    return mean ? fmt::format("{} in {} of {} runs", value_text(unit, *mean), runs, pairs) : std::string{"none"};
  };
  std::string text;
  const std::size_t shown = std::min(unpaired.size(), others_shown);
  for (const Unpaired& each : unpaired.first(shown)) {
    text += wrapped(fmt::format("{}: A {}, {} {}", printable(each.name), of(each.runs_before, each.before, each.unit),
                                letter(side), of(each.runs_after, each.after, each.unit)),
                    line_width, "  ", "    ");
  }
  if (unpaired.size() > shown) text += fmt::format("  and {} more; --json has all\n", unpaired.size() - shown);
  return text;
}

/// How much can be said with the runs there are.
std::string advice(const std::vector<Side>& sides, std::size_t side, bool any_untold) {
  const Side& first = sides.front();
  if (first.runs.size() > 1) return "";
  if (any_untold) {
    return wrapped(
        "One run on each side: these are differences, and whether another seed makes such ones, too, "
        "several runs would tell: --seeds 8, or results of several seeds.",
        line_width, "  ", "  ");
  }
  if (first.first().seed == sides[side].first().seed) return "";
  return wrapped(
      "One run on each side, of different seeds: chance is not told from cause, and nothing is called a "
      "change. Compare scenarios with --seeds 8, or results of the same seeds.",
      line_width, "  ", "  ");
}

std::string outcome_text(const std::vector<Side>& sides, const ComparedSide& compared, std::size_t side,
                         Colour colour) {
  const std::vector<Difference>& differences = compared.outcome.differences;
  const bool untold =
      std::ranges::any_of(differences, [](const Difference& d) { return d.finding == Finding::untold; });
  std::string body = change_table(differences, side);
  if (body.empty()) body = "  nothing\n";
  std::string text = titled(
      untold ? "What is different in the outcome, the largest first" : "What changed in the outcome, the largest first",
      body + advice(sides, side, untold), colour);
  if (!compared.outcome.unpaired.empty()) {
    text += titled("What not every run has", unpaired_text(compared.outcome.unpaired, sides.front().runs.size(), side),
                   colour);
  }
  return text + titled("What did not", others_text(differences), colour);
}

}  // namespace

std::vector<ComparedSide> compared(const std::vector<Side>& sides) {
  std::vector<std::vector<RunResults>> runs(sides.size());
  for (std::size_t i = 0; i < sides.size(); ++i) {
    for (const Outcome& outcome : sides[i].runs) runs[i].push_back(outcome.run.results);
  }
  std::vector<ComparedSide> all;
  for (std::size_t i = 1; i < sides.size(); ++i) {
    ComparedSide one;
    const RunResults& before = sides.front().first();
    const RunResults& after = sides[i].first();
    if (before.version != after.version) one.input.push_back({"version of Soya", before.version, after.version});
    std::ranges::move(key_differences(before.effective_scenario, after.effective_scenario),
                      std::back_inserter(one.input));
    one.outcome = compare(runs.front(), runs[i], one.input.empty() ? Cause::none : Cause::some);
    all.push_back(std::move(one));
  }
  return all;
}

std::string comparison_text(const std::vector<Side>& sides, const std::vector<ComparedSide>& all, Colour colour) {
  std::string text = legend(sides);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string of = sides.size() > 2 ? fmt::format(" of {} against A", letter(i + 1)) : "";
    text += titled("What differs in the input" + of, input_table(all[i].input, i + 1), colour);
    text += outcome_text(sides, all[i], i + 1, colour);
  }
  return text;
}

}  // namespace soya::cli
