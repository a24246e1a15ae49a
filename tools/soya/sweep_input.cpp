#include "sweep_input.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "core/utf8.hpp"
#include "exit_status.hpp"
#include "sweep/shard_folder.hpp"

namespace soya::cli {

namespace fs = std::filesystem;

namespace {

bool holds_shards(const fs::path& folder) {
  std::error_code none;
  for (fs::directory_iterator entry{folder, none}, end; entry != end && !none; entry.increment(none)) {
    if (entry->path().filename().string().starts_with("shard-")) return true;
  }
  return false;
}

/// Whether a file begins as every SQLite database does; an empty one may become a database.
bool may_be_database(const fs::path& file) {
  constexpr std::string_view head{"SQLite format 3"};
  std::array<char, head.size()> read{};
  std::ifstream in{file, std::ios::binary};
  in.read(read.data(), read.size());
  return in.gcount() == 0 || std::string_view{read.data(), static_cast<std::size_t>(in.gcount())} == head;
}

}  // namespace

fs::path store_file(const Command& self, const Parsed& parsed) {
  if (parsed.positional.empty()) throw UsageError(usage_error(self, "which STORE? Name the folder of a sweep"));
  if (parsed.positional.size() > 1) {
    throw UsageError(usage_error(
        self, fmt::format("one STORE at a time; \"{}\" is one too many; soya sweep merge folds stores into one",
                          parsed.positional[1])));
  }
  const std::string& given = parsed.positional.front();
  std::error_code none;
  if (fs::is_regular_file(given, none)) {
    // Under its own name a store whose head is spoilt is damaged; any other file is a slip, and no file to delete.
    if (fs::path{given}.filename() == store_file_name || may_be_database(given)) return given;
    throw UsageError(usage_error(
        self,
        fmt::format("\"{}\" is no store; name the folder that soya sweep run printed, such as out/reach", given)));
  }
  fs::path file = fs::path{given} / store_file_name;
  if (fs::is_regular_file(file, none)) return file;
  if (!fs::is_directory(given, none)) {
    throw UsageError(usage_error(self, fmt::format("\"{}\" is no folder of a sweep and no sweep.sqlite", given)));
  }
  if (holds_shards(given)) {
    throw UsageError(
        usage_error(self, fmt::format("\"{0}\" holds shards; fold them first: soya sweep merge {0} --out {0}", given)));
  }
  throw UsageError(usage_error(self, fmt::format("\"{}\" holds no sweep.sqlite", given)));
}

std::string needed_value(const Command& self, const Parsed& parsed, const std::string& option,
                         const std::string& what) {
  const auto value = parsed.value(option);
  if (value && !value->empty()) return *value;
  throw UsageError(
      usage_error(self, fmt::format("--{}: expected {}, got {}", option, what, value ? "\"\"" : "nothing")));
}

PointSource points_of(StoreReader& reader) {
  return [&reader](const std::function<void(const StoredPoint&)>& visit) {
    reader.for_each(
        [&](const StoredPoint& point) {
          try {
            visit(point);
          } catch (const std::invalid_argument&) {
            throw StoreDamaged(reader.file(), fmt::format("the summary of point {} is none", point.point));
          }
        },
        StoreDetail::without_effective);
  };
}

void answer_from_table(const Command& self, const std::function<void()>& answer) {
  try {
    answer();
  } catch (const TableError& error) {
    // The command line is well formed; help on it would not help.
    throw UsageError("soya " + self.name + ": " + visible(error.what()));
  }
}

}  // namespace soya::cli
