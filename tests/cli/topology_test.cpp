// soya topology: what an architect sees of a fabric, and the files it becomes.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/graphml_text.hpp"
#include "support/run_command.hpp"
#include "support/snapshot.hpp"

using namespace soya::test;

namespace {

const std::string shipped = std::string{SOYA_SOURCE_DIR} + "/topologies/";

}  // namespace

TEST_CASE("a topology fits a screen, and a scenario shows its own") {
  const TemporaryFolder folder;
  const CommandResult alone = run_command(folder, "$SOYA topology '" + shipped + "two-servers-leaf-spine.yaml'");
  CHECK(alone.status == 0);
  CHECK(alone.err == "");
  check_snapshot("cli/snapshots/topology_leaf_spine.txt", alone.out);
  const CommandResult scenario = run_command(folder, "$SOYA topology '" SOYA_SOURCE_DIR "/scenarios/janog55-ddp.yaml'");
  CHECK(scenario.out == alone.out);
}

TEST_CASE("a map of sites shows what a flow between them crosses") {
  const TemporaryFolder folder;
  const CommandResult map =
      run_command(folder, "$SOYA topology '" + shipped + "four-cities.graphml' --set topology.hosts_per_node=1");
  CHECK(map.status == 0);
  check_snapshot("cli/snapshots/topology_four_cities.txt", map.out);
}

