#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/ideal_network.hpp"
#include "support/units_io.hpp"
#include "workload/all_reduce_job.hpp"
#include "workload/make_job.hpp"

using namespace soya;
using namespace soya::test;

namespace {

std::vector<std::string> host_names(int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back("h" + std::to_string(i));
  return names;
}

AllReduceConfig ring_of(int ranks, Bytes size) {
  AllReduceConfig config;
  config.name = "all-reduce";
  for (int i = 0; i < ranks; ++i) config.hosts.emplace_back(static_cast<std::uint32_t>(i));
  config.size = size;
  return config;
}

/// One slice per chunk, one channel, and clear-to-sends that take no time on the wire.
AllReduceConfig plain_ring(int ranks, Bytes size) {
  AllReduceConfig config = ring_of(ranks, size);
  config.ring.channels = 1;
  config.ring.slices_per_chunk = 1;
  config.ring.clear_to_send = 0_B;
  return config;
}

/// How long the collective takes on an ideal network.
Duration time_of(const AllReduceConfig& config, const IdealLink& link) {
  const auto job = make_job(config, host_names(static_cast<int>(config.hosts.size())));
  IdealNetwork network{*job, link};
  network.run();
  const JobReport report = job->report();
  REQUIRE(report.collectives.size() == 1);
  return report.collectives[0].finished - report.collectives[0].started;
}

/// The messages of one connection, apart: slices and the clear-to-sends that open them.
struct Traffic {
  std::vector<IdealMessage> slices;
  std::vector<IdealMessage> clear_to_sends;
};

std::vector<Traffic> by_connection(const Job& job, const IdealNetwork& network) {
  std::vector<Traffic> traffic(job.connections().size());
  for (const IdealMessage& message : network.messages()) {
    Traffic& one = traffic[message.request.connection];
    (message.request.is_transfer ? one.slices : one.clear_to_sends).push_back(message);
  }
  return traffic;
}

/// A slice of a connection's program, as "loop, step, slice" order says it; needs slots ≥ slices per chunk.
struct Planned {
  std::int64_t loop;
  int step;
  std::int64_t slice;
  Bytes size;
};

std::vector<Planned> program(const RingLayout& layout, const RingPlace& at) {
  std::vector<Planned> planned;
  for (std::int64_t loop = 0; loop < layout.loops(at.channel); ++loop) {
    for (int step = 0; step < layout.steps(); ++step) {
      const RingChunk chunk{at.channel, loop, layout.chunk_at(at.rank, step)};
      for (std::int64_t slice = 0; slice < layout.slices(chunk); ++slice) {
        planned.push_back({loop, step, slice, layout.slice_size(chunk, slice)});
      }
    }
  }
  return planned;
}

/// The window rules of one connection: each slice after its clear-to-send, at most `slots` of either kind under way.
void check_window(const Traffic& traffic, const AllReduceConfig& config, Duration acknowledge) {
  REQUIRE(traffic.clear_to_sends.size() == traffic.slices.size());
  const auto slots = static_cast<std::size_t>(config.ring.slots);
  for (std::size_t n = 0; n < traffic.slices.size(); ++n) {
    REQUIRE(traffic.slices[n].request.operation == Operation::write_immediate);
    REQUIRE(traffic.slices[n].posted >= traffic.clear_to_sends[n].arrived);
    REQUIRE(traffic.clear_to_sends[n].request.size == config.ring.clear_to_send);
    if (n < slots) continue;
    REQUIRE(traffic.slices[n].posted >= traffic.slices[n - slots].arrived + acknowledge);
    REQUIRE(traffic.clear_to_sends[n].posted >= traffic.slices[n - slots].arrived);
  }
}

/// Sizes and order of the first collective's slices, and that slice i of step j waits for slice i of step j − 1.
void check_program(const RingLayout& layout, const std::vector<Traffic>& traffic, int repeat) {
  const auto channels = static_cast<std::size_t>(layout.channels());
  const auto ranks = static_cast<std::size_t>(layout.ranks());
  for (std::size_t connection = 0; connection < traffic.size(); ++connection) {
    const auto rank = connection / channels;
    const int channel = static_cast<int>(connection % channels);
    const std::size_t before = (rank + ranks - 1) % ranks * channels + connection % channels;
    const auto planned = program(layout, {static_cast<int>(rank), channel});
    const auto previous = program(layout, {static_cast<int>((rank + ranks - 1) % ranks), channel});
    REQUIRE(traffic[connection].slices.size() == planned.size() * static_cast<std::size_t>(repeat));
    for (std::size_t n = 0; n < planned.size(); ++n) {
      const IdealMessage& message = traffic[connection].slices[n];
      REQUIRE(message.request.size == planned[n].size);
      if (planned[n].step == 0) continue;
      const auto needed = std::find_if(previous.begin(), previous.end(), [&](const Planned& other) {
        return other.loop == planned[n].loop && other.step == planned[n].step - 1 && other.slice == planned[n].slice;
      });
      REQUIRE(needed != previous.end());
      REQUIRE(message.posted >= traffic[before].slices[static_cast<std::size_t>(needed - previous.begin())].arrived);
    }
  }
}

/// Runs `config` on a network with jitter and checks everything that must hold.
void check_run(const AllReduceConfig& config, const IdealLink& link) {
  const int ranks = static_cast<int>(config.hosts.size());
  const auto job = make_job(config, host_names(ranks));
  IdealNetwork network{*job, link};
  network.run();
  REQUIRE(network.all_finished());
  const JobReport report = job->report();
  REQUIRE(report.unfinished.empty());
  REQUIRE(report.collectives.size() == static_cast<std::size_t>(config.repeat));

  const RingLayout layout{{config.size, config.element}, ranks, config.ring};
  std::vector<Bytes> sent(config.hosts.size(), Bytes{0});
  for (const IdealMessage& message : network.messages()) {
    if (message.request.is_transfer) sent[message.from.index()] += message.request.size;
  }
  Bytes total{0};
  for (int rank = 0; rank < ranks; ++rank) {
    REQUIRE(sent[static_cast<std::size_t>(rank)] == layout.sent_by(rank) * config.repeat);
    total += sent[static_cast<std::size_t>(rank)];
  }
  CHECK(total == 2 * (ranks - 1) * config.size * config.repeat);

  const std::vector<Traffic> traffic = by_connection(*job, network);
  for (const Traffic& one : traffic) check_window(one, config, link.latency);
  if (config.ring.slots >= config.ring.slices_per_chunk) check_program(layout, traffic, config.repeat);
}

}  // namespace

