// A link that measures itself: the delay of frames with timestamps against the delay that is configured.
#include "engine/link_delay.hpp"

#include <doctest/doctest.h>

#include <string>

#include "engine/simulation.hpp"
#include "planning/headroom_formulas.hpp"
#include "support/scenario_folder.hpp"
#include "sweep/worst_case.hpp"

using namespace soya;

namespace {

LinkConfig link_of(Rate rate, Length length, Duration delay = 0_ps) {
  LinkConfig link;
  link.rate = rate;
  link.length = length;
  link.delay = delay;
  return link;
}

}  // namespace

TEST_CASE("a measured delay is the configured one in whole ticks, up: by hand") {
  // 300 km x 5 us/km = 1.5 ms = 187 500 ticks of 8 ns.
  CHECK(measure_link_delay(link_of(100_Gbps, Length{300'000'000})) == 1'500_us);
  // 3 m x 5 ns/m = 15 ns, two ticks.
  CHECK(measure_link_delay(link_of(100_Gbps, Length{3'000})) == 16_ns);
  // 1 ps is a tick; so is a whole tick, and 1 ps more is two.
  CHECK(measure_link_delay(link_of(100_Gbps, Length{0}, 1_ps)) == 8_ns);
  CHECK(measure_link_delay(link_of(100_Gbps, Length{0}, 8_ns)) == 8_ns);
  CHECK(measure_link_delay(link_of(100_Gbps, Length{0}, 8_ns + 1_ps)) == 16_ns);
  // Transport of 20 us each way beside 4 km of glass: 40 us.
  CHECK(measure_link_delay(link_of(400_Gbps, Length{4'000'000}, 20_us)) == 40_us);
}

TEST_CASE("neither the rates of the two directions nor the time of a frame on the wire tell in it") {
  // 84 B take 6.72 ns at 100G, 672 us at 1 Mbps, and no whole picoseconds at 300G: 2.24 ns, or at 7 Gbps: 96 ns.
  const Rate rates[] = {Rate{1'000'000}, 7_Gbps, 25_Gbps, 100_Gbps, 300_Gbps, 800_Gbps, 1'600_Gbps};
  const Duration delays[] = {1_ps, 7_ps, 999_ps, 25_ns, 1'500_us, 5'000_us + 1_ps};  // 1000 km are 5 ms
  for (const Rate forward : rates) {
    for (const Rate reverse : rates) {
      for (const Duration delay : delays) {
        LinkConfig link = link_of(forward, Length{0}, delay);
        link.reverse_rate = reverse;
        const Duration measured = measure_link_delay(link);
        CAPTURE(forward.bits_per_second());
        CAPTURE(reverse.bits_per_second());
        CAPTURE(delay.picoseconds());
        CHECK(measured >= delay);
        CHECK(measured - delay < timestamp_granularity);
        CHECK(measured.picoseconds() % timestamp_granularity.picoseconds() == 0);
      }
    }
  }
}

TEST_CASE("of two ways that differ the measured delay is the mean, so that twice it is the round trip") {
  // 300 km there, 340 km and 3 us back: 1.5 and 1.703 ms, 3.203 ms in all; the half, 1.6015 ms, is no whole number of
  // ticks: 200 187.5 x 8 ns, so 200 188 ticks.
  LinkConfig link = link_of(100_Gbps, Length{300'000'000});
  link.reverse_length = Length{340'000'000};
  link.reverse_delay = 3_us;
  CHECK(measure_link_delay(link) == 200'188 * 8_ns);
  LinkDelays delays;
  CHECK(delays.of(link_of(100_Gbps, Length{300'000'000})) == 1'500_us);
  CHECK(delays.of(link) == 200'188 * 8_ns);
}

TEST_CASE("links alike are measured once and give the same") {
  LinkDelays delays;
  LinkConfig link = link_of(100_Gbps, Length{80'000'000});
  const Duration first = delays.of(link);
  CHECK(first == 400_us);  // 80 km x 5 us/km
  link.a = NodeId{std::size_t{7}};
  CHECK(delays.of(link) == first);
  link.length = Length{81'000'000};
  CHECK(delays.of(link) == 405_us);
}

TEST_CASE("headroom by qdt is never below auto, at most two ticks of the rate above, and lossless in the worst case") {
  for (const Rate rate : {25_Gbps, 100_Gbps, 300_Gbps, 800_Gbps}) {
    for (const Duration delay : {1_ps, 25_ns, 1'500_ns + 1_ps, 20_us + 7_ps}) {
      WorstCase worst;
      worst.rate = rate;
      worst.one_way = delay;
      worst.frame.mtu = 4096_B;
      HeadroomQuery query = query_of(worst);
      const Bytes automatic = *formula_headroom(HeadroomFormula::soya, query).size;
      query.one_way = measure_link_delay(link_of(rate, Length{0}, delay));
      const Bytes measured = *formula_headroom(HeadroomFormula::qdt, query).size;
      CAPTURE(rate.bits_per_second());
      CAPTURE(delay.picoseconds());
      CHECK(measured >= automatic);
      // Less than a tick more each way; 2 x 8 ns are a whole number of bytes at each of these rates: 50, 200, 600,
      // 1600.
      CHECK(measured - automatic <= bytes_in(2 * timestamp_granularity, rate));
      CHECK_FALSE(first_loss(worst, measured).has_value());
    }
  }
}

TEST_CASE("a scenario that asks for qdt measures its links, and only their propagation differs from auto") {
  const auto headroom_of = [](const std::string& formula) {
    const Scenario scenario = test::scenario_of(
        "topology: {nodes: {h1: host, h2: host, s1: switch}, links: [{between: [h1, s1], length: 5m}, "
        "{between: [h2, s1], length: 4km}]}\nworkload: [{flows: [{from: h1, to: h2, size: 4096B}]}]\n"
        "fabric: {headroom: {formula: " +
        formula + "}}\n");
    std::vector<std::int64_t> sizes;
    for (const QueueRow& row : Simulation{scenario}.run().queues) {
      if (row.priority == 3) sizes.push_back(row.headroom_configured_bytes);
    }
    return sizes;
  };
  const std::vector<std::int64_t> automatic = headroom_of("soya");
  const std::vector<std::int64_t> measured = headroom_of("qdt");
  REQUIRE(automatic.size() == 2);
  REQUIRE(measured.size() == 2);
  // 5 m are 25 ns, four ticks are 32 ns: 2 x 7 ns at 12.5 B/ns are 175 B. 4 km are 20 us, whole ticks.
  CHECK(measured[0] - automatic[0] == 175);
  CHECK(measured[1] == automatic[1]);
}
