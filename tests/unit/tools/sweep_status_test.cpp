#include "soya/sweep_status.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/called_command.hpp"
#include "support/sample_points.hpp"
#include "sweep/shard.hpp"

using namespace soya;
using soya::test::begin_six;
using soya::test::CommandResult;
using soya::test::sample_head;
using soya::test::sample_point;
using soya::test::TemporaryFolder;
using soya::test::write_points;
using Json = nlohmann::ordered_json;

namespace {

CommandResult status(const TemporaryFolder& folder, std::vector<std::string> arguments = {}) {
  arguments.insert(arguments.begin(), folder.path().string());
  return test::call_command(cli::sweep_status_command(), folder, arguments);
}

/// Three shards of ten points: 0 is done, 1 is interrupted at point 4, 2 has not begun.
void write_three(const TemporaryFolder& folder) {
  write_points(folder / "shard-00000-of-00003", sample_head(10, {0, 3}), {0, 3, 6, 9});
  write_points(folder / "shard-00001-of-00003", sample_head(10, {1, 3}), {1});
  SqliteDatabase database{folder / "shard-00001-of-00003/sweep.sqlite"};
  database.execute("INSERT INTO running SELECT 4, id FROM place");
}

}  // namespace

TEST_CASE("status of one store") {
  const TemporaryFolder folder;
  {
    SweepStore store{folder.path(), sample_head(6)};
    begin_six(store);
    const CommandResult running = status(folder);
    CHECK(running.status == 3);
    CHECK(running.out ==
          "reach: 2 of 6 points are done\n"
          "  sound       1\n"
          "  refused     1\n"
          "  running     1: 2\n"
          "  missing     3: 1,3,5\n");
    CHECK(status(folder, {"--missing"}).out == "1,3,5\n");
    for (const std::int64_t number : {1, 2, 3, 5}) store.finish(sample_point(number));
  }
  const CommandResult done = status(folder);
  CHECK(done.status == 0);
  CHECK(done.out == "reach: 6 of 6 points are done\n  sound       5\n  refused     1\n");
  const CommandResult nothing = status(folder, {"--missing"});
  CHECK(nothing.status == 0);
  CHECK(nothing.out.empty());
}

TEST_CASE("status of shards, and the list for --array=") {
  const TemporaryFolder folder;
  write_three(folder);
  const CommandResult shown = status(folder);
  CHECK(shown.status == 3);
  CHECK(shown.out ==
        "reach: 5 of 10 points are done\n"
        "  sound       5\n"
        "  missing     5: 2,4,5,7,8\n"
        "  interrupted 1: 4\n"
        "\n"
        "  shard  state        done  points\n"
        "      0  done            4       4\n"
        "      1  interrupted     1       3\n"
        "      2  not begun       0       3\n");
  const CommandResult missing = status(folder, {"--missing"});
  CHECK(missing.status == 0);
  CHECK(missing.out == "1,2\n");
}

TEST_CASE("status --json") {
  const TemporaryFolder folder;
  write_three(folder);
  const CommandResult shown = status(folder, {"--json"});
  CHECK(shown.status == 3);
  const Json json = Json::parse(shown.out);
  CHECK(json["name"] == "reach");
  CHECK(json["complete"] == false);
  CHECK(json["points"] == 10);
  CHECK(json["done"] == 5);
  CHECK(json["missing_points"] == "2,4,5,7,8");
  CHECK(json["interrupted_points"] == "4");
  CHECK(json["shards"] ==
        Json{{"count", 3}, {"done", "0"}, {"running", ""}, {"interrupted", "1"}, {"not_begun", "2"}, {"damaged", ""}});
  CHECK(json["to_start"] == "1,2");
}

TEST_CASE("a thousand shards fit on one screen") {
  const TemporaryFolder folder;
  write_points(folder / shard_folder({0, 1000}), sample_head(5000, {0, 1000}), {0, 1000, 2000, 3000, 4000});
  write_points(folder / shard_folder({500, 1000}), sample_head(5000, {500, 1000}), {});
  const CommandResult shown = status(folder);
  CHECK(shown.out ==
        "reach: 5 of 5 000 points are done\n"
        "  sound       5\n"
        "  missing     4 995: 1-999,1001-1999,2001-2999,3001-3999,4001-4999\n"
        "\n"
        "1 000 shards\n"
        "  done        1: 0\n"
        "  interrupted 1: 500\n"
        "  not begun   998: 1-499,501-999\n");
  CHECK(status(folder, {"--missing"}).out == "1-999\n");
}

TEST_CASE("long lists are cut for people, not for --array=") {
  const TemporaryFolder folder;
  std::vector<std::int64_t> even;
  for (std::int64_t number = 0; number < 40; number += 2) even.push_back(number);
  write_points(folder.path(), sample_head(40), even);
  CHECK(test::contains(status(folder).out, "  missing     20: 1,3,5,7,9,11,13,15 and 12 more\n"));
  const std::string list = status(folder, {"--missing"}).out;
  CHECK(std::count(list.begin(), list.end(), ',') == 19);
}

TEST_CASE("status of what is none") {
  const TemporaryFolder folder;
  CHECK(status(folder).err.ends_with(": holds no sweep.sqlite and no folder of a shard"));
  CHECK(status(folder, {"--shards", "2"}).out ==
        "nothing has begun\n"
        "\n"
        "2 shards\n"
        "  not begun   2: 0,1\n");
  CHECK(status(folder, {"--shards", "2", "--missing"}).out == "0,1\n");
  CHECK(status(folder, {"--missing", "--json"}).err.starts_with("soya sweep status: --missing is part of --json"));
  CHECK(status(folder, {"another"}).err.starts_with("soya sweep status: status of what? Name the folder of a sweep"));
  test::write_text(folder / "sweep.sqlite", "none");
  const CommandResult damaged = status(folder);
  CHECK(damaged.status == 3);
  CHECK(damaged.err.starts_with("soya: sweep.sqlite: damaged (file is not a database)"));
  CHECK(damaged.out == "nothing has begun\n");
}
