#include "sweep/sweep_status.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "core/quantity_text.hpp"
#include "core/utf8.hpp"
#include "exit_status.hpp"
#include "output.hpp"
#include "sweep/index_ranges.hpp"
#include "sweep/shard.hpp"
#include "sweep_outcomes.hpp"
#include "sweep_status.hpp"
#include "text_table.hpp"

namespace soya::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<ShardState, 5> states{ShardState::done, ShardState::running, ShardState::interrupted,
                                           ShardState::not_begun, ShardState::damaged};
/// So many shards have a line each; of more, each state has one.
constexpr std::size_t most_lines = 16;
/// Of a list, so many ranges are shown.
constexpr std::size_t most_ranges = 8;

std::string listed(const std::vector<std::int64_t>& indices) {
  IndexRanges ranges{most_ranges};
  for (const std::int64_t index : indices) ranges.add(index, index);
  if (ranges.left_out() == 0) return ranges.text();
  return fmt::format("{} and {} more", ranges.text(), grouped(ranges.left_out()));
}

/// "  missing     2: 3,7"; nothing where there is none.
std::string line(std::string_view title, const std::vector<std::int64_t>& indices) {
  if (indices.empty()) return {};
  return fmt::format("  {:<12}{}: {}\n", title, grouped(std::ssize(indices)), listed(indices));
}

std::string points_text(const SweepStatus& status) {
  std::string text = fmt::format("{}: {} of {} points are done\n", visible(status.head->name), grouped(status.done),
                                 grouped(status.points));
  text += outcomes_text(status.outcomes);
  text += line("running", status.running);
  text += line("missing", status.missing);
  return text + line("interrupted", status.interrupted);
}

std::string each_shard(const SweepStatus& status) {
  TextTable table{{{"shard"}, {"state", Align::left}, {"done"}, {"points"}}};
  for (const ShardStatus& each : status.shards) {
    table.add(
        {fmt::format("{}", each.index), std::string{state_name(each.state)}, grouped(each.done), grouped(each.points)});
  }
  return table.text();
}

std::string shards_text(const SweepStatus& status) {
  if (status.shards.empty()) return {};
  if (status.shards.size() <= most_lines && status.head) return "\n" + each_shard(status);
  std::string text = fmt::format("\n{} shards\n", grouped(std::ssize(status.shards)));
  for (const ShardState state : states) text += line(state_name(state), status.shards_in(state));
  return text;
}

Json shards_json(const SweepStatus& status) {
  if (status.shards.empty()) return nullptr;
  Json json{{"count", status.shards.size()}};
  for (const ShardState state : states) {
    std::string name{state_name(state)};
    if (state == ShardState::not_begun) name = "not_begun";
    json[name] = index_list(status.shards_in(state));
  }
  return json;
}

std::string status_json(const SweepStatus& status) {
  Json json{{"name", status.head ? Json(status.head->name) : Json(nullptr)},
            {"version", status.head ? Json(status.head->version) : Json(nullptr)},
            {"complete", status.complete()},
            {"points", status.head ? Json(status.points) : Json(nullptr)},
            {"done", status.done},
            {"outcomes", outcomes_by_name(status.outcomes)},
            {"running", status.running.size()},
            {"running_points", index_list(status.running)},
            {"missing", status.missing.size()},
            {"missing_points", index_list(status.missing)},
            {"interrupted_points", index_list(status.interrupted)},
            {"shards", shards_json(status)},
            {"to_start", index_list(status.to_start())},
            {"damaged", status.damaged}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string status_text(const SweepStatus& status) {
  return (status.head ? points_text(status) : std::string{"nothing has begun\n"}) + shards_text(status);
}

int show_status(const Command& self, const Parsed& parsed) {
  if (parsed.positional.size() != 1) throw UsageError(usage_error(self, "status of what? Name the folder of a sweep"));
  if (parsed.has("missing") && parsed.has("json")) {
    throw UsageError(usage_error(self, "--missing is part of --json, as to_start; leave one of them out"));
  }
  const auto shards = whole_number(self, parsed, "shards", 1, 10'000'000, "a number of shards from 1 to 10000000");
  const SweepStatus status = sweep_status(parsed.positional.front(), shards);
  for (const std::string& damage : status.damaged) print_message("soya: " + damage + "\n");
  if (parsed.has("missing")) {
    if (const std::string list = index_list(status.to_start()); !list.empty()) print_answer(list + "\n");
    return ExitStatus::sound;
  }
  print_answer(parsed.has("json") ? status_json(status) : status_text(status));
  return status.complete() ? ExitStatus::sound : ExitStatus::not_sound;
}

}  // namespace

Command sweep_status_command() {
  return {"sweep status",
          "DIR",
          "what of a sweep is done, running and missing",
          "DIR is the folder that --out named, of one run or with the folders of shards;\n"
          "--missing lists those shards (3,17-20), or points where there are none.\n"
          "A shard is running while a process of this host holds its folder; on a file\n"
          "system of several hosts, while its files changed within the last minute. Else\n"
          "one that had begun is interrupted; start it again, and it runs what is missing.\n"
          "Exit status: 0 every point is done, 2 bad input, 3 not yet; --missing: 0.\n",
          {{"missing", "", "print what to start, as for --array=: shards, or points"},
           {"shards", "N", "how many shards, where no folder says it"},
           {"json", "", "print all of it as JSON"},
           help_option()},
          {"soya sweep status out/reach", "soya sweep status out/reach --missing"},
          show_status};
}

}  // namespace soya::cli
