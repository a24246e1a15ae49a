#include "planning/sonic_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/quantity_text.hpp"
#include "net/pfc_config.hpp"

namespace soya {

namespace {

std::string name_of(const SonicRow& row) {
  return speed_text(row.speed) + " over " + cable_text(row.cable);
}

SonicRowCheck check_row(const SonicRow& row, const SonicAssumptions& assumed) {
  SonicRowCheck check;
  check.row = row;
  check.query.rate = row.speed;
  check.query.one_way = std::max(propagation(row.cable, Duration{5'000'000}), Duration{1});
  check.query.largest_frame = assumed.frame;
  check.query.response = assumed.response.value_or(response_time(PfcConfig{}, row.speed));
  check.query.cell = assumed.cell;
  check.query.length = row.cable;
  check.budget = headroom_budget(check.query);
  check.dynamic = !row.threshold || is_dynamic_threshold(*row.threshold);
  return check;
}

/// How well a formula fits: rows it gives exactly, and how far off it is over all rows.
struct Fit {
  std::size_t exact{0};
  double off{0};
};

Fit fit_of(const SonicAsic& asic, const std::vector<SonicRowCheck>& rows) {
  constexpr double off_without_value = 10;
  Fit fit;
  for (const SonicRowCheck& check : rows) {
    const FormulaAnswer answer = sonic_headroom(asic, check.query);
    if (answer.size == check.row.xoff) ++fit.exact;
    const bool comparable = answer.size && check.row.xoff > Bytes{0};
    fit.off += comparable ? std::abs(std::log(static_cast<double>(answer.size->count()) /
                                              static_cast<double>(check.row.xoff.count())))
                          : off_without_value;
  }
  return fit;
}

void choose_asic(SonicTableCheck& table) {
  Fit best;
  for (const SonicAsic& asic : sonic_asics) {
    const Fit fit = fit_of(asic, table.rows);
    if (table.asic != nullptr && (fit.exact < best.exact || (fit.exact == best.exact && fit.off >= best.off))) continue;
    table.asic = &asic;
    best = fit;
  }
  table.exact = best.exact;
  for (SonicRowCheck& check : table.rows) check.sonic = sonic_headroom(*table.asic, check.query).size;
}

class Oddities final {
 public:
  Oddities(const std::string& file, SonicTableCheck& table) : file_{file}, table_{table} {
    for (const SonicRowCheck& check : table.rows) {
      by_speed_[check.row.speed].push_back(&check);
      by_cable_[check.row.cable].push_back(&check);
      speeds_.insert(check.row.speed);
    }
  }

  void tell() {
    for (const SonicRowCheck& check : table_.rows) below_budget(check);
    for (const auto& [speed, rows] : by_speed_) along_length(rows);
    for (const auto& [cable, rows] : by_cable_) {
      along_speed(rows);
      missing_speeds(cable, rows);
    }
  }

 private:
  using Rows = std::vector<const SonicRowCheck*>;

  void warn(int line, std::string message) {
    table_.warnings.push_back(Diagnostic{Where{file_, line, 1, std::string{}}, std::move(message)});
  }

  void below_budget(const SonicRowCheck& check) {
    if (check.margin() >= Bytes{0}) return;
    warn(check.row.line,
         fmt::format("{}: xoff {} is {} below the budget of {}", name_of(check.row), bytes_text(check.row.xoff),
                     bytes_text(Bytes{0} - check.margin()), bytes_text(check.budget.automatic)));
  }

  /// `rows` of one speed, by length.
  void along_length(const Rows& rows) {
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const SonicRow& shorter = rows[i - 1]->row;
      const SonicRow& longer = rows[i]->row;
      if (longer.xoff < shorter.xoff) {
        warn(longer.line,
             fmt::format("{}: xoff {} is less than the {} of the shorter cable of {} in line {}", name_of(longer),
                         bytes_text(longer.xoff), bytes_text(shorter.xoff), cable_text(shorter.cable), shorter.line));
      } else if (longer.xoff == shorter.xoff) {
        warn(longer.line,
             fmt::format("{}: xoff is that of the shorter cable of {} in line {}; the longer one holds {} more{}",
                         name_of(longer), cable_text(shorter.cable), shorter.line,
                         bytes_text(rows[i]->budget.propagation - rows[i - 1]->budget.propagation),
                         rows[i]->margin() >= Bytes{0} ? ", which the budget allows" : ""));
      }
    }
  }

  /// `rows` of one cable, by speed.
  void along_speed(const Rows& rows) {
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const SonicRow& slower = rows[i - 1]->row;
      const SonicRow& faster = rows[i]->row;
      if (faster.xoff >= slower.xoff) continue;
      warn(faster.line,
           fmt::format("{}: xoff {} is less than the {} of {} in line {}", name_of(faster), bytes_text(faster.xoff),
                       bytes_text(slower.xoff), speed_text(slower.speed), slower.line));
    }
  }

  void missing_speeds(Length cable, const Rows& rows) {
    std::string missing;
    for (const Rate speed : speeds_) {
      const auto has = [&](const SonicRowCheck* check) { return check->row.speed == speed; };
      if (std::ranges::none_of(rows, has)) missing += (missing.empty() ? "" : ", ") + speed_text(speed);
    }
    if (missing.empty()) return;
    warn(0, fmt::format("{} of cable lacks {}, which another length has: such a port gets no lossless profile",
                        cable_text(cable), missing));
  }

  const std::string& file_;
  SonicTableCheck& table_;
  std::map<Rate, Rows> by_speed_;
  std::map<Length, Rows> by_cable_;
  std::set<Rate> speeds_;
};

}  // namespace

std::string speed_text(Rate rate) {
  constexpr std::int64_t mega = 1'000'000;
  const std::int64_t mbps = rate.bits_per_second() / mega;
  return mbps % 1000 == 0 ? grouped(mbps / 1000) + " Gbps" : grouped(mbps) + " Mbps";
}

std::string cable_text(Length length) {
  constexpr std::int64_t kilometre = 1'000'000;
  const std::int64_t mm = length.millimetres();
  if (mm >= 10 * kilometre && mm % kilometre == 0) return grouped(mm / kilometre) + " km";
  return mm % 1000 == 0 ? grouped(mm / 1000) + " m" : fmt::format("{} m", static_cast<double>(mm) / 1000);
}

SonicTableCheck check_sonic_table(const std::string& file, SonicTable table, const SonicAssumptions& assumed) {
  std::ranges::sort(table.rows, [](const SonicRow& a, const SonicRow& b) {
    return a.cable != b.cable ? a.cable < b.cable : a.speed < b.speed;
  });
  SonicTableCheck check;
  check.warnings = std::move(table.warnings);
  for (const SonicRow& row : table.rows) check.rows.push_back(check_row(row, assumed));
  choose_asic(check);
  Oddities{file, check}.tell();
  return check;
}

}  // namespace soya
