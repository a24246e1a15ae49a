#include "wan/site_sender.hpp"

#include <doctest/doctest.h>

#include "support/numbered_packet.hpp"

using namespace soya;

namespace {

SiteSender::Kept packet(std::uint32_t id) {
  return {test::numbered_packet(id), 100, 64};
}

}  // namespace

TEST_CASE("packets come in any order and go in order") {
  SiteSender sender{0xFF'FFFF};
  CHECK(sender.receive(0, packet(1)).is_new());
  CHECK(!sender.can_send());
  CHECK(sender.receive(0xFF'FFFF, packet(0)).is_new());
  CHECK(!sender.receive(0, packet(1)).is_new());
  CHECK(sender.ready() == 2);
  CHECK(sender.next().packet == test::numbered_packet(0));
  sender.sent(false);
  CHECK(sender.next().packet == test::numbered_packet(1));
  CHECK(!sender.awaits_acknowledge());
  sender.sent(true);
  CHECK(sender.awaits_acknowledge());
  CHECK(!sender.can_send());
}

TEST_CASE("an acknowledge releases, a NAK goes back, a time-out starts over") {
  SiteSender sender{0};
  for (std::uint32_t i = 0; i < 5; ++i) (void)sender.receive(i, packet(i));
  for (int i = 0; i < 4; ++i) sender.sent(true);
  std::vector<SiteSender::Kept> released;
  CHECK(sender.acknowledged(0, released));
  CHECK(released.size() == 1);
  CHECK(!sender.acknowledged(0, released));
  CHECK(sender.go_back(2, released));
  CHECK(released.size() == 2);
  CHECK(sender.next().packet == test::numbered_packet(2));
  CHECK(sender.ready() == 3);
  sender.sent(true);
  CHECK(sender.retransmitted() == 1);
  sender.timed_out();
  CHECK(sender.retries() == 1);
  CHECK(sender.next().packet == test::numbered_packet(2));
  // What was sent before the time-out may still be acknowledged.
  CHECK(sender.acknowledged(3, released));
  CHECK(released.size() == 4);
  CHECK(sender.retries() == 0);
  CHECK(sender.next().packet == test::numbered_packet(4));
  CHECK(!sender.acknowledged(4, released));  // never sent
}

TEST_CASE("under selective repeat only what is missing goes again, and nothing before it counts as arrived") {
  SiteSender sender{0};
  for (std::uint32_t i = 0; i < 6; ++i) (void)sender.receive(i, packet(i));
  for (int i = 0; i < 5; ++i) sender.sent(true);
  CHECK(sender.send_again(2, 2));
  CHECK(sender.ready() == 3);
  CHECK(sender.next().packet == test::numbered_packet(2));
  sender.sent(true);
  std::vector<SiteSender::Kept> released;
  CHECK(sender.acknowledged(2, released));
  CHECK(released.size() == 3);
  CHECK(sender.next().packet == test::numbered_packet(3));
  CHECK(sender.acknowledged(4, released));  // 3 was on the way after all
  CHECK(sender.next().packet == test::numbered_packet(5));
  CHECK(!sender.send_again(7, 1));  // never sent
}

TEST_CASE("what a NIC without a receive refuses goes again from there") {
  SiteSender sender{0};
  for (std::uint32_t i = 0; i < 4; ++i) (void)sender.receive(i, packet(i));
  for (int i = 0; i < 3; ++i) sender.sent(true);
  sender.rewind(1);
  CHECK(sender.next().packet == test::numbered_packet(1));
  CHECK(sender.ready() == 3);
  std::vector<SiteSender::Kept> released;
  CHECK(sender.acknowledged(1, released));  // it arrived late, and was taken
  CHECK(sender.next().packet == test::numbered_packet(2));
}
