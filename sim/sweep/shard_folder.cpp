#include "sweep/shard_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "core/utf8.hpp"
#include "sweep/shard.hpp"
#include "sweep/store_tables.hpp"

namespace soya {

std::vector<ShardFolder> shard_folders(const std::filesystem::path& folder) {
  std::vector<ShardFolder> found;
  std::error_code error;
  std::filesystem::directory_iterator entry{folder, error};
  for (; !error && entry != std::filesystem::directory_iterator{}; entry.increment(error)) {
    const std::optional<Shard> shard = shard_of_folder(entry->path().filename().string());
    if (shard && entry->is_directory()) found.push_back({*shard, entry->path()});
  }
  if (error) throw StoreError(visible(folder.string()) + ": cannot be read: " + error.message());
  std::ranges::sort(found, {}, [](const ShardFolder& each) { return std::pair{each.shard.count, each.shard.index}; });
  if (!found.empty() && found.front().shard.count != found.back().shard.count) {
    throw StoreError(
        fmt::format("{}: shards of {} and of {} lie here, {} and {}; keep those of one sweep, and delete "
                    "or move the others",
                    visible(folder.string()), found.front().shard.count, found.back().shard.count,
                    found.front().folder.filename().string(), found.back().folder.filename().string()));
  }
  return found;
}

}  // namespace soya
