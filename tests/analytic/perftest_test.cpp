// perftest in the simulation against arithmetic, and against what hardware printed.
#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "engine/state.hpp"
#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// Two hosts at the ends of a cable.
struct Pair : FabricBench {
  explicit Pair(Duration one_way, Bytes mtu = 4096_B) {
    scenario.frame.mtu = mtu;
    delay = one_way;
    hosts("h", 2);
    link("h1", "h2");
  }

  PerftestConfig& perftest(PerftestTest test, const std::vector<PerftestSize>& sizes, std::int64_t iterations) {
    PerftestConfig config;
    config.name = "perftest";
    config.test = test;
    config.client = host_id("h1");
    config.server = host_id("h2");
    config.sizes = sizes;
    config.iterations = iterations;
    if (is_latency(test)) config.tx_depth = 1;
    scenario.jobs.emplace_back(config);
    return std::get<PerftestConfig>(scenario.jobs.back());
  }
};

}  // namespace

TEST_CASE("ib_write_bw -a on a 100 Gbps cable at mtu 1024: payload / wire bytes, as hardware within 0.5 %") {
  // Hardware: ib_write_bw between two ConnectX on 100GbE, mtu 1024, tx depth 128, in NVIDIA's GPU Operator
  // documentation
  // ("GPUDirect RDMA and GPUDirect Storage").
  struct Row {
    Bytes size;
    double expected;
    double hardware;
  };
  const std::vector<Row> rows{{2048_B, 91.92, 91.47}, {4096_B, 92.25, 92.06},  {8192_B, 92.42, 92.31},
                              {64_KiB, 92.57, 92.38}, {256_KiB, 92.58, 92.44}, {1_MiB, 92.58, 92.40}};
  Pair bench{25_ns, 1024_B};
  std::vector<PerftestSize> sizes;
  for (const Row& row : rows) sizes.push_back({row.size, 100});
  bench.perftest(PerftestTest::write_bw, sizes, 1000);
  const RunResults results = bench.run();
  CHECK(results.sound);
  REQUIRE(results.perftest.size() == rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const PerftestRow& row = results.perftest[k];
    CAPTURE(row.bytes);
    // 82 B around each packet, 16 B of RETH.
    const auto size = static_cast<double>(row.bytes);
    const double exact = 100 * size / (size + 82 * size / 1024 + 16);
    CHECK(exact == doctest::Approx(rows[k].expected).epsilon(1e-4));
    CHECK(row.steady_gbps.value() == doctest::Approx(exact).epsilon(1e-6));
    CHECK(row.bound_gbps.value() == doctest::Approx(exact).epsilon(1e-6));
    CHECK(row.bound_by == "the wire");
    // The average has the first message's way there and the last one's acknowledge: 64 ns of 170 us and more.
    CHECK(row.bw_average_gbps.value() == doctest::Approx(exact).epsilon(5e-4));
    CHECK(row.bw_average_gbps.value() == doctest::Approx(rows[k].hardware).epsilon(5e-3));
    CHECK(row.message_rate_mpps.value() == doctest::Approx(row.bw_average_gbps.value() * 1e3 / (size * 8)));
  }
}

