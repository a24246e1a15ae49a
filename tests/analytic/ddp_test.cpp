// Data-parallel training over the real fabric against the recursion of docs/model.md section 9, and its limits.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

constexpr std::int64_t mib = 1'048'576;

/// `ranks` hosts on one switch of 500 ns, 3 m of cable each; the model's tensors in order of definition, in bytes.
struct Training : FabricBench {
  Training(int ranks, const std::vector<std::int64_t>& tensor_bytes) {
    defaults.latency = 500_ns;
    delay = 15_ns;
    add_switch("s");
    hosts("h", ranks);
    for (int h = 1; h <= ranks; ++h) link("h" + std::to_string(h), "s");
    DdpConfig job;
    job.name = "ddp";
    for (std::size_t h = 0; h < scenario.nics.size(); ++h) job.hosts.emplace_back(h);
    for (const std::int64_t bytes : tensor_bytes) {
      job.tensors.push_back({"t" + std::to_string(job.tensors.size()), bytes / 4, std::nullopt});
    }
    scenario.jobs.emplace_back(job);
  }
  DdpConfig& job() { return std::get<DdpConfig>(scenario.jobs.front()); }
};

/// 2(N - 1)/N x S x (mtu + 82)/mtu / R at 100G: the wire time of one all-reduce of S bytes.
Duration wire_time(int ranks, double bytes) {
  const double on_wire = 2.0 * (ranks - 1) / ranks * bytes * 4178 / 4096;
  return Duration{static_cast<std::int64_t>(on_wire * 80)};
}

struct Expected {
  double exposed_ms;
  double step_ms;
};

/// s_k = max(ready_k, e_{k-1}), e_k = s_k + T(S_k); exposed = max(0, e_last - backward).
Expected recursion(int ranks, const std::vector<std::int64_t>& buckets, Duration forward, Duration backward) {
  double total = 0;
  for (const std::int64_t bytes : buckets) total += static_cast<double>(bytes);
  double done = 0;
  double end = 0;
  for (const std::int64_t bytes : buckets) {
    done += static_cast<double>(bytes);
    const double ready = backward.seconds() * done / total;
    end = std::max(end, ready) + wire_time(ranks, static_cast<double>(bytes)).seconds();
  }
  const double exposed = std::max(0.0, end - backward.seconds());
  return {exposed * 1e3, (forward.seconds() + std::max(backward.seconds(), end)) * 1e3};
}

}  // namespace

TEST_CASE("steps and exposed time follow the recursion to 2 % for buckets of 25 MiB at N = 4") {
  // Gradients come in reverse: the tensors make buckets of 1, 25, 25 and 25 MiB, in that order.
  const std::vector<std::int64_t> tensors = {25 * mib, 25 * mib, 25 * mib, mib};
  const std::vector<std::int64_t> buckets = {mib, 25 * mib, 25 * mib, 25 * mib};
  // T(25 MiB) is 3.21 ms: with 20 ms of backward all but the last hides, with 5 ms the network is the bottleneck.
  for (const Duration backward : {20_ms, 5_ms}) {
    CAPTURE(backward.seconds());
    Training bench{4, tensors};
    bench.job().forward = 2_ms;
    bench.job().backward = backward;
    const RunResults results = bench.run();
    CHECK(results.sound);
    REQUIRE(results.steps.size() == 1);
    const StepRow& row = results.steps[0];
    const Expected expected = recursion(4, buckets, 2_ms, backward);
    CHECK(row.step_ms == doctest::Approx(expected.step_ms).epsilon(0.02));
    CHECK(row.exposed_ms == doctest::Approx(expected.exposed_ms).epsilon(0.02));
    CHECK(row.plan_step_ms == doctest::Approx(row.step_ms).epsilon(0.02));
    CHECK(row.plan_exposed_ms == doctest::Approx(row.exposed_ms).epsilon(0.02));
    CHECK(row.sent_bytes_total == 2 * 3 * 76 * mib);
    CHECK(results.collectives.size() == 4);
  }
}

TEST_CASE("however long backward is, the last bucket sticks out by its whole all-reduce") {
  const std::vector<std::int64_t> tensors = {25 * mib, mib};
  double exposed = 0;
  for (const Duration backward : {50_ms, 200_ms}) {
    Training bench{4, tensors};
    bench.job().backward = backward;
    const RunResults results = bench.run();
    const StepRow& row = results.steps.at(0);
    CHECK(row.exposed_ms == doctest::Approx(wire_time(4, 25 * mib).seconds() * 1e3).epsilon(0.02));
    if (exposed > 0) CHECK(row.exposed_ms == doctest::Approx(exposed).epsilon(1e-6));
    exposed = row.exposed_ms;
    CHECK(row.step_ms == doctest::Approx(backward.seconds() * 1e3 + row.exposed_ms));
    CHECK(row.exposed_ms <= row.communication_ms);
    // The condition data / bandwidth < backward holds all the same.
    CHECK(row.condition_ms < row.backward_ms);
  }
}

