// Ring all-reduce over the real fabric: bytes of every rank, exact time when latency rules, bus bandwidth, losses.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "planning/ring_time.hpp"
#include "support/fabric_bench.hpp"
#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// `ranks` hosts on one switch.
struct Star : FabricBench {
  explicit Star(int ranks) {
    add_switch("s");
    hosts("h", ranks);
    for (int h = 1; h <= ranks; ++h) link("h" + std::to_string(h), "s");
  }
  AllReduceConfig& all_reduce(Bytes size) {
    AllReduceConfig job;
    job.name = "ring";
    for (std::size_t h = 0; h < scenario.nics.size(); ++h) job.hosts.emplace_back(h);
    job.size = size;
    scenario.jobs.emplace_back(job);
    return std::get<AllReduceConfig>(scenario.jobs.back());
  }
};

/// Payload of slices by sender; clear-to-sends are not transfers.
std::map<std::string, std::int64_t> sent_by_rank(const RunResults& results) {
  std::map<std::string, std::int64_t> sent;
  for (const TransferRow& row : results.transfer_rows) sent[row.from] += row.bytes;
  return sent;
}

/// What the closed form says of an all-reduce over `Star`, every link 100 Gbps and 1 us, the switch without latency.
Duration planned(const AllReduceConfig& job) {
  const std::vector<PathHop> hops{{100_Gbps, 1_us, Duration{0}}, {100_Gbps, 1_us, Duration{0}}};
  const RingNetwork network{.edges = std::vector<RingEdge>(job.hosts.size(), RingEdge{hops, hops})};
  return ring_all_reduce_time({job.size, job.element}, job.ring, network);
}

/// The only collective of `results`, in picoseconds.
Duration measured(const RunResults& results) {
  return Duration{std::llround(results.collectives.at(0).time_us * 1e6)};
}

std::int64_t sum(const std::map<std::string, std::int64_t>& sent) {
  std::int64_t total = 0;
  for (const auto& [host, bytes] : sent) total += bytes;
  return total;
}

}  // namespace

TEST_CASE("all ranks together send 2(N - 1) S, in whole elements") {
  for (const int ranks : {1, 2, 3, 4, 5, 6, 24}) {
    for (const std::int64_t size : {0, 2, 1'000'000}) {
      CAPTURE(ranks);
      CAPTURE(size);
      Star bench{ranks};
      bench.all_reduce(Bytes{size});
      const RunResults results = bench.run();
      CHECK(results.sound);
      const auto sent = sent_by_rank(results);
      CHECK(sum(sent) == 2 * (ranks - 1) * size);
      for (const TransferRow& row : results.transfer_rows) CHECK((row.bytes % 4 == 0 || size == 2));
      // Each rank sends 2S less two chunks of a loop per channel, which differ from S/N by an element at most.
      for (const auto& [host, bytes] : sent) {
        if (size == 2) continue;
        CHECK(std::abs(bytes * ranks - 2 * (ranks - 1) * size) <= 2 * 2 * 4 * ranks);
      }
    }
  }
}

TEST_CASE("a file may ask for sizes that fill no rank's chunk, or not the last element") {
  const ScenarioFolder folder;
  for (const int ranks : {1, 2, 3, 5, 6, 24}) {
    const std::string fabric = "topology: {parts: [{leaf_spine: {leaves: 1, spines: 1, hosts_per_leaf: 24}}]}\n";
    for (const std::int64_t size : {0, 1, 2, 3, 5, 7, 1'000'001}) {
      CAPTURE(ranks);
      CAPTURE(size);
      folder.write("s.yaml", fabric + "workload: [{all_reduce: {hosts: " + std::to_string(ranks) +
                                 ", size: " + std::to_string(size) + "B}}]\n");
      const RunResults results = Simulation{folder.read("s.yaml")}.run();
      CHECK(results.sound);
      CHECK(results.transfers.payload_bytes == 2 * (ranks - 1) * size);
      CHECK(sum(sent_by_rank(results)) == 2 * (ranks - 1) * size);
      // Only what holds the last element is no whole number of elements, and nobody sends an empty slice.
      for (const TransferRow& row : results.transfer_rows) {
        CHECK((row.bytes % 4 == 0 || row.bytes % 4 == size % 4));
        CHECK(row.bytes > 0);
      }
    }
  }
}

TEST_CASE("what is sent is received, and the fabric carries the headers that packets cost") {
  // 6 ranks, 8 MiB: payload on all host links out of hosts = 10 x 8 MiB of slices + 64 B per clear-to-send.
  Star bench{6};
  bench.all_reduce(8_MiB);
  const RunResults results = bench.run();
  std::int64_t sent = 0;
  std::int64_t received = 0;
  for (const HostRow& row : results.hosts) {
    sent += row.sent_payload_bytes;
    received += row.received_payload_bytes;
  }
  CHECK(sent == received);
  const auto slices = static_cast<std::int64_t>(results.transfer_rows.size());
  CHECK(sent == 10 * 8 * 1'048'576 + 64 * slices);  // one clear-to-send per slice
  CHECK(results.transfers.retransmitted_packets == 0);
}

TEST_CASE("one rank sends nothing, takes no time and has no bus bandwidth") {
  Star bench{1};
  bench.all_reduce(1_MB);
  const RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(results.packets == 0);
  CHECK(results.simulated_ps == 0);
  REQUIRE(results.collectives.size() == 1);
  CHECK(results.collectives[0].time_us == 0);
  CHECK(results.collectives[0].busbw_GBps == 0);
}

