#include "wan/waiting_line.hpp"

#include <doctest/doctest.h>

using namespace soya;

TEST_CASE("of the priorities that may send, the frame that has waited longest goes first") {
  WaitingLine line;
  const Priority low{1};
  const Priority high{6};
  line.push_packet(high, PacketId{10U});
  line.push_connection(low, 3, 77);
  line.push_packet(high, PacketId{11U});
  CHECK(line.backlog() == PrioritySet{0b0100'0010});
  CHECK(line.oldest(line.backlog()) == high);
  CHECK(line.head(high).packet == PacketId{10U});
  line.pop(high);
  CHECK(line.oldest(line.backlog()) == low);
  CHECK(line.head(low).packet.is_none());
  CHECK(line.head(low).connection == 3);
  CHECK(line.head(low).sequence == 77);
  CHECK(line.oldest(PrioritySet{0b0100'0000}) == high);
  line.pop(low);
  line.pop(high);
  CHECK(line.backlog().empty());
}