TEST_CASE("a small bucket takes a clear-to-send and 2(N - 1) hops, exactly") {
  // 4 ranks, one tensor of 16 B, one channel: model and derivation as in all_reduce_test.cpp, 15 ns per cable.
  Training bench{4, {16}};
  bench.job().ring.channels = 1;
  bench.job().forward = 3_us;
  bench.job().backward = 5_us;
  bench.job().optimiser = 2_us;
  const RunResults results = bench.run();
  CHECK(results.sound);
  const Duration clear_to_send = 2 * (Duration{166 * 80} + 15_ns) + 500_ns;
  const Duration slice = 2 * (Duration{106 * 80} + 15_ns) + 500_ns;
  const Duration all_reduce = clear_to_send + 6 * (Duration{86 * 80} + slice);
  const StepRow& row = results.steps.at(0);
  CHECK(row.exposed_ms == doctest::Approx(all_reduce.seconds() * 1e3).epsilon(1e-9));
  CHECK(row.communication_ms == doctest::Approx(all_reduce.seconds() * 1e3).epsilon(1e-9));
  CHECK(row.step_ms == doctest::Approx((10_us + all_reduce).seconds() * 1e3).epsilon(1e-9));
  CHECK(row.idle_ms == doctest::Approx(all_reduce.seconds() * 1e3).epsilon(1e-9));
  CHECK(row.plan_exposed_ms == doctest::Approx(row.exposed_ms).epsilon(1e-9));
  CHECK(row.plan_step_ms == doctest::Approx(row.step_ms).epsilon(1e-9));
}

TEST_CASE("one rank communicates nothing: nothing is exposed and the step is its computation") {
  Training bench{1, {25 * mib, mib}};
  bench.job().forward = 3_ms;
  bench.job().backward = 5_ms;
  bench.job().optimiser = 1_ms;
  bench.job().steps = 2;
  const RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(results.packets == 0);
  REQUIRE(results.steps.size() == 2);
  for (const StepRow& row : results.steps) {
    CHECK(row.exposed_ms == 0);
    CHECK(row.idle_ms == 0);
    CHECK(row.step_ms == doctest::Approx(9));
    CHECK(row.sent_bytes_total == 0);
  }
}

TEST_CASE("without computation all of the step is exposed communication") {
  Training bench{2, {4 * mib, mib}};
  const RunResults results = bench.run();
  CHECK(results.sound);
  const StepRow& row = results.steps.at(0);
  CHECK(row.exposed_ms == doctest::Approx(row.step_ms));
  CHECK(row.communication_ms == doctest::Approx(row.step_ms));
  CHECK(row.idle_ms == doctest::Approx(row.step_ms));
  CHECK(row.step_ms > wire_time(2, 5 * mib).seconds() * 1e3);
}

TEST_CASE("every step sends 2(N - 1) x 4P bytes, whatever N") {
  for (const int ranks : {1, 2, 3, 4, 6, 24}) {
    CAPTURE(ranks);
    const std::vector<std::int64_t> tensors = {500'000, 1'000'000, 300'004, 4};
    Training bench{ranks, tensors};
    bench.job().backward = 1_ms;
    bench.job().steps = 2;
    const RunResults results = bench.run();
    CHECK(results.sound);
    REQUIRE(results.steps.size() == 2);
    for (const StepRow& row : results.steps) {
      CHECK(row.sent_bytes_total == 2 * (ranks - 1) * 1'800'008);
      CHECK(row.sent_bytes_per_rank_min <= row.sent_bytes_per_rank_max);
      CHECK(row.exposed_ms >= 0);
      CHECK(row.exposed_ms <= row.communication_ms + 1e-9);
    }
  }
}

TEST_CASE("a collective starts when its bucket is ready and not before") {
  // Two buckets, 1 MiB ready at 1/5 of backward and 4 MiB at its end; the first is done long before the second.
  Training bench{2, {4 * mib, mib}};
  bench.job().forward = 1_ms;
  bench.job().backward = 10_ms;
  const RunResults results = bench.run();
  REQUIRE(results.collectives.size() == 2);
  Time first_start = Time::never();
  for (const TransferRow& row : results.transfer_rows) first_start = std::min(first_start, Time{row.start_ps});
  // Slices leave when the first clear-to-send has come: 166 B twice, two cables and the switch after 1 ms + 2 ms.
  CHECK(first_start == Time{0} + 3_ms + 2 * (Duration{166 * 80} + 15_ns) + 500_ns);
  const double second = results.steps.at(0).communication_ms - 8;
  CHECK(results.collectives[1].time_us == doctest::Approx(second * 1e3).epsilon(1e-6));
}
