#include "wan/haul_message.hpp"

#include <doctest/doctest.h>

using namespace soya;

TEST_CASE("a reply, a credit and a probe are read as they were written") {
  Packet packet;
  packet.queue_pair = QueuePairId{4U};
  write(packet, HaulReply{0xFF'FFFF, 0xAB'CDEF, 0x12'3456, 0x7F'FFFF, 0xFFFF'FFF0, 0x8000'0001});
  const HaulReply reply = reply_in(packet);
  CHECK(packet.kind == PacketKind::nak);
  CHECK(!is_of_pair(packet));
  CHECK(reply.expected == 0xFF'FFFF);
  CHECK(reply.answers == 0xAB'CDEF);
  CHECK(reply.missing_from == 0x12'3456);
  CHECK(reply.missing == 0x7F'FFFF);
  CHECK(reply.placed == 0xFFFF'FFF0);
  CHECK(reply.freed == 0x8000'0001);

  write(packet, HaulCredit{7, 0xFFFF'FFFF, 9});
  CHECK(is_of_pair(packet));
  CHECK(!is_probe(packet));
  CHECK(credit_in(packet).probe == 7);
  CHECK(credit_in(packet).passing_received == 0xFFFF'FFFF);
  CHECK(credit_in(packet).freed == 9);

  write_probe(packet, 12);
  CHECK(is_probe(packet));
  CHECK(packet.psn == 12);
}

TEST_CASE("counters of 32 bits go on past their end, and an earlier value changes nothing") {
  CHECK(advanced(10, 15) == 15);
  CHECK(advanced(15, 10) == 15);
  CHECK(advanced(0xFFFF'FFF0, 5) == 0x1'0000'0005);
  CHECK(advanced(0x1'0000'0005, 0xFFFF'FFF0) == 0x1'0000'0005);
}