TEST_CASE("the JSON holds what the screen says") {
  const TemporaryFolder folder;
  write_text(folder / "t.yaml", "parts: [{leaf_spine: {leaves: 4, spines: 2, hosts_per_leaf: 3}}]\n");
  const CommandResult got = run_command(folder, "$SOYA topology t.yaml --json");
  REQUIRE(got.status == 0);
  const auto json = nlohmann::json::parse(got.out);
  CHECK(json["hosts"] == 12);
  CHECK(json["switches"] == 6);
  CHECK(json["links"] == 12 + 8);
  CHECK(json["bisection"]["there_bps"] == 400'000'000'000);  // two leaves' four uplinks of 100 Gbps
  CHECK(json["diameter"]["links"] == 4);
  CHECK(json["equal_cost_paths"]["max"] == 2);
  CHECK(json["buffer_cycles"].empty());
}

TEST_CASE("what is written in one format is read from another as the same topology") {
  const TemporaryFolder folder;
  write_text(folder / "t.yaml", "parts: [{fat_tree: {k: 4}}]\n");
  const CommandResult done =
      run_command(folder,
                  "$SOYA topology t.yaml --out a.graphml && $SOYA topology a.graphml --to dot >b.dot && "
                  "$SOYA topology b.dot --to yaml --out c.yaml && $SOYA topology c.yaml --out d.graphml && cmp "
                  "a.graphml d.graphml");
  CHECK(done.status == 0);
  CHECK(done.err == "");
  CHECK(run_command(folder, "$SOYA topology a.graphml --json").out ==
        run_command(folder, "$SOYA topology c.yaml --json").out);
}

TEST_CASE("a picture is an SVG with every node, or the name of the package that draws") {
  const TemporaryFolder folder;
  const std::string file = "'" + shipped + "two-servers-leaf-spine.yaml'";
  const CommandResult without = run_command(folder, "PATH=/nowhere $SOYA topology " + file + " --to svg");
  CHECK(without.status == 4);
  CHECK(without.out == "");
  CHECK(without.err ==
        "soya: cannot draw: the program dot of Graphviz is not there; install the package graphviz; --to dot works "
        "without it, and other programs draw that\n");
  if (run_command(folder, "command -v dot").status != 0) return;
  const CommandResult drawn = run_command(folder, "$SOYA topology " + file + " --to svg");
  CHECK(drawn.status == 0);
  for (const char* name : {"<svg", "host1", "host4", "leaf2", "spine1"}) CHECK(contains(drawn.out, name));
  const CommandResult map = run_command(folder, "$SOYA topology '" + shipped + "four-cities.graphml' --to svg");
  CHECK(contains(map.out, "Sapporo"));
}

TEST_CASE("a ring that can deadlock is told by topology, check and run") {
  const TemporaryFolder folder;
  write_text(folder / "r.yaml",
             "topology:\n  nodes: {h1: host, h2: host, h3: host, h4: host, s1: switch, s2: switch, s3: switch, s4: "
             "switch}\n  links: [{between: [h1, s1]}, {between: [h2, s2]}, {between: [h3, s3]}, {between: [h4, s4]},\n"
             "    {between: [s1, s2]}, {between: [s2, s3]}, {between: [s3, s4]}, {between: [s4, s1]}]\n"
             "workload: [{flows: [{from: h1, to: h3, size: 1KB}]}]\n");
  CHECK(contains(run_command(folder, "$SOYA topology r.yaml").out, "s1 -> s2 -> s3 -> s4 -> s1"));
  const std::string warning =
      "lossless frames may wait for each other in a circle, for ever once all its buffers are full: s1 -> s2 -> s3 -> "
      "s4 "
      "-> s1; 1 more circle like it; fabric.routing.order=up-down, where the tiers allow it, has none";
  CHECK(contains(run_command(folder, "$SOYA check r.yaml").err, warning));
  CHECK_FALSE(contains(run_command(folder, "$SOYA check r.yaml --set 'fabric.pfc.priorities=[]'").err, "circle"));
}

TEST_CASE("families are listed with their formulas") {
  const TemporaryFolder folder;
  const CommandResult got = run_command(folder, "$SOYA topology --families");
  CHECK(got.status == 0);
  for (const char* name : {"leaf_spine:", "fat_tree:", "dragonfly:", "torus:"}) CHECK(contains(got.out, name));
}

TEST_CASE("what is inside servers is counted at their number and left out of the picture") {
  const TemporaryFolder folder;
  write_text(
      folder / "t.yaml",
      "parts:\n- rail_optimized: {servers: 2, gpus_per_server: 2, host_link: {length: 1m}, fabric_link: {length: "
      "1m}, local: {rate: 3600Gbps, length: 1m}}\n");
  // 2 servers x 2 GPUs, each with one link to the server's own switch.
  CHECK(contains(run_command(folder, "$SOYA topology t.yaml").out, ", 2 servers with 4 local links of 3.6Tbps\n"));
  if (run_command(folder, "command -v dot").status != 0) return;
  const std::string drawn = run_command(folder, "$SOYA topology t.yaml --out t.svg && cat t.svg").out;
  CHECK(contains(drawn, "server2&#45;gpu2"));
  CHECK(!contains(drawn, "local"));
}

TEST_CASE("a picture has the switches of a tier in the order of the file") {
  const TemporaryFolder folder;
  write_text(folder / "t.yaml",
             "parts:\n- leaf_spine: {leaves: 8, spines: 4, hosts_per_leaf: 16, host_link: {length: 1m}, fabric_link: "
             "{length: 1m}}\n");
  if (run_command(folder, "command -v dot").status != 0) return;
  const std::string drawn = run_command(folder, "$SOYA topology t.yaml --to svg").out;
  double left = -1;
  for (int leaf = 1; leaf <= 8; ++leaf) {
    const std::size_t label = drawn.find(">leaf" + std::to_string(leaf) + "</text>");
    REQUIRE(label != std::string::npos);
    const std::size_t x = drawn.rfind(" x=\"", label) + 4;
    const double here = std::stod(drawn.substr(x));
    CHECK(here > left);
    left = here;
  }
}

TEST_CASE("what soya topology cannot do is said in a sentence") {
  const TemporaryFolder folder;
  write_text(folder / "m.graphml", odd_graphml);
  const auto refusal = [&](const std::string& arguments) {
    const CommandResult result = run_command(folder, "$SOYA topology " + arguments);
    CHECK(result.status == 2);
    CHECK(result.out == "");
    return result.err.substr(0, result.err.find('\n'));
  };
  CHECK(refusal("") == "soya topology: which FILE? Name a scenario, a topology, or a map (.graphml, .dot, .gv)");
  CHECK(refusal("a b") == "soya topology: one FILE at a time; \"b\" is one too many");
  CHECK(refusal("m.graphml --to png") == "soya topology: --to: expected graphml, dot, yaml or svg, got \"png\"");
  CHECK(refusal("m.graphml --out m.png") ==
        "soya topology: --out: expected .graphml, .dot, .yaml or .svg, or .txt or .json for the description, got "
        "\".png\"; --to says a format that no ending does");
  CHECK(refusal("m.graphml --to dot --json") == "soya topology: --json describes; leave it or --to out");
  CHECK(refusal("no.graphml") == "no.graphml: topology.map: no such file: no.graphml");
  CHECK(refusal("m.graphml") ==
        "m.graphml: each of the 3 edges has no length, and its ends have no coordinates; set topology.default_length, "
        "such as 10km");
  CHECK(refusal("m.graphml --out m.graphml --set topology.default_rate=1Gbps --set topology.default_length=1km") ==
        "soya topology: --out: \"m.graphml\" is read here; write to another file");
}

TEST_CASE("families are told of no file") {
  const TemporaryFolder folder;
  const CommandResult run = run_command(folder, "$SOYA topology --families x.yaml");
  CHECK(run.status == 2);
  CHECK(run.err == "soya topology: --families stands alone; leave FILE out\nTry: soya topology --help\n");
}
