#include "planning/long_haul.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "support/units_io.hpp"

using namespace soya;

namespace {

/// A cable between two NICs.
struct Cable {
  std::vector<PathHop> there;
  std::vector<PathHop> back;

  explicit Cable(Duration one_way, Rate rate = 100_Gbps)
      : there{{.rate = rate, .one_way = one_way, .latency_before = 0_ps}}, back{there} {}
  [[nodiscard]] RoundTrip paths() const { return {there, back}; }
};

Goodput goodput_of(const Cable& cable, const MessageStream& stream) {
  return steady_goodput({}, cable.paths(), stream);
}

/// What a window of `depth` requests, one in `every` of them signalled, carries in the long run, request by request:
/// a request is posted when its slot is free, and goes when the wire is.
double requests_per_second(const MessageStream& stream, Duration completion, Duration wire) {
  constexpr std::int64_t count = 40'000;
  std::vector<std::int64_t> start(count, 0);
  for (std::int64_t k = 0; k < count; ++k) {
    if (k > 0) start[static_cast<std::size_t>(k)] = start[static_cast<std::size_t>(k - 1)] + wire.picoseconds();
    if (k < stream.depth) continue;
    const std::int64_t every = stream.signal_every;
    const std::int64_t signalled = (k - stream.depth + every) / every * every - 1;
    start[static_cast<std::size_t>(k)] = std::max(
        start[static_cast<std::size_t>(k)], start[static_cast<std::size_t>(signalled)] + completion.picoseconds());
  }
  constexpr std::int64_t half = count / 2;
  return static_cast<double>(half) * 1e12 / static_cast<double>(start[count - 1] - start[half - 1]);
}

}  // namespace

