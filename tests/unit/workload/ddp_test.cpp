#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/ideal_network.hpp"
#include "support/units_io.hpp"
#include "workload/ddp_job.hpp"
#include "workload/make_job.hpp"
#include "workload/model_table.hpp"

using namespace soya;
using namespace soya::test;

namespace {

constexpr Rate rate = 100_Gbps;

std::vector<std::string> host_names(int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back("h" + std::to_string(i));
  return names;
}

/// One channel and clear-to-sends that take no time, so that an all-reduce without latency takes exactly
/// 2(N − 1)/N × S at line rate where N divides its elements.
DdpConfig training(int ranks) {
  DdpConfig config;
  config.name = "train";
  for (int i = 0; i < ranks; ++i) config.hosts.emplace_back(static_cast<std::uint32_t>(i));
  config.ring.channels = 1;
  config.ring.clear_to_send = 0_B;
  return config;
}

/// Gradients of 1, 25, 25 and 9 MiB in the order in which they come: a bucket each.
std::vector<TensorConfig> four_buckets() {
  constexpr std::int64_t elements_per_mib = 1024 * 1024 / 4;
  return {{"d", 9 * elements_per_mib, std::nullopt},
          {"c", 25 * elements_per_mib, std::nullopt},
          {"b", 25 * elements_per_mib, std::nullopt},
          {"a", 1 * elements_per_mib, std::nullopt}};
}

/// The recursion of data-parallel training, from the start of backward.
struct Expected {
  std::vector<Duration> begun;
  std::vector<Duration> ended;
};

Expected recursion(const DdpConfig& config, const std::vector<Duration>& ready, const std::vector<Bytes>& sizes) {
  const auto ranks = static_cast<std::int64_t>(config.hosts.size());
  Expected expected;
  Duration free{0};
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    expected.begun.push_back(std::max(ready[k], free));
    free = expected.begun.back() + 2 * (ranks - 1) * serialisation(sizes[k] / ranks, rate);
    expected.ended.push_back(free);
  }
  return expected;
}

JobReport run(const DdpConfig& config, const IdealLink& link) {
  const auto job = make_job(config, host_names(static_cast<int>(config.hosts.size())));
  IdealNetwork network{*job, link};
  network.run();
  REQUIRE(network.all_finished());
  const std::vector<IdealMessage>& messages = network.messages();
  CHECK(job->transfers() == std::count_if(messages.begin(), messages.end(),
                                          [](const IdealMessage& message) { return message.request.is_transfer; }));
  return job->report();
}

}  // namespace

TEST_CASE("steps follow the recursion exactly on a network without latency") {
  for (const int ranks : {2, 4}) {
    for (const Duration backward : {600_ms, 6_ms, 600_us}) {  // hides all but the last bucket, some, nothing
      CAPTURE(ranks);
      CAPTURE(backward.picoseconds());
      DdpConfig config = training(ranks);
      config.tensors = four_buckets();
      config.forward = 5_ms;
      config.backward = backward;
      config.optimiser = 1_ms;
      config.steps = 2;
      // 1, 26, 51 and 60 of 60 MiB.
      const std::vector<Duration> ready{backward / 60, backward * 26 / 60, backward * 51 / 60, backward};
      const Expected expected = recursion(config, ready, {1_MiB, 25_MiB, 25_MiB, 9_MiB});
      const Duration step = 5_ms + std::max(backward, expected.ended[3]) + 1_ms;

      const JobReport report = run(config, {.latency = 0_us, .rate = rate});
      REQUIRE(report.steps.size() == 2);
      REQUIRE(report.collectives.size() == 8);
      for (int k = 0; k < 2; ++k) {
        const StepReport& measured = report.steps[static_cast<std::size_t>(k)];
        CHECK(measured.step == k);
        CHECK(measured.forward == 5_ms);
        CHECK(measured.backward == backward);
        CHECK(measured.communication == expected.ended[3] - expected.begun[0]);
        CHECK(measured.exposed == std::max(0_ms, expected.ended[3] - backward));
        CHECK(measured.idle == measured.exposed);
        CHECK(measured.step_time == step);
        CHECK_FALSE(measured.plan_step_time.has_value());
        CHECK(measured.sent_total == 2 * (ranks - 1) * 60_MiB);
        CHECK(measured.sent_per_rank_min == 2 * (ranks - 1) * 60_MiB / ranks);
        CHECK(measured.sent_per_rank_max == measured.sent_per_rank_min);
        const Time backward_begun = Time{0} + k * step + 5_ms;
        for (std::size_t bucket = 0; bucket < 4; ++bucket) {
          const CollectiveReport& collective = report.collectives[static_cast<std::size_t>(k) * 4 + bucket];
          CHECK(collective.name == "train/step" + std::to_string(k) + "/bucket" + std::to_string(bucket));
          CHECK(collective.started == backward_begun + expected.begun[bucket]);
          CHECK(collective.finished == backward_begun + expected.ended[bucket]);
          CHECK(collective.ranks == ranks);
        }
      }
    }
  }
}

