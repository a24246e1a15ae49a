#include "workload/incast.hpp"

#include <doctest/doctest.h>

#include "support/units_io.hpp"

using namespace soya;

TEST_CASE("an incast is one flow from each sender") {
  IncastConfig incast;
  incast.name = "burst";
  incast.receiver = HostId{0U};
  incast.senders = {HostId{3U}, HostId{1U}};
  incast.size = 64_KiB;
  incast.messages = 7;
  incast.start = Time{5};
  incast.priority = Priority{4};
  incast.operation = Operation::send;
  incast.where = {"f.yaml", 3, 5, "workload[0].incast"};

  const FlowsConfig flows = expand_incast(incast);
  CHECK(flows.name == "burst");
  REQUIRE(flows.flows.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const FlowConfig& flow = flows.flows[i];
    CHECK(flow.name.empty());
    CHECK(flow.from == incast.senders[i]);
    CHECK(flow.to == HostId{0U});
    CHECK(flow.size == 64_KiB);
    CHECK(flow.messages == 7);
    CHECK(flow.start == Time{5});
    CHECK(flow.priority == Priority{4});
    CHECK(flow.operation == Operation::send);
    CHECK(flow.where.line == 3);
  }
  incast.senders.clear();
  CHECK(expand_incast(incast).flows.empty());
}
