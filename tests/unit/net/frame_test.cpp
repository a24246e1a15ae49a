// Frame sizes and packet counts of docs/model.md section 1, and serialisation on a port.
#include <doctest/doctest.h>

#include "core/units.hpp"
#include "net/frame.hpp"
#include "net/wire_clock.hpp"
#include "support/units_io.hpp"

using namespace soya;

namespace {

constexpr FrameSizes sizes_for(std::int64_t mtu) { return FrameSizes{FrameConfig{.mtu = Bytes{mtu}}}; }

}  // namespace

TEST_CASE("a Middle packet costs its payload and 62 B in a frame, 82 B on the wire") {
  // Ethernet 14 + IPv4 20 + UDP 8 + BTH 12 + ICRC 4 + FCS 4.
  const FrameSizes sizes = sizes_for(4096);
  CHECK(sizes.overhead() == Bytes{14 + 20 + 8 + 12 + 4 + 4});
  CHECK(sizes.data(Operation::write, PacketPosition::middle, 4096_B) + wire_gap == Bytes{4096 + 82});
  CHECK(sizes.data(Operation::write, PacketPosition::first, 4096_B) + wire_gap == Bytes{4096 + 98});
  CHECK(sizes.data(Operation::write, PacketPosition::only, 4096_B) + wire_gap == Bytes{4096 + 98});
  CHECK(sizes.data(Operation::send, PacketPosition::only, 4096_B) + wire_gap == Bytes{4096 + 82});
  CHECK(sizes.data(Operation::write_immediate, PacketPosition::last, 4096_B) == Bytes{4096 + 62 + 4});
  CHECK(sizes.data(Operation::write_immediate, PacketPosition::only, 4096_B) == Bytes{4096 + 62 + 16 + 4});
  CHECK(sizes.acknowledge() + wire_gap == Bytes{86});
}

TEST_CASE("a READ is a request of 78 B and responses with an AETH on First, Last and Only") {
  const FrameSizes sizes = sizes_for(4096);
  CHECK(sizes.read_request() == Bytes{62 + 16});
  CHECK(sizes.data(Operation::read, PacketPosition::middle, 4096_B) == Bytes{4096 + 62});
  for (const PacketPosition end : {PacketPosition::first, PacketPosition::last, PacketPosition::only}) {
    CHECK(sizes.data(Operation::read, end, 4096_B) == Bytes{4096 + 62 + 4});
  }
  CHECK(sizes.data(Operation::read, PacketPosition::only, 0_B) == Bytes{62 + 4});
  CHECK(sizes.largest(Operation::read) == Bytes{4096 + 62 + 4});
  // Three responses: First, Middle, Last with 1000 B.
  CHECK(sizes.message_on_wire(Operation::read, Bytes{2 * 4096 + 1000}) == Bytes{2 * 4096 + 1000 + 3 * 82 + 2 * 4});
}

TEST_CASE("a WRITE that the host polls for is a WRITE on the wire") {
  const FrameSizes sizes = sizes_for(1000);
  for (const std::int64_t size : {0, 1, 1000, 1001, 3000}) {
    CHECK(sizes.message_on_wire(Operation::write_polled, Bytes{size}) ==
          sizes.message_on_wire(Operation::write, Bytes{size}));
  }
  CHECK(notifies_receiver(Operation::write_polled));
  CHECK_FALSE(notifies_receiver(Operation::write));
  CHECK_FALSE(takes_receive(Operation::write_polled));
}

TEST_CASE("VLAN adds 4 B and IPv6 20 B to every frame") {
  const FrameSizes tagged{FrameConfig{.mtu = 1024_B, .vlan = true, .ip = IpVersion::v4}};
  const FrameSizes v6{FrameConfig{.mtu = 1024_B, .vlan = false, .ip = IpVersion::v6}};
  CHECK(tagged.overhead() == Bytes{62 + 4});
  CHECK(v6.overhead() == Bytes{62 + 20});
  CHECK(v6.acknowledge() == Bytes{66 + 20});
}

