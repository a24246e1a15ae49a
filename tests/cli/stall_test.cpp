// A circular wait at the command: three switches, and static routes that lead every flow the long way round.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/run_command.hpp"

using namespace soya::test;
using Json = nlohmann::ordered_json;

namespace {

const std::string triangle_yaml = R"(name: triangle
topology:
  link_types: {cable: {rate: 100Gbps, length: 3m}}
  nodes: {H1: host, H2: host, H3: host, S1: switch, S2: switch, S3: switch}
  links:
    - {between: [H1, S1], type: cable}
    - {between: [H2, S2], type: cable}
    - {between: [H3, S3], type: cable}
    - {between: [S1, S2], type: cable}
    - {between: [S2, S3], type: cable}
    - {between: [S3, S1], type: cable}
  routes:
    - {at: S1, to: H3, via: S2}
    - {at: S2, to: H1, via: S3}
    - {at: S3, to: H2, via: S1}
fabric: {buffer: {size: 300KB}}
workload:
  - flows:
      - {from: H1, to: H3, size: 10MB}
      - {from: H2, to: H1, size: 10MB}
      - {from: H3, to: H2, size: 10MB}
variants:
  direct: {topology.routes: []}
)";

struct Folder : TemporaryFolder {
  Folder() { write_text(*this / "triangle.yaml", triangle_yaml); }
};

}  // namespace

TEST_CASE("a circular wait is exit 3, and the first line names the cycle, its priority and since when") {
  const Folder folder;
  const CommandResult run = run_command(folder, "$SOYA run triangle.yaml --quiet");
  CHECK(run.status == 3);
  CHECK(run.out.starts_with("triangle: NOT SOUND\n  - pause cycle S1>S2>S3>S1 on priority 3 since "));
  CHECK(contains(run.out, "\n  - stalled: at "));
  for (const char* flow : {"H1>H3/0", "H2>H1/0", "H3>H2/0"}) {
    CHECK(contains(run.out, "\n  - flow " + std::string{flow} + ": 1 of 1 messages unfinished, "));
  }
  CHECK(contains(run.out, " of 10 000 000 B delivered\n"));
}

TEST_CASE("without the routes the same fabric is sound, as a variant and by --set") {
  const Folder folder;
  const CommandResult both = run_command(folder, "$SOYA run triangle.yaml --json --quiet");
  CHECK(both.status == 3);
  const Json json = Json::parse(both.out);
  CHECK(json["sound"] == false);
  CHECK(json["transfers"]["finished"] == 0);
  CHECK(json["variants"]["direct"]["sound"] == true);
  CHECK(json["variants"]["direct"]["transfers"]["finished"] == 3);
  const CommandResult direct = run_command(folder, "$SOYA run triangle.yaml --quiet --set topology.routes=[]");
  CHECK(direct.status == 0);
  CHECK(direct.out.starts_with("triangle: SOUND\n"));
}

TEST_CASE("check prints the routes with their places, and refuses those that make a loop") {
  const Folder folder;
  const CommandResult check = run_command(folder, "$SOYA check triangle.yaml");
  CHECK(check.status == 0);
  CHECK(contains(check.out,
                 "\n  routes:\n    - {at: S1, to: H3, via: S2}  # triangle.yaml:13:7\n"
                 "    - {at: S2, to: H1, via: S3}  # triangle.yaml:14:7\n"));
  write_text(folder / "loop.yaml",
             "extends: triangle.yaml\n"
             "topology: {routes: [{at: S1, to: H3, via: S2},\n"
             "    {at: S2, to: H3, via: S1}]}\n");
  const CommandResult loop = run_command(folder, "$SOYA check loop.yaml");
  CHECK(loop.status == 2);
  CHECK(loop.out.empty());
  CHECK(loop.err == "loop.yaml:2:21: topology.routes[0]: frames for H3 go round S1 > S2 > S1\n");
}
