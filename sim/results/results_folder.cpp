#include "results/results_folder.hpp"

#include <unistd.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "results/csv.hpp"

namespace soya {

namespace {

constexpr const char* database_name = "results.sqlite";
constexpr const char* live_name = "results.sqlite.partial";
constexpr const char* final_name = "results.sqlite.final.partial";
constexpr const char* summary_name = "summary.json";

std::string csv_name(const Table& table) {
  return table.name + ".csv";
}

bool is_incomplete(const std::vector<NamedResults>& runs) {
  return std::any_of(runs.begin(), runs.end(), [](const NamedResults& run) { return !run.results.complete; });
}

bool says_incomplete(const nlohmann::json& run) {
  return run.is_object() && run.contains("incomplete");
}

/// Whether the result of `folder` must stay: only a summary that calls itself or a variant incomplete may be lost.
bool holds_complete_result(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / summary_name;
  std::error_code error;
  if (std::filesystem::symlink_status(file, error).type() == std::filesystem::file_type::not_found) return false;
  std::ifstream stream{file, std::ios::binary};
  const nlohmann::json summary = nlohmann::json::parse(stream, nullptr, false);
  if (says_incomplete(summary)) return false;
  if (!summary.is_object() || !summary.contains("variants")) return true;
  const nlohmann::json& variants = summary["variants"];
  return std::none_of(variants.begin(), variants.end(), says_incomplete);
}

/// `FOLDER.incomplete`, also where FOLDER is written as `out/`, `.` or `..`.
std::filesystem::path beside(const std::filesystem::path& folder) {
  std::filesystem::path path = folder.has_filename() ? folder : folder.parent_path();
  std::error_code error;
  if (path.filename() == "." || path.filename() == "..") path = std::filesystem::canonical(path, error);
  if (error) throw MachineError(folder.string(), error.message());
  path += ".incomplete";
  return path;
}

}  // namespace

ResultsFolder::ResultsFolder(std::filesystem::path folder, CsvFiles csv) : folder_{std::move(folder)}, csv_{csv} {
  try {
    create_folders();
    refuse_folders_in_the_way();
    lock_.emplace(folder_);
    live_ = std::make_unique<ResultsDatabase>(folder_ / live_name);
  } catch (...) {
    // Another run may own the temporaries that are there: only what this one created goes.
    const bool owner = lock_.has_value();
    live_.reset();
    if (owner) remove_temporaries();
    for (auto path = created_.rbegin(); path != created_.rend(); ++path) ::rmdir(path->c_str());
    throw;
  }
}

ResultsFolder::~ResultsFolder() {
  live_.reset();
  remove_temporaries();
  if (published_) return;
  // A folder that is not empty stays: rmdir refuses it.
  for (auto path = created_.rbegin(); path != created_.rend(); ++path) ::rmdir(path->c_str());
}

void ResultsFolder::create_folders() {
  std::filesystem::path path;
  for (const std::filesystem::path& part : folder_) {
    path /= part;
    std::error_code error;
    if (std::filesystem::create_directory(path, error)) created_.push_back(path);
    if (!error) continue;
    std::error_code unknown;
    const bool is_file = std::filesystem::exists(path, unknown) && !std::filesystem::is_directory(path, unknown);
    throw MachineError(folder_.string(), path.string() + (is_file ? " is not a folder" : ": " + error.message()));
  }
}

void ResultsFolder::refuse_folders_in_the_way() const {
  for (const std::string& name : file_names()) {
    std::error_code error;
    if (std::filesystem::is_directory(folder_ / name, error)) {
      throw MachineError((folder_ / name).string(), "a folder has this name");
    }
  }
}

std::vector<std::string> ResultsFolder::file_names() const {
  std::vector<std::string> names{database_name, summary_name};
  if (csv_ == CsvFiles::every_table) {
    for (const Table& table : result_tables()) names.push_back(csv_name(table));
  }
  return names;
}

std::filesystem::path ResultsFolder::publish(const std::vector<NamedResults>& runs) {
  // The lock holds: nobody else makes the earlier result another one meanwhile.
  if (is_incomplete(runs) && holds_complete_result(folder_)) return ResultsFolder{beside(folder_), csv_}.publish(runs);
  write(runs);
  return folder_;
}

void ResultsFolder::write(const std::vector<NamedResults>& runs) {
  ResultsDatabase database{folder_ / final_name};
  for (const NamedResults& run : runs) database.add(run.results, run.name);
  database.finish();

  std::deque<CsvFile> tables;
  if (csv_ == CsvFiles::every_table) {
    for (const Table& table : result_tables()) {
      CsvFile& csv = tables.emplace_back(table, folder_ / csv_name(table));
      for (const NamedResults& run : runs) table.rows(run.results, run.name, csv);
      csv.file().finish();
    }
  }
  PendingFile summary{folder_ / summary_name};
  summary.write(summary_json(runs.front().results, std::span{runs}.subspan(1)));
  summary.finish();

  // Everything is on the disk. From here only names change; whoever finds summary.json finds one whole result.
  remove_quietly(folder_ / summary_name);
  rename_file(folder_ / final_name, folder_ / database_name);
  for (const Table& table : result_tables()) remove_quietly(folder_ / csv_name(table));
  for (CsvFile& table : tables) table.file().publish();
  summary.publish();
  sync_folder(folder_);
  published_ = true;
}

void ResultsFolder::remove_temporaries() noexcept {
  for (const char* name : {live_name, final_name}) {
    remove_quietly(folder_ / name);
    remove_quietly(folder_ / (std::string{name} + "-journal"));
  }
}

}  // namespace soya