TEST_CASE("a ring sends exactly 2(N-1)S bytes and keeps its windows, whatever the sizes, channels and slots") {
  std::uint64_t seed = 0;
  for (const int ranks : {1, 2, 3, 4, 5, 6, 24}) {
    for (const Bytes size : {0_B, 2_B, 1'000'000_B, 40_MiB, 100_MB}) {
      for (const int channels : {1, 2, 4}) {
        for (const int slots : {1, 2, 4}) {
          CAPTURE(ranks);
          CAPTURE(size.count());
          CAPTURE(channels);
          CAPTURE(slots);
          AllReduceConfig config = ring_of(ranks, size);
          config.ring.channels = channels;
          config.ring.slots = slots;
          check_run(config, {.latency = 3_us, .rate = 100_Gbps, .jitter = 200_us, .seed = ++seed});
        }
      }
    }
  }
}

TEST_CASE("nothing blocks: odd slices per chunk, few slots, repeats, ties in any order") {
  std::uint64_t seed = 1000;
  for (const int ranks : {2, 3, 5}) {
    for (const int slices_per_chunk : {1, 2, 3, 7}) {
      for (const int slots : {1, 2, 3}) {
        for (const Bytes size : {1_B, 5_B, 64_KiB, 10'000'019_B}) {
          for (const Duration jitter : {0_us, 500_us}) {
            AllReduceConfig config = ring_of(ranks, size);
            config.ring.slices_per_chunk = slices_per_chunk;
            config.ring.slots = slots;
            config.ring.reduce_time = jitter / 4;
            config.repeat = 4;
            check_run(config, {.latency = 0_us, .rate = 400_Gbps, .jitter = jitter, .seed = ++seed});
          }
        }
      }
    }
  }
}

