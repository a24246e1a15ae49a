#include "fabric/packet_queue.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <deque>
#include <vector>

#include "core/random.hpp"

namespace soya {
namespace {

TEST_CASE("frames leave in the order they came, with all that was noted of them") {
  PacketQueue queue;
  CHECK(queue.empty());
  queue.push(Time{5}, PacketId{std::size_t{7}}, 4158, PortId{std::size_t{300}}, PacketKind::data);
  queue.push(Time{6}, PacketId{std::size_t{2}}, 66, PortId{std::size_t{1}}, PacketKind::acknowledge);
  CHECK(queue.size() == 2);
  CHECK(queue.front().ready == Time{5});
  CHECK(queue.front().packet == PacketId{std::size_t{7}});
  CHECK(queue.front().bytes == 4158);
  CHECK(queue.front().ingress == PortId{std::size_t{300}});
  CHECK(queue.front().kind == PacketKind::data);
  queue.pop();
  CHECK(queue.front().packet == PacketId{std::size_t{2}});
  CHECK(queue.front().kind == PacketKind::acknowledge);
  queue.pop();
  CHECK(queue.empty());
}

TEST_CASE("the ring agrees with a deque while it grows and goes round") {
  PacketQueue queue;
  std::deque<std::uint32_t> reference;
  RandomStream random{11};
  std::uint32_t next = 0;
  std::size_t most = 0;
  for (int step = 0; step < 20'000; ++step) {
    // In waves: mostly in for a while, then mostly out, so that the ring grows at every position of its head.
    const bool in = reference.empty() || random() % 8 < ((step / 500) % 2 == 0 ? 5U : 3U);
    if (in) {
      queue.push(Time{next}, PacketId{next}, next, PortId{next}, PacketKind::data);
      reference.push_back(next++);
    } else {
      REQUIRE(queue.front().bytes == reference.front());
      queue.pop();
      reference.pop_front();
    }
    most = std::max(most, reference.size());
    REQUIRE(queue.size() == reference.size());
  }
  CHECK(most > 64);  // grown several times from 8
  std::vector<std::uint32_t> seen;
  queue.for_each([&](const WaitingFrame& frame) { seen.push_back(frame.bytes); });
  CHECK(seen == std::vector<std::uint32_t>(reference.begin(), reference.end()));
}

}  // namespace
}  // namespace soya
