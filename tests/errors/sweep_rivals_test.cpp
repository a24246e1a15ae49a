// Values of a sweep that would have no effect, or mean something else than they say, verbatim.
#include <doctest/doctest.h>

#include <string>

#include "errors/sweep_faults.hpp"

using namespace soya;
using soya::test::faults;

namespace {

std::string swept(const std::string& keys, const ReadOptions& options = {}) {
  return faults("scenario: s.yaml\n" + keys, options);
}

}  // namespace

TEST_CASE("a key that two factors give") {
  CHECK(swept("cases: {m: {a: {fabric.mtu: 256}}}\naxes: {fabric.mtu: [512, 1024]}\n") ==
        "w.yaml:3:21: fabric.mtu: is given by m in line 2 too; one axis, case, zip or sample decides on a key");
  CHECK(swept("axes: {fabric.mtu: [512, 1024]}\ncases: {m: {a: {}, b: {fabric.mtu: 256}}}\n") ==
        "w.yaml:3:36: fabric.mtu: is given in line 2 too; one axis, case, zip or sample decides on a key");
  CHECK(swept("cases: {m: {a: {fabric.mtu: 256}}, n: {a: {nic.queue_depth: 4}}}\n") == "");
}

TEST_CASE("what stands before a value that replaces it, and in that order") {
  CHECK(swept("axes: {\"workload[0].flows[0].size\": [1KB, 2KB], workload: [[]]}\n")
            .ends_with("workload: replaces workload[0].flows[0].size, given in line 2; write it before that"));
  CHECK(swept("axes: {fabric: [{mtu: 512}], fabric.headroom.mode: [dsh, none]}\n") == "");
}

TEST_CASE("set: below an axis, a case or a search, and --set and --seed below the sweep") {
  CHECK(swept("set: {fabric.mtu: 256}\naxes: {fabric.mtu: [512, 1024]}\n") ==
        "w.yaml:2:19: fabric.mtu: has no effect, since every point has a fabric.mtu from line 3; leave it out here");
  // Of the two cases one leaves the key as set: has it.
  CHECK(swept("set: {fabric.mtu: 256}\ncases: {m: {a: {fabric.mtu: 512}, b: {}}}\n") == "");
  const std::string search =
      "search: {smallest: fabric.headroom.size, from: 1KB, to: 1MB, such_that: drops.lossless == 0}\n";
  CHECK(swept(search + "set: {fabric.headroom.size: 4KB}\n") ==
        "w.yaml:3:29: fabric.headroom.size: is searched for, so nothing else gives it; leave it out here");
  CHECK(swept(search + "cases: {m: {a: {fabric.headroom.size: 4KB}}}\n") ==
        "w.yaml:3:39: fabric.headroom.size: is searched for, so nothing else gives it; leave it out here");
  CHECK(swept("set: {fabric.mtu: 256}\n", {.sets = {"fabric.mtu=512"}}) ==
        "w.yaml:2:19: fabric.mtu: --set gives fabric.mtu, and the sweep's own set: stands above it; change it here");
  CHECK(swept("cases: {m: {a: {fabric.mtu: 256}}}\n", {.sets = {"fabric.mtu=512"}}) ==
        "w.yaml: fabric.mtu: --set gives it, and the sweep varies it; leave --set out");
  CHECK(swept("seeds: [1, 2]\n", {.seed = 5}) ==
        "w.yaml: seeds: --seed gives one, and the sweep lists its seeds; leave it out");
  CHECK(swept("seeds: 2\n", {.seed = 5}) == "");
  CHECK(swept("set: {seed: 3}\nseeds: [1, 2]\n") ==
        "w.yaml:2:13: seed: has no effect, since seeds: lists them; leave it out here");
}

