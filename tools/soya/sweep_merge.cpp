#include "sweep_merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/quantity_text.hpp"
#include "core/utf8.hpp"
#include "exit_status.hpp"
#include "output.hpp"
#include "sweep/merge.hpp"
#include "sweep/shard_folder.hpp"
#include "sweep_outcomes.hpp"

namespace soya::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string conflict_text(const MergeReport& report) {
  std::string text;
  for (const MergeConflict& each : report.conflicts) {
    text += fmt::format("soya: point {} has two results, whose {} differs: {} and {}\n", each.point, each.what,
                        visible(each.first.string()), visible(each.second.string()));
  }
  const std::int64_t more = report.conflict_count - std::ssize(report.conflicts);
  if (more > 0) text += fmt::format("soya: and {} more such points\n", grouped(more));
  return text +
         "soya: nothing is written; find out which of them is wrong (another machine, another build, an edited file?), "
         "move it away and merge again\n";
}

std::string missing_text(const MergeReport& report, const fs::path& out) {
  const IndexRanges& missing = report.missing;
  std::string text = fmt::format("  missing     {}: {}", grouped(missing.count()), missing.text());
  if (missing.left_out() > 0) text += fmt::format(" and {} more", grouped(missing.left_out()));
  const std::string folder = visible(out.string());
  return text + fmt::format(
                    "\n\nRun what is missing, here or as shards:\n"
                    "  soya sweep run SWEEP.yaml --out {0}\n"
                    "  soya sweep status {0} --missing\n",
                    folder);
}

std::string report_text(const MergeReport& report, const fs::path& out) {
  std::string text =
      fmt::format("{}: {} of {} points, from {} store{}\n", visible(report.head.name), grouped(report.done()),
                  grouped(report.head.points), report.stores, report.stores == 1 ? "" : "s");
  text += outcomes_text(report.outcomes);
  if (report.duplicates > 0) text += fmt::format("  duplicates  {}, equal and folded\n", grouped(report.duplicates));
  text += fmt::format("  written     {}, {}\n", visible((out / store_file_name).string()),
                      visible((out / points_file_name).string()));
  if (report.missing.count() > 0) text += missing_text(report, out);
  return text;
}

std::string report_json(const MergeReport& report, const fs::path& out) {
  Json conflicts = Json::array();
  for (const MergeConflict& each : report.conflicts) {
    conflicts.push_back(
        {{"point", each.point}, {"what", each.what}, {"first", each.first.string()}, {"second", each.second.string()}});
  }
  Json json{{"name", report.head.name},
            {"version", report.head.version},
            {"complete", report.complete()},
            {"written", report.written()},
            {"store", (out / store_file_name).string()},
            {"table", (out / points_file_name).string()},
            {"points", report.head.points},
            {"done", report.done()},
            {"outcomes", outcomes_by_name(report.outcomes)},
            {"stores", report.stores},
            {"duplicates", report.duplicates},
            {"missing", report.missing.count()},
            {"missing_points", report.missing.text()},
            {"missing_not_listed", report.missing.left_out()},
            {"damaged", report.damaged},
            {"conflicts", std::move(conflicts)},
            {"conflict_count", report.conflict_count}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

int merge(const Command& self, const Parsed& parsed) {
  if (parsed.positional.empty()) {
    throw UsageError(usage_error(self, "merge what? Name folders of a sweep, or one that holds its shards"));
  }
  const std::vector<fs::path> folders{parsed.positional.begin(), parsed.positional.end()};
  std::optional<std::string> out = parsed.value("out");
  if (!out && folders.size() == 1) out = parsed.positional.front();
  if (!out || out->empty()) throw UsageError(usage_error(self, "merge into what? Name a folder: --out DIR"));
  const MergeReport report = merge_stores(stores_in(folders, *out), *out);
  for (const std::string& damage : report.damaged) print_message("soya: " + damage + "\n");
  if (!report.written()) print_message(conflict_text(report));
  if (parsed.has("json")) {
    print_answer(report_json(report, *out));
  } else if (report.written()) {
    print_answer(report_text(report, *out));
  }
  if (!report.written()) return ExitStatus::bad_input;
  return report.complete() ? ExitStatus::sound : ExitStatus::not_sound;
}

}  // namespace

Command sweep_merge_command() {
  return {"sweep merge",
          "DIR...",
          "fold the stores of shards into one store and one table",
          "Each DIR is a folder with a sweep.sqlite, or one whose folders shard-I-of-N have\n"
          "it; shards may be running still. A store that DIR has under --out takes part.\n"
          "Equal results of a point are folded; different ones are an error, and nothing\n"
          "is written. The same points give the same points.csv in whatever order.\n"
          "Exit status: 0 every point is there, 2 bad input or different results, 3 points\n"
          "are missing or a store is damaged, 4 the machine refused.\n",
          {{"out", "DIR", "folder of the result; default DIR, where there is one"},
           {"json", "", "print the report as JSON"},
           help_option()},
          {"soya sweep merge out/reach", "soya sweep merge monday friday --out all"},
          merge};
}

}  // namespace soya::cli
