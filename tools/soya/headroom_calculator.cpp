#include "headroom_calculator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>
#include <vector>

#include "core/quantity_text.hpp"
#include "display_width.hpp"
#include "engine/link_delay.hpp"
#include "exit_status.hpp"
#include "headroom_options.hpp"
#include "net/frame.hpp"
#include "net/pfc_config.hpp"
#include "output.hpp"
#include "planning/headroom_formulas.hpp"
#include "scenario/quantity.hpp"
#include "text_table.hpp"

namespace soya::cli {

namespace {

using Json = nlohmann::ordered_json;

std::int64_t required(const Command& self, const Parsed& parsed, const std::string& name, const char* example) {
  const auto number = number_like(self, parsed, name, reading::SectionId::link, name);
  if (number) return *number;
  throw UsageError(usage_error(self, fmt::format("which {0}? Give --{0} {1}", name, example)));
}

/// 37 537 794 B as "37.5 MB"; below 1 KB as it is.
std::string short_bytes(Bytes size) {
  if (size < 1_KB) return bytes_text(size);
  constexpr const char* units[] = {"KB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(size.count()) / 1000;
  std::size_t unit = 0;
  while (value >= 999.95 && unit + 1 < std::size(units)) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, units[unit]);
}

/// "37 537 794 B (37.5 MB)".
std::string both_bytes(Bytes size) {
  return bytes_text(size) + (size < 1_KB ? "" : " (" + short_bytes(size) + ")");
}

double ratio_of(Bytes part, Bytes whole) {
  return static_cast<double>(part.count()) / static_cast<double>(whole.count());
}

std::string percent(double ratio) {
  if (ratio > 0 && ratio < 0.0005) return "< 0.1 %";
  // Beyond all sense for a size of headroom, yet told.
  if (ratio >= 100) return grouped(std::llround(ratio)) + " x";
  return fmt::format("{:.1f} %", ratio * 100);
}

std::string heading(const HeadroomLink& link) {
  using reading::Dimension;
  const HeadroomQuery& query = link.query;
  std::string text =
      fmt::format("{} over {}, one way {}", reading::format_number(query.rate.bits_per_second(), Dimension::rate),
                  reading::format_number(query.length->millimetres(), Dimension::length), time_text(query.one_way));
  if (query.reverse_rate) {
    text += ", PAUSE at " + reading::format_number(query.reverse_rate->bits_per_second(), Dimension::rate);
  }
  text += fmt::format("\nmtu {} B makes frames of {}; a PAUSE takes effect after {}", link.frame.mtu.count(),
                      bytes_text(query.largest_frame), rounded_time_text(query.response));
  if (query.cell) text += fmt::format("; cells of {}", bytes_text(*query.cell));
  return text + "\n";
}

/// A table without its row of titles.
std::string untitled(const TextTable& table) {
  const std::string text = table.text();
  return text.substr(text.find('\n') + 1);
}

std::string parts_table(const FormulaAnswer& answer, BarStyle bars) {
  TextTable table{{{"", Align::left, 40}, {"", Align::right}, {"", Align::right}, {"", Align::left}}};
  for (const HeadroomPart& part : answer.parts) {
    const double share = ratio_of(part.size, *answer.size);
    table.add({part.name, bytes_text(part.size), percent(share), text_bar(share, 24, bars)});
  }
  return untitled(table);
}

/// What suffices for which traffic.
std::string size_table(const HeadroomLink& link, const HeadroomBudget& budget) {
  const auto row_of = [&](const char* name, Operation operation, const char* headers) {
    HeadroomQuery query = link.query;
    query.largest_frame = FrameSizes{link.frame}.largest(operation);
    return std::vector<std::string>{name, bytes_text(headroom_budget(query).automatic),
                                    fmt::format("frames of {}: {}", bytes_text(query.largest_frame), headers)};
  };
  TextTable table{{{"", Align::left, 40}, {"", Align::right}, {"", Align::left, 60}}};
  table.add({"tight, static threshold", bytes_text(budget.tight_static),
             grouped(budget.tight_frames) + " frames: less loses packets"});
  table.add(
      {"tight, dynamic thresholds", bytes_text(budget.tight_dynamic), "a frame more: others lower the threshold"});
  table.add({"auto, any mix up to that size", bytes_text(budget.automatic), ""});
  table.add(row_of("auto, WRITE", Operation::write, "RETH"));
  table.add(row_of("auto, WRITE with immediate", Operation::write_immediate, "RETH and immediate"));
  return untitled(table);
}

/// What is said of a size that this link would have.
std::string_view verdict_of(Bytes size, const HeadroomBudget& budget) {
  if (size < budget.tight_static) return "loses packets";
  if (size < budget.tight_dynamic) return "may lose packets";
  return size < budget.automatic ? "below auto" : "";
}

std::string note_of(HeadroomFormula formula) {
  for (const SonicAsic& asic : sonic_asics) {
    if (asic.formula != formula) continue;
    return fmt::format("port MTU {} B, cell {} B", asic.port_mtu.count(), asic.cell.count());
  }
  switch (formula) {
    case HeadroomFormula::soya:
      return "auto, above";
    case HeadroomFormula::cisco:
      return "I/O consolidation book";
    case HeadroomFormula::mlx5:
      return "NIC driver of Linux";
    case HeadroomFormula::hpcc:
      return "3 x rate x delay";
    case HeadroomFormula::dsh:
      return "eta of the paper";
    default:
      return "auto with the delay measured";
  }
}

/// `qdt` is told the delay that the link measures.
FormulaAnswer answer_of(HeadroomFormula formula, HeadroomQuery query) {
  if (formula == HeadroomFormula::qdt) {
    LinkConfig link;
    link.rate = query.rate;
    link.reverse_rate = query.reverse_rate;
    link.length = Length{0};
    link.delay = query.one_way;
    query.one_way = measure_link_delay(link);
  }
  return formula_headroom(formula, query);
}

/// `rows` of `formula_table`; without the short sizes where they make a line too long.
std::string rows_within_width(std::vector<std::vector<std::string>> rows) {
  constexpr std::size_t most_columns = 100;
  std::vector<TextColumn> columns{{"formula", Align::left},    {"size"},
                                  {"bytes", Align::right, 24}, {"of auto"},
                                  {"", Align::left},           {"", Align::left, 36}};
  const auto text_of = [&] {
    TextTable table{columns};
    for (const std::vector<std::string>& row : rows) table.add(row);
    return table.text();
  };
  std::string text = text_of();
  std::istringstream lines{text};
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, display_width(line));
  if (widest <= most_columns) return text;
  columns.erase(columns.begin() + 1);
  for (std::vector<std::string>& row : rows) row.erase(row.begin() + 1);
  return text_of();
}

std::string formula_table(const HeadroomLink& link, const HeadroomBudget& budget) {
  std::vector<std::vector<std::string>> rows;
  std::string missing;
  for (const HeadroomFormula formula : headroom_formulas) {
    const FormulaAnswer answer = answer_of(formula, link.query);
    const std::string name{formula_name(formula)};
    if (!answer.size) {
      missing += fmt::format("  {}: no value; {}\n", name, answer.reason);
      continue;
    }
    rows.push_back({name, short_bytes(*answer.size), bytes_text(*answer.size),
                    percent(ratio_of(*answer.size, budget.automatic)), std::string{verdict_of(*answer.size, budget)},
                    note_of(formula)});
  }
  return rows_within_width(std::move(rows)) + missing;
}

Json link_json(const HeadroomLink& link) {
  const HeadroomQuery& query = link.query;
  return {{"rate_bps", query.rate.bits_per_second()},
          {"reverse_rate_bps", query.reverse_rate.value_or(query.rate).bits_per_second()},
          {"length_mm", query.length->millimetres()},
          {"one_way_ps", query.one_way.picoseconds()},
          {"mtu_bytes", link.frame.mtu.count()},
          {"largest_frame_bytes", query.largest_frame.count()},
          {"response_ps", query.response.picoseconds()},
          {"cell_bytes", query.cell ? Json(query.cell->count()) : Json()}};
}

Json formula_json(HeadroomFormula formula, const HeadroomQuery& query, const HeadroomBudget& budget) {
  const FormulaAnswer answer = answer_of(formula, query);
  Json json{{"name", formula_name(formula)}};
  if (!answer.size) {
    json["bytes"] = nullptr;
    json["reason"] = answer.reason;
    return json;
  }
  json["bytes"] = answer.size->count();
  json["ratio_to_auto"] = ratio_of(*answer.size, budget.automatic);
  json["below_tight"] = *answer.size < budget.tight_static;
  Json parts = Json::array();
  for (const HeadroomPart& part : answer.parts) parts.push_back({{"name", part.name}, {"bytes", part.size.count()}});
  json["parts"] = std::move(parts);
  return json;
}

}  // namespace

