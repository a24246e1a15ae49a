// Servers of several GPUs: rings inside a server at its own link's rate, shared NICs, and rails.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "engine/plan_input.hpp"
#include "engine/plan_traffic.hpp"
#include "engine/state.hpp"
#include "planning/ring_time.hpp"
#include "support/fabric_bench.hpp"
#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

Duration time_of(const RunResults& results) {
  return Duration{std::llround(results.collectives.at(0).time_us * 1e6)};
}

/// All hosts on one switch by 100 Gbps, the switches without latency and PFC receivers without response time.
std::string fabric(const std::string& nodes, const std::string& links) {
  return "topology:\n  nodes: {" + nodes + ", leaf: switch}\n  links: [" + links +
         "]\nfabric: {latency: 0s, mtu: 4096, pfc: {response: 0s}}\n";
}

/// One server of four GPUs, and its ring. 1 us is 200 m.
std::string one_server(const std::string& job) {
  return fabric("w: {kind: server, gpus: 4, local: {rate: 1600Gbps, length: 200m}}",
                "{between: [w-gpu1, leaf]}, {between: [w-gpu2, leaf]}, {between: [w-gpu3, leaf]}, {between: [w-gpu4, "
                "leaf]}") +
         "workload: [{all_reduce: {" + job + "}}]\n";
}

std::int64_t wire_bytes(const RunResults& results, const std::string& from, const std::string& to) {
  const LinkRow* row = link_of(results, from, to);
  REQUIRE(row != nullptr);
  return row->wire_bytes;
}

/// Every link direction carries what the plan says, but for acknowledges that answer two packets.
void check_plan(const Scenario& scenario) {
  const PlannedScenario planned{scenario};
  const TrafficPlan plan = plan_traffic(planned.input());
  Simulation simulation{scenario};
  const RunResults results = simulation.run();
  CHECK(results.sound);
  const SimulationState& state = simulation.state();
  for (LinkDirection d = 0; d < plan.loads.size(); ++d) {
    const PortCounters counters = state.port_at(egress_of(state.routing->ports(), d)).counters();
    const std::int64_t measured = counters.wire_bytes - counters.control_frames * 84;  // PFC frames of 64 B + 20 B
    const WireLoad& load = plan.loads[d];
    CHECK(measured <= load.total().count());
    CHECK(measured >= (load.data + load.control).count());
    CHECK((load.total() == Bytes{0}) == (measured == 0));
  }
}

}  // namespace

TEST_CASE("a ring inside a server takes the closed form's time at the local link's rate") {
  // Ranks on a switch by 1600 Gbps (5 ps a byte, so that nothing is rounded) and 1 us each way: the same star as any,
  // only faster. One slice of one packet for each chunk, where the closed form is exact.
  const std::vector<PathHop> hops{{1600_Gbps, 1_us, Duration{0}}, {1600_Gbps, 1_us, Duration{0}}};
  RingNetwork network{.edges = std::vector<RingEdge>(4, RingEdge{hops, hops})};
  network.frame.mtu = 4096_B;
  const Scenario small = scenario_of(one_server("size: 8KiB, local_link: true, ring: {channels: 1}"));
  const auto& job = std::get<AllReduceConfig>(small.jobs.front());
  const RunResults results = Simulation{small}.run();
  CHECK(results.sound);
  CHECK(time_of(results) == ring_all_reduce_time({job.size, job.element}, job.ring, network));

  const Scenario large = scenario_of(one_server("size: 64MiB, local_link: true"));
  const RunResults measured = Simulation{large}.run();
  CHECK(measured.sound);
  CHECK(measured.transfers.payload_bytes == 2 * 3 * 64 * 1024 * 1024);  // 2 (N - 1) S
  for (const char* gpu : {"w-gpu1", "w-gpu2", "w-gpu3", "w-gpu4"}) {
    CHECK(wire_bytes(measured, gpu, "leaf") == 0);
    CHECK(wire_bytes(measured, std::string{gpu} + "-local", "w-local") > 2 * 3 * 16 * 1024 * 1024);
  }
}

TEST_CASE("bus bandwidth inside a server follows from the local link's rate") {
  // With links of 1 m the wire never waits: busbw is R x 4096 / (4096 + 82) less latency. R = 100 Gbps is 12.5 GB/s,
  // so 12.25 GB/s; twice the rate, twice the bandwidth.
  for (const int gbps : {100, 200, 400}) {
    CAPTURE(gbps);
    const Scenario scenario = scenario_of(
        fabric("w: {kind: server, gpus: 4, local: {rate: " + std::to_string(gbps) + "Gbps, length: 1m}}",
               "{between: [w-gpu1, leaf]}, {between: [w-gpu2, leaf]}, {between: [w-gpu3, leaf]}, {between: [w-gpu4, "
               "leaf]}") +
        "workload: [{all_reduce: {hosts: [w], size: 32MiB, local_link: true}}]\n");
    const RunResults results = Simulation{scenario}.run();
    const double ceiling = gbps / 8.0 * 4096 / (4096 + 82);
    CHECK(results.collectives.at(0).busbw_GBps <= ceiling);
    CHECK(results.collectives.at(0).busbw_GBps > 0.97 * ceiling);
  }
}

