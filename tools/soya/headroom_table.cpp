#include "headroom_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/quantity_text.hpp"
#include "display_width.hpp"
#include "exit_status.hpp"
#include "foreign_file.hpp"
#include "headroom_options.hpp"
#include "net/frame.hpp"
#include "output.hpp"
#include "sweep/parallel.hpp"
#include "sweep/worst_case.hpp"
#include "text_table.hpp"

namespace soya::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t columns_shown = 100;
constexpr std::size_t warnings_shown = 12;

/// Options that say something else than a table does.
void refuse_link_options(const Command& self, const Parsed& parsed) {
  for (const char* name : {"rate", "length", "delay", "per-kilometre", "reverse-rate"}) {
    if (!parsed.has(name)) continue;
    throw UsageError(usage_error(self, fmt::format("--{} is of a link, and the rows of --table have theirs", name)));
  }
}

WorstCase worst_case_of(const SonicRowCheck& row, const FrameConfig& frame) {
  WorstCase what;
  what.rate = row.query.rate;
  what.one_way = row.query.one_way;
  what.frame = frame;
  what.response = row.query.response;
  what.cell = row.query.cell;
  what.threshold = row.dynamic ? ThresholdKind::dynamic : ThresholdKind::static_;
  return what;
}

/// A row that has so much in flight would be simulated for minutes.
void refuse_endless_rows(const std::string& file, const SonicTableCheck& check, const FrameConfig& frame) {
  std::vector<Diagnostic> errors;
  for (const SonicRowCheck& row : check.rows) {
    if (can_simulate(worst_case_of(row, frame))) continue;
    errors.push_back(
        {Where{file, row.row.line, 1, std::string{}},
         fmt::format("{} over {}: {} are in flight when a PAUSE takes effect, in frames of {}; at most {} frames and "
                     "128 GiB of headroom are simulated",
                     speed_text(row.row.speed), cable_text(row.row.cable), bytes_text(row.budget.in_flight()),
                     bytes_text(row.query.largest_frame), grouped(most_frames_in_flight))});
  }
  if (!errors.empty()) throw ScenarioError(std::move(errors));
}

std::vector<std::optional<Bytes>> losses_of(const SonicTableCheck& check, const FrameConfig& frame, int threads) {
  const ParallelOptions parallel{.threads = threads};
  const auto answers =
      run_parallel<std::optional<Bytes>>(check.rows.size(), parallel, [&](std::size_t index) -> std::optional<Bytes> {
        const SonicRowCheck& row = check.rows[index];
        // No headroom at all loses the same frames as a byte, and twice the budget none that four times would lose.
        const Bytes headroom = std::clamp(row.row.xoff, Bytes{1}, 2 * row.budget.automatic);
        const auto lost = first_loss(worst_case_of(row, frame), headroom);
        return lost ? std::optional{lost->needed} : std::nullopt;
      });
  std::vector<std::optional<Bytes>> needed;
  for (const auto& answer : answers) needed.push_back(answer.value());
  return needed;
}

std::string signed_bytes(Bytes size) {
  return (size > Bytes{0} ? "+" : "") + bytes_text(size);
}

std::string headline(const TableAnswer& answer) {
  const SonicTableCheck& check = answer.check;
  const auto below = std::ranges::count_if(check.rows, [](const auto& row) { return row.margin() < Bytes{0}; });
  std::string text =
      fmt::format("{}: {} row{}, ", printable(answer.file), check.rows.size(), check.rows.size() == 1 ? "" : "s");
  text += answer.losing() == 0 ? "none loses frames in the worst case simulated"
                               : fmt::format("{} LOSE{} FRAMES in the worst case simulated", answer.losing(),
                                             answer.losing() == 1 ? "S" : "");
  text += fmt::format("; {} below the budget", below == 0 ? "none" : fmt::format("{}", below));
  return wrapped(text, columns_shown, "", "  ");
}

std::string row_table(const TableAnswer& answer) {
  const std::string sonic{formula_name(answer.check.asic->formula)};
  TextTable table{{{"speed"}, {"cable"}, {"xoff"}, {"budget"}, {"margin"}, {"tight"}, {sonic}, {"", Align::left, 30}}};
  for (std::size_t i = 0; i < answer.check.rows.size(); ++i) {
    const SonicRowCheck& row = answer.check.rows[i];
    std::string verdict = row.margin() < Bytes{0} ? "below budget" : "";
    if (answer.needed[i]) verdict = fmt::format("LOSES, needs {}", bytes_text(*answer.needed[i]));
    table.add({speed_text(row.row.speed), cable_text(row.row.cable), bytes_text(row.row.xoff),
               bytes_text(row.budget.automatic), signed_bytes(row.margin()), bytes_text(row.tight()),
               row.sonic ? bytes_text(*row.sonic) : "-", verdict});
  }
  return table.text();
}

