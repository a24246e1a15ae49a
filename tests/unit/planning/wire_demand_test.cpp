// Bytes on the wire of messages, rings and jobs, counted by hand.
#include "planning/wire_demand.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support/units_io.hpp"

using namespace soya;

namespace {

// IPv4 without VLAN: 62 B and the payload, WRITE's first packet 16 B more, with immediate the last 4 B more, READ's
// first and last response 4 B more; 20 B of preamble and gap. An acknowledge is 66 + 20 B, a READ request 78 + 20 B.
const FrameSizes sizes{FrameConfig{.mtu = 1000_B}};
constexpr Bytes acknowledge = 86_B;

}  // namespace

TEST_CASE("a WRITE asks with every n-th packet and with its last") {
  NicConfig nic;
  nic.ack_every = 4;
  // 10 packets of 1000 B: asks with the 4th, the 8th and the 10th.
  const Exchange ten = exchange_of({.operation = Operation::write, .size = 10'000_B}, sizes, nic);
  CHECK(ten.there == WireLoad{Bytes{10 * 1082 + 16}, 0_B, 0_B});
  CHECK(ten.back == WireLoad{0_B, 3 * acknowledge, 0_B});
  CHECK(ten.closest_asks == Bytes{2 * 1082});
  // The 8th is the last: no ask is spent twice.
  CHECK(exchange_of({.size = 8'000_B}, sizes, nic).back.acknowledge == 2 * acknowledge);
  // An empty message is a packet, and asks.
  const Exchange empty = exchange_of({.size = 0_B}, sizes, nic);
  CHECK(empty.there.data == 98_B);
  CHECK(empty.back.acknowledge == acknowledge);
  CHECK(empty.closest_asks == Exchange::never);
}

TEST_CASE("READ requests are control messages one way, and the data comes the other way without acknowledges") {
  NicConfig nic;
  const MessageKind kind{.operation = Operation::read, .size = 2'500_B, .count = 3};
  const Exchange reads = exchange_of(kind, sizes, nic);
  CHECK(reads.there == WireLoad{0_B, 0_B, 3 * 98_B});
  // 1000 + 1000 + 500 B, the first and the last with an AETH.
  CHECK(reads.back == WireLoad{Bytes{3 * (2500 + 3 * 82 + 2 * 4)}, 0_B, 0_B});
  // A window of two responses takes two requests each.
  nic.max_unacked = 2;
  CHECK(exchange_of(kind, sizes, nic).there.control == Bytes{6 * 98});
}

TEST_CASE("a ring of three: every rank sends each chunk twice, less two chunks, and grants a slot for each slice") {
  // 3 chunks of 4000 B in 2 slices of 2000 B each: a rank sends 4 chunks, 8 slices. A slice with immediate is
  // 2 x 1082 + 16 + 4 B; a clear-to-send 62 + 16 + 4 + 64 + 20 B.
  RingConfig ring;
  ring.channels = 1;
  ring.slice = 2000_B;
  const std::vector<NicConfig> nics(3);
  const std::vector<HostId> hosts{HostId{0U}, HostId{1U}, HostId{2U}};
  const auto traffic = ring_traffic({12'000_B, 4_B}, hosts, ring, {sizes, nics});
  REQUIRE(traffic.size() == 3);
  for (const ConnectionTraffic& one : traffic) {
    CHECK(one.by_a.messages == 8);
    CHECK(one.by_a.payload == 16'000_B);
    CHECK(one.from_a() == WireLoad{Bytes{8 * 2184}, 8 * acknowledge, 0_B});
    CHECK(one.from_b() == WireLoad{0_B, 8 * acknowledge, Bytes{8 * 166}});
  }
  // Twice the data are two loops of the same.
  const auto twice = ring_traffic({24'000_B, 4_B}, hosts, ring, {sizes, nics});
  CHECK(twice[1].from_a() == 2 * traffic[1].from_a());
}

TEST_CASE("chunks of unequal size: what all ranks send is every chunk 2(N - 1) times") {
  RingConfig ring;
  ring.channels = 2;
  ring.slice = 3000_B;
  const std::vector<NicConfig> nics(5);
  std::vector<HostId> hosts;
  for (std::size_t h = 0; h < 5; ++h) hosts.emplace_back(h);
  Bytes sent{0};
  for (const ConnectionTraffic& one : ring_traffic({100'003_B, 4_B}, hosts, ring, {sizes, nics})) {
    sent += one.by_a.payload;
  }
  CHECK(sent == 8 * 100'003_B);
}

TEST_CASE("one rank sends nothing") {
  const std::vector<NicConfig> nics(1);
  const std::vector<HostId> hosts{HostId{0U}};
  CHECK(ring_traffic({1000_B, 4_B}, hosts, RingConfig{}, {sizes, nics}).empty());
}
