#include "sweep/points_csv.hpp"

#include <doctest/doctest.h>

#include "support/run_command.hpp"
#include "support/sample_points.hpp"
#include "support/temporary_folder.hpp"

using namespace soya;
using soya::test::sample_head;
using soya::test::sample_point;
using soya::test::TemporaryFolder;

namespace {

/// points.csv of a store with these points.
std::string table_of(const TemporaryFolder& folder, const StoreHead& head, const std::vector<StoredPoint>& points) {
  {
    SweepStore store{folder.path(), head};
    for (const StoredPoint& point : points) store.finish(point);
  }
  StoreReader reader{folder / "sweep.sqlite"};
  write_points_csv(reader, folder / "points.csv");
  return test::read_text(folder / "points.csv");
}

const std::string zeros(31, '0');

}  // namespace

TEST_CASE("a row for each quantity of each point, sorted by point, units in the names of columns") {
  const TemporaryFolder folder;
  const std::string header =
      "point,id,topology.link_types.haul.length_m,fabric.headroom.mode,seed,outcome,why_not,quantity,unit,value\r\n";
  CHECK(table_of(folder, sample_head(3), {sample_point(2), sample_point(0)}) ==
        header + "0," + zeros + "0,1000,per-queue,1,sound,,sound,,1\r\n" +  //
            "0," + zeros + "0,1000,per-queue,1,sound,,drops.lossless,,0\r\n" + "2," + zeros +
            "2,3000,per-queue,1,sound,,sound,,1\r\n" + "2," + zeros +
            "2,3000,per-queue,1,sound,,drops.lossless,,2\r\n");
  const TemporaryFolder empty;
  CHECK(table_of(empty, sample_head(3), {}) == header);
}

TEST_CASE("a search has its answer with the unit of its key, also where a point has none") {
  const TemporaryFolder folder;
  StoreHead head = sample_head(3);
  head.columns = {{"seed", ""}};
  head.keep = {"steps.step_ms.max", "probes", "plan.bdp_bytes"};
  head.answer = {"fabric.headroom.size", "bytes"};
  StoredPoint found = sample_point(0);
  found.cells = {{"1", 1.0}};
  found.extra = {{"answer", 37'500'000}, {"probes", 17}, {"monotone", 1}, {"plan.bdp_bytes", 0.1}};
  found.summary = R"({"steps": [{"step_ms": 2.5}, {"step_ms": 1.5}]})";
  StoredPoint refused = sample_point(1);
  refused.cells = {{"2", 2.0}};
  refused.outcome = PointOutcome::refused;
  refused.why_not = "s.yaml:1:2: \"x\"\nno, nothing";
  refused.summary.clear();
  const std::string first = "0," + zeros + "0,1,sound,,";
  const std::string second = "1," + zeros + "1,2,refused,\"s.yaml:1:2: \"\"x\"\"\nno, nothing\",";
  CHECK(table_of(folder, head, {found, refused}) ==
        "point,id,seed,outcome,why_not,quantity,unit,value\r\n" + first + "sound,,1\r\n" + first +
            "answer,bytes,37500000\r\n" + first + "probes,,17\r\n" + first + "monotone,,1\r\n" + first +
            "steps.step_ms.max,ms,2.5\r\n" + first + "plan.bdp_bytes,bytes,0.1\r\n" + second + "sound,,0\r\n" + second +
            "answer,bytes,\r\n" + second + "probes,,\r\n" + second + "monotone,,\r\n" + second +
            "steps.step_ms.max,ms,\r\n" + second + "plan.bdp_bytes,bytes,\r\n");
}

TEST_CASE("numbers are numbers where a column has a unit or nothing but numbers, else words as written") {
  const TemporaryFolder folder;
  StoreHead head = sample_head(2);
  head.columns = {{"fabric.headroom.size", "bytes"}, {"mixed", ""}, {"count", ""}};
  head.keep = {};
  StoredPoint one = sample_point(0);
  one.cells = {{"1MB", 1e6}, {"010", 10.0}, {"1e3", 1000.0}};
  StoredPoint two = sample_point(1);
  two.cells = {{"auto", {}}, {"many", {}}, {"0.1", 0.1}};
  CHECK(table_of(folder, head, {one, two}) ==
        "point,id,fabric.headroom.size_bytes,mixed,count,outcome,why_not,quantity,unit,value\r\n"
        "0," +
            zeros + "0,1000000,010,1000,sound,,sound,,1\r\n" + "1," + zeros + "1,auto,many,0.1,sound,,sound,,1\r\n");
}

TEST_CASE("a seed beyond what a double holds keeps its digits") {
  // 2^53 + 1: the nearest doubles are 2^53 and 2^53 + 2.
  CHECK(csv_value({"9007199254740993", 9007199254740993.0}, true) == Value{std::string{"9007199254740993"}});
  CHECK(csv_value({"999999999999999", 999999999999999.0}, true) == Value{999999999999999.0});
  CHECK(csv_value({"1500000km", 1.5e9}, true) == Value{1.5e9});
  CHECK(csv_value({"1500000km", 1.5e9}, false) == Value{std::string{"1500000km"}});
}

TEST_CASE("Python's reader finds the same table") {
  const TemporaryFolder folder;
  StoredPoint odd = sample_point(1);
  odd.outcome = PointOutcome::unsound;
  odd.why_not = "lossless drops, \"two\"\r\nat 札幌";
  odd.cells[1].text = "a,b";
  (void)table_of(folder, sample_head(3), {sample_point(0), odd});
  const test::CommandResult result = test::run_command(
      folder,
      "python3 -c 'import csv\n"
      "for row in csv.DictReader(open(\"points.csv\", newline=\"\", encoding=\"utf-8\"), strict=True):\n"
      "  print(row[\"point\"], float(row[\"topology.link_types.haul.length_m\"]), row[\"fabric.headroom.mode\"],\n"
      "        repr(row[\"why_not\"]), row[\"quantity\"], float(row[\"value\"]))'");
  CHECK(result.err.empty());
  CHECK(result.out ==
        "0 1000.0 per-queue '' sound 1.0\n"
        "0 1000.0 per-queue '' drops.lossless 0.0\n"
        "1 2000.0 a,b 'lossless drops, \"two\"\\r\\nat 札幌' sound 0.0\n"
        "1 2000.0 a,b 'lossless drops, \"two\"\\r\\nat 札幌' drops.lossless 1.0\n");
}

TEST_CASE("a table that cannot be made leaves the earlier one") {
  const TemporaryFolder folder;
  StoredPoint bad = sample_point(1);
  bad.summary = "{";
  const std::string before = table_of(folder, sample_head(3), {sample_point(0)});
  {
    SweepStore store{folder.path(), sample_head(3)};
    store.adopt(0, sample_point(0).id, sample_point(0).cells);
    store.finish(bad);
  }
  StoreReader reader{folder / "sweep.sqlite"};
  const std::string message = StoreDamaged{folder / "sweep.sqlite", "the summary of point 1 is none"}.what();
  CHECK_THROWS_WITH_AS(write_points_csv(reader, folder / "points.csv"), message.c_str(), StoreDamaged);
  CHECK(test::read_text(folder / "points.csv") == before);
  CHECK_FALSE(std::filesystem::exists(folder / "points.csv.partial"));
}