TEST_CASE("without local_link the ring goes over the network, and the server's own link is idle") {
  const std::string text = one_server("size: 1MiB");
  const RunResults results = Simulation{scenario_of(text)}.run();
  CHECK(results.sound);
  for (const char* gpu : {"w-gpu1", "w-gpu2", "w-gpu3", "w-gpu4"}) {
    CHECK(wire_bytes(results, gpu, "leaf") > 2 * 3 * 256 * 1024);
    CHECK(wire_bytes(results, std::string{gpu} + "-local", "w-local") == 0);
  }
  // As if the server had none.
  const std::string local = ", local: {rate: 1600Gbps, length: 200m}";
  std::string without = text;
  without.erase(without.find(local), local.size());
  CHECK(time_of(Simulation{scenario_of(without)}.run()) == time_of(results));
}

TEST_CASE("GPUs that share a NIC start their network connections there") {
  // Ranks w1-gpu1 to w1-gpu4, w2-gpu1 to w2-gpu4: the ring leaves w1 at its fourth GPU, whose NIC is the third's, and
  // comes back to its first one.
  const Scenario scenario = scenario_of(
      fabric("w1: {kind: server, gpus: 4, nics: 2, local: {rate: 400Gbps, length: 1m}}, "
             "w2: {kind: server, gpus: 4, nics: 2, local: {rate: 400Gbps, length: 1m}}",
             "{between: [w1-gpu1, leaf]}, {between: [w1-gpu3, leaf]}, {between: [w2-gpu1, leaf]}, {between: [w2-gpu3, "
             "leaf]}") +
      "workload: [{all_reduce: {hosts: [w1, w2], size: 1MiB, local_link: true}}]\n");
  const auto& job = std::get<AllReduceConfig>(scenario.jobs.front());
  REQUIRE(job.hosts.size() == 8);
  const RunResults results = Simulation{scenario}.run();
  CHECK(results.sound);
  CHECK(results.transfers.payload_bytes == 2 * 7 * 1024 * 1024);
  // A rank sends 2 (N - 1)/N S = 1.75 MiB, less or more by a chunk's rounding; back come acknowledges and
  // clear-to-sends.
  const std::int64_t payload = 2 * 7 * 1024 * 1024 / 8;
  for (const char* server : {"w1", "w2"}) {
    const std::string name{server};
    CHECK(wire_bytes(results, name + "-gpu3", "leaf") > payload);
    CHECK(wire_bytes(results, "leaf", name + "-gpu1") > payload);
    CHECK(wire_bytes(results, name + "-gpu1", "leaf") < payload / 10);
    CHECK(wire_bytes(results, "leaf", name + "-gpu3") < payload / 10);
  }
  for (const TransferRow& row : results.transfer_rows) CHECK(row.from.find("-local") == std::string::npos);
  check_plan(scenario);
}

TEST_CASE("flows of GPUs that share a NIC share its link") {
  // Two flows of 1 MB from one NIC to two hosts take twice the time of one, but for the tail of a packet and the path.
  const std::string servers =
      fabric("w: {kind: server, gpus: 2, nics: 1, local: {rate: 400Gbps, length: 1m}}, h1: host, h2: host",
             "{between: [w-gpu1, leaf]}, {between: [h1, leaf]}, {between: [h2, leaf]}");
  const auto longest = [&](const std::string& flows) {
    const RunResults results = Simulation{scenario_of(servers + "workload: [{flows: [" + flows + "]}]\n")}.run();
    CHECK(results.sound);
    double most = 0;
    for (const TransferRow& row : results.transfer_rows) most = std::max(most, static_cast<double>(*row.finish_ps));
    return most;
  };
  const double one = longest("{from: w-gpu1, to: h1, size: 1MB}");
  const double both = longest("{from: w-gpu1, to: h1, size: 1MB}, {from: w-gpu2, to: h2, size: 1MB}");
  CHECK(std::abs(both / one - 2) < 0.02);
  CHECK(std::abs(longest("{from: w-gpu2, to: h2, size: 1MB}") / one - 1) < 1e-9);
}

TEST_CASE("with rail-only rings of each rail run beside each other, each as if it were alone") {
  const std::string topology =
      "topology: {parts: [{rail_optimized: {servers: 4, gpus_per_server: 2, rail_only: true, local: {rate: "
      "3600Gbps}}}]}\n";
  const auto ring = [](int gpu) {
    std::string hosts;
    for (int server = 1; server <= 4; ++server) {
      hosts += (server == 1 ? "server" : ", server") + std::to_string(server) + "-gpu" + std::to_string(gpu);
    }
    return "{all_reduce: {hosts: [" + hosts + "], size: 1MiB}}";
  };
  const RunResults both = Simulation{scenario_of(topology + "workload: [" + ring(1) + ", " + ring(2) + "]\n")}.run();
  const RunResults alone = Simulation{scenario_of(topology + "workload: [" + ring(2) + "]\n")}.run();
  CHECK(both.sound);
  REQUIRE(both.collectives.size() == 2);
  CHECK(both.collectives[0].time_us == doctest::Approx(alone.collectives[0].time_us).epsilon(0.001));
  CHECK(both.collectives[1].time_us == doctest::Approx(alone.collectives[0].time_us).epsilon(0.001));
}

TEST_CASE("with rail-only a ring over all GPUs of one server runs inside it") {
  const std::string topology =
      "topology: {parts: [{rail_optimized: {servers: 2, gpus_per_server: 4, rail_only: true, local: {rate: "
      "3600Gbps}}}]}\n";
  const Scenario scenario =
      scenario_of(topology + "workload: [{all_reduce: {hosts: [server1], size: 1MiB, local_link: true}}]\n");
  const RunResults results = Simulation{scenario}.run();
  CHECK(results.sound);
  CHECK(results.transfers.payload_bytes == 2 * 3 * 1024 * 1024);
  check_plan(scenario);
}