TEST_CASE("three known answers at 100 Gbps and 3 ms") {
  const Cable cable{1'500_us};
  // 64 KiB are 16 packets, 16 x 82 + 16 B of headers: 66 864 B, 5.349 us. An acknowledge is 86 B, 6.88 ns.
  const Goodput usual = goodput_of(cable, {.message = 64_KiB, .depth = 128});
  CHECK(usual.completion == 3'000_us + 5'349'120_ps + 6'880_ps);
  CHECK(usual.rate.gbps() == doctest::Approx(128 * 65'536 * 8 / 3.005356e-3 * 1e-9).epsilon(1e-6));
  CHECK(usual.rate.gbps() == doctest::Approx(22.33).epsilon(0.001));
  CHECK(usual.limit == GoodputLimit::window);
  // 1 MiB: 1 069 584 B, 85.567 us: 16 x 1 MiB / 3.085574 ms. 25 MiB: 26 739 216 B, 2.139 ms: 25 MiB / 5.139144 ms.
  CHECK(goodput_of(cable, {.message = 1_MiB, .depth = 16}).rate.gbps() == doctest::Approx(43.50).epsilon(0.001));
  CHECK(goodput_of(cable, {.message = 25_MiB, .depth = 1}).rate.gbps() == doctest::Approx(40.81).epsilon(0.001));
}

TEST_CASE("on a short cable the wire rules: message / its wire bytes") {
  const Cable cable{25_ns};
  for (const std::int64_t size : {2'048, 4'096, 65'536, 1'048'576}) {
    CAPTURE(size);
    const std::int64_t packets = size / 1024;
    const Goodput found = steady_goodput({.mtu = 1024_B}, cable.paths(), {.message = Bytes{size}});
    const auto wire = static_cast<double>(size + 82 * packets + 16);
    CHECK(found.rate.gbps() == doctest::Approx(100 * static_cast<double>(size) / wire).epsilon(1e-6));
    CHECK(found.limit == GoodputLimit::wire);
  }
}

TEST_CASE("the NIC's message rate rules where messages are small") {
  const Cable cable{25_ns};
  const MessageStream stream{.message = 64_B, .message_rate = 7'200'000};
  const Goodput found = goodput_of(cable, stream);
  CHECK(found.rate.gbps() == doctest::Approx(7.2e6 * 64 * 8 * 1e-9));
  CHECK(found.limit == GoodputLimit::message_rate);
}

TEST_CASE("READs outstanding rule where they are fewer than the queue is deep") {
  const Cable cable{1'500_us};
  const MessageStream stream{.operation = Operation::read, .message = 64_KiB, .depth = 128, .max_reads = 16};
  const Goodput found = goodput_of(cable, stream);
  // A request of 62 + 16 B and its gap, 98 B; 16 responses with 82 B, the First and Last with 4 B of AETH: 66 856 B.
  const double completion = 3e-3 + (98 + 65'536 + 16 * 82 + 8) * 80e-12;
  CHECK(found.rate.gbps() == doctest::Approx(16 * 65'536 * 8 / completion * 1e-9).epsilon(1e-6));
  CHECK(found.limit == GoodputLimit::reads);
  const MessageStream shallow{.operation = Operation::read, .message = 64_KiB, .depth = 8, .max_reads = 16};
  CHECK(goodput_of(cable, shallow).limit == GoodputLimit::window);
}

TEST_CASE("packets outstanding rule where fewer are allowed than a window has") {
  // 640 packets come back 64 at a time: 640 x 4096 B per round trip of a packet (334.24 ns), and the 63 others of the
  // group that is on its way: 3 000 341 120 + 63 x 335 520 ps, of First packets.
  const Cable cable{1'500_us};
  const MessageStream stream{.message = 1_MiB, .depth = 128, .max_unacked = 640};
  const Goodput found = goodput_of(cable, stream);
  CHECK(found.limit == GoodputLimit::unacked);
  CHECK(found.rate.gbps() == doctest::Approx(640 * 4096 * 8 / (3.000341120e-3 + 63 * 0.33552e-6) * 1e-9).epsilon(1e-6));
}

TEST_CASE("signalling one request in so many costs whole batches of the window") {
  const Cable cable{1'500_us};
  // Of 128 slots only 100 are ever refilled at once, and 71 messages later than the first of them could have been.
  const Goodput found = goodput_of(cable, {.message = 64_KiB, .depth = 128, .signal_every = 100});
  CHECK(found.rate.gbps() == doctest::Approx(100 * 65'536 * 8 / (3.005356e-3 + 71 * 5.34912e-6) * 1e-9).epsilon(1e-6));
  for (const Duration one_way : {5_us, 100_us, 500_us, 1'500_us}) {
    for (const std::int64_t depth : {1, 7, 100, 128, 300, 1000}) {
      for (const std::int64_t every : {1, 2, 7, 64, 100, 128}) {
        if (every > depth) continue;
        CAPTURE(depth);
        CAPTURE(every);
        const MessageStream stream{.message = 64_KiB, .depth = depth, .signal_every = every};
        const Goodput closed = goodput_of(Cable{one_way}, stream);
        const double rate = requests_per_second(stream, closed.completion, Duration{5'349'120});
        CHECK(closed.rate.gbps() == doctest::Approx(rate * 65'536 * 8 * 1e-9).epsilon(0.01));
      }
    }
  }
}

TEST_CASE("two queue pairs have two windows, and take turns by packet") {
  const Cable cable{1'500_us};
  // Of two messages of 5.349 us, the first has ended when all but the other's last packet (335.52 ns) has gone.
  const Goodput found = goodput_of(cable, {.message = 64_KiB, .queue_pairs = 2, .depth = 128});
  CHECK(found.completion == 3'000_us + 5'349'120_ps + 6'880_ps + 5'349'120_ps - 335'520_ps);
  CHECK(found.rate.gbps() == doctest::Approx(2 * 128 * 65'536 * 8 / 3.0103696e-3 * 1e-9).epsilon(1e-6));
}

TEST_CASE("the slowest link of a path is its wire, and each link delays") {
  const std::vector<PathHop> there{{.rate = 100_Gbps, .one_way = 1_us, .latency_before = 0_ps},
                                   {.rate = 25_Gbps, .one_way = 2_us, .latency_before = 500_ns}};
  const std::vector<PathHop> back{{.rate = 25_Gbps, .one_way = 2_us, .latency_before = 0_ps},
                                  {.rate = 100_Gbps, .one_way = 1_us, .latency_before = 500_ns}};
  const MessageStream stream{.message = 4096_B, .depth = 1};
  const Goodput found = steady_goodput({}, {there, back}, stream);
  // 4194 B: 335.52 ns, then 1342.08 ns; 86 B: 27.52 ns, then 6.88 ns.
  CHECK(found.completion == 7_us + 335'520_ps + 1'342'080_ps + 27'520_ps + 6'880_ps);
  CHECK(found.limit == GoodputLimit::window);
  CHECK(steady_goodput({}, {there, back}, {.message = 4096_B, .depth = 100}).rate.gbps() ==
        doctest::Approx(25.0 * 4096 / 4194).epsilon(1e-6));
}

TEST_CASE("losses: selective repeat loses what is lost, go-back-N a round trip of packets for each") {
  // mtu 4096: a packet is 4178 B on the wire, 334.24 ns at 100 Gbps. A lost one's NAK is back after the packet behind
  // it has come, and the NAK has: N = (3 ms + 2 x 334.24 ns + 6.88 ns) / 334.24 ns = 8977.6 packets.
  const Cable cable{1'500_us};
  const double again = (3e6 + 2 * 334.24 + 6.88) / 334.24;
  MessageStream stream{.message = 25_MiB, .depth = 128};
  const double wire = goodput_of(cable, stream).rate.gbps();
  for (const double loss : {1e-6, 1e-4, 1e-2}) {
    CAPTURE(loss);
    stream.loss = loss;
    stream.selective_repeat = false;
    const Goodput gone_back = goodput_of(cable, stream);
    CHECK(gone_back.limit == GoodputLimit::losses);
    CHECK(gone_back.rate.gbps() == doctest::Approx(wire * (1 - loss) / (1 + (again - 1) * loss)).epsilon(1e-6));
    stream.selective_repeat = true;
    CHECK(goodput_of(cable, stream).rate.gbps() == doctest::Approx(wire * (1 - loss)).epsilon(1e-6));
  }
  // In bursts of ten a tenth as often.
  stream.loss = 1e-3;
  stream.selective_repeat = false;
  stream.burst = 10;
  CHECK(goodput_of(cable, stream).rate.gbps() ==
        doctest::Approx(wire * 0.999 / (1 + (again - 1) * 1e-4)).epsilon(1e-6));
  // A window that is short of the wire stays the limit.
  stream.depth = 1;
  CHECK(goodput_of(cable, stream).limit == GoodputLimit::window);
}
