// Acknowledges, NAKs and duplicates of the receiving half, without a network.
#include <doctest/doctest.h>

#include "support/units_io.hpp"
#include "transport/responder.hpp"

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
  Responder responder{0};
  CHECK_FALSE(responder.receive(data(0, false, PacketPosition::first)).reply);
  const auto arrival = responder.receive(data(1, true, PacketPosition::last));
  CHECK(arrival.reply);
  CHECK(arrival.message_complete);
  CHECK(arrival.message_size == 2000_B);
  Packet reply;
  responder.fill_reply(reply);
  CHECK(reply.kind == PacketKind::acknowledge);
  CHECK(reply.psn == 1);
  CHECK(responder.owed() == Reply::none);
}

TEST_CASE("a gap makes one NAK and no more until it is closed") {
  Responder responder{0};
  responder.receive(data(0, false));
  CHECK(responder.receive(data(2, false)).reply);
  Packet reply;
  responder.fill_reply(reply);
  CHECK(reply.kind == PacketKind::nak);
  CHECK(reply.psn == 1);
  CHECK_FALSE(responder.receive(data(3, true)).reply);
  CHECK(responder.receive(data(1, false)).in_order);
  CHECK(responder.receive(data(3, false)).reply);  // another gap
  CHECK(responder.delivered() == 2000);
}

TEST_CASE("a duplicate is acknowledged again, whether it asks or not, and delivered once") {
  Responder responder{0};
  responder.receive(data(0, false));
  responder.receive(data(1, true));
  Packet reply;
  responder.fill_reply(reply);
  CHECK(responder.receive(data(0, false)).reply);
  CHECK(responder.receive(data(1, true)).reply);
  responder.fill_reply(reply);
  CHECK(reply.kind == PacketKind::acknowledge);
  CHECK(reply.psn == 1);
  CHECK(responder.owed() == Reply::none);
  CHECK(responder.delivered() == 2000);
  CHECK(responder.duplicates() == 2);
}

TEST_CASE("a gap that closes before its NAK could leave is acknowledged instead") {
  Responder responder{0};
  CHECK(responder.receive(data(1, false)).reply);
  responder.receive(data(0, false));
  Packet reply;
  responder.fill_reply(reply);
  CHECK(reply.kind == PacketKind::acknowledge);
  CHECK(reply.psn == 0);
}

TEST_CASE("order holds across the 24-bit wrap") {
  Responder responder{0xFFFFFF};
  CHECK(responder.receive(data(0xFFFFFF, false)).in_order);
  CHECK(responder.receive(data(0, false)).in_order);
  CHECK(responder.receive(data(0xFFFFFF, false)).reply);
  CHECK(responder.duplicates() == 1);
}
