// Segmentation, AckReq, the window and go-back-N of the sending half, without a network.
#include "transport/requester.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support/units_io.hpp"

using namespace soya;

namespace {

const FrameSizes sizes{FrameConfig{.mtu = 1000_B}};

Packet next(Requester& requester) {
  Packet packet;
  requester.fill_next(packet, sizes);
  return packet;
}

std::vector<Packet> send_all(Requester& requester) {
  std::vector<Packet> packets;
  while (requester.can_send()) packets.push_back(next(requester));
  return packets;
}

bool reply(Requester& requester, PacketKind kind, std::uint32_t psn) {
  Packet packet;
  packet.kind = kind;
  packet.psn = psn;
  return requester.replied(packet);
}
/// As a NIC does it.
bool acknowledge(Requester& requester, std::uint32_t psn) {
  Packet packet;
  packet.kind = PacketKind::acknowledge;
  packet.psn = psn;
  return requester.moved_on(packet) || requester.replied(packet);
}
bool nak(Requester& requester, std::uint32_t psn) {
  return reply(requester, PacketKind::nak, psn);
}

}  // namespace

TEST_CASE("a message is cut into First, Middle, Last, a short one is Only") {
  Requester requester{RequesterConfig{}};
  requester.post({Bytes{2500}, Operation::write, 7, 0}, sizes);
  requester.post({Bytes{0}, Operation::send, 8, 0}, sizes);
  const std::vector<Packet> packets = send_all(requester);
  REQUIRE(packets.size() == 4);
  CHECK(packets[0].position == PacketPosition::first);
  CHECK(packets[1].position == PacketPosition::middle);
  CHECK(packets[2].position == PacketPosition::last);
  CHECK(packets[2].payload == 500);
  CHECK(packets[3].position == PacketPosition::only);
  CHECK(packets[3].payload == 0);
  CHECK(packets[0].frame == 1000 + 62 + 16);
  CHECK(packets[1].frame == 1000 + 62);
  for (std::uint32_t i = 0; i < 4; ++i) CHECK(packets[i].psn == i);
}