TEST_CASE("payload is padded to 4 B and a frame is at least 64 B") {
  const FrameSizes sizes = sizes_for(1000);
  CHECK(sizes.data(Operation::send, PacketPosition::only, 1_B) == Bytes{62 + 4});
  CHECK(sizes.data(Operation::send, PacketPosition::only, 0_B) == 64_B);
  CHECK(sizes.data(Operation::write, PacketPosition::only, 999_B) == Bytes{62 + 16 + 1000});
}

TEST_CASE("sizes around the MTU make 1, 1, 1, 1, 2 and 2 packets and the wire bytes of a WRITE") {
  struct Row { std::int64_t size, packets, wire; };
  // 82 per packet + 16 for the RETH of First or Only + payload padded to 4 B.
  constexpr Row rows[] = {{0, 1, 98}, {1, 1, 98 + 4}, {999, 1, 98 + 1000}, {1000, 1, 98 + 1000},
                          {1001, 2, (98 + 1000) + (82 + 4)}, {2000, 2, (98 + 1000) + (82 + 1000)}};
  const FrameSizes sizes = sizes_for(1000);
  for (const Row& row : rows) {
    CAPTURE(row.size);
    CHECK(sizes.packets(Bytes{row.size}) == row.packets);
    CHECK(sizes.message_on_wire(Operation::write, Bytes{row.size}) == Bytes{row.wire});
  }
}

TEST_CASE("1 MiB at mtu 4096 is 256 packets, 1 069 584 wire bytes and 85.56672 us at 100G") {
  const FrameSizes sizes = sizes_for(4096);
  const Bytes wire = sizes.message_on_wire(Operation::write, 1_MiB);
  CHECK(sizes.packets(1_MiB) == 256);
  CHECK(wire == Bytes{1'048'576 + 82 * 256 + 16});
  CHECK(serialisation(wire, 100_Gbps) == Duration{1'069'584 * 80});
  CHECK(serialisation(wire, 100_Gbps) == Duration{85'566'720});
}

TEST_CASE("goodput ceilings of Middle packets are 92.59 % and 98.04 %") {
  for (const auto& [mtu, percent] : {std::pair{1024, 92.59}, std::pair{4096, 98.04}}) {
    const double wire = static_cast<double>((sizes_for(mtu).middle() + wire_gap).count());
    CHECK(100.0 * mtu / wire == doctest::Approx(percent).epsilon(0.0001));
  }
}

TEST_CASE("25 MiB at 400G take 524.288 us before headers") {
  CHECK(serialisation(25_MiB, 400_Gbps) == Duration{26'214'400LL * 20});
}

TEST_CASE("a million 1106 B frames at 300G end within 1 ps of the exact sum") {
  // 1106 B x 8 / 300e9 = 29 493.33… ps; a million of them 29 493 333 333.3 ps.
  WireClock wire{300_Gbps};
  Duration sum{0};
  for (int i = 0; i < 1'000'000; ++i) sum += wire.serialise(1106_B);
  const double exact = 1106.0 * 8 * 1e6 / 300e9 * 1e12;
  CHECK(std::abs(static_cast<double>(sum.picoseconds()) - exact) <= 1.0);
}

TEST_CASE("rates that divide evenly are exact per byte") {
  struct Row { Rate rate; std::int64_t ps_per_byte; };
  for (const Row& row : {Row{25_Gbps, 320}, Row{100_Gbps, 80}, Row{400_Gbps, 20}, Row{800_Gbps, 10}, Row{1600_Gbps, 5}}) {
    WireClock wire{row.rate};
    CHECK(wire.serialise(1_B) == Duration{row.ps_per_byte});
    CHECK(wire.serialise(Bytes{1'152'922}) == Duration{1'152'922 * row.ps_per_byte});
  }
}

TEST_CASE("two frames at 3.2T take 5 ps for 2 B: the half picosecond is carried") {
  WireClock wire{3200_Gbps};
  CHECK(wire.serialise(1_B) + wire.serialise(1_B) == 5_ps);
}