HeadroomLink headroom_link(const Command& self, const Parsed& parsed) {
  using reading::SectionId;
  const auto link_number = [&](const std::string& option, std::string_view key) {
    return number_like(self, parsed, option, SectionId::link, key);
  };
  HeadroomLink link;
  HeadroomQuery& query = link.query;
  query.rate = Rate{required(self, parsed, "rate", "100Gbps")};
  query.length = Length{required(self, parsed, "length", "300km")};
  link.delay = Duration{link_number("delay", "delay").value_or(0)};
  query.one_way =
      propagation(*query.length, Duration{link_number("per-kilometre", "per_kilometre").value_or(5'000'000)}) +
      link.delay;
  if (const auto reverse = link_number("reverse-rate", "reverse_rate")) query.reverse_rate = Rate{*reverse};
  link.frame = frame_options(self, parsed, FrameConfig{}.mtu);
  query.largest_frame = FrameSizes{link.frame}.middle();
  PfcConfig pfc;
  pfc.response = response_option(self, parsed);
  query.response = response_time(pfc, query.rate);
  query.cell = cell_option(self, parsed);
  // Below it no product of a formula leaves 64 bits, whatever the cell.
  constexpr Bytes most{std::int64_t{1} << 50};
  if (bytes_in(2 * query.one_way + query.response, query.rate) > most) {
    throw UsageError(usage_error(self,
                                 "the link holds more than 1 PiB both ways; give a lower --rate or a shorter "
                                 "--length, --delay or --response"));
  }
  return link;
}

