// Acknowledges, NAKs and duplicates of the receiving half, without a network.
#include "transport/responder.hpp"

#include <doctest/doctest.h>

#include <random>

#include "support/units_io.hpp"

using namespace soya;

namespace {

Packet data(std::uint32_t psn, bool ack_request, PacketPosition position = PacketPosition::middle) {
  Packet packet;
  packet.psn = psn;
  packet.payload = 1000;
  packet.ack_request = ack_request;
  packet.position = position;
  return packet;
}

/// Packets of messages of random lengths, a third of them WRITEs, SENDs and READs of one response.
std::vector<Packet> random_stream(std::mt19937_64& random) {
  std::vector<Packet> stream;
  while (stream.size() < 60) {
    const std::uint64_t kind = random() % 3;
    const std::uint64_t packets = kind == 2 ? 1 : 1 + random() % 5;
    for (std::uint64_t i = 0; i < packets; ++i) {
      const bool last = i + 1 == packets;
      Packet packet = data(static_cast<std::uint32_t>(stream.size()), random() % 2 == 0,
                           i == 0 ? (last ? PacketPosition::only : PacketPosition::first)
                                  : (last ? PacketPosition::last : PacketPosition::middle));
      packet.operation = kind == 0 ? Operation::write : Operation::send;
      if (kind == 2) packet.kind = PacketKind::read_request;
      if (kind == 2) packet.count = 1;
      stream.push_back(packet);
    }
  }
  return stream;
}

/// What there is to do about `one` and `other` is the same; at times some of it is done.
void check_alike(Responder& one, Responder& other, std::mt19937_64& random) {
  REQUIRE(one.owed() == other.owed());
  REQUIRE(one.has_response() == other.has_response());
  REQUIRE(one.delivered() == other.delivered());
  REQUIRE(one.duplicates() == other.duplicates());
  REQUIRE(one.gaps() == other.gaps());
  REQUIRE(one.window().cumulative() == other.window().cumulative());
  REQUIRE(one.received().size() == other.received().size());
  Packet reply;
  Packet reply_of_other;
  if (one.owed() != Reply::none && random() % 2 == 0) {
    REQUIRE(one.fill_reply(reply) == other.fill_reply(reply_of_other));
  } else if (one.has_response() && random() % 2 == 0) {
    const FrameSizes sizes{FrameConfig{.mtu = 1000_B}};
    one.fill_response(reply, sizes);
    other.fill_response(reply_of_other, sizes);
  }
  REQUIRE(reply.kind == reply_of_other.kind);
  REQUIRE(reply.psn == reply_of_other.psn);
}

}  // namespace

TEST_CASE("only a packet that asks is acknowledged, with the PSN of the last one in order") {
  Responder responder{ResponderConfig{.initial_psn = 0, .mtu = 1000_B}};
  CHECK_FALSE(responder.receive(data(0, false, PacketPosition::first), Time{}).reply);
  const auto arrival = responder.receive(data(1, true, PacketPosition::last), Time{});
  CHECK(arrival.reply);
  CHECK_FALSE(arrival.can_wait);
  Packet reply;
  responder.fill_reply(reply);
  CHECK(reply.kind == PacketKind::acknowledge);
  CHECK(reply.psn == 1);
  CHECK(responder.owed() == Reply::none);
}

TEST_CASE("the host learns of a SEND with its size and tag, and of no WRITE") {
  Responder responder{ResponderConfig{.mtu = 1000_B}};
  for (const Operation operation : {Operation::write, Operation::send}) {
    const std::uint32_t first = operation == Operation::write ? 0 : 2;
    Packet packet = data(first, false, PacketPosition::first);
    packet.operation = operation;
    packet.tag = 7;
    responder.receive(packet, Time{});
    packet.psn = first + 1;
    packet.position = PacketPosition::last;
    packet.payload = 10;
    responder.receive(packet, Time{});
  }
  REQUIRE(responder.received().size() == 1);
  CHECK(responder.received()[0].size == 1010_B);
  CHECK(responder.received()[0].tag == 7);
}