TEST_CASE("however long backward is, the last bucket's all-reduce sticks out") {
  DdpConfig config = training(4);
  config.tensors = four_buckets();
  config.backward = 10_s;
  const JobReport report = run(config, {.latency = 0_us, .rate = rate});
  REQUIRE(report.steps.size() == 1);
  CHECK(report.steps[0].exposed == 6 * serialisation(9_MiB / 4, rate));
}

TEST_CASE("one rank computes and sends nothing") {
  DdpConfig config = training(1);
  config.tensors = four_buckets();
  config.forward = 5_ms;
  config.backward = 10_ms;
  config.optimiser = 1_ms;
  config.steps = 3;
  const auto job = make_job(config, host_names(1));
  CHECK(job->connections().empty());
  IdealNetwork network{*job, {}};
  network.run();
  CHECK(network.messages().empty());
  CHECK(network.now() == Time{0} + 3 * 16_ms);
  const JobReport report = job->report();
  REQUIRE(report.steps.size() == 3);
  for (const StepReport& step : report.steps) {
    CHECK(step.step_time == 16_ms);
    CHECK(step.communication == 0_ms);
    CHECK(step.exposed == 0_ms);
    CHECK(step.idle == 0_ms);
    CHECK(step.sent_total == 0_B);
  }
}

TEST_CASE("without compute all communication is exposed") {
  DdpConfig config = training(4);
  config.tensors = four_buckets();
  config.steps = 2;
  const JobReport report = run(config, {.latency = 0_us, .rate = rate});
  REQUIRE(report.steps.size() == 2);
  const Duration all = 6 * serialisation(60_MiB / 4, rate);
  for (const StepReport& step : report.steps) {
    CHECK(step.exposed == all);
    CHECK(step.idle == all);
    CHECK(step.step_time == all);
  }
}

TEST_CASE("all ranks together send exactly 2(N-1) x 4P bytes per step, each its share") {
  constexpr std::int64_t parameters = 10'000'019;
  for (const int ranks : {1, 2, 3, 4, 6, 24}) {
    CAPTURE(ranks);
    DdpConfig config = training(ranks);
    config.ring = RingConfig{};
    config.tensors = equal_tensors(parameters, 7);
    config.backward = 3_ms;
    config.steps = 2;
    // Latency and jitter let ranks drift apart; the bytes of a step do not.
    const JobReport report =
        run(config, {.latency = 5_us, .rate = rate, .jitter = 300_us, .seed = static_cast<std::uint64_t>(ranks)});
    Bytes smallest = 8 * Bytes{parameters};
    Bytes largest{0};
    for (int rank = 0; rank < ranks; ++rank) {
      Bytes sent{0};
      for (const Bucket& bucket : make_buckets(config)) {
        sent += RingLayout{{bucket.size, 4_B}, ranks, config.ring}.sent_by(rank);
      }
      smallest = std::min(smallest, sent);
      largest = std::max(largest, sent);
    }
    REQUIRE(report.steps.size() == 2);
    for (const StepReport& step : report.steps) {
      CHECK(step.sent_total == Bytes{2 * (ranks - 1) * 4 * parameters});
      CHECK(step.sent_per_rank_min == smallest);
      CHECK(step.sent_per_rank_max == largest);
    }
  }
}

