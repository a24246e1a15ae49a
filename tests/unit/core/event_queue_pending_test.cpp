#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/event_queue.hpp"

namespace soya {
namespace {

TEST_CASE("what fires before a time is told with its event, without what has fired or lies beyond") {
  EventQueue queue{1};
  std::vector<SourceId> ids;
  for (std::uint32_t i = 0; i < 40; ++i) {
    ids.push_back(queue.add_source(hash_name("source" + std::to_string(i)), {EventKind::switch_arrival, i, 2 * i}));
    queue.schedule(ids.back(), Time{1'000 + 10 * std::int64_t{i}}, Phase::data_arrival);
  }
  queue.schedule(ids[7], Time{std::int64_t{1} << 40}, Phase::timer);  // 1.1 s: beyond what a word of the tree tells
  CHECK(queue.pop().source == ids[0]);
  const auto before = [&queue](std::int64_t end) {
    std::vector<SourceId> found;
    queue.pending_before(Time{end}, found);
    std::ranges::sort(found, {}, &SourceId::value);
    return found;
  };
  CHECK(before(1'010).empty());
  CHECK(before(1'031) == std::vector{ids[1], ids[2], ids[3]});
  // 38 of 40: one has fired, one is far.
  CHECK(before(2'000).size() == 38);
  CHECK(queue.event_of(ids[3]) == Event{EventKind::switch_arrival, 3, 6});
  queue.fetch(ids[3]);
  CHECK(queue.size() == 39);
}

}  // namespace
}  // namespace soya
