// Where stores lie: DIR/sweep.sqlite, and DIR/shard-00012-of-01000/sweep.sqlite of the shards of a sweep.
// Simplifies: nothing. Source: docs/sweeps.md. Validated by tests/unit/sweep/shard_folder_test.cpp.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "sweep/stored_point.hpp"

namespace soya {

inline constexpr std::string_view store_file_name = "sweep.sqlite";
inline constexpr std::string_view points_file_name = "points.csv";

struct ShardFolder {
  Shard shard;
  std::filesystem::path folder;
};

/// Folders of shards in `folder`, in order of their number. Throws `StoreError` where they are shards of several
/// counts, or where `folder` cannot be read.
[[nodiscard]] std::vector<ShardFolder> shard_folders(const std::filesystem::path& folder);

}  // namespace soya
