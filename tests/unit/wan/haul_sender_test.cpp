#include "wan/haul_sender.hpp"

#include <doctest/doctest.h>

#include "support/numbered_packet.hpp"

using namespace soya;

namespace {

/// Packets first, first + 1, … that have been sent once each.
struct Sent {
  explicit Sent(std::uint32_t initial_psn, int count) : first{initial_psn}, sender{initial_psn} {
    for (int i = 0; i < count; ++i) {
      sender.store(first + i, test::numbered_packet(static_cast<std::size_t>(i)), 100);
      sender.sent(first + i);
    }
  }
  /// All before `expected` is stored, `answers` came last, `missing` packets from `from` are missing; offsets.
  bool reply(int expected, int answers, int from = 0, std::uint32_t missing = 0) {
    stored.clear();
    lost.clear();
    return sender.replied({psn_of(first + expected), psn_of(first + answers), psn_of(first + from), missing, 0, 0},
                          stored, lost);
  }
  Sequence first;
  HaulSender sender;
  std::vector<HaulSender::Kept> stored;
  std::vector<Sequence> lost;
};

}  // namespace

TEST_CASE("a packet waits, is on the way, and is released when the partner has it") {
  HaulSender sender{5};
  sender.store(5, test::numbered_packet(1), 100);
  REQUIRE(sender.to_send(5) != nullptr);
  CHECK(sender.to_send(5)->packet == test::numbered_packet(1));
  CHECK(sender.to_send(6) == nullptr);
  sender.sent(5);
  CHECK(sender.to_send(5) == nullptr);
  CHECK(sender.on_the_way() == 1);
}

TEST_CASE("a reply releases what is before it and what it answers, over the end of the PSNs") {
  Sent six{0xFF'FFFE, 6};
  CHECK(six.reply(3, 4));
  CHECK(six.stored.size() == 4);
  CHECK(six.lost.empty());
  CHECK(six.sender.on_the_way() == 2);
  CHECK(!six.reply(3, 4));  // no news the second time
  CHECK(!six.reply(2, 1));  // an old one
  CHECK(six.reply(6, 5));
  CHECK(six.sender.on_the_way() == 0);
}

TEST_CASE(
    "what is missing and was sent before the packet that is answered is lost, and once it goes again only a later one "
    "says so again") {
  Sent eight{0, 8};
  CHECK(eight.reply(2, 5, 2, 3));
  CHECK(eight.lost == std::vector<Sequence>{2, 3, 4});
  CHECK(!eight.reply(2, 5, 2, 3));
  for (const Sequence place : {2, 3, 4}) {
    REQUIRE(eight.sender.to_send(place) != nullptr);
    eight.sender.sent(place);
  }
  CHECK(eight.sender.retransmitted() == 3);
  // 6 was sent before they were sent again: they may be on the way. 4 was sent after 2 and 3: those are lost again.
  CHECK(eight.reply(2, 6, 2, 3));
  CHECK(eight.lost.empty());
  CHECK(eight.reply(2, 4, 2, 2));
  CHECK(eight.lost == std::vector<Sequence>{2, 3});
}

TEST_CASE("a time-out sends the first and the last packet on the way again") {
  Sent five{0, 5};
  CHECK(five.reply(1, 0));
  std::vector<Sequence> lost;
  five.sender.timed_out(lost);
  CHECK(lost == std::vector<Sequence>{1, 4});
  lost.clear();
  five.sender.timed_out(lost);
  CHECK(lost == std::vector<Sequence>{2, 3});
  lost.clear();
  five.sender.timed_out(lost);
  CHECK(lost.empty());
}

TEST_CASE("packets from the site come in any order") {
  HaulSender sender{0};
  sender.store(2, test::numbered_packet(2), 100);
  CHECK(sender.to_send(0) == nullptr);
  CHECK(sender.to_send(2) != nullptr);
  sender.store(0, test::numbered_packet(0), 100);
  CHECK(sender.to_send(0)->packet == test::numbered_packet(0));
}
