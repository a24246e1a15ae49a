#include "headroom_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/quantity_text.hpp"
#include "display_width.hpp"
#include "scenario/quantity.hpp"
#include "text_table.hpp"

namespace soya::cli {

namespace {

constexpr std::size_t line_width = 100;
constexpr const char* not_found = "not searched";
constexpr const char* too_large = "too large";

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

/// The first columns of a table, and their cells: a port, and how many are like it where rows are of several.
std::vector<TextColumn> name_columns(const std::vector<Row>& rows) {
  std::vector<TextColumn> columns{{"port", Align::left, 30}};
  if (std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.count > 1; })) {
    columns.front().title = "port (first of kind)";
    columns.push_back({"ports"});
  }
  return columns;
}

std::vector<std::string> name_cells(const Row& row, std::size_t columns) {
  if (columns == 1) return {port_text(*row.first)};
  return {port_text(*row.first), grouped(static_cast<std::int64_t>(row.count))};
}

/// The part of the budget that dominates: "response 66 %".
std::string largest_part(const HeadroomBudget& budget) {
  const std::pair<const char*, Bytes> parts[] = {{"propagation", budget.propagation},
                                                 {"waiting frame", budget.waiting},
                                                 {"PAUSE frame", budget.pause_frame},
                                                 {"response", budget.response},
                                                 {"two frames", 2 * budget.frame}};
  Bytes sum;
  for (const auto& part : parts) sum += part.second;
  const auto& [name, size] =
      *std::max_element(std::begin(parts), std::end(parts), [](auto& a, auto& b) { return a.second < b.second; });
  return fmt::format("{} {:.0f} %", name, 100 * static_cast<double>(size.count()) / static_cast<double>(sum.count()));
}

std::string length_text(const PortKind& kind) {
  using reading::Dimension;
  const std::string length = reading::format_number(kind.length.millimetres(), Dimension::length);
  const auto time = [](Duration span) { return reading::format_number(span.picoseconds(), Dimension::duration); };
  const std::string there = kind.delay == Duration{0} ? length : length + " + " + time(kind.delay);
  return kind.link.way_back ? there + ", back " + time(*kind.link.way_back) : there;
}

/// The size of a port's headroom, or whose it is.
std::string configured_text(const PortKind& kind, const PortFigures& port) {
  if (std::holds_alternative<NoHeadroom>(kind.mode)) return "none";
  const auto* pool = std::get_if<SharedPoolHeadroom>(&kind.mode);
  if (pool == nullptr) return bytes_text(port.configured);
  return pool->cap ? "up to " + bytes_text(*pool->cap) : "shared pool";
}

