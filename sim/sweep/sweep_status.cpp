#include "sweep/sweep_status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/utf8.hpp"
#include "results/files.hpp"
#include "sweep/shard.hpp"
#include "sweep/shard_folder.hpp"
#include "sweep/store_reader.hpp"

namespace soya {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view script_name = "sweep.sbatch";
constexpr std::string_view script_line = "#SOYA shards=";
constexpr std::int64_t most_shards = 10'000'000;
constexpr std::int64_t most_points = 2'000'000'000;

[[noreturn]] void refuse(const fs::path& file, const std::string& what) {
  throw StoreError(visible(file.string()) + ": " + what);
}

/// The number of shards that the job script in the folder was made for.
std::optional<std::int64_t> shards_of_script(const fs::path& folder) {
  const fs::path file = folder / script_name;
  std::ifstream in{file};
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(script_line)) continue;
    std::int64_t count = 0;
    const char* const end = line.data() + line.size();
    const auto [stop, error] = std::from_chars(line.data() + script_line.size(), end, count);
    if (error == std::errc{} && stop == end && count >= 1 && count <= most_shards) return count;
    refuse(file, "expected a number of shards, got " + visible(line));
  }
  return std::nullopt;
}

/// A store that was found in a folder, and how it is.
struct Found {
  ShardState state{ShardState::not_begun};
  std::vector<std::int64_t> running{};  ///< rows of its table, whether the writer lives or not
};

class Status final {
 public:
  Status(const fs::path& folder, std::optional<std::int64_t> shards) : folder_{folder} {
    const std::vector<ShardFolder> found = shard_folders(folder);
    const std::int64_t count = number_of_shards(found, shards);
    if (count > 0) shards_.resize(static_cast<std::size_t>(count));
    own_ = look_into(folder);
    for (const ShardFolder& each : found) {
      shards_[static_cast<std::size_t>(each.shard.index)] = look_into(each.folder);
    }
    if (!first_ && status_.damaged.empty() && shards_.empty() && own_.state == ShardState::not_begun) {
      refuse(folder, fmt::format("holds no {} and no folder of a shard", store_file_name));
    }
  }

  SweepStatus result() {
    if (first_) {
      status_.head = first_->head;
      count_points();
    }
    count_shards();
    return std::move(status_);
  }

 private:
  enum class Mark : std::uint8_t { missing, running, interrupted, done };

  std::int64_t number_of_shards(const std::vector<ShardFolder>& found, std::optional<std::int64_t> asked) const {
    if (found.empty()) return asked ? *asked : shards_of_script(folder_).value_or(0);
    const std::int64_t count = found.front().shard.count;
    if (asked && *asked != count) {
      refuse(folder_, fmt::format("--shards {}: its folders are of {} shards", *asked, count));
    }
    if (count > most_shards) refuse(found.front().folder, fmt::format("more than {} shards", most_shards));
    return count;
  }

  /// Reads the store of a folder, if there is one.
  Found look_into(const fs::path& folder) {
    const bool shared = is_shared_by_hosts(folder);
    const auto lives = [&] { return has_writer(folder, shared, fs::file_time_type::clock::now()); };
    const bool lived = lives();
    Found found;
    std::error_code none;
    const fs::path file = folder / store_file_name;
    if (fs::exists(file, none)) {
      try {
        read(file, found);
        found.state = ShardState::interrupted;
      } catch (const StoreNotBegun&) {
        found.state = ShardState::not_begun;
      } catch (const StoreDamaged& damage) {
        status_.damaged.emplace_back(damage.what());
        found.state = ShardState::damaged;
      }
    }
    if (found.state != ShardState::damaged && (lived || lives())) found.state = ShardState::running;
    return found;
  }

