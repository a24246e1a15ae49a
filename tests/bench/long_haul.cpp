// A transfer that is long in bytes and in kilometres: 16 GiB as 64 KiB WRITEs over 300 km at 100 Gbps, whole runs.
//
//   long_haul [GiB = 16]
//
// Prints CPU time of one thread, memory, and goodput beside its closed form. Memory is that of twice the bytes, too.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>

#include "engine/simulation.hpp"

using namespace soya;

namespace {

Scenario transfer_of(std::int64_t gibibytes) {
  Scenario scenario;
  scenario.name = "300 km";
  scenario.topology.nodes = {{"a", NodeKind::host, {}}, {"b", NodeKind::host, {}}};
  scenario.nics.assign(2, NicConfig{});
  LinkConfig haul;
  haul.a = NodeId{std::size_t{0}};
  haul.b = NodeId{std::size_t{1}};
  haul.rate = 100_Gbps;
  haul.length = 300_km;
  scenario.topology.links.push_back(haul);
  PerftestConfig job;
  job.name = "perftest";
  job.client = HostId{std::size_t{0}};
  job.server = HostId{std::size_t{1}};
  job.sizes = {PerftestSize{}};
  job.tx_depth = 1024;
  job.iterations = gibibytes * 16'384;
  scenario.jobs.emplace_back(std::move(job));
  return scenario;
}

double peak_memory_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void measure(std::int64_t gibibytes) {
  Simulation simulation{transfer_of(gibibytes)};
  const std::clock_t before = std::clock();
  const RunResults results = simulation.run();
  const double seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  const PerftestRow& row = results.perftest.at(0);
  std::printf("300 km %5lld %10lld %8.2f %8.1f %10.3f %11.3f %s\n", static_cast<long long>(gibibytes),
              static_cast<long long>(results.packets), seconds, peak_memory_mib(), row.steady_gbps.value_or(0),
              row.bound_gbps.value_or(0), results.sound ? "sound" : results.why_not.front().c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t gibibytes = argc > 1 ? std::atoll(argv[1]) : 16;
  if (gibibytes < 1) {
    std::fprintf(stderr, "usage: long_haul [GiB, at least 1]\n");
    return 2;
  }
  std::printf("haul     GiB    packets  seconds      MiB  Gbps       closed form\n");
  measure(gibibytes);
  measure(2 * gibibytes);
  return 0;
}
