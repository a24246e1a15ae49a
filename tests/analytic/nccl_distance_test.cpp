// A ring all-reduce of two hosts far apart, as NCCL runs it: what its slots and its steps leave of the line rate.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "planning/long_haul.hpp"
#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

constexpr double slice_us = (1'048'576 + 82 * 256 + 16 + 4) * 80e-6;  // 85.567 us, RETH and immediate included
constexpr double slice_mb = 1'048'576 * 8e-6;
constexpr double round_trip_us = 3000;

/// Time of an all-reduce of `size` between two hosts, 1.5 ms apart at 100 Gbps.
double all_reduce_us(Bytes size, const RingConfig& ring) {
  FabricBench bench;
  bench.delay = 1'500_us;
  bench.hosts("h", 2);
  bench.link("h1", "h2");
  AllReduceConfig config;
  config.name = "ring";
  config.hosts = std::vector{bench.host_id("h1"), bench.host_id("h2")};
  config.size = size;
  config.ring = ring;
  bench.scenario.jobs.emplace_back(config);
  const RunResults results = bench.run();
  REQUIRE(results.sound);
  return results.collectives.at(0).time_us;
}

/// The same of four hosts, two at each end of a link of 1.5 ms between two switches.
double two_sites_us(Bytes size, int channels) {
  FabricBench bench;
  bench.defaults.buffer.size = 256_MiB;
  bench.hosts("h", 4);
  bench.add_switch("s1");
  bench.add_switch("s2");
  bench.delay = 1_ns;
  for (const char* host : {"h1", "h2"}) bench.link(host, "s1");
  for (const char* host : {"h3", "h4"}) bench.link(host, "s2");
  bench.delay = 1'500_us;
  bench.link("s1", "s2");
  AllReduceConfig config;
  config.name = "ring";
  for (const char* host : {"h1", "h2", "h3", "h4"}) config.hosts.push_back(bench.host_id(host));
  config.size = size;
  config.ring.channels = channels;
  bench.scenario.jobs.emplace_back(config);
  const RunResults results = bench.run();
  REQUIRE(results.sound);
  return results.collectives.at(0).time_us;
}

/// Goodput of a rank in the long run: of two ranks each sends S; what 32 loops more take, the first loops aside.
double steady_gbps(const RingConfig& ring) {
  const Bytes loop = ring.channels * 2 * ring.slices_per_chunk * ring.slice;
  const double time_us = all_reduce_us(36 * loop, ring) - all_reduce_us(4 * loop, ring);
  return 32 * static_cast<double>(loop.count()) * 8e-3 / time_us;
}

