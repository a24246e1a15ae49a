#include "core/units.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <type_traits>

#include "core/ids.hpp"

namespace soya {
namespace {

template <class A, class B>
concept Comparable = requires(A a, B b) {
  a < b;
};
template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};

// Two quantities or ids of different kinds have nothing to do with each other, and a bare number is neither.
static_assert(!std::is_convertible_v<std::int64_t, Duration> && !std::is_convertible_v<std::int64_t, Time>);
static_assert(!std::is_convertible_v<std::int64_t, Bytes> && !std::is_convertible_v<std::int64_t, Rate>);
static_assert(!std::is_convertible_v<Duration, Time> && !std::is_convertible_v<Time, Duration>);
static_assert(!Addable<Time, Time> && !Addable<Duration, Bytes> && !Comparable<Time, Duration>);
static_assert(Addable<Time, Duration> && Addable<Bytes, Bytes> && Comparable<Time, Time>);
static_assert(!std::is_convertible_v<std::uint32_t, NodeId> && !std::is_convertible_v<NodeId, PortId>);
static_assert(!Comparable<NodeId, PortId> && Comparable<NodeId, NodeId>);

}  // namespace

TEST_CASE("serialisation is exact where a picosecond is, and rounds to the nearest elsewhere") {
  // 80 ps per byte at 100 Gbps, 20 at 400, 10 at 800, 5 at 1600.
  CHECK(serialisation(86_B, 100_Gbps) == 86 * 80_ps);
  CHECK(serialisation(64_B, 800_Gbps) == 640_ps);
  CHECK(serialisation(1_B, 1600_Gbps) == 5_ps);
  // 1 MiB as WRITE at mtu 4096: 256 packets of 82 B overhead and one RETH of 16 B, 1 069 584 B.
  CHECK(serialisation(1_MiB + 256 * 82_B + 16_B, 100_Gbps) == 85'566'720_ps);
  // 26 214 400 B x 8e12 exceeds 64 bits: 524.288 us all the same.
  CHECK(serialisation(25_MiB, 400_Gbps) == 524'288_ns);
  // 1106 B at 300 Gbps: 29 493.33 ps. 1 B at 3.2 Tbps: 2.5 ps, up.
  CHECK(serialisation(1106_B, 300_Gbps) == 29'493_ps);
  CHECK(serialisation(1_B, 3200_Gbps) == 3_ps);
  CHECK(serialisation(0_B, 100_Gbps) == 0_ps);
}

TEST_CASE("bytes_in rounds down and survives a long haul") {
  CHECK(bytes_in(1_us, 100_Gbps) == 12'500_B);
  // 999 ps at 12.5 B/ns are 12.4875 B.
  CHECK(bytes_in(999_ps, 100_Gbps) == 12_B);
  // There and back over 300 km: 3 ms at 12.5 GB/s.
  CHECK(bytes_in(3_ms, 100_Gbps) == 37'500'000_B);
  // A second at 1.6 Tbps: 1e12 ps x 1.6e12 bit/s exceeds 64 bits.
  CHECK(bytes_in(1_s, 1600_Gbps) == 200'000'000'000_B);
}

TEST_CASE("propagation follows the cable") {
  CHECK(propagation(300_km, 5_us) == 1'500_us);
  CHECK(propagation(5_m, 5_us) == 25_ns);
  // 1 mm at 4.9 us/km is 4.9 ps.
  CHECK(propagation(Length{1}, 4.9_us) == 5_ps);
  CHECK(propagation(Length{0}, 5_us) == 0_ps);
}

TEST_CASE("scaled floors a fraction and does not wrap") {
  CHECK(scaled(1001, Ratio{1, 8}) == 125);
  // 2^62 x 3/4 passes through 3 x 2^62, which exceeds 64 bits.
  CHECK(scaled(std::int64_t{1} << 62, Ratio{3, 4}) == 3 * (std::int64_t{1} << 60));
}

TEST_CASE("literals count in picoseconds, bytes, bits per second and millimetres") {
  CHECK((1_s).picoseconds() == 1'000'000'000'000);
  CHECK(1_s == 1'000 * 1_ms);
  CHECK(1_ms == 1'000 * 1_us);
  CHECK(1_us == 1'000 * 1_ns);
  CHECK(6.88_ns == 6'880_ps);
  CHECK(85.56672_us == 85'566'720_ps);
  CHECK(64_KiB == 65'536_B);
  CHECK(64_KB == 64'000_B);
  CHECK(1_MiB == 1'048'576_B);
  CHECK(1_MB == 1'000'000_B);
  CHECK((400_Gbps).bits_per_second() == 400'000'000'000);
  CHECK((300_km).millimetres() == 300'000'000);
}

TEST_CASE("an instant and a span add, subtract and compare") {
  Time time{};
  time += 2_us;
  CHECK(time == Time{2'000'000});
  CHECK(time + 1_ns - time == 1_ns);
  CHECK(time - 2_us == Time{});
  CHECK(Time{INT64_MAX - 1} < Time::never());
  CHECK(7_ns / 2 == 3'500_ps);
  // 106 days of range: 2^63 ps are 106.75 days.
  CHECK(Time{} + 106 * 86'400 * 1_s < Time::never());
}

TEST_CASE("an id is an index, absent until it is set") {
  CHECK(NodeId{}.is_none());
  CHECK(NodeId{} == NodeId::none());
  CHECK(NodeId{std::size_t{7}}.index() == 7);
  CHECK(NodeId{6U} < NodeId{7U});
}

TEST_CASE("a priority set is the bits of a class-enable vector") {
  PrioritySet set;
  CHECK(set.empty());
  set.insert(Priority{3});
  set.insert(Priority{4});
  CHECK(set.bits() == 0b0001'1000);
  CHECK(set.contains(Priority{3}));
  CHECK_FALSE(set.contains(Priority{2}));
  set.erase(Priority{3});
  CHECK(set == PrioritySet{0b0001'0000});
}

}  // namespace soya
