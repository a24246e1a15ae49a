// The packet-hops that are told before a run against those that the run counts.
#include "engine/run_estimate.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/simulation.hpp"
#include "scenario/read.hpp"

using namespace soya;

namespace {

std::vector<std::filesystem::path> shipped_scenarios() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator{std::filesystem::path{SOYA_SOURCE_DIR} / "scenarios"}) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  return files;
}

}  // namespace

TEST_CASE("packet-hops of the shipped scenarios are those that were told before") {
  constexpr std::int64_t quick = 10'000'000;  // packet-hops, a few seconds
  std::size_t compared = 0;
  for (const std::filesystem::path& file : shipped_scenarios()) {
    Simulation simulation{read_scenario(file.string())};
    const RunEstimate estimate = estimate_run(simulation);
    if (estimate.packet_hops > quick) continue;
    CAPTURE(file);
    const auto counted = static_cast<double>(simulation.run().packet_hops);
    const auto told = static_cast<double>(estimate.packet_hops);
    // One acknowledge may answer several packets, and an accelerator sends some of its own: a thousandth.
    CHECK(told <= counted * 1.001);
    if (!estimate.at_least) CHECK(told >= counted * 0.999);
    ++compared;
  }
  CHECK(compared >= 15);
}

TEST_CASE("a run that is stopped is estimated up to the stop") {
  // 1000 packets of 4096 B and headers, 4178 B with the gap, take 334 us at 100 Gbps: by 167 us half of them are sent.
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "soya-run-estimate.yaml";
  std::ofstream{file} << "topology:\n"
                         "  nodes: {h1: host, h2: host, s: switch}\n"
                         "  links: [{between: [h1, s], rate: 100Gbps, length: 5m},\n"
                         "          {between: [h2, s], rate: 100Gbps, length: 5m}]\n"
                         "fabric: {mtu: 4096}\nnic: {ack_every: 1}\nstop: {after: 167us}\n"
                         "workload: [{flows: [{from: h1, to: h2, size: 4096000B, operation: send}]}]\n";
  Simulation simulation{read_scenario(file.string())};
  std::filesystem::remove(file);
  const std::int64_t told = estimate_run(simulation).packet_hops;
  // Of 1000 packets and as many acknowledges over two links each, half: 2000.
  CHECK(static_cast<double>(told) == doctest::Approx(2000).epsilon(0.005));
  CHECK(static_cast<double>(simulation.run().packet_hops) == doctest::Approx(2000).epsilon(0.02));
}
