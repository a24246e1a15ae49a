// Each headroom mode by itself: what it sets aside, what a group may take, and which bytes end there.
#include "fabric/headroom_policies.hpp"

#include <doctest/doctest.h>

namespace soya {
namespace {

// Two ports with two lossless priorities; group = port x 8 + priority.
const HeadroomLayout two_ports{{1000_B, 2000_B}, PrioritySet{0b0001'1000}};
constexpr std::size_t a3 = 3;
constexpr std::size_t a4 = 4;
constexpr std::size_t b3 = 8 + 3;

struct Room {
  std::int64_t bytes;
  HeadroomLimit limit;
  bool operator==(const Room&) const = default;
};
Room room(const HeadroomPolicy& policy, std::size_t group) {
  return {policy.room(group).bytes.count(), policy.room(group).limit};
}

}  // namespace

TEST_CASE("per-queue headroom is the sum of what the groups own, and each group uses its own only") {
  PerQueuePolicy policy{two_ports};
  CHECK(policy.carved() == 2 * 1000_B + 2 * 2000_B);
  policy.take(a3, 700_B);
  CHECK(room(policy, a3) == Room{300, HeadroomLimit::group});
  CHECK(room(policy, a4) == Room{1000, HeadroomLimit::group});
  CHECK(room(policy, b3) == Room{2000, HeadroomLimit::group});
  CHECK(room(policy, 0) == Room{0, HeadroomLimit::group});  // a lossy priority
  policy.give_back(a3, 700_B);
  CHECK(room(policy, a3) == Room{1000, HeadroomLimit::group});
}

TEST_CASE("a shared pool is the sum of all groups divided by the over-subscription, rounded up") {
  // 2 x 1000 + 2 x 2000 = 6000.
  CHECK(SharedPoolPolicy{{}, two_ports}.carved() == 6000_B);
  CHECK(SharedPoolPolicy{{.pool = {}, .oversubscribe = {4, 1}, .cap = {}}, two_ports}.carved() == 1500_B);
  CHECK(SharedPoolPolicy{{.pool = {}, .oversubscribe = {7, 1}, .cap = {}}, two_ports}.carved() == 858_B);  // 857.14
  CHECK(SharedPoolPolicy{{.pool = {}, .oversubscribe = {3, 2}, .cap = {}}, two_ports}.carved() == 4000_B);
  // Bytes win over the ratio.
  CHECK(SharedPoolPolicy{{.pool = 900_B, .oversubscribe = {4, 1}, .cap = {}}, two_ports}.carved() == 900_B);
}

TEST_CASE("whoever comes first takes of a shared pool, up to the cap of a group") {
  SharedPoolPolicy policy{{.pool = 1500_B, .oversubscribe = {1, 1}, .cap = 1000_B}, two_ports};
  CHECK(policy.size(a3) == 1000_B);
  CHECK(room(policy, a3) == Room{1000, HeadroomLimit::cap});
  policy.take(a3, 900_B);
  CHECK(room(policy, a3) == Room{100, HeadroomLimit::cap});
  CHECK(room(policy, b3) == Room{600, HeadroomLimit::pool});
  policy.take(b3, 550_B);
  CHECK(room(policy, a3) == Room{50, HeadroomLimit::pool});
  policy.give_back(a3, 900_B);
  CHECK(room(policy, b3) == Room{450, HeadroomLimit::cap});
  CHECK(room(policy, a4) == Room{950, HeadroomLimit::pool});
}

TEST_CASE("priorities of a port share its bytes, and are paused together") {
  PortSharedPolicy policy{two_ports};
  CHECK(policy.carved() == 3000_B);
  CHECK(policy.pause_rule().whole_port);
  policy.take(a3, 600_B);
  CHECK(room(policy, a4) == Room{400, HeadroomLimit::port});
  CHECK(room(policy, b3) == Room{2000, HeadroomLimit::port});
  policy.give_back(a3, 600_B);
  CHECK(room(policy, a4) == Room{1000, HeadroomLimit::port});
  CHECK(PortSharedPolicy{{{1000_B}, PrioritySet{0}}}.carved() == 0_B);
}

TEST_CASE("dsh sets one insurance aside for each port, pauses a group that far below the threshold and a port at all") {
  const DynamicSharedPolicy policy{two_ports};
  CHECK(policy.carved() == 3000_B);
  CHECK(room(policy, a4) == Room{1000, HeadroomLimit::port});
  const PauseRule rule = policy.pause_rule();
  CHECK_FALSE(rule.whole_port);
  CHECK(rule.port_multiple == 2);
  REQUIRE(rule.margin.size() == 2);
  CHECK(rule.margin[1] == 2000_B);
}

TEST_CASE("without headroom nothing is set aside and nothing taken") {
  const NoHeadroomPolicy policy;
  CHECK(policy.carved() == 0_B);
  CHECK(policy.size(a3) == 0_B);
  CHECK(room(policy, a3) == Room{0, HeadroomLimit::none});
}

}  // namespace soya