TEST_CASE("perftest's default at 3 ms: 22.3 Gbps in the steady state, less in a run of 5000 that begins and ends") {
  Pair bench{1'500_us};
  bench.perftest(PerftestTest::write_bw, {{64_KiB, 1}}, 5000);
  const RunResults results = bench.run();
  const PerftestRow& row = results.perftest.at(0);
  // 66 864 B are 5.34912 us, an acknowledge 6.88 ns: a cycle of 3.005356 ms.
  const double cycle_us = 3000 + 5.34912 + 0.00688;
  CHECK(row.steady_gbps.value() == doctest::Approx(128 * 65'536 * 8e-3 / cycle_us).epsilon(1e-6));
  CHECK(row.steady_gbps.value() == doctest::Approx(22.33).epsilon(0.001));
  CHECK(row.bound_gbps.value() == doctest::Approx(row.steady_gbps.value()).epsilon(1e-6));
  CHECK(row.bound_by == "the window");
  // 39 whole windows and 8 messages: the last goes 39 cycles and 7 messages after the first, and takes a cycle.
  const double all_us = 40 * cycle_us + 7 * 5.34912;
  CHECK(row.bw_average_gbps.value() == doctest::Approx(5000 * 65'536 * 8e-3 / all_us).epsilon(1e-6));
  // The best span: 39 windows from the first post, to the end of the last window's last message.
  const double best_us = 39 * cycle_us + 127 * 5.34912;
  CHECK(row.bw_peak_gbps.value() == doctest::Approx(39 * 128 * 65'536 * 8e-3 / best_us).epsilon(1e-6));
  CHECK(results.transfers.count == 5000);
  CHECK(results.transfers.finished == 5000);
  CHECK(results.transfers.payload_bytes == 5000 * 65'536);
  REQUIRE(results.transfer_rows.size() == 1);
  CHECK(results.transfer_rows[0].messages == 5000);
}

TEST_CASE("one request in a hundred signalled: a window of 128 carries 100 messages per round trip, and 71 late ones") {
  Pair bench{1'500_us};
  bench.perftest(PerftestTest::write_bw, {{64_KiB, 100}}, 1000);
  const RunResults results = bench.run();
  const PerftestRow& row = results.perftest.at(0);
  const double cycle_us = 3000 + 5.34912 + 0.00688 + 71 * 5.34912;
  CHECK(row.steady_gbps.value() == doctest::Approx(100 * 65'536 * 8e-3 / cycle_us).epsilon(1e-6));
  CHECK(row.bound_gbps.value() == doctest::Approx(row.steady_gbps.value()).epsilon(1e-6));
}

TEST_CASE("four queue pairs have four windows") {
  Pair bench{500_us};
  bench.perftest(PerftestTest::send_bw, {{64_KiB, 1}}, 100).qps = 4;
  std::get<PerftestConfig>(bench.scenario.jobs[0]).tx_depth = 8;
  const RunResults results = bench.run();
  const PerftestRow& row = results.perftest.at(0);
  CHECK(row.iterations == 400);
  // 4 x 8 x 64 KiB per round trip of 1 ms and the serialisation of four messages that take turns.
  CHECK(row.steady_gbps.value() == doctest::Approx(32 * 65'536 * 8e-3 / (1000 + 4 * 5.348)).epsilon(0.01));
  CHECK(row.bound_gbps.value() == doctest::Approx(row.steady_gbps.value()).epsilon(0.01));
}

TEST_CASE("the message rate of a NIC rules small sizes, within 5 % of hardware that starts 7.2 million a second") {
  // The same run of ib_write_bw -a as above.
  struct Row {
    Bytes size;
    double gbps;
    double mpps;
  };
  const std::vector<Row> rows{
      {64_B, 3.59, 7.007110}, {256_B, 14.98, 7.313517}, {512_B, 29.73, 7.259329}, {1024_B, 58.81, 7.178529}};
  Pair bench{25_ns, 1024_B};
  for (NicConfig& nic : bench.scenario.nics) nic.message_rate = 7'200'000;
  std::vector<PerftestSize> sizes;
  for (const Row& row : rows) sizes.push_back({row.size, 100});
  bench.perftest(PerftestTest::write_bw, sizes, 5000);
  const RunResults results = bench.run();
  REQUIRE(results.perftest.size() == rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const PerftestRow& row = results.perftest[k];
    CAPTURE(row.bytes);
    CHECK(row.message_rate_mpps.value() == doctest::Approx(7.2).epsilon(0.001));
    CHECK(row.message_rate_mpps.value() == doctest::Approx(rows[k].mpps).epsilon(0.05));
    CHECK(row.bw_average_gbps.value() == doctest::Approx(rows[k].gbps).epsilon(0.05));
    CHECK(row.steady_gbps.value() == doctest::Approx(row.bound_gbps.value()).epsilon(0.001));
    CHECK(row.bound_by == "the message rate of the NIC");
  }
}

TEST_CASE("ib_read_bw at 3 ms: 16 READs outstanding, not 128") {
  Pair bench{1'500_us};
  bench.perftest(PerftestTest::read_bw, {{64_KiB, 1}}, 200);
  const RunResults results = bench.run();
  const PerftestRow& row = results.perftest.at(0);
  // A request of 98 B there, 16 responses with 82 B and 8 B of AETH back.
  const double cycle_us = 3000 + (98 + 65'536 + 16 * 82 + 8) * 80e-6;
  CHECK(row.bound_gbps.value() == doctest::Approx(16 * 65'536 * 8e-3 / cycle_us).epsilon(1e-6));
  CHECK(row.bound_by == "the READs outstanding");
  CHECK(row.outstanding_reads == 16);
  // Twelve cycles and a half take thirteen.
  CHECK(row.bw_average_gbps.value() == doctest::Approx(row.bound_gbps.value() * 12.5 / 13).epsilon(0.01));
}

TEST_CASE(
    "ib_write_lat on a cable: half a round trip is serialisation, propagation, and the acknowledge that goes first") {
  Pair bench{500_ns};
  bench.perftest(PerftestTest::write_lat, {{2_B, 1}, {4096_B, 1}, {64_KiB, 1}}, 20);
  const RunResults results = bench.run();
  CHECK(results.sound);
  REQUIRE(results.perftest.size() == 3);
  // 2 B are padded to 4: 62 + 16 + 4 and 20 B of gap are 102 B; 4096 B 4194 B; 64 KiB 66 864 B; an acknowledge 86 B.
  const std::vector<std::int64_t> wire{102, 4194, 66'864};
  for (std::size_t k = 0; k < 3; ++k) {
    CAPTURE(k);
    const PerftestRow& row = results.perftest[k];
    const double expected_us = 0.5 + static_cast<double>(wire[k] + 86) * 80e-6;
    // Nothing came before the first message of all: no acknowledge goes ahead of it.
    const double first_us = expected_us - (k == 0 ? 86 * 80e-6 / 2 : 0);
    CHECK(row.t_min_us.value() == doctest::Approx(first_us).epsilon(1e-9));
    CHECK(row.t_typical_us.value() == doctest::Approx(expected_us).epsilon(1e-9));
    CHECK(row.p99_9_us.value() == doctest::Approx(expected_us).epsilon(1e-9));
    CHECK(row.bound_us.value() == doctest::Approx(expected_us).epsilon(1e-9));
    CHECK_FALSE(row.bw_average_gbps);
  }
  CHECK(results.transfers.count == 2 * 3 * 20);
}

TEST_CASE("what a run keeps does not grow with the messages it sends") {
  const auto kept = [](Bytes payload) {
    Pair bench{1'500_us};
    bench.perftest(PerftestTest::write_bw, {{64_KiB, 1}}, payload.count() / 65'536).tx_depth = 1024;
    Simulation simulation{bench.scenario};
    const RunResults results = simulation.run();
    CHECK(results.sound);
    CHECK(results.transfers.payload_bytes == payload.count());
    return std::vector<std::int64_t>{results.peak_packets, results.peak_pending_events,
                                     std::ssize(simulation.state().transfers), std::ssize(results.transfer_rows)};
  };
  const std::vector<std::int64_t> one = kept(1024_MiB);
  CHECK(kept(2048_MiB) == one);
  CHECK(one.back() == 1);
}

TEST_CASE("ib_write_lat takes no completion for what it polls: a slow host handles its own, one per message") {
  // A server that handles a completion in 100 us has its next send queue slot that much later: it answers what came
  // at t = 0, is acknowledged, handles that, and answers again. A period is its answer, a round trip with its
  // acknowledge, and 100 us. What comes from the client is polled, and takes no completion.
  Pair bench{500_ns};
  bench.scenario.nics.back().completion_queue = CompletionQueue{16, 100_us};  // of h2
  bench.perftest(PerftestTest::write_lat, {{2_B, 1}}, 20);
  const RunResults results = bench.run();
  CHECK(results.sound);
  REQUIRE(results.perftest.size() == 1);
  const double period_us = 100 + 2 * 0.5 + (102 + 86) * 80e-6;
  CHECK(results.perftest[0].t_typical_us.value() == doctest::Approx(period_us / 2).epsilon(1e-6));
  CHECK_FALSE(results.perftest[0].bound_us);  // the closed form knows no slow host
}

TEST_CASE("a host that takes time over completions has no closed form beside its goodput, rather than a wrong one") {
  Pair bench{500_ns};
  const auto run = [&] {
    bench.scenario.jobs.clear();
    bench.perftest(PerftestTest::write_bw, {{4_KiB, 1}}, 500);
    return bench.run().perftest.at(0);
  };
  CHECK(run().bound_gbps);
  bench.scenario.nics.front().completion_queue = CompletionQueue{16, 100_us};  // of h1
  const PerftestRow row = run();
  CHECK_FALSE(row.bound_gbps);
  CHECK(row.bound_by.empty());
  // One message per 100 us.
  CHECK(row.bw_average_gbps.value() == doctest::Approx(4096 * 8 / 100e3).epsilon(0.05));
}
