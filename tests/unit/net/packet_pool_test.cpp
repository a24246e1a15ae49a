#include <doctest/doctest.h>

#include <set>
#include <vector>

#include "net/packet.hpp"

namespace soya {
namespace {

TEST_CASE("a pool makes a packet when none is free, and gives the last one released first") {
  PacketPool pool;
  Packet& first = pool.take();
  Packet& second = pool.take();
  CHECK(&first != &second);
  CHECK(pool.in_use() == 2);
  pool.release(first);
  pool.release(second);
  CHECK(pool.in_use() == 0);
  CHECK(&pool.take() == &second);
  CHECK(&pool.take() == &first);
  CHECK(pool.peak() == 2);
}

TEST_CASE(
    "packets of several blocks are all different, stay where they are, and are no more than were in use at once") {
  // Blocks hold 1024: 2500 packets lie in three.
  constexpr std::size_t count = 2'500;
  PacketPool pool;
  std::vector<Packet*> taken;
  for (std::size_t i = 0; i < count; ++i) {
    taken.push_back(&pool.take());
    taken.back()->psn = static_cast<std::uint32_t>(i);
  }
  CHECK(std::set<Packet*>(taken.begin(), taken.end()).size() == count);
  for (std::size_t i = 0; i < count; ++i) REQUIRE(taken[i]->psn == i);
  for (Packet* packet : taken) pool.release(*packet);
  pool.fetch(0);
  pool.fetch(count);  // more than are free: nothing to fetch
  std::set<Packet*> again;
  for (std::size_t i = 0; i < count; ++i) again.insert(&pool.take());
  CHECK(again == std::set<Packet*>(taken.begin(), taken.end()));
  CHECK(pool.peak() == count);
  CHECK(pool.in_use() == count);
}

}  // namespace
}  // namespace soya