TEST_CASE("ranks that drift apart keep the order of buckets, and no all-reduce starts before its gradients") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    DdpConfig config = training(5);
    config.ring = RingConfig{};
    config.ring.reduce_time = 20_us;
    config.tensors = four_buckets();
    config.forward = 300_us;
    config.backward = 2_ms;
    config.optimiser = 100_us;
    config.steps = 3;
    const std::vector<Bucket> buckets = make_buckets(config);
    const JobReport report = run(config, {.latency = 2_us, .rate = 400_Gbps, .jitter = 1_ms, .seed = seed});
    REQUIRE(report.steps.size() == 3);
    REQUIRE(report.collectives.size() == 12);
    for (std::size_t k = 0; k < 12; ++k) {
      const CollectiveReport& collective = report.collectives[k];
      CHECK(collective.started < collective.finished);
      if (k < 4) CHECK(collective.started >= Time{0} + config.forward + buckets[k].ready);
      // Nobody ends a collective before everybody has begun it, so it is over nowhere before it has begun everywhere.
      if (k > 0) CHECK(collective.finished > report.collectives[k - 1].finished);
    }
    for (const StepReport& step : report.steps) {
      CHECK(step.exposed >= 0_ms);
      CHECK(step.exposed <= step.communication);
      CHECK(step.idle == step.exposed);
      CHECK(step.step_time >= config.forward + config.backward + config.optimiser);
    }
  }
}

TEST_CASE("a rank is computing until backward ends, and then only waits") {
  DdpConfig config = training(2);
  config.tensors = four_buckets();
  config.backward = 1_ms;
  const auto job = make_job(config, host_names(2));
  {
    IdealNetwork network{*job, {.latency = 0_us, .rate = rate}};
    network.run(Time{0} + 500_us);
    CHECK(job->computing(HostId{0U}));
    CHECK_FALSE(job->finished(HostId{0U}));
  }
  const auto later = make_job(config, host_names(2));
  IdealNetwork network{*later, {.latency = 0_us, .rate = rate}};
  network.run(Time{0} + 1100_us);
  CHECK_FALSE(later->computing(HostId{0U}));
  CHECK_FALSE(later->computing(HostId{7U}));
  CHECK(later->report().steps.empty());
}

TEST_CASE("what is unfinished names step, bucket and who waits for whom") {
  DdpConfig config = training(2);
  config.tensors = four_buckets();
  config.backward = 600_us;
  config.steps = 2;
  const auto job = make_job(config, host_names(2));
  IdealNetwork network{*job, {.latency = 0_us, .rate = rate}};
  // The second bucket runs from 260 us. Its 25 MiB are 6 loops of 4 MiB, 4 slices of 1 MiB each way, and a loop of
  // 1 MiB, 4 slices of 256 KiB: 28. A large one takes 83.9 us: 1740 us later 20 are there.
  network.run(Time{0} + 2000_us);
  const std::vector<std::string> lines = job->report().unfinished;
  REQUIRE(lines.size() == 2);
  CHECK(lines[1] ==
        "train: step 1 of 2, bucket 2 of 4: rank 1 (h1) waits for a slice of rank 0 (h0) on channel 0, 20 of 28 slices "
        "taken");

  const auto computing = make_job(config, host_names(2));
  IdealNetwork early{*computing, {.latency = 0_us, .rate = rate}};
  early.run(Time{0} + 200_us);
  CHECK(computing->report().unfinished.front() == "train: step 1 of 2, 1 of 4 buckets reduced: rank 0 computes");
}
