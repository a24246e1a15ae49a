#include "sweep/shard_folder.hpp"

#include <doctest/doctest.h>

#include "support/temporary_folder.hpp"
#include "sweep/store_tables.hpp"

using namespace soya;

TEST_CASE("shards of two sweeps in one folder are refused") {
  const test::TemporaryFolder folder;
  for (const char* const name : {"shard-00002-of-00003", "shard-00000-of-00003", "logs"}) {
    std::filesystem::create_directory(folder / name);
  }
  test::write_text(folder / "shard-00001-of-00003", "a file, not a folder");
  const std::vector<ShardFolder> found = shard_folders(folder.path());
  REQUIRE(found.size() == 2);
  CHECK(found[0].shard == Shard{0, 3});
  CHECK(found[1].shard == Shard{2, 3});
  CHECK(found[1].folder == folder / "shard-00002-of-00003");
  std::filesystem::create_directory(folder / "shard-00001-of-00008");
  const std::string message = folder.path().string() +
                              ": shards of 3 and of 8 lie here, shard-00000-of-00003 and shard-00001-of-00008; keep "
                              "those of one sweep, and delete or move the others";
  CHECK_THROWS_WITH_AS((void)shard_folders(folder.path()), message.c_str(), StoreError);
  const std::string none = (folder / "none").string() + ": cannot be read: No such file or directory";
  CHECK_THROWS_WITH_AS((void)shard_folders(folder / "none"), none.c_str(), StoreError);
}
