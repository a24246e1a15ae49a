// Training and incast scenarios at a size that tests fast: the answer each header claims, by its closed form, and two
// fingerprints.
#include "golden/golden.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

using namespace soya;
using namespace soya::test;

namespace {

/// Ring all-reduce of `bytes` over four ranks at 100 Gbps, mtu 4096: 2 x 3/4 of it, and 82 B around each packet.
double all_reduce_ms(double bytes) {
  return 1.5 * bytes * (4096 + 82) / 4096 / 12.5e9 * 1e3;
}

/// All ranks together send 2(N - 1) times the gradients, and plan and measurement differ by less than 2 %.
void check_step(const StepRow& step, std::int64_t gradient_bytes) {
  CHECK(step.sent_bytes_total == 2 * 3 * gradient_bytes);
  CHECK(step.plan_step_ms == doctest::Approx(step.step_ms).epsilon(0.02));
  CHECK(step.plan_exposed_ms == doctest::Approx(step.exposed_ms).epsilon(0.02));
  CHECK(step.step_ms == doctest::Approx(step.forward_ms + step.backward_ms + step.exposed_ms).epsilon(1e-9));
}

}  // namespace

TEST_CASE("every shipped scenario has a test here") {
  std::set<std::string> shipped;
  for (const auto& entry : std::filesystem::directory_iterator{std::string{SOYA_SOURCE_DIR} + "/scenarios"}) {
    if (entry.path().extension() == ".yaml") shipped.insert(entry.path().stem().string());
  }
  CHECK(shipped == std::set<std::string>{"change-spines",
                                         "fail-an-uplink",
                                         "gpt2-ddp",
                                         "hash-polarisation",
                                         "headroom-azure-tor",
                                         "headroom-dsh-burst",
                                         "headroom-per-queue-or-pool",
                                         "incast",
                                         "janog55-ddp",
                                         "janog55-ddp-short-backward",
                                         "japan-backbone",
                                         "rail-or-leaf-spine",
                                         "resnet50-ddp",
                                         "sapporo-wakkanai",
                                         "sapporo-wakkanai-accelerator",
                                         "sapporo-wakkanai-ddp",
                                         "sapporo-wakkanai-loss",
                                         "sapporo-wakkanai-pfc",
                                         "two-sites",
                                         "two-hauls-held",
                                         "two-spines",
                                         "victim-flow"});
}

TEST_CASE("incast.yaml: sixteen messages to one host, lossless, at line rate, with fair shares") {
  const RunResults results = run_scenario("incast.yaml", {});
  check_sound(results);
  CHECK(results.pfc.pause_frames > 0);
  CHECK(results.buffers.headroom_margin_bytes.value_or(0) >= 0);
  for (const QueueRow& row : results.queues) CHECK(row.headroom_peak_bytes <= row.headroom_auto_bytes);
  // 16 x (256 x 4178 + 16) wire bytes of 80 ps: 1.369 ms, and a path.
  const double serial_ms = 16 * (256 * 4178 + 16) * 80e-9;
  double first = 1e9;
  double last = 0;
  for (const TransferRow& row : results.transfer_rows) {
    first = std::min(first, static_cast<double>(row.finish_ps.value()) * 1e-9);
    last = std::max(last, static_cast<double>(row.finish_ps.value()) * 1e-9);
  }
  CHECK(last == doctest::Approx(serial_ms).epsilon(0.005));
  CHECK(first > 0.9 * last);
  check_golden("incast", results);
}

TEST_CASE("incast.yaml with 2 KiB of headroom loses frames and is not sound") {
  const RunResults results = run_scenario("incast.yaml", {"fabric.headroom.size=2KiB"});
  CHECK_FALSE(results.sound);
  CHECK(results.drops.lossless > 0);
  REQUIRE_FALSE(results.why_not.empty());
  CHECK(results.why_not.front().starts_with("lossless drop at leaf1 port host"));
  check_golden("incast-2KiB", results);
}

TEST_CASE("janog55-ddp.yaml, a tenth: with a long backward pass only the last bucket sticks out") {
  const RunResults results =
      run_scenario("janog55-ddp.yaml", {"workload[0].ddp.model.parameters=1e8", "workload[0].ddp.forward=45ms",
                                        "workload[0].ddp.backward=90ms", "workload[0].ddp.steps=1"});
  check_sound(results);
  REQUIRE(results.steps.size() == 1);
  check_step(results.steps[0], 400'000'000);
  // Forty tensors of 10 MB: one closes the first bucket, three each of the others; the last one is 30 MB.
  CHECK(results.steps[0].exposed_ms == doctest::Approx(all_reduce_ms(30e6)).epsilon(0.02));
  CHECK(results.steps[0].idle_ms == doctest::Approx(results.steps[0].exposed_ms).epsilon(1e-9));
  check_golden("janog55-ddp/10", results);
}

