// What one packet crossing one link costs: whole runs on a leaf-spine fabric, in ns, events and memory.
//
//   packet_hop [packets per flow = 25000 [pattern = all]]
//
// 16 hosts (4 per leaf, 4 spines), all links 100 Gbps and 1 us, no switch latency, payload 4096 B, one acknowledge per
// packet, ECMP per flow, PFC; then the same with double the hosts and with double the bytes. End times are printed
// beside their closed form. Times are CPU time of one thread, the least and the
// median of five runs; run it alone, and compare ratios within one run.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "engine/simulation.hpp"
#include "topology/families.hpp"

using namespace soya;

namespace {

enum class Pattern { incast, ring, shift };

struct Row {
  const char* name;
  Pattern pattern;
  int hosts;
  std::int64_t packets;
};

Scenario leaf_spine_scenario(const Row& row) {
  Scenario scenario;
  scenario.name = row.name;
  LeafSpineConfig fabric;
  fabric.leaves = row.hosts / 4;
  fabric.spines = 4;
  fabric.hosts_per_leaf = 4;
  fabric.host_link.length = 0_m;
  fabric.host_link.delay = 1_us;
  fabric.fabric_link = fabric.host_link;
  add_leaf_spine(scenario.topology, fabric);
  SwitchConfig one;
  one.latency = Duration{0};
  scenario.switches.assign(static_cast<std::size_t>(fabric.leaves + fabric.spines), one);
  NicConfig nic;
  nic.ack_every = 1;
  scenario.nics.assign(static_cast<std::size_t>(row.hosts), nic);

  FlowsConfig job;
  job.name = row.name;
  const auto hosts = static_cast<std::uint32_t>(row.hosts);
  for (std::uint32_t h = row.pattern == Pattern::incast ? 1 : 0; h < hosts; ++h) {
    FlowConfig flow;
    flow.from = HostId{h};
    flow.to = HostId{row.pattern == Pattern::incast ? 0U : (h + (row.pattern == Pattern::ring ? 1U : 4U)) % hosts};
    flow.size = Bytes{row.packets * 4096};
    job.flows.push_back(flow);
  }
  scenario.jobs.emplace_back(std::move(job));
  return scenario;
}

/// The last finish by arithmetic, where the pattern has a closed form: the wire of the bottleneck, and one path.
double closed_form_us(const Row& row) {
  const double data = 4096 + 82;
  const double acknowledge = 86;
  const double path = 4 * 1.0 + 3 * (data + 16) * 80e-6 + 4 * 1.0 + 4 * acknowledge * 80e-6;
  const auto packets = static_cast<double>(row.packets);
  switch (row.pattern) {
    case Pattern::incast:
      return (row.hosts - 1) * (packets * data + 16) * 80e-6 + path;
    case Pattern::ring:
      return packets * (data + acknowledge) * 80e-6 + path;
    case Pattern::shift:
      return 0;
  }
  return 0;
}

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double peak_memory_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

/// CPU time of each of a few runs of the same: what others do on the machine only ever adds to it.
constexpr int repeats = 5;

void measure(const Row& row) {
  const Scenario scenario = leaf_spine_scenario(row);
  RunResults results;
  std::vector<double> seconds;
  for (int i = 0; i < repeats; ++i) {
    Simulation simulation{scenario};
    const double before = cpu_seconds();
    results = simulation.run();
    seconds.push_back(cpu_seconds() - before);
  }
  std::sort(seconds.begin(), seconds.end());
  const auto hops = static_cast<double>(results.packet_hops);
  std::int64_t last = 0;
  for (const TransferRow& transfer : results.transfer_rows) last = std::max(last, transfer.finish_ps.value_or(0));
  const double expected = closed_form_us(row);
  std::printf("%-7s %5d %8lld %10lld %7.1f %7.1f %7.3f %8lld %8lld %7.1f %11.3f %11s %s\n", row.name, row.hosts,
              static_cast<long long>(row.packets), static_cast<long long>(results.packet_hops),
              seconds.front() * 1e9 / hops, seconds[seconds.size() / 2] * 1e9 / hops,
              static_cast<double>(results.events) / hops, static_cast<long long>(results.peak_pending_events),
              static_cast<long long>(results.peak_packets), peak_memory_mib(), static_cast<double>(last) * 1e-6,
              expected > 0 ? std::to_string(expected).c_str() : "-",
              results.sound ? "sound" : results.why_not.front().c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t packets = argc > 1 ? std::atoll(argv[1]) : 25'000;
  const std::string only = argc > 2 ? argv[2] : "all";
  const std::vector<std::pair<const char*, Pattern>> patterns{
      {"incast", Pattern::incast}, {"ring", Pattern::ring}, {"shift", Pattern::shift}};
  const auto wanted = [&](const auto& pattern) { return only == "all" || only == pattern.first; };
  if (packets < 1 || std::none_of(patterns.begin(), patterns.end(), wanted)) {
    std::fprintf(stderr, "usage: packet_hop [packets per flow, at least 1 [incast, ring, shift or all]]\n");
    return 2;
  }
  std::printf(
      "pattern hosts  packets packet-hops  ns/hop  median  ev/hop  pending  packets     MiB     last us closed form\n");
  for (const auto& one : patterns) {
    if (!wanted(one)) continue;
    const auto& [name, pattern] = one;
    measure({name, pattern, 16, packets});
    measure({name, pattern, 16, 2 * packets});
    measure({name, pattern, 32, packets});
  }
  return 0;
}
