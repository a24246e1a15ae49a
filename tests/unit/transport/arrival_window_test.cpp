// The window of arrivals against a set of numbers, and what it says of each arrival.
#include "transport/arrival_window.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>

using namespace soya;
using Kind = ArrivalWindow::Arrival::Kind;

TEST_CASE("packets in order move the window and use no memory") {
  ArrivalWindow window{7, 100};
  for (Sequence at = 7; at < 1'000'007; ++at) REQUIRE(window.receive(at).kind == Kind::in_order);
  CHECK(window.cumulative() == 1'000'007);
  CHECK(window.complete());
  CHECK(window.first_gap().empty());
  CHECK(window.bytes() == 0);
}

TEST_CASE("a gap is named when it opens, and closes when its packets arrive") {
  ArrivalWindow window{0, 100};
  CHECK(window.receive(0).kind == Kind::in_order);
  const ArrivalWindow::Arrival opened = window.receive(4);
  CHECK(opened.kind == Kind::opened);
  CHECK(opened.gap == Span{1, 4});
  CHECK(window.receive(5).kind == Kind::ahead);
  const ArrivalWindow::Arrival second = window.receive(9);
  CHECK(second.gap == Span{6, 9});
  CHECK(window.receive(2).kind == Kind::filled);
  CHECK(window.first_gap() == Span{1, 2});
  CHECK(window.receive(2).kind == Kind::duplicate);
  CHECK(window.receive(0).kind == Kind::duplicate);
  CHECK(window.receive(1).kind == Kind::in_order);
  CHECK(window.cumulative() == 3);
  CHECK(window.highest() == 10);
  CHECK(window.receive(3).kind == Kind::in_order);
  CHECK(window.cumulative() == 6);
  CHECK(window.first_gap() == Span{6, 9});
  CHECK(window.receive(6, 3).kind == Kind::in_order);
  CHECK(window.complete());
  CHECK(window.cumulative() == 10);
}

TEST_CASE("what lies beyond the window is not marked") {
  ArrivalWindow window{50, 4};
  CHECK(window.receive(54).kind == Kind::beyond);
  CHECK(window.receive(52, 3).kind == Kind::beyond);
  CHECK(window.highest() == 50);
  CHECK(window.receive(53).kind == Kind::opened);
  CHECK(window.receive(50, 3).kind == Kind::in_order);
  CHECK(window.cumulative() == 54);
  ArrivalWindow one{0, 1};
  CHECK(one.receive(1).kind == Kind::beyond);
  CHECK(one.receive(0).kind == Kind::in_order);
  CHECK(one.receive(1).kind == Kind::in_order);
}

TEST_CASE("places of many packets arrive together, partly known or not") {
  ArrivalWindow window{0, 1000};
  CHECK(window.receive(100, 200).gap == Span{0, 100});
  CHECK(window.receive(50, 100).kind == Kind::filled);
  CHECK(window.first_gap() == Span{0, 50});
  CHECK(window.receive(250, 100).kind == Kind::ahead);
  CHECK(window.highest() == 350);
  CHECK(window.receive(0, 60).kind == Kind::in_order);
  CHECK(window.cumulative() == 350);
}

TEST_CASE("memory follows the span that is out of order, not the size of the window") {
  ArrivalWindow window{0, 1 << 23};
  window.receive(1000);
  // 1001 places are 16 words of 8 B and the two ends: 18, rounded up to 32 words.
  CHECK(window.bytes() == 32 * 8);
  window.receive(0, 1000);
  for (Sequence at = 1001; at < 1'000'000; at += 2) {
    window.receive(at + 1);
    window.receive(at);
  }
  CHECK(window.complete());
  CHECK(window.bytes() == 32 * 8);
}

TEST_CASE("random arrivals leave the window as a set says") {
  std::mt19937_64 random{1};
  for (int round = 0; round < 200; ++round) {
    const auto size = static_cast<std::int64_t>(1 + random() % 300);
    const auto start = static_cast<Sequence>(random() % 1000) - 500;
    ArrivalWindow window{start, size};
    std::set<Sequence> arrived;
    Sequence cumulative = start;
    Sequence highest = start;
    for (int step = 0; step < 300; ++step) {
      const Sequence first = cumulative - 5 + static_cast<Sequence>(random() % static_cast<std::uint64_t>(size + 8));
      const auto count = static_cast<std::int64_t>(random() % 3 == 0 ? 1 + random() % 100 : 1);
      const ArrivalWindow::Arrival arrival = window.receive(first, count);
      bool is_new = false;
      for (Sequence at = first; at < first + count; ++at) is_new |= at >= cumulative && !arrived.contains(at);
      if (first > cumulative && first + count > cumulative + size) {
        REQUIRE(arrival.kind == Kind::beyond);
      } else {
        REQUIRE(arrival.is_new() == is_new);
        for (Sequence at = first; at < first + count; ++at) arrived.insert(at);
        if (first > highest) REQUIRE((arrival.kind == Kind::opened && arrival.gap == Span{highest, first}));
        highest = std::max(highest, first + count);
        while (arrived.contains(cumulative)) ++cumulative;
      }
      REQUIRE(window.cumulative() == cumulative);
      REQUIRE(window.highest() == highest);
      REQUIRE(window.complete() == (cumulative == highest));
      const auto at = static_cast<Sequence>(random() % static_cast<std::uint64_t>(size + 2)) + cumulative - 1;
      REQUIRE(window.has(at) == (at < cumulative || arrived.contains(at)));
      Sequence missing = std::max(at, cumulative);
      while (missing < highest && arrived.contains(missing)) ++missing;
      REQUIRE(window.next_missing(at) == missing);
      if (at >= cumulative) {
        Sequence next = at;
        while (next < highest && !arrived.contains(next)) ++next;
        REQUIRE(window.next_arrived(at) == std::min(next, highest));
      }
    }
  }
}
