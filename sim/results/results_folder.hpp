// The folder a run leaves: results.sqlite, summary.json and, when asked, one CSV file per table.
// While a run is under way only names that end in .partial change; an earlier result stays whole until the new one is,
// and an incomplete result never takes the place of a complete one.
// Simplifies: a set of files cannot be renamed at once; summary.json goes first and comes last. Source:
// docs/results.md. Validated by tests/unit/results/results_folder_test.cpp.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "results/database.hpp"
#include "results/files.hpp"
#include "results/summary.hpp"

namespace soya {

enum class CsvFiles { none, every_table };

class ResultsFolder final {
 public:
  /// Creates the folder, holds it against other runs and opens results.sqlite.partial in it. Throws `MachineError`.
  ResultsFolder(std::filesystem::path folder, CsvFiles csv);
  /// Unless `publish` was reached: removes the temporaries, and the folders this object created where they are empty.
  ~ResultsFolder();
  ResultsFolder(const ResultsFolder&) = delete;
  ResultsFolder& operator=(const ResultsFolder&) = delete;

  /// The database of a run under way: finished transfers, and one `run` row per run begun.
  [[nodiscard]] ResultsDatabase& live() { return *live_; }

  /// Writes everything to temporaries, then gives them their final names and removes what an earlier result left.
  /// `runs` is the base, then the variants in order. Throws `MachineError`; then the earlier result is untouched.
  /// Returns where the result is: this folder, or `FOLDER.incomplete` for one that is incomplete while this folder
  /// holds a complete one.
  std::filesystem::path publish(const std::vector<NamedResults>& runs);

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  /// Names of the files that `publish` leaves.
  [[nodiscard]] std::vector<std::string> file_names() const;

 private:
  void create_folders();
  void write(const std::vector<NamedResults>& runs);
  void refuse_folders_in_the_way() const;
  void remove_temporaries() noexcept;

  std::filesystem::path folder_;
  CsvFiles csv_;
  std::vector<std::filesystem::path> created_;
  std::optional<FolderLock> lock_;
  std::unique_ptr<ResultsDatabase> live_;
  bool published_{false};
};

}  // namespace soya
