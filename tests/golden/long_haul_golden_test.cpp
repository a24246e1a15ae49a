// The scenarios of the 300 km between 札幌 and 稚内: the answer each header claims, by its closed form.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>

#include "golden/golden.hpp"

using namespace soya;
using namespace soya::test;

namespace {

StepRow step_of(const std::string& variant) {
  const RunResults results = run_scenario("sapporo-wakkanai-ddp.yaml", {}, variant);
  check_sound(results);
  REQUIRE(results.steps.size() == 1);
  const StepRow& step = results.steps.front();
  CHECK(step.plan_step_ms == doctest::Approx(step.step_ms).epsilon(0.02));
  CHECK(step.sent_bytes_total == 2 * 3 * 400'000'000LL);
  return step;
}

/// Milliseconds of `bytes` at `gbps`.
double ms_at(double bytes, double gbps) {
  return bytes * 8 / gbps * 1e-6;
}

}  // namespace

TEST_CASE("sapporo-wakkanai-ddp.yaml: the window of a ring, not the wire, makes GPUs 300 km apart wait") {
  // Each GPU sends 2 x 3/4 x 400 MB. Two channels of four slots of 1 MiB are under way for a round trip of 3 ms and
  // the slice's own time at half the wire (4178 B for 4096 B of payload): 21.2 Gbps.
  const double sent = 1.5 * 400e6;
  const double slice_ms = 2 * ms_at(1048576.0 * 4178 / 4096, 100);
  const double window_gbps = 2 * 4 * 1048576.0 * 8 / (3 + slice_ms) * 1e-6;
  const StepRow base = step_of("");
  CHECK(base.communication_ms > ms_at(sent, window_gbps));
  CHECK(base.communication_ms <
        ms_at(sent, window_gbps) * 1.2);  // six steps of latency of each of the 16 buckets, part of it hidden
  CHECK(base.exposed_ms > 160);

  // 32 MiB under way are nearly the 37.5 MB of a round trip: what is left is the latency of each bucket.
  const StepRow eight = step_of("channels-8");
  CHECK(eight.exposed_ms < base.exposed_ms / 3);
  // Four times fewer buckets pay their latency four times less often.
  const StepRow large = step_of("buckets-100MiB");
  CHECK(large.exposed_ms < eight.exposed_ms / 2);
  // One bucket is ready when backward is over: nothing is hidden, all of the wire time is exposed, and the latency of
  // six steps.
  const StepRow one = step_of("one-bucket");
  CHECK(one.exposed_ms == doctest::Approx(one.communication_ms).epsilon(1e-9));
  CHECK(one.exposed_ms > ms_at(sent * 4178 / 4096, 100) + 6 * 1.5);
  // Under one roof only the last bucket, 30 MB, sticks out.
  const StepRow near = step_of("next-door");
  CHECK(near.exposed_ms == doctest::Approx(1.5 * ms_at(30e6 * 4178 / 4096, 100)).epsilon(0.02));
  // To and fro every step of the ring crosses the long link.
  CHECK(step_of("zigzag").exposed_ms > base.exposed_ms);
  CHECK(step_of("80km").exposed_ms < 2 * near.exposed_ms);
}