TEST_CASE("janog55-ddp-short-backward.yaml, a tenth: a short backward pass waits for the network") {
  const RunResults results = run_scenario("janog55-ddp-short-backward.yaml",
                                          {"workload[0].ddp.model.parameters=1e8", "workload[0].ddp.forward=15ms",
                                           "workload[0].ddp.backward=30ms", "workload[0].ddp.steps=1"});
  check_sound(results);
  REQUIRE(results.steps.size() == 1);
  check_step(results.steps[0], 400'000'000);
  // The first bucket, one tensor, is reduced before the second, three more, is ready at 4/40 of backward; from then on
  // the network is busy until the other 390 MB are reduced.
  CHECK(results.steps[0].exposed_ms == doctest::Approx(30.0 * 4 / 40 + all_reduce_ms(390e6) - 30).epsilon(0.02));
  check_golden("janog55-ddp-short-backward/10", results);
}

TEST_CASE("resnet50-ddp.yaml: five buckets hide but for the last") {
  const RunResults results = run_scenario("resnet50-ddp.yaml", {"workload[0].ddp.steps=1"});
  check_sound(results);
  REQUIRE(results.collectives.size() == 5);
  const std::int64_t elements[] = {2'049'000, 7'875'584, 6'563'840, 6'637'568, 2'431'040};
  std::int64_t total = 0;
  for (std::size_t k = 0; k < 5; ++k) {
    CHECK(results.collectives[k].bytes == 4 * elements[k]);
    total += 4 * elements[k];
  }
  check_step(results.steps.at(0), total);
  CHECK(results.steps[0].exposed_ms == doctest::Approx(all_reduce_ms(4 * 2'431'040)).epsilon(0.02));
  check_golden("resnet50-ddp", results);
}

// What follows takes seconds in a release build and a minute in a debug build.
#ifdef NDEBUG

TEST_CASE("gpt2-ddp.yaml: the embedding's gradients come last and are exposed whole") {
  const RunResults results = run_scenario("gpt2-ddp.yaml", {"workload[0].ddp.steps=1"});
  check_sound(results);
  const CollectiveRow& last = results.collectives.back();
  CHECK(last.bytes >= 4 * 38'597'376);  // 50 257 x 768 elements of the token embedding
  // The 318 MB before it take 39 ms of a 100 ms backward pass: the network is idle when it is ready.
  CHECK(results.steps.at(0).exposed_ms ==
        doctest::Approx(all_reduce_ms(static_cast<double>(last.bytes))).epsilon(0.02));
  CHECK(results.steps.at(0).plan_step_ms == doctest::Approx(results.steps[0].step_ms).epsilon(0.02));
  check_golden("gpt2-ddp", results);
}

TEST_CASE("janog55-ddp.yaml: 900 ms of backward hide a billion parameters but for the last bucket") {
  const RunResults results = run_scenario("janog55-ddp.yaml", {});
  check_sound(results);
  REQUIRE(results.steps.size() == 2);
  // Forty tensors of 100 MB, each a bucket.
  for (const StepRow& step : results.steps) {
    check_step(step, 4'000'000'000);
    CHECK(step.exposed_ms == doctest::Approx(all_reduce_ms(100e6)).epsilon(0.02));
    CHECK(step.condition_ms == doctest::Approx(480));
  }
  check_golden("janog55-ddp", results);
}

TEST_CASE("janog55-ddp-short-backward.yaml: with 300 ms of backward the GPUs wait for 180 to 205 ms") {
  const RunResults results = run_scenario("janog55-ddp-short-backward.yaml", {});
  check_sound(results);
  REQUIRE(results.steps.size() == 2);
  for (const StepRow& step : results.steps) {
    check_step(step, 4'000'000'000);
    CHECK(step.exposed_ms >= 180);
    CHECK(step.exposed_ms <= 205);
    // Each of forty tensors is a bucket; the network is busy from the first one, ready at 1/40, until the last.
    CHECK(step.exposed_ms == doctest::Approx(300.0 / 40 + all_reduce_ms(4e9) - 300).epsilon(0.02));
  }
  check_golden("janog55-ddp-short-backward", results);
}

#endif
