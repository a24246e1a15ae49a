// One direction of a link and the clock of its transmitter: exact arrivals, rates that do not divide evenly, losses.
#include "net/link.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "net/frame.hpp"
#include "net/wire_clock.hpp"
#include "support/fabric_bench.hpp"
#include "support/greedy_port.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// A link of 1 us whose far end notes what arrives.
struct LoneLink {
  Workbench bench;
  Link link{1_us, bench.source(1, EventKind::switch_arrival)};
  std::vector<Time> arrivals;

  void carry(PacketKind kind, Time start, Time last_bit) {
    bench.context.now = start;
    link.carry(bench.context, bench.packet(kind, 1062_B), last_bit,
               kind == PacketKind::pfc ? Phase::control_arrival : Phase::data_arrival);
  }
  /// Delivers everything that arrives until `end`.
  void run(Time end = Time::never()) {
    while (!bench.events.empty() && bench.events.next_time() <= end) {
      bench.context.now = bench.events.pop().time;
      arrivals.push_back(bench.context.now);
      bench.packets.release(link.take(bench.context));
    }
    bench.context.now = end;
  }
};

constexpr Duration frame_time{1082 * 80};

}  // namespace

TEST_CASE("frames arrive one delay after their last bit, in order, with one event pending") {
  LoneLink bench;
  std::vector<Time> expected;
  for (int i = 1; i <= 100; ++i) {  // more than the ring holds at first
    bench.carry(PacketKind::data, Time{0} + (i - 1) * frame_time, Time{0} + i * frame_time);
    expected.push_back(Time{0} + i * frame_time + 1_us);
  }
  CHECK(bench.link.in_flight() == 100);
  CHECK(bench.bench.events.size() == 1);
  bench.run();
  CHECK(bench.arrivals == expected);
  CHECK(bench.bench.packets.in_use() == 0);
}

TEST_CASE("a link that goes down loses what is in flight and what starts until it is up") {
  LoneLink bench;
  for (int i = 0; i < 4; ++i) bench.carry(PacketKind::data, Time{0} + i * frame_time, Time{0} + (i + 1) * frame_time);
  // The first two have arrived, the other two are on their way.
  bench.run(Time{0} + 2 * frame_time + 1_us);
  CHECK(bench.arrivals.size() == 2);
  bench.link.down(bench.bench.context);
  CHECK(bench.link.lost() == 2);
  CHECK(bench.link.in_flight() == 0);
  CHECK(bench.bench.events.empty());
  bench.carry(PacketKind::data, Time{0} + 2_us, Time{0} + 2_us + frame_time);
  bench.carry(PacketKind::pfc, Time{0} + 3_us, Time{0} + 3_us + 6.72_ns);
  bench.link.up();
  CHECK(bench.link.lost() == 4);
  bench.carry(PacketKind::data, Time{0} + 4_us, Time{0} + 4_us + frame_time);
  bench.run();
  CHECK(bench.arrivals.size() == 3);
  CHECK(bench.arrivals.back() == Time{0} + 5_us + frame_time);
  CHECK(bench.bench.counters.lost_frames == 4);
  CHECK(bench.bench.packets.in_use() == 0);
}

TEST_CASE("the nth of a kind is lost, others are not counted") {
  LoneLink bench;
  bench.link.lose_nth(PacketKind::data, 3);
  bench.link.lose_nth(PacketKind::acknowledge, 2);
  const PacketKind kinds[] = {PacketKind::data,        PacketKind::acknowledge, PacketKind::pfc,
                              PacketKind::data,        PacketKind::pfc,         PacketKind::nak,
                              PacketKind::acknowledge, PacketKind::data,        PacketKind::data};
  // The second acknowledge is a NAK, which counts as one; the third data packet is the one before the last.
  std::vector<Time> expected;
  Time last_bit{0};
  for (std::size_t i = 0; i < std::size(kinds); ++i) {
    const Time start = last_bit;
    last_bit += frame_time;
    bench.carry(kinds[i], start, last_bit);
    if (i != 5 && i != 7) expected.push_back(last_bit + 1_us);
  }
  bench.run();
  CHECK(bench.arrivals == expected);
  CHECK(bench.link.lost() == 2);
}