std::string fit_line(const TableAnswer& answer) {
  const SonicAsic& asic = *answer.check.asic;
  const std::string name{formula_name(asic.formula)};
  if (answer.check.exact == 0) {
    return fmt::format("{}: the formula of {} ({}) comes nearest, and gives no row exactly.", name, asic.name,
                       asic.chip);
  }
  return fmt::format("{}: the formula of {} ({}) gives {} of {} rows exactly.", name, asic.name, asic.chip,
                     answer.check.exact, answer.check.rows.size());
}

Json row_json(const SonicRowCheck& row, const std::optional<Bytes>& needed) {
  return {{"line", row.row.line},
          {"speed_bps", row.row.speed.bits_per_second()},
          {"cable_mm", row.row.cable.millimetres()},
          {"xoff_bytes", row.row.xoff.count()},
          {"auto_bytes", row.budget.automatic.count()},
          {"margin_bytes", row.margin().count()},
          {"tight_bytes", row.tight().count()},
          {"threshold", row.dynamic ? "dynamic" : "static"},
          {"sonic_bytes", row.sonic ? Json(row.sonic->count()) : Json()},
          {"loses", needed.has_value()},
          {"needed_bytes", needed ? Json(needed->count()) : Json()}};
}

}  // namespace

std::size_t TableAnswer::losing() const {
  return static_cast<std::size_t>(std::ranges::count_if(needed, [](const auto& each) { return each.has_value(); }));
}

std::string table_text(const TableAnswer& answer) {
  std::string text = headline(answer);
  text += fmt::format("mtu {} B, responses by speed; one lossless priority, its headroom xoff\n\n", answer.mtu.count());
  text += row_table(answer) + "\n";
  text += wrapped(fit_line(answer), columns_shown, "  ", "  ");
  text += wrapped("budget: auto; tight: least for one long message per sender; margin: xoff - budget.", columns_shown,
                  "  ", "  ");
  const auto& warnings = answer.check.warnings;
  if (warnings.empty()) return text;
  text += fmt::format("\nOdd in this table: {}\n", warnings.size());
  for (std::size_t i = 0; i < std::min(warnings.size(), warnings_shown); ++i) {
    const Diagnostic& warning = warnings[i];
    const std::string place = warning.where.line > 0 ? fmt::format("line {}: ", warning.where.line) : "";
    text += wrapped(place + warning.message, columns_shown, "  - ", "    ");
  }
  if (warnings.size() > warnings_shown) {
    text += fmt::format("  and {} more; --json has them all\n", warnings.size() - warnings_shown);
  }
  return text;
}

std::string table_json(const TableAnswer& answer) {
  Json json{{"table", printable(answer.file)},
            {"mtu_bytes", answer.mtu.count()},
            {"sonic_formula", formula_name(answer.check.asic->formula)},
            {"sonic_rows_exact", answer.check.exact},
            {"rows_losing", answer.losing()}};
  Json rows = Json::array();
  for (std::size_t i = 0; i < answer.check.rows.size(); ++i) {
    rows.push_back(row_json(answer.check.rows[i], answer.needed[i]));
  }
  json["rows"] = std::move(rows);
  Json warnings = Json::array();
  for (const Diagnostic& warning : answer.check.warnings) {
    warnings.push_back(
        {{"line", warning.where.line > 0 ? Json(warning.where.line) : Json()}, {"message", warning.message}});
  }
  json["warnings"] = std::move(warnings);
  return json.dump(2) + "\n";
}

int headroom_of_table(const Command& self, const Parsed& parsed) {
  refuse_link_options(self, parsed);
  const int cores = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 1024U));
  const auto threads = whole_number(self, parsed, "threads", 1, 1024, "a number of threads from 1 to 1024");
  TableAnswer answer;
  answer.file = *parsed.value("table");
  const FrameConfig frame = frame_options(self, parsed, answer.mtu);
  answer.mtu = frame.mtu;
  const SonicAssumptions assumed{.frame = FrameSizes{frame}.middle(),
                                 .cell = cell_option(self, parsed),
                                 .response = response_option(self, parsed)};
  SonicTable table = read_sonic_table(answer.file, read_foreign_file(answer.file));
  answer.check = check_sonic_table(answer.file, std::move(table), assumed);
  refuse_endless_rows(answer.file, answer.check, frame);
  answer.needed = losses_of(answer.check, frame, threads ? static_cast<int>(*threads) : cores);
  print_answer(parsed.has("json") ? table_json(answer) : table_text(answer));
  return answer.losing() == 0 ? ExitStatus::sound : ExitStatus::not_sound;
}

}  // namespace soya::cli
