#include "sweep/merge.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <optional>
#include <set>
#include <system_error>

#include "core/utf8.hpp"
#include "results/files.hpp"
#include "sweep/points_csv.hpp"
#include "sweep/shard_folder.hpp"
#include "sweep/store_reader.hpp"
#include "sweep/store_text.hpp"

namespace soya {

namespace fs = std::filesystem;

namespace {

constexpr int wait_ms = 10'000;

/// The store under way, as OUT/sweep.sqlite.partial.
class MergedStore final {
 public:
  MergedStore(const fs::path& file, const StoreHead& head) : database_{fresh(file), SqliteMode::write, nullptr} {
    // Whole or not at all: the file is synced once, before it gets its name.
    database_.execute("PRAGMA synchronous=OFF");
    database_.execute("BEGIN");
    create_store_tables(database_);
    write_store_head(database_, head);
    database_.execute("COMMIT");
    parts_.emplace(database_);
  }

  void begin() { database_.execute("BEGIN"); }
  void keep() { database_.execute("COMMIT"); }
  void drop() { database_.execute("ROLLBACK"); }

  enum class Added { new_point, equal, crash_settled, different };
  struct Answer {
    Added added;
    std::string what{};  ///< differs
  };

  Answer add(const StoredPoint& point) {
    const std::string id = placed(point.point);
    if (!id.empty() && id != point.id) return {Added::different, "scenario"};
    if (settle_crash(point)) return {Added::crash_settled};
    if (std::string what = compare(point); !what.empty()) return {Added::different, what};
    if (!id.empty()) return {Added::equal};
    parts_->insert.insert(point);
    return {Added::new_point};
  }

  void finish() {
    parts_.reset();
    database_.close();
    sync_file(database_.file());
  }

 private:
  struct Parts {
    explicit Parts(SqliteDatabase& database)
        : insert{database},
          place{database, "SELECT id FROM place WHERE point = ?"},
          result{database, "SELECT outcome, why_not, extra, summary, effective FROM result WHERE id = ?"},
          forget{database, "DELETE FROM result WHERE id = ?"} {}
    PointInsert insert;
    SqliteStatement place;
    SqliteStatement result;
    SqliteStatement forget;
  };

  static fs::path fresh(const fs::path& file) {
    remove_quietly(file);
    remove_quietly(file.string() + "-journal");
    return file;
  }

  /// The id that the point has; empty where it is not there yet.
  std::string placed(std::int64_t point) {
    parts_->place.bind_all(point);
    std::string id;
    while (parts_->place.step()) id = parts_->place.text(0);
    return id;
  }

  /// A crash tells of one try, not of the scenario: a result that another try had takes its place. Of two crashes the
  /// one that is first by its words stays, so that the order of the stores does not matter. False where neither
  /// crashed.
  bool settle_crash(const StoredPoint& point) {
    parts_->result.bind_all(std::string_view{point.id});
    std::string outcome;
    std::string why_not;
    while (parts_->result.step()) {
      outcome = parts_->result.text(0);
      why_not = parts_->result.text(1);
    }
    const bool had_crashed = outcome == outcome_name(PointOutcome::crashed);
    const bool crashed = point.outcome == PointOutcome::crashed;
    if (outcome.empty() || (!had_crashed && !crashed) || (had_crashed && crashed && why_not == point.why_not)) {
      return false;
    }
    if (had_crashed && (!crashed || point.why_not < why_not)) {
      parts_->forget.run(std::string_view{point.id});
      parts_->insert.insert(point);
    } else {
      parts_->insert.place(point.point, point.id, point.cells);
    }
    return true;
  }

  /// What of the result with this id is not that of `point`.
  std::string compare(const StoredPoint& point) {
    parts_->result.bind_all(std::string_view{point.id});
    std::string what;
    while (parts_->result.step()) {
      const SqliteStatement& row = parts_->result;
      if (row.text(0) != outcome_name(point.outcome)) {
        what = "outcome";
      } else if (row.text(1) != point.why_not) {
        what = "why_not";
      } else if (row.text(2) != numbers_text(point.extra)) {
        what = "extra";
      } else if (row.text(3) != point.summary) {
        what = "summary";
      } else if (row.text(4) != point.effective) {
        what = "effective scenario";
      }
    }
    return what;
  }

  SqliteDatabase database_;
  std::optional<Parts> parts_;
};

/// The store that `out` has becomes one plain file: a log beside it would be taken for that of the new file.
void settle_earlier(const fs::path& file) {
  std::error_code none;
  if (fs::exists(file, none)) {
    SqliteDatabase database{file, SqliteMode::write, store_write_failure};
    database.wait_for_others(wait_ms);
    if (state_of_store(database) == StoreState::store) check_store(database, SOYA_VERSION);
    const int code = database.attempt("PRAGMA journal_mode=DELETE");
    if ((code & 0xFF) == SQLITE_BUSY) throw MachineError(file.string(), "another program keeps reading it");
    if (code != SQLITE_OK) database.fail(code);
  }
  for (const char* const suffix : {"-wal", "-shm", "-journal"}) remove_quietly(file.string() + suffix);
}

class Merge final {
 public:
  Merge(const std::vector<fs::path>& files, const fs::path& out) : files_{files}, out_{out} {}

