// A static route away from the shortest path: the frames take it, and so do ideal time and plan.
#include <doctest/doctest.h>

#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// Three switches that see each other, a host on each. All links 100 Gbps and 1 us, switches without latency.
struct Triangle : FabricBench {
  Triangle() {
    scenario.frame.mtu = 1000_B;
    for (const char* i : {"1", "2", "3"}) {
      host(std::string{"H"} + i);
      add_switch(std::string{"S"} + i);
      link(std::string{"H"} + i, std::string{"S"} + i);
    }
    link("S1", "S2");
    link("S2", "S3");
    link("S3", "S1");
  }
};

// SEND of 1000 B: 1082 B on the wire, 86.56 ns; its acknowledge 86 B, 6.88 ns.
constexpr Duration data_hop = 86'560_ps + 1_us;
constexpr Duration acknowledge_hop = 6'880_ps + 1_us;

}  // namespace

TEST_CASE("a detour costs one more hop, of the data where it is set for the data, of the acknowledge where for that") {
  struct Case {
    bool data;
    bool acknowledge;
  };
  for (const Case detour : {Case{false, false}, Case{true, false}, Case{false, true}, Case{true, true}}) {
    CAPTURE(detour.data);
    CAPTURE(detour.acknowledge);
    Triangle bench;
    if (detour.data) bench.route("S1", "H3", "S2");
    if (detour.acknowledge) bench.route("S3", "H1", "S2");
    bench.flow("H1", "H3", 1000_B);
    const RunResults results = bench.run();
    CHECK(results.sound);
    const Duration expected = (detour.data ? 4 : 3) * data_hop + (detour.acknowledge ? 4 : 3) * acknowledge_hop;
    CHECK(finish_of(results, "H1") == Time{0} + expected);
    REQUIRE(results.transfer_rows.size() == 1);
    CHECK(results.transfer_rows[0].ideal_ps == expected.picoseconds());
    CHECK(link_of(results, "S1", "S2")->frames == (detour.data ? 1 : 0));
  }
}

TEST_CASE("the plan of a training step follows a static route over a long link") {
  // One bucket of 3 MB, two ranks. The route from S1 over S2 to H3 passes 1 ms of cable; H3 reaches H1 directly.
  double without = 0;
  for (const bool detour : {false, true}) {
    CAPTURE(detour);
    Triangle bench;
    bench.scenario.topology.links[bench.link_between("S2", "S3").index()].delay = 1_ms;
    if (detour) bench.route("S1", "H3", "S2");
    DdpConfig job;
    job.name = "ddp";
    job.hosts = {bench.host_id("H1"), bench.host_id("H3")};
    job.tensors = {{"t", 750'000, std::nullopt}};
    bench.scenario.jobs.emplace_back(job);
    const RunResults results = bench.run();
    CHECK(results.sound);
    REQUIRE(results.steps.size() == 1);
    CHECK(results.steps[0].plan_step_ms == doctest::Approx(results.steps[0].step_ms).epsilon(0.02));
    // What H1 sends is over the long link at least once before the step is done.
    if (detour) CHECK(results.steps[0].plan_step_ms > without + 1);
    without = results.steps[0].plan_step_ms;
  }
}
