// soya sweep plot as a user calls it.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "cli/sweep_store.hpp"
#include "topology/xml_elements.hpp"

using namespace soya::test;

namespace {

std::string refused(const StoreFolder& folder, const std::string& arguments) {
  return refused_by(folder, "sweep plot " + arguments);
}

const std::string try_help = "\nTry: soya sweep plot --help\n";

}  // namespace

TEST_CASE("a sweep is drawn on the terminal and as SVG") {
  const StoreFolder folder;
  const CommandResult result =
      run_command(folder, "$SOYA sweep plot out --x length --y answer --by mode --out picture.svg");
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  CHECK(
      result.out.starts_with(" headroom: answer for fabric.headroom.size over length\n"
                             " mean of 1 to 2 points, with least and most\n"));
  CHECK(contains(result.out, " answer for fabric.headroom.size (KB)\n"));
  CHECK(contains(result.out, "topology.link_types.haul.length (km)\n"));
  CHECK(contains(result.out, " mode:\n  a per-queue    b dsh\n"));
  CHECK(contains(result.out, " 1 of 8 points has no answer: drops.lossless == 0 fails at both ends\n"));
  CHECK(result.out.ends_with("\n picture.svg\n"));
  CHECK_FALSE(contains(result.out, "\x1b["));
  const std::string svg = read_text(folder / "picture.svg");
  CHECK(soya::parse_xml(svg).name == "svg");
  CHECK(contains(svg, "1 of 8 points has no answer"));
  // The same again, from the file instead of the folder: the same bytes.
  CHECK(
      run_command(folder, "$SOYA sweep plot out/sweep.sqlite --x length --y answer --by mode --out again.svg").status ==
      0);
  CHECK(read_text(folder / "again.svg") == svg);
}

TEST_CASE("what is drawn can be had as CSV") {
  const StoreFolder folder;
  const CommandResult result = run_command(folder, "$SOYA sweep plot out --x length --y answer --by mode --csv");
  CHECK(result.status == 0);
  // 20 000 + 10 x 1000 = 30 000 and 50 000, of dsh half of that; seeds 100 less and more.
  CHECK(
      result.out ==
      "topology.link_types.haul.length_m,fabric.headroom.mode,quantity,unit,n,mean,min,max,not_sound,without_value\r\n"
      "1000,per-queue,answer,bytes,2,30000,29900,30100,0,0\r\n"
      "3000,per-queue,answer,bytes,2,50000,49900,50100,0,0\r\n"
      "1000,dsh,answer,bytes,2,15000,14900,15100,0,0\r\n"
      "3000,dsh,answer,bytes,1,24900,24900,24900,0,1\r\n");
}

TEST_CASE("two columns and a color are a heat map") {
  const StoreFolder folder;
  const CommandResult result =
      run_command(folder, "$SOYA sweep plot out --x length --y mode --color answer --where 'seed == 2' --out map.svg");
  CHECK(result.status == 0);
  CHECK(contains(result.out, " headroom: answer for fabric.headroom.size over length and mode\n where seed == 2\n"));
  CHECK(contains(result.out, "30.1"));  // KB: 30 000 + 100
  CHECK(contains(result.out, " x no value\n"));
  CHECK(contains(read_text(folder / "map.svg"), "A cross: no value."));
}

TEST_CASE("a store that lacks points is told of") {
  const TemporaryFolder folder;
  std::vector<soya::StoredPoint> points = eight_points();
  points.resize(5);
  write_store(folder / "out", points);
  const CommandResult result = run_command(folder, "$SOYA sweep plot out --x length --y answer --by mode");
  CHECK(result.status == 0);
  CHECK(result.err == "note: 3 of 8 points are not there yet\n");
}

TEST_CASE("a summary that is none is damage of the store") {
  const TemporaryFolder folder;
  std::vector<soya::StoredPoint> points = eight_points();
  points[3].summary = "{";
  write_store(folder / "out", points);
  const CommandResult result = run_command(folder, "$SOYA sweep plot out --x length --y drops.lossless --by mode");
  CHECK(result.status == 2);
  CHECK(result.err.starts_with("out/sweep.sqlite: damaged (the summary of point 3 is none); "));
}

