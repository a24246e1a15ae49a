// Goodput over distance: the smaller of what the wire carries and what the window lets go per round trip, measured
// between completions once the first window is under way.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "planning/long_haul.hpp"
#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

struct Point {
  Bytes message;
  int depth;
  Duration round_trip;  ///< propagation both ways
};

/// Payload of `message` on the wire, WRITE, mtu 4096: 82 B around each packet, 16 B of RETH.
std::int64_t wire_bytes(Bytes message) {
  const std::int64_t packets = (message.count() + 4095) / 4096;
  return message.count() + 82 * packets + 16;
}

/// min(rate x efficiency, depth x message / (round trip + serialisation)) at 100 Gbps, the acknowledge of 86 B in the
/// round trip.
double expected_gbps(const Point& point) {
  const auto message = static_cast<double>(point.message.count());
  const auto wire = static_cast<double>(wire_bytes(point.message));
  const double cycle_ns = static_cast<double>(point.round_trip.picoseconds()) * 1e-3 + (86 + wire) * 0.08;
  return std::min(100 * message / wire, point.depth * message * 8 / cycle_ns);
}

/// Messages that tell the steady state: three windows, or three times what fills the path where that is less.
std::int64_t enough_messages(const Point& point) {
  const std::int64_t in_flight = bytes_in(point.round_trip, 100_Gbps).count() / point.message.count() + 8;
  return 3 * std::min<std::int64_t>(point.depth, in_flight);
}

/// Payload per time between the completion that ends the first third and the last.
double measured_gbps(const RunResults& results) {
  std::vector<std::int64_t> finish;
  for (const TransferRow& row : results.transfer_rows) finish.push_back(row.finish_ps.value());
  std::ranges::sort(finish);
  const std::size_t third = finish.size() / 3;
  const auto payload = static_cast<double>(results.transfer_rows[0].bytes) * static_cast<double>(2 * third);
  return payload * 8e3 / static_cast<double>(finish.back() - finish[third - 1]);
}

RunResults run(const Point& point) {
  FabricBench bench;
  bench.operation = Operation::write;
  bench.nic.queue_depth = point.depth;
  bench.delay = point.round_trip / 2;
  bench.hosts("h", 2);
  bench.link("h1", "h2");
  bench.flow("h1", "h2", point.message).messages = enough_messages(point);
  return bench.run();
}

}  // namespace

TEST_CASE("goodput is the wire's or the window's, within 1 %, over message size, depth and round trip") {
  for (const Bytes message : {512_B, 64_KiB, 1_MiB, 25_MiB}) {
    for (const int depth : {1, 16, 128, 1024}) {
      for (const Duration round_trip : {10_us, 500_us, 3'000_us}) {
        CAPTURE(message);
        CAPTURE(depth);
        CAPTURE(round_trip);
        const Point point{message, depth, round_trip};
        const RunResults results = run(point);
        CHECK(results.sound);
        CHECK(measured_gbps(results) == doctest::Approx(expected_gbps(point)).epsilon(0.01));
      }
    }
  }
}

TEST_CASE("perftest's default, 64 KiB x 128, at 3 ms: 22.3 Gbps") {
  const Point point{64_KiB, 128, 3'000_us};
  // 128 x 65 536 x 8 bits per 3 ms + 66 864 B and 86 B at 12.5 B/ns: 22.33 Gbps.
  CHECK(expected_gbps(point) == doctest::Approx(22.33).epsilon(0.001));
  CHECK(measured_gbps(run(point)) == doctest::Approx(22.33).epsilon(0.001));
}

TEST_CASE("through switches the round trip has their latency, and the last packet is stored on each hop") {
  FabricBench bench;
  bench.operation = Operation::write;
  bench.nic.queue_depth = 16;
  bench.defaults.latency = 500_ns;
  bench.defaults.buffer.size = 256_MiB;
  bench.hosts("h", 2);
  bench.add_switch("s1");
  bench.add_switch("s2");
  bench.link("h1", "s1");
  bench.delay = 500_us;
  bench.rate = 400_Gbps;
  bench.link("s1", "s2");
  bench.delay = 1_us;
  bench.rate = 100_Gbps;
  bench.link("s2", "h2");
  bench.flow("h1", "h2", 64_KiB).messages = 48;
  // 66 864 B at 100 Gbps, behind one packet at 400 and at 100 Gbps: the First, whose 16 B more keep the others waiting
  // at the last hop. The acknowledge's 86 B at all three.
  const double cycle_ns = 2 * 502'000 + 4 * 500 + 66'864 * 0.08 + 4194 * (0.02 + 0.08) + 86 * (0.08 + 0.02 + 0.08);
  const double expected = 16 * 65'536 * 8 / cycle_ns;
  CHECK(measured_gbps(bench.run()) == doctest::Approx(expected).epsilon(1e-6));
}

TEST_CASE("two queue pairs of a host have a window each") {
  FabricBench bench;
  bench.operation = Operation::write;
  bench.nic.queue_depth = 8;
  bench.delay = 250_us;
  bench.hosts("h", 2);
  bench.link("h1", "h2");
  bench.flow("h1", "h2", 64_KiB).messages = 24;
  bench.flow("h1", "h2", 64_KiB).messages = 24;
  const std::vector<PathHop> cable{{.rate = 100_Gbps, .one_way = 250_us, .latency_before = 0_ps}};
  const MessageStream stream{.message = 64_KiB, .queue_pairs = 2, .depth = 8};
  const double expected = steady_goodput({}, {cable, cable}, stream).rate.gbps();
  // Two windows of 8 x 64 KiB per 500 us, and a message of each: 16.4 Gbps.
  CHECK(expected == doctest::Approx(16.43).epsilon(0.001));
  CHECK(measured_gbps(bench.run()) == doctest::Approx(expected).epsilon(0.01));
}
