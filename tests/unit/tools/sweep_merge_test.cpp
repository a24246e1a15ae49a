#include "soya/sweep_merge.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/called_command.hpp"
#include "support/sample_points.hpp"

using namespace soya;
using soya::test::CommandResult;
using soya::test::sample_head;
using soya::test::sample_point;
using soya::test::TemporaryFolder;
using soya::test::write_points;
using Json = nlohmann::ordered_json;

namespace {

CommandResult merge(const TemporaryFolder& folder, const std::vector<std::string>& arguments) {
  return test::call_command(cli::sweep_merge_command(), folder, arguments);
}

void write_other(const std::filesystem::path& folder, std::int64_t number) {
  StoredPoint point = sample_point(number);
  point.outcome = PointOutcome::unsound;
  point.why_not = "2 frames of a lossless priority were dropped";
  SweepStore store{folder, sample_head(10)};
  store.finish(point);
}

}  // namespace

TEST_CASE("merge: what is there, what is missing and how to run it, 3 until all is there") {
  const TemporaryFolder folder;
  const std::string out = folder / "out";
  write_points(folder / "a", sample_head(10), {0, 1, 2, 4, 5});
  write_points(folder / "b", sample_head(10), {4, 8, 9});
  write_other(folder / "c", 6);
  const CommandResult part = merge(folder, {folder / "a", folder / "b", folder / "c", "--out", out});
  CHECK(part.status == 3);
  CHECK(part.err.empty());
  CHECK(part.out ==
        "reach: 8 of 10 points, from 3 stores\n"
        "  sound       7\n"
        "  unsound     1\n"
        "  duplicates  1, equal and folded\n"
        "  written     out/sweep.sqlite, out/points.csv\n"
        "  missing     2: 3,7\n"
        "\n"
        "Run what is missing, here or as shards:\n"
        "  soya sweep run SWEEP.yaml --out out\n"
        "  soya sweep status out --missing\n");
  write_points(folder / "d", sample_head(10), {3, 7});
  const CommandResult whole = merge(folder, {folder / "d", "--out", out});
  CHECK(whole.status == 0);
  CHECK(whole.out ==
        "reach: 10 of 10 points, from 2 stores\n"
        "  sound       9\n"
        "  unsound     1\n"
        "  written     out/sweep.sqlite, out/points.csv\n");
}

TEST_CASE("merge --json says the same") {
  const TemporaryFolder folder;
  write_points(folder / "in/shard-00000-of-00002", sample_head(4, {0, 2}), {0, 2});
  test::write_text(folder / "in/note", "no store");
  const CommandResult part = merge(folder, {folder / "in", "--json"});
  CHECK(part.status == 3);
  const Json json = Json::parse(part.out);
  CHECK(json["name"] == "reach");
  CHECK(json["complete"] == false);
  CHECK(json["written"] == true);
  CHECK(json["store"] == "in/sweep.sqlite");
  CHECK(json["points"] == 4);
  CHECK(json["done"] == 2);
  CHECK(json["outcomes"] == Json{{"sound", 2}});
  CHECK(json["missing"] == 2);
  CHECK(json["missing_points"] == "1,3");
  CHECK(json["missing_not_listed"] == 0);
  CHECK(json["damaged"] == Json::array());
}

TEST_CASE("merge: two results of a point are an error with both origins, and nothing is written") {
  const TemporaryFolder folder;
  write_points(folder / "a", sample_head(10), {5});
  write_other(folder / "b", 5);
  const CommandResult refused = merge(folder, {folder / "a", folder / "b", "--out", folder / "out"});
  CHECK(refused.status == 2);
  CHECK(refused.out.empty());
  CHECK(refused.err ==
        "soya: point 5 has two results, whose outcome differs: a/sweep.sqlite and b/sweep.sqlite\n"
        "soya: nothing is written; find out which of them is wrong (another machine, another build, an edited "
        "file?), move it away and merge again\n");
  const CommandResult json = merge(folder, {folder / "a", folder / "b", "--out", folder / "out", "--json"});
  CHECK(json.status == 2);
  CHECK(Json::parse(json.out)["written"] == false);
  CHECK(Json::parse(json.out)["conflicts"] ==
        Json::array({{{"point", 5}, {"what", "outcome"}, {"first", "a/sweep.sqlite"}, {"second", "b/sweep.sqlite"}}}));
  CHECK_FALSE(std::filesystem::exists(folder / "out/points.csv"));
}

TEST_CASE("merge: a damaged store is named, the rest is merged, 3") {
  const TemporaryFolder folder;
  write_points(folder / "a", sample_head(2), {0, 1});
  std::filesystem::create_directory(folder / "b");
  test::write_text(folder / "b/sweep.sqlite", "what once was a store");
  const CommandResult part = merge(folder, {folder / "a", folder / "b", "--out", folder / "out"});
  CHECK(part.status == 3);
  CHECK(part.err.starts_with("soya: b/sweep.sqlite: damaged (file is not a database); delete it"));
  CHECK(part.out.starts_with("reach: 2 of 2 points, from 1 store\n"));
}

TEST_CASE("merge: the command line") {
  const TemporaryFolder folder;
  const CommandResult nothing = merge(folder, {});
  CHECK(nothing.err.starts_with("soya sweep merge: merge what? Name folders of a sweep, or one that holds its shards"));
  const CommandResult nowhere = merge(folder, {"a", "b"});
  CHECK(nowhere.err.starts_with("soya sweep merge: merge into what? Name a folder: --out DIR"));
  const CommandResult none = merge(folder, {folder / "a"});
  CHECK(none.status == -1);
  CHECK(none.err == "a: cannot be read: No such file or directory");
}