TEST_CASE("with one small slice per step the time is a clear-to-send and 2(N - 1) hops, exactly") {
  // One channel, 4 B per rank. At 0 every rank sends its clear-to-sends (62 + 16 + 64 + 4 B, 166 B on the wire): the
  // first crosses two links. It is acknowledged at once (86 B), and behind the acknowledge on the same wire goes the
  // slice (62 + 16 + 4 + 4 B, 106 B on the wire). Each arrival of a slice is acknowledged likewise before the next
  // slice leaves; what else the port has to send comes after that.
  for (const int ranks : {2, 3, 4, 6, 8, 24}) {
    CAPTURE(ranks);
    Star bench{ranks};
    AllReduceConfig& job = bench.all_reduce(Bytes{4 * ranks});
    job.ring.channels = 1;
    const RunResults results = bench.run();
    CHECK(results.sound);
    const Duration clear_to_send = 2 * (Duration{166 * 80} + 1_us);
    const Duration acknowledge{86 * 80};
    const Duration slice = 2 * (Duration{106 * 80} + 1_us);
    const Duration expected = clear_to_send + 2 * (ranks - 1) * (acknowledge + slice);
    CHECK(measured(results) == expected);
    CHECK(planned(job) == expected);
  }
}

TEST_CASE("on one channel of like slices the closed form is what the simulation measures, exactly") {
  for (const int ranks : {1, 2, 4, 8}) {
    // Slices of 1 and 4 packets, one per chunk; of 32 and 256, two per chunk; several loops.
    for (const Bytes size : {4_KiB * ranks, 16_KiB * ranks, 256_KiB * ranks, 2_MiB * ranks, 4_MiB * ranks}) {
      CAPTURE(ranks);
      CAPTURE(size.count());
      Star bench{ranks};
      AllReduceConfig& job = bench.all_reduce(size);
      job.ring.channels = 1;
      CHECK(planned(job) == measured(bench.run()));
    }
  }
}

TEST_CASE("on two channels and for any size the closed form is near") {
  for (const int ranks : {2, 3, 4, 6, 8, 24}) {
    for (const Bytes size : {10'000_B, 64_KiB, 256_KiB, 1_MiB, 8'196'000_B}) {
      if (ranks == 24 && size > 1_MiB) continue;
      CAPTURE(ranks);
      CAPTURE(size.count());
      Star bench{ranks};
      const AllReduceConfig& job = bench.all_reduce(size);
      const double error = planned(job).seconds() / measured(bench.run()).seconds() - 1;
      // Slices of 3 to 8 packets: the channels drift apart step by step, and how far is an estimate.
      CHECK(std::abs(error) < (size >= 1_MiB && ranks < 24 ? 0.0001 : 0.025));
    }
  }
}

TEST_CASE("bus bandwidth of a large ring is near the wire and never above it") {
  // 8 ranks, 32 MiB: 2 x 7/8 x 32 MiB x 4178/4096 at 12.5 B/ns is what each wire carries at least.
  Star bench{8};
  bench.all_reduce(32_MiB);
  const RunResults results = bench.run();
  CHECK(results.sound);
  const CollectiveRow& row = results.collectives.at(0);
  CHECK(row.ranks == 8);
  CHECK(row.algbw_GBps == doctest::Approx(32 * 1.048576e6 / row.time_us * 1e-3));
  CHECK(row.busbw_GBps == doctest::Approx(row.algbw_GBps * 7 / 4));
  CHECK(row.busbw_GBps < 12.5 * 4096 / 4178);
  CHECK(row.busbw_GBps > 12.5 * 4096 / 4178 * 0.95);
  for (const LinkRow& link : results.links) CHECK(link.utilisation <= 1.0);
  // The collective ends when its last slice has arrived; the transfers of that slice end one acknowledge later.
  Time last{0};
  for (const TransferRow& transfer : results.transfer_rows) last = std::max(last, Time{transfer.finish_ps.value()});
  const Duration back = last - Time{static_cast<std::int64_t>(row.time_us * 1e6 + 0.5)};
  CHECK(back > 2_us);
  CHECK(back < 3_us);
}

TEST_CASE("a lost packet in a ring is sent again, and the ring finishes") {
  Star clean{4};
  clean.all_reduce(4_MiB);
  const RunResults without = clean.run();
  // The 100th data packet that leaves h2 is lost.
  Star bench{4};
  bench.all_reduce(4_MiB);
  bench.scenario.faults.emplace_back(
      DropFault{bench.link_between("h2", "s"), bench.node("h2"), DropKind::data, 100, {}});
  const RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(results.drops.link == 1);
  CHECK(results.transfers.retransmitted_packets >= 1);
  CHECK(host_of(results, "h2")->naks_received + host_of(results, "h2")->timeouts == 1);
  CHECK(sum(sent_by_rank(results)) == 6 * 4 * 1'048'576);
  CHECK(sent_by_rank(results) == sent_by_rank(without));
  std::int64_t received = 0;
  for (const HostRow& row : results.hosts) received += row.received_payload_bytes;
  std::int64_t expected = 0;
  for (const HostRow& row : without.hosts) expected += row.received_payload_bytes;
  CHECK(received == expected);
  CHECK(results.collectives.at(0).time_us > without.collectives.at(0).time_us);
}

TEST_CASE("repeated all-reduces follow each other and take the same time") {
  Star bench{4};
  bench.all_reduce(1_MiB).repeat = 3;
  const RunResults results = bench.run();
  CHECK(results.sound);
  REQUIRE(results.collectives.size() == 3);
  CHECK(sum(sent_by_rank(results)) == 3 * 6 * 1'048'576);
  for (const CollectiveRow& row : results.collectives) {
    CHECK(row.time_us == doctest::Approx(results.collectives[0].time_us).epsilon(0.05));
  }
}
