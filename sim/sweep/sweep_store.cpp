#include "sweep/sweep_store.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <mutex>
#include <optional>
#include <system_error>

#include "results/files.hpp"
#include "results/sqlite.hpp"
#include "sweep/shard_folder.hpp"

namespace soya {

namespace {

/// A reader that streams holds a rollback journal's commit up for moments; longer than this nobody reads.
constexpr int wait_ms = 60'000;

std::filesystem::path made(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw MachineError(folder.string(), error.message());
  return folder;
}

bool has_log(SqliteDatabase& database, const std::filesystem::path& folder) {
  return !is_shared_by_hosts(folder) && database.attempt("PRAGMA journal_mode=WAL") == SQLITE_OK &&
         database.attempt("SELECT count(*) FROM sqlite_schema") == SQLITE_OK;
}

struct OpenStore {
  std::unique_ptr<SqliteDatabase> database;
  StoreState state{StoreState::empty};
};

OpenStore opened(const std::filesystem::path& folder, const std::string& version) {
  const std::filesystem::path file = folder / store_file_name;
  const auto open = [&] { return std::make_unique<SqliteDatabase>(file, SqliteMode::write, store_write_failure); };
  OpenStore store{open()};
  store.database->wait_for_others(wait_ms);
  store.state = state_of_store(*store.database);
  if (store.state == StoreState::store) check_store(*store.database, version);
  if (!has_log(*store.database, folder)) {
    // The way back from a log whose index cannot be shared is a connection that shares with nobody.
    store.database = open();
    store.database->execute("PRAGMA locking_mode=EXCLUSIVE");
    store.database->execute("PRAGMA journal_mode=DELETE");
    store.database = open();
    store.database->wait_for_others(wait_ms);
  }
  // With the log, a commit outlives the process without an fsync; with a journal, each commit has its own.
  store.database->execute("PRAGMA synchronous=NORMAL");
  return store;
}

}  // namespace

class SweepStore::Parts final {
 public:
  Parts(const std::filesystem::path& folder, const StoreHead& head)
      : lock_{made(folder), "another sweep is running there"},
        open_{opened(folder, head.version)},
        database_{*open_.database} {
    bool places_wait = false;
    database_.execute("BEGIN IMMEDIATE");
    if (open_.state == StoreState::empty) {
      create_store_tables(database_);
      write_store_head(database_, head);
    } else {
      database_.execute("DELETE FROM running");
      const StoreHead earlier = read_store_head(database_);
      if (!is_same_sweep(earlier, head) || earlier.shard != head.shard) {
        write_store_head(database_, head);
        database_.execute("DELETE FROM place");
        places_wait = true;
      }
    }
    // Until results have found their places in another sweep, the store is what it was.
    if (!places_wait) database_.execute("COMMIT");
    statements_.emplace(database_);
  }

  ~Parts() {
    if (database_.in_transaction()) (void)database_.attempt("COMMIT");
    statements_.reset();
    // A log would have to travel with the file, and needs a folder that can be written to be read.
    database_.wait_for_others(0);
    (void)database_.attempt("PRAGMA journal_mode=DELETE");
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  bool has(std::string_view id) {
    const std::lock_guard guard{mutex_};
    statements_->has.bind_all(id);
    const bool found = statements_->has.step();
    statements_->has.reset();
    return found;
  }

  void adopt(std::int64_t point, std::string_view id, const std::vector<Cell>& cells) {
    const std::lock_guard guard{mutex_};
    if (!database_.in_transaction()) database_.execute("BEGIN IMMEDIATE");
    statements_->insert.place(point, id, cells);
  }

  void commit() {
    const std::lock_guard guard{mutex_};
    settle();
  }

  void begin(std::int64_t point, std::string_view id) {
    const std::lock_guard guard{mutex_};
    settle();
    statements_->begin.run(point, id);
  }

  void finish(const StoredPoint& point) {
    check_place();
    transaction([&] {
      statements_->insert.insert(point);
      statements_->end.run(point.point);
    });
  }

  std::int64_t forget(PointOutcome outcome) {
    std::int64_t count = 0;
    transaction([&] {
      SqliteStatement places{database_, "DELETE FROM place WHERE id IN (SELECT id FROM result WHERE outcome = ?)"};
      places.run(outcome_name(outcome));
      SqliteStatement results{database_, "DELETE FROM result WHERE outcome = ?"};
      results.run(outcome_name(outcome));
      count = std::stoll(database_.ask("SELECT changes()"));
    });
    return count;
  }

  void keep_alive() {
    // No harm where it cannot be done: the next commit tells the same.
    ::utimensat(AT_FDCWD, database_.file().c_str(), nullptr, 0);
  }

  std::map<PointOutcome, std::int64_t> counts() {
    const std::lock_guard guard{mutex_};
    return count_outcomes(database_);
  }

 private:
  struct Statements {
    explicit Statements(SqliteDatabase& database)
        : insert{database},
          has{database, "SELECT 1 FROM result WHERE id = ?"},
          begin{database, "INSERT OR REPLACE INTO running VALUES (?,?)"},
          end{database, "DELETE FROM running WHERE point = ?"} {}

    PointInsert insert;
    SqliteStatement has;
    SqliteStatement begin;
    SqliteStatement end;
  };

  /// What is written into a file that has no name any more is lost with the process.
  void check_place() {
    int moved = 0;
    (void)sqlite3_file_control(database_.handle(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    if (moved != 0)
      throw MachineError(database_.file().string(), "it was removed, moved or replaced while the sweep ran");
  }

  void settle() {
    if (database_.in_transaction()) database_.execute("COMMIT");
  }

  template <class Change>
  void transaction(Change change) {
    const std::lock_guard guard{mutex_};
    settle();
    database_.execute("BEGIN IMMEDIATE");
    try {
      change();
      database_.execute("COMMIT");
    } catch (...) {
      (void)database_.attempt("ROLLBACK");
      throw;
    }
  }

  std::mutex mutex_;
  FolderLock lock_;
  OpenStore open_;
  SqliteDatabase& database_;
  std::optional<Statements> statements_;
};

SweepStore::SweepStore(const std::filesystem::path& folder, const StoreHead& head)
    : parts_{std::make_unique<Parts>(folder, head)} {}

SweepStore::~SweepStore() = default;

bool SweepStore::has(std::string_view id) {
  return parts_->has(id);
}

void SweepStore::adopt(std::int64_t point, std::string_view id, const std::vector<Cell>& cells) {
  parts_->adopt(point, id, cells);
}

void SweepStore::commit() {
  parts_->commit();
}

void SweepStore::begin(std::int64_t point, std::string_view id) {
  parts_->begin(point, id);
}

void SweepStore::finish(const StoredPoint& point) {
  parts_->finish(point);
}

std::int64_t SweepStore::forget(PointOutcome outcome) {
  return parts_->forget(outcome);
}

void SweepStore::keep_alive() {
  parts_->keep_alive();
}

std::map<PointOutcome, std::int64_t> SweepStore::counts() {
  return parts_->counts();
}

}  // namespace soya
