// The memory estimate against what a run really takes from the heap.
#include <doctest/doctest.h>
#include <malloc.h>

#include <cstddef>
#include <limits>

#include "support/fabric_bench.hpp"

#ifdef __SANITIZE_ADDRESS__
// Of the sanitizer's run-time library; Debian's g++ comes without the header that declares it.
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();
#endif

using namespace soya;
using namespace soya::test;

namespace {

/// `flows` flows of one small message each, over eight hosts on one switch.
Scenario many_flows(std::int64_t flows) {
  FabricBench bench;
  bench.scenario.frame.mtu = 256_B;
  bench.hosts("h", 8);
  bench.add_switch("s1");
  for (int i = 1; i <= 8; ++i) bench.link("h" + std::to_string(i), "s1");
  FlowsConfig job;
  job.name = "flows";
  for (std::int64_t i = 0; i < flows; ++i) {
    FlowConfig flow;
    flow.from = HostId{static_cast<std::size_t>(i % 8)};
    flow.to = HostId{static_cast<std::size_t>((i + 1 + i / 8 % 7) % 8)};
    flow.size = 256_B;
    job.flows.push_back(flow);
  }
  bench.scenario.jobs.emplace_back(std::move(job));
  return bench.scenario;
}

/// Bytes in use in the heap. The sanitizer has an allocator of its own, of which the C library knows nothing.
std::int64_t heap() {
#ifdef __SANITIZE_ADDRESS__
  return static_cast<std::int64_t>(__sanitizer_get_current_allocated_bytes());
#else
  const struct mallinfo2 info = mallinfo2();
  return static_cast<std::int64_t>(info.uordblks + info.hblkhd);
#endif
}

}  // namespace

TEST_CASE("work beyond 64 bits of memory is told as the most that 64 bits hold, never as less than nothing") {
  // 8 flows of 8 x 10^18 messages, each a row of 100 B and more.
  Scenario scenario = many_flows(8);
  for (FlowConfig& flow : std::get<FlowsConfig>(scenario.jobs.front()).flows) flow.messages = std::int64_t{7} << 60;
  CHECK(estimated_memory_bytes(scenario) == std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("slices of a collective beyond a million are told by series, so that they take no memory") {
  Scenario scenario = many_flows(8);
  DdpConfig job;
  job.name = "huge";
  for (std::size_t host = 0; host < 8; ++host) job.hosts.emplace_back(host);
  // 2000 x 8 x 10^15 B, a sum beyond 64 bits, in slices of 1 MiB: 2 x 7 x 1.5 x 10^13 transfers. At most 2002 buckets
  // on 8 x 2 connections are 32 032 series, fewer than the 2^20 rows that are listed one by one: of 100 to 1000 B each.
  job.tensors.assign(2000, {"t", 1'000'000'000'000'000, std::nullopt});
  job.element = 8_B;
  job.backward = 1_s;
  job.steps = 1;
  const std::int64_t without = estimated_memory_bytes(scenario);
  scenario.jobs.emplace_back(job);
  const std::int64_t rows = estimated_memory_bytes(scenario) - without;
  CHECK(rows > (std::int64_t{1} << 20) * 100);
  CHECK(rows < (std::int64_t{1} << 20) * 1000);
}

TEST_CASE("the memory estimate grows with flows, messages, buffers, links and steps") {
  const Scenario small = many_flows(100);
  const std::int64_t base = estimated_memory_bytes(small);
  CHECK(estimated_memory_bytes(many_flows(101)) > base);
  Scenario more = small;
  std::get<FlowsConfig>(more.jobs.front()).flows.front().messages = 2;
  CHECK(estimated_memory_bytes(more) > base);
  more = small;
  more.switches.front().buffer.size = 64_MiB;
  CHECK(estimated_memory_bytes(more) > base);
  more = small;
  more.topology.links.front().length = 300_km;
  CHECK(estimated_memory_bytes(more) > base);

  DdpConfig training;
  training.hosts = {HostId{0U}, HostId{1U}, HostId{2U}};
  training.tensors = {{"all", 10'000'000, std::nullopt}};
  more = small;
  more.jobs.emplace_back(training);
  const std::int64_t one_step = estimated_memory_bytes(more);
  CHECK(one_step > base);
  std::get<DdpConfig>(more.jobs.back()).steps = 2;
  CHECK(estimated_memory_bytes(more) > one_step);
}

TEST_CASE("8192 hosts all to all need more memory than machines have, and that is known before anything is built") {
  // 8192 x 8191 = 67 100 672 flows of at least 64 B.
  FabricBench bench;
  bench.hosts("h", 2);
  bench.link("h1", "h2");
  FlowsConfig job;
  job.flows.resize(67'100'672 / 1024);
  bench.scenario.jobs.emplace_back(std::move(job));
  CHECK(estimated_memory_bytes(bench.scenario) * 1024 > std::int64_t{67'100'672} * 64);
}

TEST_CASE("the memory estimate for 50 000 flows is at least what they take, and at most four times as much") {
  const Scenario scenario = many_flows(50'000);
  const std::int64_t before = heap();
  Simulation simulation{scenario};
  const RunResults results = simulation.run();
  const std::int64_t taken = heap() - before;
  CHECK(results.transfers.finished == 50'000);
  const std::int64_t estimate = estimated_memory_bytes(scenario);
  MESSAGE("estimate " << estimate << " B, heap " << taken << " B");
  CHECK(estimate >= taken);
  CHECK(estimate <= 4 * taken);
}