  void read(const fs::path& file, Found& found) {
    StoreReader reader{file};
    if (!first_) {
      if (reader.head().points > most_points) throw StoreDamaged(file, "no sweep has so many points");
      first_ = FoundHead{file, reader.head()};
      marks_.resize(static_cast<std::size_t>(reader.head().points));
    }
    check_same_sweep(*first_, {file, reader.head()});
    // Before the finished ones: a point that is finished meanwhile is done, not missing.
    for (const RunningPoint& each : reader.running()) found.running.push_back(each.point);
    std::vector<std::pair<std::int64_t, PointOutcome>> finished;
    reader.for_each_outcome([&](std::int64_t point, PointOutcome outcome) { finished.emplace_back(point, outcome); });
    // Here the store is known to be whole.
    for (const auto& [point, outcome] : finished) {
      Mark& mark = marks_[static_cast<std::size_t>(point)];
      if (mark != Mark::done) ++status_.outcomes[outcome];
      mark = Mark::done;
    }
  }

  void mark_running(const Found& found) {
    for (const std::int64_t point : found.running) {
      Mark& mark = marks_[static_cast<std::size_t>(point)];
      if (mark == Mark::done || mark == Mark::running) continue;
      mark = found.state == ShardState::running ? Mark::running : Mark::interrupted;
    }
  }

  void count_points() {
    mark_running(own_);
    for (const Found& each : shards_) mark_running(each);
    // The folder may itself be a shard's.
    const Shard scope = shards_.empty() ? first_->head.shard : Shard{};
    for (std::int64_t point = scope.index; point < std::ssize(marks_); point += scope.count) {
      ++status_.points;
      const Mark mark = marks_[static_cast<std::size_t>(point)];
      if (mark == Mark::done) ++status_.done;
      if (mark == Mark::running) status_.running.push_back(point);
      if (mark == Mark::interrupted) status_.interrupted.push_back(point);
      if (mark == Mark::missing || mark == Mark::interrupted) status_.missing.push_back(point);
    }
  }

  void count_shards() {
    const std::int64_t count = std::ssize(shards_);
    for (Shard shard{0, count}; shard.index < count; ++shard.index) {
      ShardStatus status{shard.index, shards_[static_cast<std::size_t>(shard.index)].state};
      status.points = points_in(shard, std::ssize(marks_));
      for (std::int64_t point = shard.index; point < std::ssize(marks_); point += count) {
        if (marks_[static_cast<std::size_t>(point)] == Mark::done) ++status.done;
      }
      if (first_ && status.done == status.points) status.state = ShardState::done;
      status_.shards.push_back(status);
    }
  }

  fs::path folder_;
  SweepStatus status_;
  std::optional<FoundHead> first_;
  std::vector<Mark> marks_;  ///< of all points
  Found own_;
  std::vector<Found> shards_;
};

}  // namespace

std::string_view state_name(ShardState state) {
  static constexpr std::array<std::string_view, 5> names{"done", "running", "interrupted", "not begun", "damaged"};
  return names[static_cast<std::size_t>(state)];
}

std::vector<std::int64_t> SweepStatus::shards_in(ShardState state) const {
  std::vector<std::int64_t> found;
  for (const ShardStatus& each : shards) {
    if (each.state == state) found.push_back(each.index);
  }
  return found;
}

std::vector<std::int64_t> SweepStatus::to_start() const {
  if (shards.empty()) return missing;
  std::vector<std::int64_t> found;
  for (const ShardStatus& each : shards) {
    if (each.state != ShardState::done && each.state != ShardState::running) found.push_back(each.index);
  }
  return found;
}

SweepStatus sweep_status(const fs::path& folder, std::optional<std::int64_t> shards) {
  return Status{folder, shards}.result();
}

bool has_writer(const fs::path& folder, bool shared_by_hosts, fs::file_time_type now) {
  if (is_held(folder)) return true;
  if (!shared_by_hosts) return false;
  const std::string file = folder / store_file_name;
  return std::ranges::any_of(std::array{"", "-wal", "-journal"}, [&](const char* suffix) {
    std::error_code none;
    const auto changed = fs::last_write_time(file + suffix, none);
    return !none && now - changed < std::chrono::minutes{1};
  });
}

}  // namespace soya
