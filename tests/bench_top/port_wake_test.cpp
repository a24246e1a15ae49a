// A frame that waits in the pipeline is not what a PFC frame waits for.
#include <doctest/doctest.h>

#include <vector>

#include "core/observer.hpp"
#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// When PFC frames start at one port.
struct ControlFrames final : Observer {
  explicit ControlFrames(NodeId at) : node{at} {}
  void observe(const Fact& fact) override {
    if (fact.kind == FactKind::control_started && fact.node == node && fact.port == PortId{0U}) {
      starts.push_back(fact.time);
    }
  }
  NodeId node;
  std::vector<Time> starts;
};

}  // namespace

TEST_CASE("a PFC frame that is due while another is sent follows at once, though data waits in the pipeline") {
  // Empty SENDs: 84 B on the wire, 6.72 ns at 100 Gbps. Towards h1 the link has 10 Gbps: a PFC frame takes 67.2 ns.
  // h2's frame for h1 arrives at 1006.72 ns and leaves the pipeline 5 us later. h1's frames of two priorities arrive
  // at 1106.72 and 1113.44 ns, and each closes its group.
  FabricBench bench;
  bench.scenario.pfc.priorities = PrioritySet{0b0001'1000};
  bench.defaults.latency = 5_us;
  bench.defaults.buffer.reserved = 0_B;
  bench.defaults.buffer.threshold = StaticThreshold{1_B};
  bench.hosts("h", 3);
  bench.add_switch("s1");
  for (const char* host : {"h1", "h2", "h3"}) bench.link(host, "s1");
  bench.scenario.topology.links[0].reverse_rate = 10_Gbps;
  bench.flow("h2", "h1", 0_B);
  for (const Priority priority : {Priority{3}, Priority{4}}) {
    FlowConfig& flow = bench.flow("h1", "h3", 0_B);
    flow.priority = priority;
    flow.start = Time{0} + 100_ns;
  }
  ControlFrames frames{bench.node("s1")};
  Simulation simulation{bench.scenario};
  simulation.observe(frames);
  CHECK(simulation.run().sound);
  REQUIRE(frames.starts.size() >= 2);
  CHECK(frames.starts[0] == Time{0} + 1'106.72_ns);
  CHECK(frames.starts[1] == Time{0} + 1'106.72_ns + 67.2_ns);
}