TEST_CASE("sapporo-wakkanai-pfc.yaml: headroom for a round trip that drains, and what must still stand at the resume") {
  // 512 MB through the receiver's 100 Gbps, one way out and the last acknowledge's way back.
  const double serial_ms = ms_at(512e6 * 4178 / 4096, 100) + 2 * 1.5;
  const auto last_ms = [](const RunResults& results) { return static_cast<double>(results.simulated_ps) * 1e-9; };
  const RunResults base = run_scenario("sapporo-wakkanai-pfc.yaml", {}, "");
  check_sound(base);
  CHECK(last_ms(base) == doctest::Approx(serial_ms).epsilon(0.002));
  // Each link brings a round trip of 37.5 MB after its XOFF, 4158 B of each 4178 on the wire; half of it drains
  // meanwhile.
  const double half_loop = 37.5e6 * 4158 / 4178 / 2;
  CHECK(static_cast<double>(base.buffers.headroom_peak_bytes) == doctest::Approx(half_loop).epsilon(0.01));

  const RunResults pool = run_scenario("sapporo-wakkanai-pfc.yaml", {}, "pool");
  check_sound(pool);
  CHECK(last_ms(pool) == doctest::Approx(serial_ms).epsilon(0.002));

  const RunResults starved = run_scenario("sapporo-wakkanai-pfc.yaml", {}, "starved");
  CHECK_FALSE(starved.sound);
  REQUIRE_FALSE(starved.why_not.empty());
  CHECK(starved.why_not.front().starts_with("lossless drop at 稚内-dci port 札幌-dci#"));

  const RunResults under_run = run_scenario("sapporo-wakkanai-pfc.yaml", {}, "under-run");
  check_sound(under_run);
  CHECK(last_ms(under_run) > 1.1 * serial_ms);

  // Off chip lie what a round trip brings and what the threshold lets stand, far more than the 16 MiB on chip.
  const RunResults deep = run_scenario("sapporo-wakkanai-pfc.yaml", {}, "deep");
  check_sound(deep);
  CHECK(last_ms(deep) == doctest::Approx(serial_ms).epsilon(0.002));
  CHECK(deep.buffers.off_chip_peak_bytes > 75'000'000);
}

