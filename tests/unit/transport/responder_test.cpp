// Acknowledges, NAKs and duplicates of the receiving half, without a network.
#include "transport/responder.hpp"

#include <doctest/doctest.h>

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
