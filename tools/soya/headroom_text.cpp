#include "headroom_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/quantity_text.hpp"
#include "display_width.hpp"
#include "planning/headroom_formulas.hpp"
#include "scenario/quantity.hpp"
#include "text_table.hpp"

namespace soya::cli {

namespace {

constexpr std::size_t line_width = 100;
constexpr const char* not_found = "not searched";

std::string rate_text(Rate rate) {
  return reading::format_number(rate.bits_per_second(), reading::Dimension::rate);
}

std::string port_text(const PortFigures& port) {
  return port.node + " port " + port.port;
}

/// One port, or several alike under the name of the first.
struct Row {
  const PortKind* kind;
  const PortFigures* first;
  std::size_t count;
  Bytes peak;
  std::int64_t dropped;

  [[nodiscard]] std::string name() const {
    if (count == 1) return port_text(*first);
    return fmt::format("{} + {} more", shortened(port_text(*first), 22), grouped(static_cast<std::int64_t>(count - 1)));
  }
};

std::vector<Row> rows_of(const ScenarioHeadroom& answer, PortRows wanted) {
  std::size_t ports = 0;
  for (const PortKind& kind : answer.kinds) ports += kind.ports.size();
  const bool each = wanted == PortRows::each || ports <= rows_without_grouping;
  std::vector<Row> rows;
  for (const PortKind& kind : answer.kinds) {
    if (!each) rows.push_back({&kind, &kind.ports.front(), kind.ports.size(), Bytes{0}, 0});
    for (const PortFigures& port : kind.ports) {
      if (each) {
        rows.push_back({&kind, &port, 1, port.peak, port.dropped});
      } else {
        rows.back().peak = std::max(rows.back().peak, port.peak);
        rows.back().dropped += port.dropped;
      }
    }
  }
  return rows;
}

/// The part of the budget that dominates: "response 66 %".
std::string largest_part(const PortKind& kind) {
  const FormulaAnswer budget = soya_headroom(query_of(kind.link));
  const auto most = std::max_element(budget.parts.begin(), budget.parts.end(),
                                     [](const auto& a, const auto& b) { return a.size < b.size; });
  const double share = static_cast<double>(most->size.count()) / static_cast<double>(budget.size->count());
  return fmt::format("{} {:.0f} %", most->name, 100 * share);
}

/// The size of a port's headroom, or whose it is.
std::string configured_text(const PortKind& kind, const PortFigures& port) {
  if (std::holds_alternative<NoHeadroom>(kind.mode)) return "none";
  const auto* pool = std::get_if<SharedPoolHeadroom>(&kind.mode);
  if (pool == nullptr) return bytes_text(port.configured);
  return pool->cap ? "up to " + bytes_text(*pool->cap) : "shared pool";
}

std::string link_table(const std::vector<Row>& rows) {
  TextTable table{{{"port", Align::left, 34},
                   {"rate"},
                   {"length"},
                   {"budget"},
                   {"configured"},
                   {"largest part of the budget", Align::left, 36}}};
  for (const Row& row : rows) {
    const PortKind& kind = *row.kind;
    table.add({row.name(), rate_text(kind.link.rate),
               reading::format_number(kind.length.millimetres(), reading::Dimension::length),
               bytes_text(kind.budget.automatic), configured_text(kind, *row.first), largest_part(kind)});
  }
  return table.text();
}

std::string here_text(const SmallestHere& here) {
  const std::string size = here.size ? bytes_text(*here.size) : "> " + bytes_text(here.largest);
  return here.monotone ? size : size + " *";
}

std::string here_text(const PortKind& kind) {
  if (!kind.sized_by_port) return "-";
  return kind.here ? here_text(*kind.here) : not_found;
}

std::string ratio_text(const PortKind& kind) {
  if (!kind.worst) return "-";
  return fmt::format(
      "{:.2f}", static_cast<double>(kind.budget.automatic.count()) / static_cast<double>(kind.worst->smallest.count()));
}

std::string size_table(const std::vector<Row>& rows) {
  const bool lossy = std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.dropped > 0; });
  std::vector<TextColumn> columns{
      {"port", Align::left, 34}, {"peak here"}, {"smallest here"}, {"smallest, worst case"}, {"budget / worst case"}};
  if (lossy) columns.push_back({"lost here"});
  TextTable table{columns};
  for (const Row& row : rows) {
    const PortKind& kind = *row.kind;
    std::vector<std::string> cells{row.name(), bytes_text(row.peak), here_text(kind),
                                   kind.worst ? bytes_text(kind.worst->smallest) : not_found, ratio_text(kind)};
    if (lossy) cells.push_back(fmt::format("{} frame{}", grouped(row.dropped), row.dropped == 1 ? "" : "s"));
    table.add(std::move(cells));
  }
  return table.text();
}

