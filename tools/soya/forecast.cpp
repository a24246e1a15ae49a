#include "forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "engine/simulation.hpp"
#include "progress.hpp"
#include "text_table.hpp"
#include "topology/families.hpp"

namespace soya::cli {

namespace {

/// 16 hosts under four leaves and four spines, 15 of which send to one: some 7 000 packet-hops.
Scenario small_incast() {
  constexpr std::size_t hosts = 16;
  Scenario scenario;
  scenario.name = "calibration";
  LeafSpineConfig fabric;
  fabric.leaves = 4;
  fabric.spines = 4;
  fabric.hosts_per_leaf = 4;
  add_leaf_spine(scenario.topology, fabric);
  scenario.switches.assign(8, SwitchConfig{});
  scenario.nics.assign(hosts, NicConfig{});
  FlowsConfig job;
  job.name = scenario.name;
  for (std::uint32_t host = 1; host < hosts; ++host) {
    FlowConfig flow;
    flow.from = HostId{host};
    flow.to = HostId{0U};
    flow.size = 256_KiB;
    job.flows.push_back(flow);
  }
  scenario.jobs.emplace_back(std::move(job));
  return scenario;
}

std::string seconds_text(double seconds) {
  if (seconds < 0.1) return fmt::format("{:.1f} ms", seconds * 1e3);
  return seconds < 10 ? fmt::format("{:.2f} s", seconds) : wall_time_text(seconds);
}

/// How much longer a packet-hop takes among so many hosts than in the trial: the more state, the farther it is away.
double slowdown(std::int64_t hosts) {
  constexpr double hosts_of_trial = 16;
  constexpr double by_doubling = 0.25;
  return 1 + by_doubling * std::log2(std::max(static_cast<double>(hosts) / hosts_of_trial, 1.0));
}

const char* bound(bool at_least) {
  return at_least ? "at least" : "about";
}

}  // namespace

double measured_seconds_per_hop() {
  // The least of a few: what else the machine does only ever adds.
  constexpr int trials = 4;
  double least = 1;
  for (int trial = 0; trial < trials; ++trial) {
    Simulation simulation{small_incast()};
    const auto start = std::chrono::steady_clock::now();
    const RunResults results = simulation.run();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    least = std::min(least, taken.count() / static_cast<double>(std::max<std::int64_t>(results.packet_hops, 1)));
  }
  return least;
}

Forecast forecast_of(const std::vector<RunEstimate>& runs, const Pace& pace, std::int64_t memory_bytes,
                     double seconds_per_hop) {
  Forecast sum{0, false, memory_bytes, 0};
  double all = 0;
  double longest = 0;
  for (const RunEstimate& run : runs) {
    const double seconds = static_cast<double>(run.packet_hops) * seconds_per_hop * slowdown(run.hosts);
    sum.packet_hops += run.packet_hops;
    sum.at_least = sum.at_least || run.at_least;
    all += seconds;
    longest = std::max(longest, seconds);
  }
  // All of them take no less than the longest.
  sum.seconds = std::max(all / std::max(pace.runs_at_a_time, 1), longest) / pace.speed_up;
  return sum;
}

std::string hops_text(std::int64_t packet_hops) {
  const auto hops = static_cast<double>(packet_hops);
  if (packet_hops >= 1'000'000'000) return fmt::format("{:.1f} G", hops * 1e-9);
  if (packet_hops >= 1'000'000) return fmt::format("{:.1f} M", hops * 1e-6);
  return grouped(packet_hops);
}

std::string estimate_text(const RunEstimate& estimate) {
  return fmt::format("{} {} packet-hops", bound(estimate.at_least), hops_text(estimate.packet_hops));
}

std::string forecast_line(const Forecast& expected) {
  return fmt::format("soya: expects {}, at most {}, {} {}", estimate_text({expected.packet_hops, expected.at_least}),
                     size_text(expected.memory_bytes), bound(expected.at_least), seconds_text(expected.seconds));
}

std::string taken_line(const Taken& taken, const Forecast& expected) {
  return fmt::format("soya: took {} packet-hops, {}, {}; expected {} {}, at most {}, {}", hops_text(taken.packet_hops),
                     size_text(taken.memory_bytes), seconds_text(taken.seconds), bound(expected.at_least),
                     hops_text(expected.packet_hops), size_text(expected.memory_bytes), seconds_text(expected.seconds));
}

}  // namespace soya::cli
