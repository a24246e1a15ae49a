#include "fabric/headroom.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace soya {
namespace {

constexpr PrioritySet one_lossless{0b0000'1000};
/// Group numbers of priority 3 at ports 0 and 1.
constexpr std::size_t first = 3;
constexpr std::size_t second = 8 + 3;

Headroom per_queue(std::vector<Bytes> sizes) {
  const HeadroomLayout layout{std::move(sizes), one_lossless};
  return Headroom{make_headroom_policy(PerQueueHeadroom{}, layout), layout};
}

Bytes missing(Headroom& headroom, std::size_t group, Bytes charge, Time now = {}) {
  return headroom.take(group, charge, now).missing;
}

}  // namespace

TEST_CASE("headroom gives back what it holds and no more") {
  Headroom headroom = per_queue({1000_B});
  REQUIRE(missing(headroom, first, 400_B) == 0_B);
  CHECK(headroom.give_back(first, 300_B, {}) == 300_B);
  CHECK(headroom.give_back(first, 300_B, {}) == 100_B);
  CHECK(headroom.give_back(first, 300_B, {}) == 0_B);
  CHECK(headroom.use(first) == 0_B);
  CHECK(headroom.peak(first) == 400_B);
}

TEST_CASE("what was needed is the most that would have been held until a resume") {
  Headroom headroom = per_queue({1000_B});
  CHECK(missing(headroom, first, 800_B) == 0_B);
  CHECK(headroom.needed(first) == 800_B);
  CHECK(missing(headroom, first, 500_B) == 300_B);
  CHECK(headroom.needed(first) == 1300_B);
  CHECK(headroom.give_back(first, 600_B, {}) == 600_B);
  CHECK(missing(headroom, first, 700_B) == 0_B);  // 900 held and 500 refused
  CHECK(headroom.needed(first) == 1400_B);
  CHECK(headroom.give_back(first, 900_B, {}) == 900_B);
  headroom.resumed(first);
  CHECK(missing(headroom, first, 1000_B) == 0_B);
  CHECK(headroom.needed(first) == 1400_B);
}

TEST_CASE("once a loss shows, a refused frame counts alone") {
  Headroom headroom = per_queue({1000_B});
  CHECK(missing(headroom, first, 800_B) == 0_B);
  CHECK(missing(headroom, first, 500_B) == 300_B);
  headroom.loss_shows();
  CHECK(missing(headroom, first, 450_B) == 250_B);  // 800 + 450, not 800 + 500 + 450
  CHECK(headroom.needed(first) == 1300_B);
  CHECK(missing(headroom, first, 600_B) == 400_B);
  CHECK(headroom.needed(first) == 1400_B);
  CHECK(headroom.port_needed(first) == 1400_B);
  CHECK(headroom.total_needed() == 1400_B);
  CHECK(headroom.peak(first) == 800_B);
}

TEST_CASE("what is released beyond the headroom held would have left in place of what was refused") {
  Headroom headroom = per_queue({1000_B});
  CHECK(missing(headroom, first, 800_B) == 0_B);
  CHECK(missing(headroom, first, 500_B) == 300_B);
  CHECK(headroom.give_back(first, 1000_B, {}) == 800_B);  // of 1300 that would be held 300 are left
  CHECK(missing(headroom, first, 1000_B) == 0_B);
  CHECK(headroom.needed(first) == 1300_B);
  CHECK(missing(headroom, first, 200_B) == 200_B);
  CHECK(headroom.needed(first) == 1500_B);
  CHECK(headroom.port_needed(first) == 1500_B);
  CHECK(headroom.total_needed() == 1500_B);
}

TEST_CASE("all groups together have a peak and a need of their own") {
  Headroom headroom = per_queue({1000_B, 1000_B});
  CHECK(missing(headroom, first, 900_B) == 0_B);
  CHECK(headroom.give_back(first, 600_B, {}) == 600_B);
  CHECK(missing(headroom, second, 800_B) == 0_B);
  // 300 and 800 at once, although 900 and 800 were the peaks.
  CHECK(headroom.total_peak() == 1100_B);
  CHECK(missing(headroom, second, 500_B) == 300_B);
  CHECK(headroom.total_needed() == 1600_B);
  CHECK(headroom.groups_peak() == 2);
  CHECK(headroom.lossless_groups() == 2);
}

TEST_CASE("the time in headroom is that of a group with use, and the shares of use add up to all time") {
  Headroom headroom = per_queue({1000_B, 1000_B});
  // From 10 to 50 ns group one holds 500 of 2000 bytes in all, 25 %; from 30 to 40 ns another 1000, together 75 %.
  REQUIRE(missing(headroom, first, 500_B, Time{0} + 10_ns) == 0_B);
  REQUIRE(missing(headroom, second, 1000_B, Time{0} + 30_ns) == 0_B);
  CHECK(headroom.give_back(second, 1000_B, Time{0} + 40_ns) == 1000_B);
  CHECK(headroom.time_in_headroom(first, Time{0} + 45_ns) == 35_ns);
  CHECK(headroom.give_back(first, 500_B, Time{0} + 50_ns) == 500_B);
  // 1 of 2000 bytes is not nothing.
  REQUIRE(missing(headroom, first, 1_B, Time{0} + 60_ns) == 0_B);
  const auto times = headroom.time_by_share(Time{0} + 80_ns);
  CHECK(times[25] == 30_ns);
  CHECK(times[75] == 10_ns);
  CHECK(times[0] == 20_ns);
  CHECK(times[1] == 20_ns);
  CHECK(std::accumulate(times.begin(), times.end(), 0_ps) == 80_ns);
  CHECK(headroom.time_in_headroom(first, Time{0} + 80_ns) == 60_ns);
  CHECK(headroom.time_in_headroom(second, Time{0} + 80_ns) == 10_ns);
}

}  // namespace soya