TEST_CASE("a gap makes one NAK and no more until it is closed") {
  Responder responder{ResponderConfig{.initial_psn = 0, .mtu = 1000_B}};
  responder.receive(data(0, false), Time{});
  CHECK(responder.receive(data(2, false), Time{}).reply);
  Packet reply;
  responder.fill_reply(reply);
  CHECK(reply.kind == PacketKind::nak);
  CHECK(reply.psn == 1);
  CHECK_FALSE(responder.receive(data(3, true), Time{}).reply);
  responder.receive(data(1, false), Time{});
  CHECK(responder.window().cumulative() == 2);
  CHECK(responder.receive(data(3, false), Time{}).reply);  // another gap
  CHECK(responder.delivered() == 2000);
}

TEST_CASE("a duplicate is acknowledged again, whether it asks or not, and delivered once") {
  Responder responder{ResponderConfig{.initial_psn = 0, .mtu = 1000_B}};
  responder.receive(data(0, false), Time{});
  responder.receive(data(1, true), Time{});
  Packet reply;
  responder.fill_reply(reply);
  CHECK(responder.receive(data(0, false), Time{}).reply);
  CHECK(responder.receive(data(1, true), Time{}).reply);
  responder.fill_reply(reply);
  CHECK(reply.kind == PacketKind::acknowledge);
  CHECK(reply.psn == 1);
  CHECK(responder.owed() == Reply::none);
  CHECK(responder.delivered() == 2000);
  CHECK(responder.duplicates() == 2);
}

TEST_CASE("a gap that closes before its NAK could leave is acknowledged instead") {
  Responder responder{ResponderConfig{.initial_psn = 0, .mtu = 1000_B}};
  CHECK(responder.receive(data(1, false), Time{}).reply);
  responder.receive(data(0, false), Time{});
  Packet reply;
  responder.fill_reply(reply);
  CHECK(reply.kind == PacketKind::acknowledge);
  CHECK(reply.psn == 0);
}

TEST_CASE("order holds across the 24-bit wrap") {
  Responder responder{ResponderConfig{.initial_psn = 0xFFFFFF, .mtu = 1000_B}};
  responder.receive(data(0xFFFFFF, false), Time{});
  responder.receive(data(0, false), Time{});
  CHECK(responder.window().cumulative() == 0x1000001);
  CHECK(responder.receive(data(0xFFFFFF, false), Time{}).reply);
  CHECK(responder.duplicates() == 1);
}

TEST_CASE("a packet that moves on leaves what its arrival would have left, and an unusual one is not taken") {
  std::int64_t moved_on = 0;
  std::int64_t others = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random{seed};
    ResponderConfig config{.mtu = 1000_B};
    if (seed % 2 == 1) config.retransmission = Retransmission::selective_repeat;
    if (seed % 4 == 2) config.receives = ReceiveQueue{.depth = 3};
    Responder brief{config};
    Responder plain{config};
    const std::vector<Packet> stream = random_stream(random);
    for (int arrival = 0; arrival < 200; ++arrival) {
      const auto expected = static_cast<std::uint64_t>(plain.window().cumulative());
      const std::uint64_t place =
          random() % 4 == 0 ? expected + random() % 3 - std::min<std::uint64_t>(expected, 1) : expected;
      if (place >= stream.size()) continue;
      const Packet& packet = stream[place];
      const Reply owed = plain.owed();
      const Responder::Arrival said = plain.receive(packet, Time{});
      if (packet.kind == PacketKind::data && brief.moved_on(packet)) {
        ++moved_on;
        REQUIRE(owed == Reply::none);
        REQUIRE(said.reply == packet.ack_request);
        REQUIRE_FALSE(said.response);
        REQUIRE_FALSE(said.message);
      } else {
        ++others;
        REQUIRE(brief.receive(packet, Time{}).reply == said.reply);
      }
      check_alike(brief, plain, random);
    }
  }
  CHECK(moved_on > 1000);
  CHECK(others > 1000);
}