Goodput closed_form(const RingConfig& ring) {
  const RingEdge edge{{{.rate = 100_Gbps, .one_way = 1'500_us, .latency_before = 0_ps}},
                      {{.rate = 100_Gbps, .one_way = 1'500_us, .latency_before = 0_ps}}};
  return ring_goodput({.frame = {}, .ack_every = 64, .edges = {edge, edge}}, ring).value();
}

}  // namespace

TEST_CASE("slices short beside the round trip: channels x slots x slice per round trip and slice") {
  // 64 KiB: 66 868 B on the wire, 5.35 us; the steps cost two more of them per channel and round trip, at most 0.7 %.
  const double slice = (65'536 + 82 * 16 + 20) * 80e-6;
  for (const int channels : {1, 2}) {
    CAPTURE(channels);
    const RingConfig ring{.channels = channels, .slice = 64_KiB};
    const double each = 4 * 65'536 * 8e-3 / (round_trip_us + channels * slice);
    CHECK(steady_gbps(ring) / channels == doctest::Approx(each).epsilon(0.01));
    CHECK(closed_form(ring).rate.gbps() / channels == doctest::Approx(each).epsilon(0.01));
  }
}

TEST_CASE("NCCL's chunks of two slices: the steps of the ring leave its 4 MiB of slots two slices short of full") {
  // Two steps, each of two slices, per loop: step 1 begins when a slice of step 0 has come (1500 us and a slice), the
  // next loop when both slices of step 1 have: a round trip and three slices for 4 MiB, not a round trip and one.
  // The slots alone would allow 10.87 Gbps, and a bare round trip 11.18.
  RingConfig ring{.channels = 1};
  CHECK(4 * slice_mb / (round_trip_us + slice_us) * 1e3 == doctest::Approx(10.87).epsilon(0.001));
  const double one = 4 * slice_mb / (round_trip_us + 3 * slice_us) * 1e3;
  CHECK(one == doctest::Approx(10.30).epsilon(0.001));
  CHECK(steady_gbps(ring) == doctest::Approx(one).epsilon(0.01));
  CHECK(closed_form(ring).rate.gbps() == doctest::Approx(one).epsilon(0.001));
  CHECK(closed_form(ring).limit == GoodputLimit::steps);
  // Two channels whose slices take turns by packet need six slices' time, two that go slice by slice need four: the
  // simulation is between.
  ring.channels = 2;
  const double slow = 4 * slice_mb / (round_trip_us + 6 * slice_us) * 1e3;
  const double fast = 4 * slice_mb / (round_trip_us + 4 * slice_us) * 1e3;
  const double each = steady_gbps(ring) / 2;
  CHECK(each > slow);
  CHECK(each < fast);
  CHECK(closed_form(ring).rate.gbps() == doctest::Approx(2 * slow).epsilon(0.001));
}

TEST_CASE("channels without a ring's steps: four slices outstanding each, per round trip and slice") {
  for (const int channels : {1, 2}) {
    CAPTURE(channels);
    FabricBench bench;
    bench.operation = Operation::write_immediate;
    bench.nic.queue_depth = 4;
    bench.delay = 1'500_us;
    bench.hosts("h", 2);
    bench.link("h1", "h2");
    for (int i = 0; i < channels; ++i) bench.flow("h1", "h2", 1_MiB).messages = 84;
    const RunResults results = bench.run();
    REQUIRE(results.sound);
    std::vector<std::int64_t> finish;
    for (const TransferRow& row : results.transfer_rows) finish.push_back(row.finish_ps.value());
    std::ranges::sort(finish);
    // Twenty windows, the first aside.
    const auto window = static_cast<std::size_t>(4 * channels);
    const double time_us = static_cast<double>(finish.back() - finish[window - 1]) * 1e-6;
    const double each = 80 * slice_mb / time_us * 1e3;
    CHECK(each == doctest::Approx(channels == 1 ? 10.87 : 10.58).epsilon(0.01));
  }
}

TEST_CASE("a ring of four over two sites: the slots rule, channels x 4 MiB per round trip and slice") {
  // Two ranks at each end of the long link, two of the ring's four edges over it. A loop of six steps takes
  // 6/4 x 2 x 1.5 ms and some slices, in which each edge carries 12 MiB: the steps would allow about twice what the
  // slots do.
  const auto each_of = [](int channels) {
    const Bytes loop = channels * 4 * 2_MiB;
    const double time_us = two_sites_us(36 * loop, channels) - two_sites_us(4 * loop, channels);
    // Each rank sends 2(N - 1)/N of what a loop reduces.
    return 1.5 * 32 * static_cast<double>(loop.count()) * 8e-3 / time_us / channels;
  };
  const auto bound = [](int slices) { return 4 * slice_mb / (round_trip_us + slices * slice_us) * 1e3; };
  CHECK(bound(1) == doctest::Approx(10.87).epsilon(0.001));
  CHECK(bound(2) == doctest::Approx(10.58).epsilon(0.001));
  CHECK(each_of(1) == doctest::Approx(bound(1)).epsilon(0.01));
  // A slice of one of two channels takes two slices' time where it meets one of the other, and one where it does not.
  CHECK(each_of(2) > bound(2) * 0.999);
  CHECK(each_of(2) < bound(1));
}

TEST_CASE("a large all-reduce comes to within 1 % of the steady rate, a small one stays below") {
  // 512 MiB are 128 loops; the clear-to-sends before the first cost half a round trip.
  const RingConfig ring{.channels = 1};
  const double steady = 4 * slice_mb / (round_trip_us + 3 * slice_us) * 1e3;
  const auto gbps = [&](Bytes size) { return static_cast<double>(size.count()) * 8e-3 / all_reduce_us(size, ring); };
  CHECK(gbps(512_MiB) == doctest::Approx(steady).epsilon(0.01));
  CHECK(gbps(512_MiB) < steady);
  CHECK(gbps(4_MiB) < 0.7 * steady);
}