std::string calculator_text(const HeadroomLink& link, BarStyle bars) {
  const HeadroomBudget budget = headroom_budget(link.query);
  const Bytes reserve = full_rate_reserve(link.query.rate, link.query.round_trip());
  std::string text = heading(link);
  text += "\nHeadroom of one lossless priority at that port: auto " + both_bytes(budget.automatic) + "\n";
  text += parts_table(soya_headroom(link.query), bars) + "\n" + size_table(link, budget);
  text += "  To keep the link full after a pause, " + both_bytes(reserve) + " more must be queued at XON.\n";
  text += "\nFormulas side by side\n" + formula_table(link, budget);
  if (link.delay > Duration{0}) {
    text += fmt::format("  sonic, cisco and mlx5 count metres of cable: the {} of --delay are not in them.\n",
                        time_text(link.delay));
  }
  return text;
}

std::string calculator_json(const HeadroomLink& link) {
  const HeadroomBudget budget = headroom_budget(link.query);
  Json json{{"link", link_json(link)},
            {"auto_bytes", budget.automatic.count()},
            {"tight_static_bytes", budget.tight_static.count()},
            {"tight_static_frames", budget.tight_frames},
            {"tight_dynamic_bytes", budget.tight_dynamic.count()},
            {"full_rate_reserve_bytes", full_rate_reserve(link.query.rate, link.query.round_trip()).count()}};
  Json formulas = Json::array();
  for (const HeadroomFormula formula : headroom_formulas) {
    formulas.push_back(formula_json(formula, link.query, budget));
  }
  json["formulas"] = std::move(formulas);
  return json.dump(2) + "\n";
}

int headroom_of_link(const Command& self, const Parsed& parsed) {
  const HeadroomLink link = headroom_link(self, parsed);
  print_answer(parsed.has("json") ? calculator_json(link) : calculator_text(link, answer_bars()));
  return ExitStatus::sound;
}

}  // namespace soya::cli
