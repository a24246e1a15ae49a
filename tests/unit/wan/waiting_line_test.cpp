#include "wan/waiting_line.hpp"

#include <doctest/doctest.h>

#include "support/numbered_packet.hpp"

using namespace soya;

TEST_CASE("of the priorities that may send, the frame that has waited longest goes first") {
  WaitingLine line;
  const Priority low{1};
  const Priority high{6};
  line.push_packet(high, *test::numbered_packet(10));
  line.push_connection(low, 3, 77);
  line.push_packet(high, *test::numbered_packet(11));
  CHECK(line.backlog() == PrioritySet{0b0100'0010});
  CHECK(line.oldest(line.backlog()) == high);
  CHECK(line.head(high).packet == test::numbered_packet(10));
  line.pop(high);
  CHECK(line.oldest(line.backlog()) == low);
  CHECK(line.head(low).packet == nullptr);
  CHECK(line.head(low).connection == 3);
  CHECK(line.head(low).sequence == 77);
  CHECK(line.oldest(PrioritySet{0b0100'0000}) == high);
  line.pop(low);
  line.pop(high);
  CHECK(line.backlog().empty());
}