std::string link_table(const std::vector<Row>& rows) {
  std::vector<TextColumn> columns = name_columns(rows);
  const std::size_t names = columns.size();
  columns.insert(columns.end(), {{"rate"}, {"length"}, {"budget"}, {"configured"}, {"largest part", Align::left, 24}});
  TextTable table{columns};
  for (const Row& row : rows) {
    const PortKind& kind = *row.kind;
    std::vector<std::string> cells = name_cells(row, names);
    cells.insert(cells.end(), {rate_text(kind.link.rate), length_text(kind), bytes_text(kind.budget.automatic),
                               configured_text(kind, *row.first), largest_part(kind.budget)});
    table.add(std::move(cells));
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

std::string worst_text(const PortKind& kind) {
  if (!kind.worst) return can_simulate(kind.link) ? not_found : too_large;
  return bytes_text(kind.worst->smallest) + (kind.worst->monotone ? "" : " *");
}

std::string ratio_text(const PortKind& kind) {
  if (!kind.worst) return "-";
  return fmt::format(
      "{:.2f}", static_cast<double>(kind.budget.automatic.count()) / static_cast<double>(kind.worst->smallest.count()));
}

std::string size_table(const std::vector<Row>& rows) {
  const bool lossy = std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.dropped > 0; });
  std::vector<TextColumn> columns = name_columns(rows);
  const std::size_t names = columns.size();
  columns.insert(columns.end(), {{"peak here"}, {"smallest here"}, {"worst case"}, {"budget / worst"}});
  if (lossy) columns.push_back({"lost here"});
  TextTable table{columns};
  for (const Row& row : rows) {
    const PortKind& kind = *row.kind;
    std::vector<std::string> cells = name_cells(row, names);
    cells.insert(cells.end(), {bytes_text(row.peak), here_text(kind), worst_text(kind), ratio_text(kind)});
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
      "Smallest here: that loses nothing in this scenario, all other sizes as they are. Worst case: the smallest "
      "that loses nothing with the egress held and the PAUSE kept waiting.\n";
  const auto any_kind = [&](auto matches) { return std::any_of(answer.kinds.begin(), answer.kinds.end(), matches); };
  if (any_kind([](const PortKind& kind) { return std::holds_alternative<PortSharedHeadroom>(kind.mode); })) {
    text += "port-shared: configured, peak and smallest here are of a port, whatever its priorities.\n";
  }
  if (any_kind([](const PortKind& kind) { return std::holds_alternative<DynamicSharedHeadroom>(kind.mode); })) {
    text +=
        "dsh: configured, peak and smallest here are of a port's insurance; what it is to save from using it lies in "
        "shared memory.\n";
  }
  if (any_kind([](const PortKind& kind) { return kind.link.cell.has_value(); })) {
    text +=
        "Cells: the worst case has the largest frames; the budget covers small ones too, which waste more of a cell.\n";
  }
  if (any([](const SmallestHere* here) { return here->size == Bytes{0}; })) {
    text += "0 B: no frame ever enters such headroom in this scenario.\n";
  }
  if (any([](const SmallestHere* here) { return !here->size; })) {
    const auto capped = [](const PoolKind& pool) { return pool.cap && pool.here && !pool.here->size; };
    text += ">: loses frames even with the largest size that was tried, or that fits the buffer";
    text += std::any_of(answer.pools.begin(), answer.pools.end(), capped)
                ? "; the cap of a group may be what is short.\n"
                : ".\n";
  }
  const auto worst_is_odd = [](const PortKind& kind) { return kind.worst && !kind.worst->monotone; };
  if (any([](const SmallestHere* here) { return !here->monotone; }) ||
      std::any_of(answer.kinds.begin(), answer.kinds.end(), worst_is_odd)) {
    text += "*: not monotone: a smaller size was lossless, too, or a larger one was not.\n";
  }
  if (std::any_of(answer.kinds.begin(), answer.kinds.end(), [](auto& kind) { return !can_simulate(kind.link); })) {
    text += fmt::format("{}: more than {} frames in flight, or 128 GiB of headroom, are not simulated.\n", too_large,
                        grouped(most_frames_in_flight));
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

std::string heading(const ScenarioHeadroom& answer, const std::string& variant) {
  const RunResults& run = answer.run;
  std::string text = shortened(printable(run.name), variant.empty() ? 60 : 40);
  text += variant.empty() ? ": " : ", variant " + shortened(printable(variant), 30) + ": ";
  if (!run.complete) return text + "INCOMPLETE, interrupted before its own run had ended\n";
  if (run.sound) return text + "lossless with the headroom configured\n";
  text += answer.lossless() ? "NOT SOUND, though no lossless frame is dropped\n"
                            : "LOSES FRAMES with the headroom configured\n";
  for (const std::string& reason : run.why_not) text += wrapped(printable(reason), line_width, "  - ", "    ");
  return text;
}

}  // namespace

std::string headroom_missing(const ScenarioHeadroom& answer) {
  std::vector<std::string> missing;
  if (!answer.run.complete) missing.push_back("the rest of the run");
  for (const PortKind& kind : answer.kinds) {
    const std::string name = port_text(kind.ports.front());
    if (kind.sized_by_port && !kind.here) missing.push_back("smallest here of " + name);
    if (!kind.worst && can_simulate(kind.link)) missing.push_back("smallest in the worst case of " + name);
  }
  for (const PoolKind& pool : answer.pools) {
    if (!pool.here) missing.push_back("smallest pool of " + pool.nodes.front());
  }
  return missing.empty() ? "" : fmt::format("missing: {}\n", fmt::join(missing, ", "));
}

std::string headroom_text(const ScenarioHeadroom& answer, PortRows wanted, const std::string& variant) {
  const std::vector<Row> rows = rows_of(answer, wanted);
  std::string text = heading(answer, variant) + "\nWhat the links need\n" + link_table(rows) +
                     "\nWhat simulation finds\n" + size_table(rows);
  if (!answer.pools.empty()) text += "\n" + pool_table(answer.pools);
  return text + "\n" + notes(answer);
}

}  // namespace soya::cli