TEST_CASE("a million packets at 300G end within 1 ps of the exact sum") {
  // 1106 B at 300G take 1106 x 8 / 0.3 = 29 493.33 ps; a million of them 29 493 333 333.33 ps.
  WireClock clock{300_Gbps};
  Duration total{0};
  for (int i = 0; i < 1'000'000; ++i) total += clock.serialise(1106_B);
  CHECK(std::abs(total.picoseconds() - 29'493'333'333) <= 1);
}

TEST_CASE("rates that divide evenly are exact per byte") {
  // ps per byte: 25G 320, 100G 80, 400G 20, 800G 10, 1.6T 5.
  struct Row {
    Rate rate;
    std::int64_t per_byte;
  };
  for (const Row& row :
       {Row{25_Gbps, 320}, Row{100_Gbps, 80}, Row{400_Gbps, 20}, Row{800_Gbps, 10}, Row{1600_Gbps, 5}}) {
    WireClock clock{row.rate};
    CHECK(clock.serialise(1_B) == Duration{row.per_byte});
    CHECK(clock.serialise(64_B) == Duration{64 * row.per_byte});
  }
}

TEST_CASE("25 MiB at 400G take 524.288 us before headers, whatever the width of the product") {
  // 26 214 400 B x 20 ps. Bits times 10^12 are 2.1e20, beyond 64 bits.
  CHECK(serialisation(25_MiB, 400_Gbps) == 524.288_us);
  WireClock clock{400_Gbps};
  CHECK(clock.serialise(25_MiB) == 524.288_us);
}

TEST_CASE("a 1 MiB WRITE over one 100G link serialises in 85.56672 us") {
  // 256 packets of 4096 + 82 B and 16 B of RETH: 1 069 584 B.
  const FrameSizes sizes{FrameConfig{}};
  const Bytes wire = sizes.message_on_wire(Operation::write, 1_MiB);
  CHECK(wire == Bytes{256 * (4096 + 82) + 16});
  CHECK(serialisation(wire, 100_Gbps) == 85.56672_us);

  FabricBench bench;
  bench.hosts("h", 2);
  bench.link("h1", "h2");
  bench.operation = Operation::write;
  bench.flow("h1", "h2", 1_MiB);
  // … then 1 us of cable, 86 B of acknowledge, and 1 us back.
  CHECK(finish_of(bench.run(), "h1") == Time{0} + 85.56672_us + 1_us + 6.88_ns + 1_us);
}

TEST_CASE("goodput ceilings are 92.59 % at payload 1024 and 98.04 % at 4096") {
  // A Middle packet costs payload + 82 B. 4 MB of them are within one packet's header of the ceiling.
  struct Row {
    Bytes mtu;
    double ceiling;
  };
  for (const Row& row : {Row{1024_B, 1024.0 / 1106}, Row{4096_B, 4096.0 / 4178}}) {
    FabricBench bench;
    bench.scenario.frame.mtu = row.mtu;
    bench.hosts("h", 2);
    bench.link("h1", "h2");
    bench.flow("h1", "h2", 1000 * row.mtu);
    const RunResults results = bench.run();
    const Duration wire = finish_of(results, "h1") - (Time{0} + 1_us + 6.88_ns + 1_us);
    CHECK(wire == Duration{1000 * (row.mtu.count() + 82) * 80});
    const double goodput = static_cast<double>(1000 * row.mtu.count()) * 8 / wire.seconds() / 1e11;
    CHECK(goodput == doctest::Approx(row.ceiling).epsilon(1e-9));
    CHECK(link_of(results, "h1", "h2")->utilisation <= 1.0);
  }
}

TEST_CASE("the directions of a link have rates of their own") {
  FabricBench bench;
  bench.scenario.frame.mtu = 1000_B;
  bench.hosts("h", 2);
  bench.link("h1", "h2");
  bench.scenario.topology.links.at(0).reverse_rate = 25_Gbps;
  bench.flow("h1", "h2", 1000_B);
  // Out at 80 ps per byte, the acknowledge back at 320.
  const RunResults results = bench.run();
  CHECK(finish_of(results, "h1") == Time{0} + frame_time + 1_us + Duration{86 * 320} + 1_us);
  CHECK(results.transfer_rows.at(0).ideal_ps == results.transfer_rows.at(0).finish_ps);
}

TEST_CASE("propagation is 5 us per km unless a link says otherwise, and transport delay adds to it") {
  FabricBench bench;
  bench.scenario.frame.mtu = 1000_B;
  bench.hosts("h", 2);
  bench.delay = 0_ps;
  bench.link("h1", "h2");
  LinkConfig& link = bench.scenario.topology.links.at(0);
  link.length = 300_km;
  bench.flow("h1", "h2", 1000_B);
  CHECK(finish_of(bench.run(), "h1") == Time{0} + frame_time + 1500_us + 6.88_ns + 1500_us);
  link.per_kilometre = Duration{4'900'000};
  link.delay = 10_us;
  CHECK(finish_of(bench.run(), "h1") == Time{0} + frame_time + 1480_us + 6.88_ns + 1480_us);
}

TEST_CASE("a link that loses everything loses PFC frames, too, unless it is to keep them") {
  for (const bool control : {true, false}) {
    CAPTURE(control);
    LoneLink bench;
    bench.link.lose_at_random({.packets = {1}, .control = control}, RandomStreams{1}.stream("loss"));
    bench.carry(PacketKind::data, Time{0}, Time{0} + frame_time);
    bench.carry(PacketKind::acknowledge, Time{0}, Time{0} + 2 * frame_time);
    bench.carry(PacketKind::pfc, Time{0}, Time{0} + 3 * frame_time);
    CHECK(bench.link.lost() == (control ? 3 : 2));
    bench.run();
    CHECK(bench.arrivals.size() == (control ? 0U : 1U));
    CHECK(bench.bench.packets.in_use() == 0);
  }
}

TEST_CASE("a burst takes every frame but PFC, for a while or so many") {
  LoneLink bench;
  bench.link.lose_next(2);
  bench.carry(PacketKind::pfc, Time{0}, Time{0} + 6.72_ns);
  for (int i = 1; i <= 3; ++i) bench.carry(PacketKind::data, Time{0}, Time{0} + i * frame_time);
  CHECK(bench.link.lost() == 2);  // the third arrives
  bench.link.begin_burst();
  bench.link.begin_burst();
  bench.carry(PacketKind::acknowledge, Time{0}, Time{0} + 4 * frame_time);
  bench.link.end_burst();
  bench.carry(PacketKind::nak, Time{0}, Time{0} + 5 * frame_time);
  bench.link.end_burst();
  bench.carry(PacketKind::data, Time{0}, Time{0} + 6 * frame_time);
  CHECK(bench.link.lost() == 4);
  bench.run();
  CHECK(bench.arrivals.size() == 3);
}

TEST_CASE("the nth PFC frame is lost, whatever else passes") {
  LoneLink bench;
  bench.link.lose_nth(PacketKind::pfc, 2);
  bench.carry(PacketKind::pfc, Time{0}, Time{0} + 1 * frame_time);
  bench.carry(PacketKind::data, Time{0}, Time{0} + 2 * frame_time);
  CHECK(bench.link.lost() == 0);
  bench.carry(PacketKind::pfc, Time{0}, Time{0} + 3 * frame_time);
  CHECK(bench.link.lost() == 1);
  bench.carry(PacketKind::pfc, Time{0}, Time{0} + 4 * frame_time);
  CHECK(bench.link.lost() == 1);
}
