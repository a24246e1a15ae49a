// What is to be sent again, what was, and what is lost again.
#include "transport/resend_list.hpp"

#include <doctest/doctest.h>

using namespace soya;

TEST_CASE("gaps are sent again in the order of the stream, each place once") {
  ResendList list;
  list.add({10, 12});
  list.add({5, 6});
  list.add({4, 14});  // what is listed already stays as it is
  CHECK(list.next() == Span{4, 5});
  Sequence sent = 0;
  for (Sequence expected = 4; expected < 14; ++expected) {
    REQUIRE(list.due());
    CHECK(list.next().first == expected);
    list.sent(expected + 1, 100);
    ++sent;
  }
  CHECK_FALSE(list.due());
  CHECK(sent == 10);
  list.add({4, 14});
  CHECK_FALSE(list.due());  // under way
}

TEST_CASE("a place is lost again when something sent after it has arrived") {
  ResendList list;
  list.add({10, 13});
  list.sent(11, 100);
  list.sent(13, 101);
  list.missing_still({10, 13}, 100);  // the last that arrived was 99, sent before
  CHECK_FALSE(list.due());
  list.missing_still({10, 13}, 101);  // 100 has arrived: 10 was sent before it, 11 and 12 were not
  REQUIRE(list.due());
  CHECK(list.next() == Span{10, 11});
  list.sent(11, 102);
  list.missing_still({12, 13}, 102);  // 11 is not missing any more
  CHECK(list.next() == Span{12, 13});
}

TEST_CASE("what has arrived is forgotten, at the front and in the middle") {
  ResendList list;
  list.add({0, 10});
  list.add({20, 30});
  list.forget_before(5);
  CHECK(list.next() == Span{5, 10});
  list.forget({7, 25});
  CHECK(list.next() == Span{5, 7});
  list.drop(6);
  CHECK(list.next() == Span{6, 7});
  list.drop(1000);
  CHECK(list.next() == Span{25, 30});
  CHECK(list.covers(25));
  CHECK_FALSE(list.covers(30));
  list.forget_before(1000);
  CHECK(list.empty());
  CHECK_FALSE(list.due());
}

TEST_CASE("after a time-out everything listed is sent again") {
  ResendList list;
  list.add({1, 2});
  list.add({4, 5});
  list.sent(2, 9);
  list.sent(5, 9);
  CHECK_FALSE(list.due());
  list.send_all_again();
  CHECK(list.next() == Span{1, 2});
  list.sent(2, 9);
  CHECK(list.next() == Span{4, 5});
}
