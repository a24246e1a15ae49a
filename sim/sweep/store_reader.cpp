#include "sweep/store_reader.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <system_error>

#include "results/files.hpp"
#include "sweep/shard.hpp"
#include "sweep/store_text.hpp"

namespace soya {

namespace {

constexpr int wait_ms = 10'000;
constexpr std::int64_t rows_at_a_time = 256;

/// A place without its result is a row with NULL, not one that is left out.
std::string page_statement(const std::string& columns) {
  return fmt::format(
      "SELECT {} FROM place LEFT JOIN result ON result.id = place.id WHERE point > ? ORDER BY point "
      "LIMIT {}",
      columns, rows_at_a_time);
}

/// Calls `visit` for every row of a page statement, page by page.
template <class Visit>
void for_each_row(SqliteDatabase& database, const std::string& columns, Visit visit) {
  SqliteStatement select{database, page_statement(columns)};
  std::int64_t last = -1;
  for (std::int64_t rows = rows_at_a_time; rows == rows_at_a_time;) {
    rows = 0;
    select.bind(1, last);
    while (select.step()) {
      last = select.integer(0);
      ++rows;
      visit(select);
    }
  }
}

std::string unknown_row(std::int64_t point) {
  return fmt::format("no sweep writes its row of point {}", point);
}

bool is_younger_than_a_minute(const std::filesystem::path& file) {
  std::error_code none;
  const auto changed = std::filesystem::last_write_time(file, none);
  return !none && std::filesystem::file_time_type::clock::now() - changed < std::chrono::minutes{1};
}

/// Undoes what a killed writer left half committed, as its next start would. Where other hosts write, locks do not
/// tell a living writer from a dead one; but a living one is done with a commit in less than a minute.
void undo_half_commit(const std::filesystem::path& file, const StoreInterrupted& why) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (is_shared_by_hosts(folder) && is_younger_than_a_minute(file.string() + "-journal")) {
    throw StoreError(std::string{why.what()} + "; its writer is at work or was killed just now: try again in a minute");
  }
  try {
    const FolderLock lock{folder};
    SqliteDatabase{file, SqliteMode::write, store_write_failure}.execute("SELECT count(*) FROM sqlite_schema");
  } catch (const MachineError&) {
    throw StoreError(why.what());
  }
}

/// The file, when it can be read.
std::filesystem::path readable(const std::filesystem::path& file) {
  try {
    SqliteDatabase database{file, SqliteMode::read, store_read_failure};
    database.wait_for_others(wait_ms);
    (void)state_of_store(database);
  } catch (const StoreInterrupted& why) {
    undo_half_commit(file, why);
  }
  return file;
}

}  // namespace

StoreReader::StoreReader(const std::filesystem::path& file)
    : database_{readable(file), SqliteMode::read, store_read_failure} {
  database_.wait_for_others(wait_ms);
  if (state_of_store(database_) == StoreState::empty) throw StoreNotBegun(file);
  check_store(database_, SOYA_VERSION);
  head_ = read_store_head(database_);
}

void StoreReader::for_each(const std::function<void(const StoredPoint&)>& visit, StoreDetail detail) {
  const std::string effective = detail == StoreDetail::all ? ", effective" : "";
  for_each_row(database_, "point, place.id, outcome, cells, why_not, extra, summary" + effective,
               [&](const SqliteStatement& row) { visit(point_at(row, detail)); });
}

StoredPoint StoreReader::point_at(const SqliteStatement& row, StoreDetail detail) const {
  StoredPoint point;
  point.point = row.integer(0);
  check_number(point.point);
  const std::optional<PointOutcome> outcome = outcome_of(row.text(2));
  try {
    point.id = row.text(1);
    point.cells = cells_from(row.text(3));
    point.why_not = row.text(4);
    if (!outcome || point.cells.size() != head_.columns.size()) throw StoreTextError("not as the head has it");
    point.outcome = *outcome;
    point.extra = numbers_from(row.text(5));
  } catch (const StoreTextError&) {
    throw StoreDamaged(file(), unknown_row(point.point));
  }
  point.summary = row.text(6);
  if (detail == StoreDetail::all) point.effective = row.text(7);
  return point;
}

void StoreReader::check_number(std::int64_t point) const {
  if (point >= 0 && point < head_.points && has_point(head_.shard, point)) return;
  throw StoreDamaged(file(), unknown_row(point));
}

void StoreReader::for_each_outcome(const std::function<void(std::int64_t point, PointOutcome outcome)>& visit) {
  for_each_row(database_, "point, outcome", [&](const SqliteStatement& row) {
    const std::int64_t point = row.integer(0);
    const std::optional<PointOutcome> outcome = outcome_of(row.text(1));
    check_number(point);
    if (!outcome) throw StoreDamaged(file(), unknown_row(point));
    visit(point, *outcome);
  });
}

bool StoreReader::has(std::int64_t point) {
  SqliteStatement select{database_, "SELECT 1 FROM place WHERE point = ?"};
  select.bind_all(point);
  return select.step();
}

bool StoreReader::has_result(std::string_view id) {
  SqliteStatement select{database_, "SELECT 1 FROM result WHERE id = ?"};
  select.bind_all(id);
  return select.step();
}

std::map<PointOutcome, std::int64_t> StoreReader::counts() {
  return count_outcomes(database_);
}

std::vector<RunningPoint> StoreReader::running() {
  std::vector<RunningPoint> points;
  SqliteStatement select{database_, "SELECT point, id FROM running ORDER BY point"};
  while (select.step()) points.push_back({select.integer(0), select.text(1)});
  for (const RunningPoint& each : points) check_number(each.point);
  return points;
}

}  // namespace soya
