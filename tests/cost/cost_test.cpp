// What runs cost, at the smallest size of every case of the benchmark suite, each in a process of its own: counts,
// memory and the end beside its closed form. No wall time: that is bin/bench's. What a packet-hop takes in instructions
// is held by the cost part of tools/test (tests/bench/budgets.json).
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "suite/cases.hpp"
#include "suite/measure.hpp"

using namespace soya;
using namespace soya::bench;

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool memory_is_ours = false;  // the sanitizer's shadow is in it
#else
constexpr bool memory_is_ours = true;
#endif

/// A hop is an arrival, and a transmission's end where something else waits for the port: 2. Beside them a message has
/// its events at its ends: posting, the time-out, completion and what the host does with it.
constexpr double events_of_a_hop = 2;
/// Half of the packet-hops are acknowledges, one for each packet. Where they have their way to themselves nothing waits
/// behind one, and its hop is an arrival: (2 + 1) / 2. An end of transmission of which nobody has to know makes it 2.
constexpr double events_where_acknowledges_are_alone = 1.5;

/// Pending at once: each direction of a link has an arrival and the end of a transmission, a host four (time-out,
/// completions, its job and its NIC's wait), and the engine a few. Packets do not count: they wait in queues.
std::int64_t most_pending(const Scenario& scenario) {
  return static_cast<std::int64_t>(2 * 2 * scenario.topology.links.size() + 4 * scenario.nics.size() + 8);
}

Measurement measured(std::string_view name) {
  const Case* one = find_case(name);
  REQUIRE(one != nullptr);
  CAPTURE(name);
  const Amount amount{one->smallest, one->ack_every};
  Measurement m = measure_apart(*one, amount, {1});
  CAPTURE(m.why_not);
  CHECK(m.sound == (one->form != Form::none));
  REQUIRE(m.packet_hops > 0);
  CHECK(m.peak_pending <= most_pending(one->scenario(amount)));
  const double difference = m.difference_percent().value_or(0);
  CHECK(m.expected_us.has_value() == (one->form != Form::none));
  CHECK(difference >= (one->form == Form::bound ? 0 : -one->tolerance_percent));
  if (one->form == Form::equal) CHECK(difference <= one->tolerance_percent);
  return m;
}

double events_per_hop(const Measurement& m) {
  return m.per_hop(static_cast<double>(m.events));
}

void check_small_fabric(std::string_view name, double most = events_of_a_hop) {
  const Measurement m = measured(name);
  CAPTURE(name);
  if (memory_is_ours) CHECK(m.peak_memory_mb <= 20);
  // 200 packets of a flow and more: what a message has at its ends is less than a twentieth of an event.
  CHECK(events_per_hop(m) <= most + 0.05);
  CHECK(events_per_hop(m) >= 0.5);
}

TEST_CASE("an incast costs two events per packet-hop at most, 20 MB, and ends as its receiver's link says") {
  check_small_fabric("incast-16", events_where_acknowledges_are_alone);
  check_small_fabric("incast-32", events_where_acknowledges_are_alone);
  check_small_fabric("incast-16-ack64");
  check_small_fabric("incast-32-ack64");
}

TEST_CASE(
    "neighbours round a leaf-spine fabric cost two events per packet-hop at most, and end with their acknowledges") {
  check_small_fabric("ring-16");
  check_small_fabric("ring-16-ack64");
}

TEST_CASE("flows that collide cost two events per packet-hop at most, and end no sooner than their most loaded link") {
  check_small_fabric("shift-16");
  check_small_fabric("shift-16-ack64");
  check_small_fabric("permutation-16");
}

TEST_CASE("a long chain costs two events per packet-hop at most, and ends a round trip after its wire") {
  check_small_fabric("chain-1.5ms", events_where_acknowledges_are_alone);
  check_small_fabric("chain-1.5ms-ack64");
}

TEST_CASE("as many events per packet-hop with 1 024 and 8 192 hosts") {
  CHECK(events_per_hop(measured("permutation-1024")) <= events_of_a_hop);
  CHECK(events_per_hop(measured("permutation-1024-ack64")) <= events_of_a_hop);
  CHECK(events_per_hop(measured("permutation-8192")) <= events_of_a_hop);
}

TEST_CASE("a slice of a ring all-reduce over 8 192 hosts stops when it is told to") {
  const Measurement m = measured("all-reduce-8192");
  CHECK(m.end_us == static_cast<double>(m.size));
  CHECK(events_per_hop(m) <= events_of_a_hop);
}

TEST_CASE("training and long transfers that ship end by their closed forms") {
  // Their switches take 500 ns: a frame that finds the port idle starts in an event of its own, the third of its hop.
  CHECK(events_per_hop(measured("janog55")) <= events_of_a_hop + 1);
  CHECK(events_per_hop(measured("haul-300km")) <= events_of_a_hop + 1);
  CHECK(events_per_hop(measured("two-site-ddp")) <= events_of_a_hop + 1);
}

TEST_CASE(
    "twice the packets are twice the packet-hops, and no more memory or pending events than links and hosts make") {
  const Case& one = *find_case("incast-16");
  const Measurement less = measure_apart(one, {500, 1}, {1});
  const Measurement more = measure_apart(one, {1'000, 1}, {1});
  CHECK(more.packets == 2 * less.packets);
  CHECK(more.packet_hops == 2 * less.packet_hops);
  CHECK(more.peak_pending <= most_pending(one.scenario({1'000, 1})));
  if (memory_is_ours) CHECK(more.peak_memory_mb <= less.peak_memory_mb + 1);
}

}  // namespace