TEST_CASE("what cannot be drawn is told verbatim") {
  const StoreFolder folder;
  CHECK(refused(folder, "") == "soya sweep plot: which STORE? Name the folder of a sweep" + try_help);
  CHECK(refused(folder, "out") == "soya sweep plot: --x: expected a column, got nothing" + try_help);
  CHECK(refused(folder, "out out") ==
        "soya sweep plot: one STORE at a time; \"out\" is one too many; soya sweep merge folds stores into one" +
            try_help);
  CHECK(refused(folder, "nowhere --x length --y answer") ==
        "soya sweep plot: \"nowhere\" is no folder of a sweep and no sweep.sqlite" + try_help);
  CHECK(refused(folder, ". --x length --y answer") == "soya sweep plot: \".\" holds no sweep.sqlite" + try_help);
  std::filesystem::create_directories(folder / "shards/shard-00000-of-00002");
  CHECK(refused(folder, "shards --x length --y answer") ==
        "soya sweep plot: \"shards\" holds shards; fold them first: soya sweep merge shards --out shards" + try_help);
  CHECK(refused(folder, "out --x lenght --y answer") ==
        "soya sweep plot: unknown column \"lenght\"; did you mean \"length\"?\n");
  CHECK(refused(folder, "out --x length --y drops.loss") ==
        "soya sweep plot: unknown quantity \"drops.loss\"; did you mean \"drops.lossy\"?\n");
  CHECK(refused(folder, "out --x length --y answer") ==
        "soya sweep plot: points differ in fabric.headroom.mode too (per-queue, dsh): draw its values as lines by "
        "--by, or fix one by --where\n");
  CHECK(refused(folder, "out --x length --y answer --where 'mode == pool'") ==
        "soya sweep plot: none of the 8 points has mode == pool\n");
  CHECK(refused(folder, "out --x length --y answer --where 'length < 3'") ==
        "soya sweep plot: expected a length such as 3m or 300km, got \"3\" (at 10 of \"length < 3\")\n");
  CHECK(refused(folder, "out --x length --y mode") ==
        "soya sweep plot: --y: fabric.headroom.mode is a column; give a quantity, or add --color QUANTITY for a heat "
        "map" +
            try_help);
  CHECK(refused(folder, "out --x length --y length --color answer") ==
        "soya sweep plot: --y: topology.link_types.haul.length is --x already" + try_help);
  CHECK(refused(folder, "out --x length --y answer --by length") ==
        "soya sweep plot: --by: topology.link_types.haul.length is --x already" + try_help);
  CHECK(refused(folder, "out --x length --y answer --by mode,rate,seed") ==
        "soya sweep plot: --by: at most two columns tell lines apart, got \"mode,rate,seed\"" + try_help);
  CHECK(refused(folder, "out --x length --y answer --by mode --log z") ==
        "soya sweep plot: --log: expected x, y or xy, got \"z\"" + try_help);
  CHECK(refused(folder, "out --x length --y mode --color answer --log x") ==
        "soya sweep plot: --log: of a heat map only its colors, --log color; got \"x\"" + try_help);
  CHECK(refused(folder, "out --x length --y answer --by mode --out picture.png") ==
        "soya sweep plot: --out: expected a name that ends in .svg, got \"picture.png\"" + try_help);
  CHECK(refused(folder, "out --x length --y steps.exposed_ms.max --by mode") ==
        "soya sweep plot: there is no value of steps.exposed_ms.max to draw; 1 of 8 points has no answer: "
        "drops.lossless == 0 fails at both ends; 7 of 8 points have no such value\n");
}

TEST_CASE("a picture that cannot be written is the machine's refusal") {
  const StoreFolder folder;
  const CommandResult result =
      run_command(folder, "$SOYA sweep plot out --x length --y answer --by mode --out out/sweep.sqlite/a.svg");
  CHECK(result.status == 4);
  CHECK(contains(result.err, "cannot write"));
}
