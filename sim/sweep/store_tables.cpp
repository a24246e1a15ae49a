#include "sweep/store_tables.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <optional>
#include <system_error>

#include "core/utf8.hpp"
#include "sweep/shard_folder.hpp"
#include "sweep/store_text.hpp"

namespace soya {

namespace {

/// "Soya", so that file(1) and we know whose database it is.
constexpr std::int64_t application_id = 0x536F7961;

constexpr const char* tables = R"(
CREATE TABLE sweep (version TEXT NOT NULL, name TEXT NOT NULL, sweep TEXT NOT NULL, columns TEXT NOT NULL,
  keep TEXT NOT NULL, points INTEGER NOT NULL, shard_index INTEGER NOT NULL, shard_count INTEGER NOT NULL,
  answer TEXT NOT NULL, base TEXT NOT NULL) STRICT;
CREATE TABLE result (id TEXT PRIMARY KEY NOT NULL, outcome TEXT NOT NULL, why_not TEXT NOT NULL, extra TEXT NOT NULL,
  summary TEXT NOT NULL, effective TEXT NOT NULL) STRICT;
CREATE INDEX outcome_of ON result (id, outcome);
CREATE TABLE place (point INTEGER PRIMARY KEY NOT NULL, id TEXT NOT NULL, cells TEXT NOT NULL) STRICT;
CREATE TABLE running (point INTEGER PRIMARY KEY NOT NULL, id TEXT NOT NULL) STRICT;
CREATE VIEW point AS SELECT point, id, cells, outcome, why_not, extra, summary, effective
  FROM place JOIN result USING (id);
)";

std::string message(const std::filesystem::path& file, const std::string& text) {
  return visible(file.string()) + ": " + text;
}

/// What differs, in words; empty where the stores are of one sweep.
std::string difference(const StoreHead& a, const StoreHead& b) {
  if (a.name != b.name) return fmt::format("the names are {} and {}", visible(a.name), visible(b.name));
  if (a.sweep != b.sweep) return "the texts of the sweep differ";
  if (a.base != b.base) return "the scenarios that the sweep varies differ";
  if (a.points != b.points) return fmt::format("they have {} and {} points", a.points, b.points);
  if (a.columns != b.columns) return "their columns differ";
  if (a.keep != b.keep) return "what they keep differs";
  return a.answer == b.answer ? std::string{} : "what they search for differs";
}

bool is_something(const std::string& file) {
  std::error_code none;
  const auto size = std::filesystem::file_size(file, none);
  return !none && size > 0;
}

/// SQLite reads a last page that was cut short as if the rest were zeros. With a log or a journal beside it, a writer
/// may be at the last page right now, or will complete it.
void check_end(SqliteDatabase& database) {
  const std::string file = database.file().string();
  std::error_code none;
  const auto size = std::filesystem::file_size(file, none);
  if (none || size == 0 || is_something(file + "-wal") || is_something(file + "-journal")) return;
  if (size % std::stoull(database.ask("PRAGMA page_size")) != 0) throw StoreDamaged(file, "its end is missing");
}

bool is_damage(int code) {
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_FORMAT || code == SQLITE_ERROR;
}

}  // namespace

StoreDamaged::StoreDamaged(const std::filesystem::path& file, const std::string& why)
    : StoreError(message(
          file, fmt::format("damaged ({}); delete it, with {}-wal where there is one, and run again what it held: "
                            "no other points are lost",
                            visible(why), visible(file.filename().string())))) {}

StoreNotBegun::StoreNotBegun(const std::filesystem::path& file)
    : StoreError(message(file, "no sweep has begun in it; run it again")) {}

void store_write_failure(const SqliteError& error) {
  if (is_damage(error.code)) throw StoreDamaged(error.file, error.detail);
}

void store_read_failure(const SqliteError& error) {
  // Nobody is told to delete a file that was named by mistake.
  if (error.code == SQLITE_NOTADB && error.file.filename() != store_file_name) {
    throw StoreError(message(error.file, "is no store of a sweep: " + error.detail));
  }
  if (is_damage(error.code)) throw StoreDamaged(error.file, error.detail);
  const std::string text = message(error.file, "cannot be read: " + error.reason);
  // Undoing a commit is writing, which a connection that only reads may not do.
  if (error.code == SQLITE_READONLY) throw StoreInterrupted(text);
  throw StoreError(text);
}

void create_store_tables(SqliteDatabase& database) {
  database.execute(fmt::format("PRAGMA application_id={}", application_id));
  database.execute(tables);
}