  MergeReport run() {
    const fs::path file = out_ / store_file_name;
    settle_earlier(file);
    read_heads();
    const fs::path partial = file.string() + std::string{partial_suffix};
    try {
      store_.emplace(partial, report_.head);
      for (const fs::path& each : files_) add_store(each);
      store_->finish();
      if (report_.written()) publish(partial, file);
    } catch (...) {
      store_.reset();
      remove_quietly(partial);
      remove_quietly(partial.string() + "-journal");
      throw;
    }
    if (!report_.written()) remove_quietly(partial);
    return std::move(report_);
  }

 private:
  /// All heads are of one sweep; damaged stores are set aside.
  void read_heads() {
    std::vector<fs::path> whole;
    for (const fs::path& file : files_) {
      try {
        const StoreReader reader{file};
        if (whole.empty()) report_.head = reader.head();
        if (!whole.empty()) check_same_sweep({whole.front(), report_.head}, {file, reader.head()});
        whole.push_back(file);
      } catch (const StoreNotBegun&) {
        continue;  // its points are missing, and listed so
      } catch (const StoreDamaged& damage) {
        report_.damaged.emplace_back(damage.what());
      }
    }
    if (whole.empty()) {
      throw StoreError(report_.damaged.empty() ? "no sweep has begun in any of these stores; run it first"
                                               : fmt::format("{}", fmt::join(report_.damaged, "\n")));
    }
    report_.head.shard = {};
    files_ = std::move(whole);
  }

  /// All points of a store, or none where it is damaged.
  void add_store(const fs::path& file) {
    const MergeReport before = report_;
    store_->begin();
    try {
      StoreReader reader{file};
      reader.for_each([&](const StoredPoint& point) { add(point, file); });
      store_->keep();
      ++report_.stores;
    } catch (const StoreDamaged& damage) {
      store_->drop();
      report_ = before;
      report_.damaged.emplace_back(damage.what());
    }
  }

  void add(const StoredPoint& point, const fs::path& file) {
    const MergedStore::Answer answer = store_->add(point);
    if (answer.added == MergedStore::Added::equal) ++report_.duplicates;
    if (answer.added != MergedStore::Added::different) return;
    ++report_.conflict_count;
    if (report_.conflicts.size() < most_conflicts_told) {
      report_.conflicts.push_back({point.point, answer.what, origin(point, file), file});
    }
  }

  /// Which of the stores before `file` the point, or its result, was taken from.
  fs::path origin(const StoredPoint& point, const fs::path& file) const {
    for (const fs::path& earlier : files_) {
      if (earlier == file) break;
      StoreReader reader{earlier};
      if (reader.has(point.point) || reader.has_result(point.id)) return earlier;
    }
    return file;
  }

  void publish(const fs::path& partial, const fs::path& file) {
    StoreReader merged{partial};
    std::int64_t next = 0;
    merged.for_each_outcome([&](std::int64_t point, PointOutcome outcome) {
      report_.missing.add(next, point - 1);
      next = point + 1;
      ++report_.outcomes[outcome];
    });
    report_.missing.add(next, report_.head.points - 1);
    PendingFile table{out_ / points_file_name};
    write_points(merged, table);
    table.finish();
    settle_earlier(file);
    rename_file(partial, file);
    table.publish();
    sync_folder(out_);
  }

  std::vector<fs::path> files_;
  fs::path out_;
  MergeReport report_;
  std::optional<MergedStore> store_;
};

/// The name by which a file is known however it was named.
fs::path known_as(const fs::path& file) {
  std::error_code none;
  fs::path real = fs::canonical(file, none);
  return none ? file : real;
}

}  // namespace

std::int64_t MergeReport::done() const {
  std::int64_t sum = 0;
  for (const auto& [outcome, count] : outcomes) sum += count;
  return sum;
}

std::vector<fs::path> stores_in(const std::vector<fs::path>& folders, const fs::path& out) {
  std::vector<fs::path> files;
  std::set<fs::path> known;
  std::error_code none;
  const auto take = [&](const fs::path& folder) {
    const fs::path file = folder / store_file_name;
    if (!fs::exists(file, none)) return false;
    if (known.insert(known_as(file)).second) files.push_back(file);
    return true;
  };
  for (const fs::path& folder : folders) {
    bool found = take(folder);
    for (const ShardFolder& shard : shard_folders(folder)) found = take(shard.folder) || found;
    if (!found) {
      throw StoreError(
          fmt::format("{}: holds no {} and no folder of a shard that does", visible(folder.string()), store_file_name));
    }
  }
  take(out);
  return files;
}

MergeReport merge_stores(const std::vector<fs::path>& files, const fs::path& out) {
  std::error_code error;
  fs::create_directories(out, error);
  if (error) throw MachineError(out.string(), error.message());
  const FolderLock lock{out, "another sweep is running there"};
  return Merge{files, out}.run();
}

}  // namespace soya