std::string count_text(std::size_t count, const char* noun) {
  return fmt::format("{} {}{}", grouped(static_cast<std::int64_t>(count)), noun, count == 1 ? "" : "s");
}

std::string pool_table(const std::vector<PoolKind>& pools) {
  TextTable table{{{"shared pool of", Align::left, 26},
                   {"size"},
                   {"covers at once"},
                   {"at once here"},
                   {"peak here"},
                   {"smallest here"}}};
  for (const PoolKind& pool : pools) {
    const std::string more =
        pool.nodes.size() == 1 ? "" : fmt::format(" + {} more", grouped(std::ssize(pool.nodes) - 1));
    const std::string covers =
        pool.covered ? fmt::format("{} of {}", *pool.covered, count_text(pool.groups, "group")) : not_found;
    table.add({shortened(pool.nodes.front(), 18) + more, bytes_text(pool.pool), covers,
               count_text(pool.groups_peak, "group"), bytes_text(pool.peak),
               pool.here ? here_text(*pool.here) : not_found});
  }
  return table.text();
}

/// Every size that a search of the scenario has found or not.
std::vector<const SmallestHere*> searched(const ScenarioHeadroom& answer) {
  std::vector<const SmallestHere*> all;
  for (const PortKind& kind : answer.kinds) {
    if (kind.here) all.push_back(&*kind.here);
  }
  for (const PoolKind& pool : answer.pools) {
    if (pool.here) all.push_back(&*pool.here);
  }
  return all;
}

/// What the tables' words and signs mean, where they occur.
std::string notes(const ScenarioHeadroom& answer) {
  const auto all = searched(answer);
  const auto any = [&](auto matches) { return std::any_of(all.begin(), all.end(), matches); };
  std::string text =
      "Here: this scenario, all other sizes as they are. Worst case: egress held, the PAUSE kept waiting.\n";
  if (any([](const SmallestHere* here) { return here->size == Bytes{0}; })) {
    text += "0 B: no frame ever enters such headroom in this scenario.\n";
  }
  if (any([](const SmallestHere* here) { return !here->size; })) {
    text += ">: loses frames even with the largest size that was tried, or that fits the buffer.\n";
  }
  if (any([](const SmallestHere* here) { return !here->monotone; })) {
    text += "*: not monotone: a smaller size was lossless, too, or a larger one was not.\n";
  }
  const auto unsized = [](const PortKind& kind) { return !kind.sized_by_port; };
  if (std::any_of(answer.kinds.begin(), answer.kinds.end(), unsized)) {
    text += "-: a port with a share of a pool, or without headroom, has no size of its own to search.\n";
  }
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines += wrapped(text.substr(0, end), line_width, "  ", "  ");
    text.erase(0, end + 1);
  }
  return lines;
}

std::string heading(const ScenarioHeadroom& answer) {
  const RunResults& run = answer.run;
  std::string text = shortened(printable(run.name), 60) + ": ";
  if (run.sound) return text + "lossless with the headroom configured\n";
  text += answer.lossless() ? "NOT SOUND, though no lossless frame is dropped\n"
                            : "LOSES FRAMES with the headroom configured\n";
  for (const std::string& reason : run.why_not) text += wrapped(printable(reason), line_width, "  - ", "    ");
  return text;
}

}  // namespace

std::string headroom_missing(const ScenarioHeadroom& answer) {
  std::vector<std::string> missing;
  for (const PortKind& kind : answer.kinds) {
    const std::string name = port_text(kind.ports.front());
    if (kind.sized_by_port && !kind.here) missing.push_back("smallest here of " + name);
    if (!kind.worst) missing.push_back("smallest in the worst case of " + name);
  }
  for (const PoolKind& pool : answer.pools) {
    if (!pool.here) missing.push_back("smallest pool of " + pool.nodes.front());
  }
  return missing.empty() ? "" : fmt::format("missing: {}\n", fmt::join(missing, ", "));
}

std::string headroom_text(const ScenarioHeadroom& answer, PortRows wanted) {
  const std::vector<Row> rows = rows_of(answer, wanted);
  std::string text =
      heading(answer) + "\nWhat the links need\n" + link_table(rows) + "\nWhat simulation finds\n" + size_table(rows);
  if (!answer.pools.empty()) text += "\n" + pool_table(answer.pools);
  return text + "\n" + notes(answer);
}

}  // namespace soya::cli