TEST_CASE("each step costs the chunk's serialisation and one latency, the first one waits for its clear-to-send") {
  // 4 ranks, 4 chunks of 500 000 B: 40 us each at 100 Gbps.
  for (const int ranks : {2, 3, 4, 6}) {
    const Duration chunk = 40_us;
    const Duration latency = 7_us;
    CHECK(time_of(plain_ring(ranks, Bytes{500'000} * ranks), {.latency = latency, .rate = 100_Gbps}) ==
          latency + 2 * (ranks - 1) * (chunk + latency));
  }
}

TEST_CASE("with one slot each step also waits for the acknowledge and the next clear-to-send") {
  // A slice arrives at t; the slot it goes to is free at t + L, when the slice before is acknowledged; only then goes
  // the clear-to-send, which is there at t + 2L; the slice of the next step arrives at t + 3L + its serialisation.
  for (const int ranks : {2, 3, 4, 6}) {
    AllReduceConfig config = plain_ring(ranks, Bytes{500'000} * ranks);
    config.ring.slots = 1;
    const Duration chunk = 40_us;
    const Duration latency = 7_us;
    CHECK(time_of(config, {.latency = latency, .rate = 100_Gbps}) ==
          2 * latency + chunk + (2 * ranks - 3) * (3 * latency + chunk));
  }
}

TEST_CASE("without latency the links never idle: 2(N-1)/N of the data at line rate, over all loops and slices") {
  for (const int ranks : {2, 3, 4, 5}) {
    for (const int channels : {1, 2}) {
      AllReduceConfig config = ring_of(ranks, 6_MiB * ranks * channels);  // three loops of full chunks
      config.ring.channels = channels;
      config.ring.clear_to_send = 0_B;
      CHECK(time_of(config, {.latency = 0_us, .rate = 100_Gbps}) == 2 * (ranks - 1) * serialisation(6_MiB, 100_Gbps));
    }
  }
}

TEST_CASE("reductions add their time to the N-1 reducing steps only") {
  AllReduceConfig config = plain_ring(4, 2'000'000_B);
  config.ring.reduce_time = 5_us;
  CHECK(time_of(config, {.latency = 0_us, .rate = 100_Gbps}) == 6 * 40_us + 3 * 5_us);
}

TEST_CASE("over a long link a loop of two ranks costs two latencies and three slices") {
  // Both slices of step 0 leave at once and arrive at L + s and L + 2s; their step-1 slices leave then, and arrive at
  // 2L + 2s and 2L + 3s. Ten loops of 2 x 2 MiB; the first waits for its clear-to-send.
  AllReduceConfig config = ring_of(2, 40_MiB);
  config.ring.channels = 1;
  config.ring.clear_to_send = 0_B;
  const Duration latency = 1500_us;
  const Duration slice = serialisation(1_MiB, 100_Gbps);
  const Duration took = time_of(config, {.latency = latency, .rate = 100_Gbps});
  CHECK(took == latency + 10 * (2 * latency + 3 * slice));
  // Never faster than the window: 4 MiB in a round trip and the serialisation of a slice.
  CHECK(took > 10 * (2 * latency + slice));
}

TEST_CASE("collectives follow one another on each rank and are reported from first start to last end") {
  AllReduceConfig config = plain_ring(3, 1'500'000_B);
  config.name = "ring";
  config.repeat = 2;
  const auto job = make_job(config, host_names(3));
  IdealNetwork network{*job, {.latency = 7_us, .rate = 100_Gbps}};
  network.run();
  CHECK(job->transfers() == 2 * 3 * 4);  // twice, each of three ranks sends four chunks of one slice
  const JobReport report = job->report();
  REQUIRE(report.collectives.size() == 2);
  const Duration one = 4 * (40_us + 7_us) + 7_us;
  CHECK(report.collectives[0].name == "ring/0");
  CHECK(report.collectives[0].bytes == 1'500'000_B);
  CHECK(report.collectives[0].ranks == 3);
  CHECK(report.collectives[0].started == Time{0});
  CHECK(report.collectives[0].finished == Time{0} + one);
  CHECK(report.collectives[1].name == "ring/1");
  CHECK(report.collectives[1].started == Time{0} + one);
  CHECK(report.collectives[1].finished == Time{0} + 2 * one);
}

TEST_CASE("two ranks have two connections per channel, one in each direction") {
  const AllReduceConfig config = ring_of(2, 1_MB);
  const auto job = make_job(config, {"札幌-1", "稚内-1"});
  REQUIRE(job->connections().size() == 4);
  CHECK(job->connections()[0].identity == "all-reduce/札幌-1>稚内-1/0");
  CHECK(job->connections()[0].a == HostId{0U});
  CHECK(job->connections()[1].identity == "all-reduce/札幌-1>稚内-1/1");
  CHECK(job->connections()[2].identity == "all-reduce/稚内-1>札幌-1/0");
  CHECK(job->connections()[2].a == HostId{1U});
  CHECK(job->connections()[2].b == HostId{0U});
}

TEST_CASE("ranks are positions in the list of hosts, not host ids") {
  AllReduceConfig config = ring_of(3, 1_MB);
  config.hosts = {HostId{4U}, HostId{1U}, HostId{2U}};
  const auto job = make_job(config, host_names(5));
  CHECK(job->hosts() == config.hosts);
  CHECK(job->connections()[0].identity == "all-reduce/h4>h1/0");
  CHECK(job->finished(HostId{0U}));  // takes no part
  IdealNetwork network{*job, {.latency = 1_us, .rate = 100_Gbps}};
  network.run();
  CHECK(network.all_finished());
}

TEST_CASE("what is unfinished says who waits for whom") {
  AllReduceConfig config = plain_ring(3, 1'500'000_B);
  const auto job = make_job(config, host_names(3));
  IdealNetwork network{*job, {.latency = 7_us, .rate = 100_Gbps}};
  network.run(Time{60'000'000});  // slices of step 0 arrived at 54 us, those of step 1 not yet
  CHECK_FALSE(job->computing(HostId{0U}));
  const std::vector<std::string> lines = job->report().unfinished;
  REQUIRE(lines.size() == 3);
  CHECK(
      lines[0] ==
      "all-reduce: all-reduce 1 of 1: rank 0 (h0) waits for a slice of rank 2 (h2) on channel 0, 1 of 4 slices taken");
  CHECK(job->report().collectives.empty());
}

TEST_CASE("a job of more than 2^20 slices tells them by series, a smaller one each by itself") {
  // 3 ranks send 2 x (3 - 1) = 4 slices each for 12 B: 12 a collective. 87 381 x 12 = 1 048 572 < 2^20 < 87 382 x 12.
  for (const int repeat : {87'381, 87'382}) {
    CAPTURE(repeat);
    AllReduceConfig config = plain_ring(3, 12_B);
    config.repeat = repeat;
    const auto job = make_job(config, host_names(3));
    CHECK(job->transfers() == std::int64_t{repeat} * 12);
    IdealNetwork network{*job, {}};
    network.run(Time{0} + 100_us);
    for (const Traffic& one : by_connection(*job, network)) {
      REQUIRE(one.slices.size() > 8);
      for (std::size_t i = 0; i < one.slices.size(); ++i) {
        const std::int64_t series = one.slices[i].request.series;
        if (repeat == 87'381) {
          CHECK(series == 1);
        } else {
          // What is left to post of the collectives begun, this slice among it: 4, 3, 2, 1, 4, …
          CHECK(series >= 1);
          CHECK(series <= 8);
          CHECK((series + static_cast<std::int64_t>(i)) % 4 == 0);
        }
      }
    }
  }
}