StoreState state_of_store(SqliteDatabase& database) {
  const std::string application = database.ask("PRAGMA application_id");
  check_end(database);
  if (application == fmt::format("{}", application_id)) return StoreState::store;
  if (database.ask("SELECT count(*) FROM sqlite_schema") == "0") return StoreState::empty;
  throw StoreError(
      message(database.file(), "a database, but of no sweep of Soya; choose another --out, or move it away"));
}

void check_store(SqliteDatabase& database, const std::string& version) {
  const std::string written = database.ask("SELECT version FROM sweep");
  if (written == version) return;
  if (written.empty()) throw StoreDamaged(database.file(), "it says nothing of its sweep");
  throw StoreError(
      message(database.file(), fmt::format("written by soya {}, and this is {}; choose another --out, or move it away",
                                           visible(written), version)));
}

StoreHead read_store_head(SqliteDatabase& database) {
  SqliteStatement select{database,
                         "SELECT version, name, sweep, columns, keep, points, shard_index, shard_count, answer, base "
                         "FROM sweep"};
  if (!select.step()) throw StoreDamaged(database.file(), "it says nothing of its sweep");
  try {
    StoreHead head;
    head.version = select.text(0);
    head.name = select.text(1);
    head.sweep = select.text(2);
    head.columns = columns_from(select.text(3));
    head.keep = names_from(select.text(4));
    head.points = select.integer(5);
    head.shard = {select.integer(6), select.integer(7)};
    const std::vector<Column> answer = columns_from(select.text(8));
    if (!answer.empty()) head.answer = answer.front();
    head.base = select.text(9);
    if (head.points < 0 || head.shard.index < 0 || head.shard.index >= head.shard.count) {
      throw StoreTextError("its numbers are of no sweep");
    }
    return head;
  } catch (const StoreTextError& error) {
    throw StoreDamaged(database.file(), error.what());
  }
}

void check_same_sweep(const FoundHead& one, const FoundHead& other) {
  const std::string what = difference(one.head, other.head);
  if (what.empty()) return;
  throw StoreError(
      fmt::format("{} and {} are of two sweeps: {}; keep one sweep to a folder, and choose another --out "
                  "for the other",
                  visible(one.file.string()), visible(other.file.string()), what));
}

bool is_same_sweep(const StoreHead& one, const StoreHead& other) {
  return one.version == other.version && difference(one, other).empty();
}

void write_store_head(SqliteDatabase& database, const StoreHead& head) {
  database.execute("DELETE FROM sweep");
  const std::string columns = columns_text(head.columns);
  const std::string keep = names_text(head.keep);
  const std::string answer = columns_text({head.answer});
  SqliteStatement insert{database, "INSERT INTO sweep VALUES (?,?,?,?,?,?,?,?,?,?)"};
  insert.run(std::string_view{head.version}, std::string_view{head.name}, std::string_view{head.sweep},
             std::string_view{columns}, std::string_view{keep}, head.points, head.shard.index, head.shard.count,
             std::string_view{answer}, std::string_view{head.base});
}

std::map<PointOutcome, std::int64_t> count_outcomes(SqliteDatabase& database) {
  std::map<PointOutcome, std::int64_t> counts;
  SqliteStatement select{database, "SELECT outcome, count(*) FROM place JOIN result USING (id) GROUP BY outcome"};
  while (select.step()) {
    const std::optional<PointOutcome> outcome = outcome_of(select.text(0));
    if (!outcome) throw StoreDamaged(database.file(), "a result is " + select.text(0));
    counts[*outcome] = select.integer(1);
  }
  return counts;
}

PointInsert::PointInsert(SqliteDatabase& database)
    : result_{database, "INSERT INTO result VALUES (?,?,?,?,?,?) ON CONFLICT (id) DO NOTHING"},
      // A sweep that goes on places most points where they are.
      place_{database,
             "INSERT INTO place VALUES (?,?,?) ON CONFLICT (point) DO UPDATE SET id = excluded.id, cells = "
             "excluded.cells WHERE id <> excluded.id OR cells <> excluded.cells"} {}

void PointInsert::insert(const StoredPoint& point) {
  const std::string extra = numbers_text(point.extra);
  result_.run(std::string_view{point.id}, outcome_name(point.outcome), std::string_view{point.why_not},
              std::string_view{extra}, std::string_view{point.summary}, std::string_view{point.effective});
  place(point.point, point.id, point.cells);
}

void PointInsert::place(std::int64_t point, std::string_view id, const std::vector<Cell>& cells) {
  const std::string text = cells_text(cells);
  place_.run(point, id, std::string_view{text});
}

}  // namespace soya