TEST_CASE("sapporo-wakkanai.yaml: message x depth per round trip, or the wire, and what perftest's own habits cost") {
  // Three switches and 302 km each way: 4 access links and 4 core links' propagation and latencies are 6.2 us of a
  // round trip of 3 ms; the closed form on the path is in the row, and the plain one is close to it.
  const auto steady = [](const std::string& variant) {
    const RunResults results = run_scenario("sapporo-wakkanai.yaml", {}, variant);
    check_sound(results);
    const PerftestRow& row = results.perftest.at(0);
    CHECK(row.steady_gbps.value() == doctest::Approx(row.bound_gbps.value()).epsilon(0.01));
    return row.steady_gbps.value();
  };
  const auto window = [](double messages, double bytes) {
    return messages * bytes * 8 / (3e-3 + bytes * 4178 / 4096 * 80e-12) * 1e-9;
  };
  CHECK(steady("") == doctest::Approx(window(128, 65'536)).epsilon(0.01));
  CHECK(steady("") == doctest::Approx(22.3).epsilon(0.01));
  // Below 8 KiB perftest signals one request in a hundred: 100 slots of 128 come free at a time.
  CHECK(steady("512B") == doctest::Approx(window(100, 512)).epsilon(0.01));
  CHECK(steady("64KiB-depth-16") == doctest::Approx(window(16, 65'536)).epsilon(0.01));
  CHECK(steady("1MiB-depth-16") == doctest::Approx(43.5).epsilon(0.01));
  CHECK(steady("25MiB-depth-1") == doctest::Approx(40.8).epsilon(0.01));
  CHECK(steady("64KiB-depth-1024") == doctest::Approx(100 * 65'536.0 / 66'864).epsilon(0.001));
  CHECK(steady("1MiB-depth-128") == doctest::Approx(100 * 1'048'576.0 / 1'069'584).epsilon(0.001));
  CHECK(steady("64KiB-4-queue-pairs") == doctest::Approx(4 * 22.2).epsilon(0.01));
  // A window of 100, and 71 messages of 5.35 us more in each cycle.
  CHECK(steady("64KiB-cq-mod-100") == doctest::Approx(100 * 65'536 * 8e-3 / (3012 + 71 * 5.35)).epsilon(0.01));
  CHECK(steady("read-64KiB") == doctest::Approx(window(16, 65'536)).epsilon(0.01));
  check_golden("sapporo-wakkanai", run_scenario("sapporo-wakkanai.yaml", {}, ""));
}

TEST_CASE("sapporo-wakkanai-loss.yaml: go-back-N pays a round trip for each loss, selective repeat a packet") {
  // 1024 x 8 MiB are 2 097 152 packets of 334.24 ns; go-back-N sends 8978 of them again, the first whole number above
  // (3 ms + 2 x 334.24 ns + 6.88 ns) / 334.24 ns = 8977.6.
  constexpr double packets = 2'097'152;
  constexpr double again = 8978;
  const double wire = 8388608.0 / (8388608 + 2048 * 82 + 16) * 100;
  for (const auto& [name, loss] :
       {std::pair{"1e-7", 1e-7}, {"1e-6", 1e-6}, {"1e-5", 1e-5}, {"1e-4", 1e-4}, {"1e-3", 1e-3}}) {
    CAPTURE(name);
    const bool is_base = loss == 1e-7;
    const RunResults gone_back =
        run_scenario("sapporo-wakkanai-loss.yaml", {}, is_base ? "" : "go-back-n-" + std::string{name});
    check_sound(gone_back);
    const double expected = packets * loss;  // losses that make it go back
    const double spread = 4 * std::sqrt(expected) + 1;
    CHECK(std::abs(static_cast<double>(gone_back.transfers.retransmitted_packets) / again - expected) < spread);
    const double share = gone_back.perftest.at(0).bw_average_gbps.value() / wire;
    // The losses of a run are a draw: four standard deviations of their number, and the round trip at the start.
    CHECK(share < 1 / (1 + again * std::max(0.0, expected - spread) / packets) + 0.001);
    CHECK(share > 1 / (1 + again * (expected + spread) / packets) - 0.02);

    const RunResults selective = run_scenario("sapporo-wakkanai-loss.yaml", {}, "selective-" + std::string{name});
    check_sound(selective);
    CHECK(selective.transfers.retransmitted_packets <= selective.drops.link);
    CHECK(std::abs(static_cast<double>(selective.transfers.retransmitted_packets) - expected) < spread);
    CHECK(selective.perftest.at(0).steady_gbps.value() == doctest::Approx(wire).epsilon(0.01));
  }
}

TEST_CASE("sapporo-wakkanai-accelerator.yaml: line rate from a small window, for a round trip of memory") {
  const auto goodput = [](const RunResults& results) { return results.perftest.at(0).steady_gbps.value(); };
  const auto run = [](const std::string& variant) {
    RunResults results = run_scenario("sapporo-wakkanai-accelerator.yaml", {}, variant);
    check_sound(results);
    return results;
  };
  const double wire = 65536.0 / (65536 + 16 * 82 + 16) * 100;
  const RunResults base = run("");
  CHECK(goodput(base) == doctest::Approx(wire).epsilon(0.01));
  // Frames in a buffer have no gap: 4158 of 4178 B of 3 ms at 12.5 GB/s.
  CHECK(static_cast<double>(base.accelerators.at(0).outbound_peak_bytes) ==
        doctest::Approx(37.5e6 * 4158 / 4178).epsilon(0.02));
  // 16 x 64 KiB per 3 ms and a message: 2.79 Gbps, a little less through the switches of two sites.
  CHECK(goodput(run("without")) == doctest::Approx(16 * 65536 * 8 / 3.0053e6).epsilon(0.01));
  // 16 MiB of frames are held for a round trip; the sender is done when the last of its 312.5 MiB are accepted, 16 MiB
  // before they have arrived.
  const double held = 16.0 * 1048576 * 8 / 3e6 * 4096 / 4158;
  CHECK(goodput(run("small-buffer")) < held * 312.5 / (312.5 - 16));
  CHECK(goodput(run("small-buffer")) > 0.95 * held);
  CHECK(goodput(run("loss")) > 0.9 * wire);
  CHECK(goodput(run("without-loss")) < 2.8);
  CHECK(goodput(run("read")) == doctest::Approx(16 * 65536 * 8 / 3.0053e6).epsilon(0.01));
}