TEST_CASE("seeds, names and variants are no values of a case, zip, sample or search") {
  const std::string seeds = "seeds are no axis; write seeds: 5, or seeds: [1, 2, 7]";
  CHECK(swept("cases: {m: {a: {seed: 4}}}\n") == "w.yaml:2:23: cases.m.a: " + seeds);
  CHECK(swept("zip: {fabric.mtu: [512, 1024], seed: [1, 2]}\n") == "w.yaml:2:32: axes: " + seeds);
  CHECK(swept("sample: {points: 3, ranges: {seed: {from: 1, to: 9}}}\n") == "w.yaml:2:30: sample: " + seeds);
  CHECK(swept("search: {smallest: seed, from: 1, to: 9, such_that: sound == 1}\n") == "w.yaml:2:20: search: " + seeds);
  CHECK(swept("axes: {extends: [t.yaml]}\n") ==
        "w.yaml:2:8: axes: extends is no axis; it belongs into the scenario's file");
}

TEST_CASE("a list or a word that the key does not take") {
  CHECK(swept("axes: {fabric.mtu: [[512]]}\n") == "w.yaml:2:21: fabric.mtu: expected a single value, got a list");
  CHECK(swept("cases: {m: {a: {fabric.mtu: {x: 1}}}}\n") ==
        "w.yaml:2:29: fabric.mtu: expected a single value, got a mapping");
  CHECK(swept("axes: {fabric.headroom.mode: [dsh, per-queu]}\n") ==
        "w.yaml:2:36: fabric.headroom.mode: expected one of per-queue, shared-pool, port-shared, dsh, none, got "
        "\"per-queu\"; did you mean \"per-queue\"?");
  CHECK(swept("axes: {fabric.pfc.priorities: [[3], [3, 4]]}\n") == "");
}

TEST_CASE("values that are one") {
  CHECK(swept("axes: {fabric.buffer.alpha: [1/8, 0.125]}\n") ==
        "w.yaml:2:35: fabric.buffer.alpha: 0.125 stands there twice");
  CHECK(swept("zip: {fabric.mtu: [512, 512], nic.queue_depth: [4, 4]}\n") ==
        "w.yaml:2:25: fabric.mtu: 512 stands there twice");
  CHECK(swept("zip: {fabric.mtu: [512, 512], nic.queue_depth: [4, 8]}\n") == "");
  CHECK(swept("variants: [base, small, small]\n") == "w.yaml:2:11: variants: small stands there twice");
}

TEST_CASE("a list of cases whose name no condition, picture or fit could say, or that is taken") {
  for (const char* name : {"a b", "a,b", "a*b", "x=y", "'\"q\"'"}) {
    CAPTURE(name);
    CHECK(swept("cases: {" + std::string{name[0] == '\'' ? name : "\"" + std::string{name} + "\""} +
                ": {a: {fabric.mtu: 256}}}\n")
              .starts_with("w.yaml:2:9: cases: cases cannot be called so: "));
  }
  CHECK(swept("cases: {\"\": {a: {fabric.mtu: 256}}}\n") ==
        "w.yaml:2:9: cases: expected a name for these cases, got nothing");
  CHECK(swept("cases: {seed: {a: {fabric.mtu: 256}}}\n") ==
        "w.yaml:2:9: cases: cases cannot be called \"seed\", as sweeps call a number of their own");
  CHECK(swept("cases: {札幌: {稚内 x: {fabric.mtu: 256}}}\n") == "");
}

TEST_CASE("conditions and kept quantities that name nothing, and lists without items") {
  CHECK(swept("axes: {fabric.mtu: [512, 1024]}\nonly: [mut == 512B]\n") ==
        "w.yaml:3:8: only: in \"mut == 512B\": unknown column \"mut\"; did you mean \"mtu\"?");
  CHECK(swept("only: []\n") == "w.yaml:2:7: only: the list is empty; leave only: out");
  CHECK(swept("only: [[seed]]\n") == "w.yaml:2:8: only: expected a text, got a list");
  CHECK(swept("keep: []\n") == "w.yaml:2:7: keep: the list is empty; leave keep: out");
  CHECK(swept("keep: [plan.stepms]\n") ==
        "w.yaml:2:8: keep: there is no closed form \"plan.stepms\"; there are plan.headroom_auto_bytes, "
        "plan.headroom_static_bytes, plan.headroom_dynamic_bytes, plan.step_ms");
}