TEST_CASE("AckReq is on every n-th packet of a message and on its last") {
  Requester requester{RequesterConfig{.ack_every = 16}};
  requester.post({Bytes{100'000}, Operation::write, 0, 0}, sizes);
  std::vector<int> asked;
  const std::vector<Packet> packets = send_all(requester);
  for (std::size_t i = 0; i < packets.size(); ++i) {
    if (packets[i].ack_request) asked.push_back(static_cast<int>(i) + 1);
  }
  CHECK(asked == std::vector<int>{16, 32, 48, 64, 80, 96, 100});
}

TEST_CASE("the send queue's depth holds back later requests until one completes") {
  Requester requester{RequesterConfig{.queue_depth = 2}};
  for (int i = 0; i < 3; ++i) requester.post({Bytes{2000}, Operation::write, 0, 0}, sizes);
  CHECK(send_all(requester).size() == 4);
  CHECK_FALSE(requester.can_send());
  acknowledge(requester, 0);
  CHECK_FALSE(requester.can_send());
  acknowledge(requester, 1);
  CHECK(requester.completions().size() == 1);
  CHECK(send_all(requester).size() == 2);
}

TEST_CASE("max_unacked holds back packets until an acknowledge makes room") {
  Requester requester{RequesterConfig{.max_unacked = 3}};
  requester.post({Bytes{10'000}, Operation::write, 0, 0}, sizes);
  CHECK(send_all(requester).size() == 3);
  acknowledge(requester, 1);
  CHECK(send_all(requester).size() == 2);
  CHECK(requester.outstanding() == 3);
}

TEST_CASE("the packet that fills the window asks for an acknowledge, wherever it falls") {
  Requester requester{RequesterConfig{.ack_every = 64, .max_unacked = 3}};
  requester.post({Bytes{10'000}, Operation::write, 0, 0}, sizes);
  const std::vector<Packet> packets = send_all(requester);
  REQUIRE(packets.size() == 3);
  CHECK_FALSE(packets[0].ack_request);
  CHECK_FALSE(packets[1].ack_request);
  CHECK(packets[2].ack_request);
  CHECK(requester.awaits_acknowledge());
}

TEST_CASE("a NAK that overtakes a rewind is news, and nothing it covers is sent again") {
  Requester requester{RequesterConfig{}};
  requester.post({Bytes{2000}, Operation::write, 1, 0}, sizes);
  requester.post({Bytes{3000}, Operation::write, 2, 0}, sizes);
  send_all(requester);
  requester.timed_out();
  CHECK(nak(requester, 2));
  REQUIRE(requester.completions().size() == 1);
  CHECK(requester.completions()[0].tag == 1);
  CHECK(next(requester).psn == 2);
  CHECK_FALSE(nak(requester, 1));  // older than what is known
}

TEST_CASE("a NAK completes what came before, and the rest is sent again with the same shape") {
  Requester requester{RequesterConfig{.ack_every = 2}};
  requester.post({Bytes{2000}, Operation::write, 1, 0}, sizes);
  requester.post({Bytes{4000}, Operation::write, 2, 0}, sizes);
  const std::vector<Packet> first = send_all(requester);
  REQUIRE(first.size() == 6);
  CHECK(nak(requester, 3));
  REQUIRE(requester.completions().size() == 1);
  CHECK(requester.completions()[0].tag == 1);
  requester.completions().clear();
  const std::vector<Packet> again = send_all(requester);
  REQUIRE(again.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(again[i].psn == first[i + 3].psn);
    CHECK(again[i].position == first[i + 3].position);
    CHECK(again[i].frame == first[i + 3].frame);
    CHECK(again[i].ack_request == first[i + 3].ack_request);
  }
  CHECK(requester.retransmitted() == 3);
  acknowledge(requester, 5);
  REQUIRE(requester.completions().size() == 1);
  CHECK(requester.completions()[0].retransmitted == 3);
  CHECK(requester.idle());
}

TEST_CASE("an acknowledge that overtakes a rewind is not sent again") {
  Requester requester{RequesterConfig{}};
  requester.post({Bytes{5000}, Operation::write, 0, 0}, sizes);
  send_all(requester);
  requester.timed_out();
  CHECK(next(requester).psn == 0);
  acknowledge(requester, 3);
  CHECK(next(requester).psn == 4);
}

TEST_CASE("an old acknowledge and one for what was never sent change nothing") {
  Requester requester{RequesterConfig{}};
  requester.post({Bytes{5000}, Operation::write, 0, 0}, sizes);
  next(requester);
  next(requester);
  CHECK(acknowledge(requester, 0));
  CHECK_FALSE(acknowledge(requester, 0));
  CHECK_FALSE(acknowledge(requester, 4));
  CHECK_FALSE(acknowledge(requester, 0xFFFFFF));
  CHECK(requester.outstanding() == 1);
}

TEST_CASE("retries are counted between progress, one more than retry_count fails the queue pair") {
  Requester requester{RequesterConfig{.retry_count = 2}};
  requester.post({Bytes{2000}, Operation::write, 0, 0}, sizes);
  send_all(requester);
  requester.timed_out();
  requester.timed_out();
  send_all(requester);
  acknowledge(requester, 0);
  requester.timed_out();
  requester.timed_out();
  CHECK_FALSE(requester.failed());
  requester.timed_out();
  CHECK(requester.failed());
  CHECK_FALSE(requester.can_send());
}

TEST_CASE("a queue pair that has failed ignores an acknowledge or NAK that comes too late") {
  Requester requester{RequesterConfig{.retry_count = 1}};
  requester.post({Bytes{2000}, Operation::write, 0, 0}, sizes);
  send_all(requester);
  requester.timed_out();
  requester.timed_out();
  REQUIRE(requester.failed());
  CHECK_FALSE(acknowledge(requester, 1));
  CHECK_FALSE(nak(requester, 1));
  CHECK(requester.completions().empty());
  CHECK(requester.failed());
  CHECK(requester.retries() == 2);
}

TEST_CASE("sequence numbers cross the 24-bit wrap without a break") {
  Requester requester{RequesterConfig{.initial_psn = 0xFFFFFE}};
  requester.post({Bytes{4000}, Operation::write, 0, 0}, sizes);
  const std::vector<Packet> packets = send_all(requester);
  REQUIRE(packets.size() == 4);
  CHECK(packets[0].psn == 0xFFFFFE);
  CHECK(packets[1].psn == 0xFFFFFF);
  CHECK(packets[2].psn == 0x000000);
  CHECK(packets[3].psn == 0x000001);
  acknowledge(requester, 1);
  CHECK(requester.completions().size() == 1);
}

TEST_CASE("an acknowledge within the oldest message says the same whether it is looked at briefly or at length") {
  // Two messages of 4 packets each and a window of 5: packets 0 to 4 go, and each acknowledge opens it by one.
  const RequesterConfig config{.ack_every = 1, .max_unacked = 5};
  Requester brief{config};
  Requester thorough{config};
  for (Requester* one : {&brief, &thorough}) {
    for (int message = 0; message < 2; ++message) one->post({Bytes{4000}, Operation::write, 0, 0}, sizes);
    CHECK(send_all(*one).size() == 5);
  }
  for (std::uint32_t psn = 0; psn < 8; ++psn) {
    Packet packet;
    packet.kind = PacketKind::acknowledge;
    packet.psn = psn;
    const bool moved_on = brief.moved_on(packet);
    CHECK(moved_on == (psn != 3 && psn != 7));  // those end a message each
    if (!moved_on) CHECK(brief.replied(packet));
    CHECK_FALSE(brief.moved_on(packet));  // no news
    CHECK_FALSE(brief.replied(packet));
    CHECK(thorough.replied(packet));
    CHECK(brief.acknowledged() == psn + 1);
    CHECK(thorough.acknowledged() == psn + 1);
    // Of 8 packets 5 + (psn + 1) may have gone.
    const std::size_t more = psn < 3 ? 1 : 0;
    CHECK(send_all(brief).size() == more);
    CHECK(send_all(thorough).size() == more);
    CHECK(brief.awaits_acknowledge() == (psn < 7));
  }
  CHECK(brief.completions().size() == 2);
  CHECK(brief.idle());
}

TEST_CASE("what waits for a receiver stays closed whatever is acknowledged, and opens when the wait is over") {
  Requester requester{RequesterConfig{.ack_every = 1, .max_unacked = 4}};
  requester.post({Bytes{10'000}, Operation::send, 0, 0}, sizes);
  CHECK(send_all(requester).size() == 4);
  Packet refused;
  refused.kind = PacketKind::rnr_nak;
  refused.psn = 2;
  CHECK(requester.receiver_not_ready(refused));  // packets 0 and 1 have arrived; 2 is the next
  CHECK_FALSE(requester.can_send());
  // Packet 2 has arrived after all: an acknowledge that only looks at the window does not end the wait.
  CHECK(acknowledge(requester, 2));
  CHECK_FALSE(requester.can_send());
  requester.resume();
  const std::vector<Packet> packets = send_all(requester);
  REQUIRE(packets.size() == 4);
  CHECK(packets.front().psn == 3);
  CHECK(packets.front().position == PacketPosition::middle);
  CHECK(requester.retransmitted() == 1);  // packet 3 had gone before
}
