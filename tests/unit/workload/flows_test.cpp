#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/ideal_network.hpp"
#include "support/units_io.hpp"
#include "workload/flow_identities.hpp"
#include "workload/flows_job.hpp"
#include "workload/make_job.hpp"

using namespace soya;
using namespace soya::test;

namespace {

const std::vector<std::string> names{"a", "b", "c", "d"};

FlowConfig flow(std::uint32_t from, std::uint32_t to, Bytes size, Time start = Time{0}) {
  FlowConfig flow;
  flow.from = HostId{from};
  flow.to = HostId{to};
  flow.size = size;
  flow.start = start;
  return flow;
}

FlowConfig named(const std::string& name, FlowConfig flow) {
  flow.name = name;
  return flow;
}

std::vector<std::string> identities(const std::vector<FlowConfig>& flows) {
  FlowsConfig config;
  config.flows = flows;
  return flow_identities({&config}, names).front();
}

/// Identities of the messages, in the order in which they were posted.
std::vector<std::string> posted(const std::vector<FlowConfig>& flows) {
  FlowsConfig config;
  config.flows = flows;
  const auto job = make_job(config, names);
  IdealNetwork network{*job, {}};
  network.run();
  std::vector<std::string> order;
  for (const IdealMessage& message : network.messages()) {
    order.push_back(job->connections()[message.request.connection].identity);
  }
  return order;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a flow is known by source, destination and name, else by an ordinal among equals") {
  CHECK(identities({named("x", flow(0, 1, 10_B)), flow(0, 1, 10_B), flow(1, 0, 10_B), flow(0, 1, 10_B)}) ==
        Names{"a>b/x", "a>b/0", "b>a/0", "a>b/1"});
}

TEST_CASE("flows without a name that differ are told apart by their fields, and equal ones among them numbered") {
  CHECK(identities({flow(0, 1, 10_B), flow(0, 1, 20_B, Time{5}), flow(0, 1, 10_B), flow(2, 1, 10_B)}) ==
        Names{"a>b/10B,1x,0ps,p3,write/0", "a>b/20B,1x,5ps,p3,write/0", "a>b/10B,1x,0ps,p3,write/1", "c>b/0"});
}

TEST_CASE("a name given twice between the same hosts is completed") {
  CHECK(identities({named("x", flow(0, 1, 10_B)), named("x", flow(0, 1, 10_B)), named("x", flow(0, 2, 10_B))}) ==
        Names{"a>b/x/0", "a>b/x/1", "a>c/x"});
  CHECK(identities({named("x", flow(0, 1, 20_B)), named("x", flow(0, 1, 10_B))}) ==
        Names{"a>b/x/20B,1x,0ps,p3,write", "a>b/x/10B,1x,0ps,p3,write"});
}

TEST_CASE("two jobs may hold flows between the same hosts") {
  FlowsConfig first;
  first.flows = {flow(0, 1, 10_B), flow(0, 1, 10_B)};
  FlowsConfig second;
  second.flows = {flow(0, 1, 10_B)};
  const auto all = flow_identities({&first, &second}, names);
  CHECK(all[0] == Names{"a>b/0", "a>b/1"});
  CHECK(all[1] == Names{"a>b/2"});
}

TEST_CASE("identities and the order of posts do not depend on the order in the file") {
  std::vector<FlowConfig> flows;
  for (std::uint32_t i = 0; i < 40; ++i) {
    flows.push_back(flow(0, 1 + i % 3, Bytes{100 + i / 4}, Time{static_cast<std::int64_t>(i % 2)}));
  }
  std::vector<std::string> expected = identities(flows);
  std::sort(expected.begin(), expected.end());
  CHECK(std::set<std::string>(expected.begin(), expected.end()).size() == 40);
  const std::vector<std::string> order = posted(flows);
  std::vector<std::string> sorted_order = order;
  std::sort(sorted_order.begin(), sorted_order.end());
  CHECK(sorted_order == expected);
  // Neither the file's order nor the names': a hash of the identity decides at one instant.
  CHECK_FALSE(std::is_sorted(order.begin(), order.begin() + 20));

  std::reverse(flows.begin(), flows.end());
  CHECK(posted(flows) == order);
  std::rotate(flows.begin(), flows.begin() + 17, flows.end());
  CHECK(posted(flows) == order);
}

TEST_CASE("all messages of a flow are posted at its start, which may be past") {
  FlowsConfig config;
  config.name = "list";
  config.flows = {flow(0, 1, 10_B, Time{-5}), flow(0, 2, 20_B, Time{7'000}), flow(0, 2, 30_B, Time{7'000}),
                  flow(1, 0, 0_B, Time{3'000})};
  config.flows[1].messages = 3;
  config.flows[2].operation = Operation::send;
  const auto job = make_job(config, names);
  CHECK(job->hosts() == std::vector<HostId>{HostId{0U}, HostId{1U}, HostId{2U}});
  IdealNetwork network{*job, {.latency = 1_us}};
  network.run();
  std::map<std::uint32_t, std::vector<IdealMessage>> by_flow;
  for (const IdealMessage& message : network.messages()) by_flow[message.request.connection].push_back(message);
  REQUIRE(by_flow[0].size() == 1);
  CHECK(by_flow[0][0].posted == Time{0});
  REQUIRE(by_flow[1].size() == 3);
  for (std::uint64_t k = 0; k < 3; ++k) {
    CHECK(by_flow[1][k].posted == Time{7'000});
    CHECK(by_flow[1][k].request.size == 20_B);
    CHECK(by_flow[1][k].request.tag == k);
    CHECK(by_flow[1][k].request.is_transfer);
  }
  REQUIRE(by_flow[2].size() == 1);
  CHECK(by_flow[2][0].request.operation == Operation::send);
  REQUIRE(by_flow[3].size() == 1);
  CHECK(by_flow[3][0].posted == Time{3'000});
  CHECK(by_flow[3][0].from == HostId{1U});
  CHECK(network.all_finished());
  CHECK(job->transfers() == 1 + 3 + 1 + 1);
  CHECK(job->report().unfinished.empty());
}

TEST_CASE("a host that waits for a flow's start goes on by itself, one that waits for the network does not") {
  FlowsConfig config;
  config.name = "list";
  config.flows = {flow(0, 1, 10_B), flow(2, 1, 10_B, Time{9'000'000})};
  config.flows[0].messages = 2;
  const auto job = make_job(config, names);
  IdealNetwork network{*job, {.latency = 1_us}};
  network.run(Time{500'000});
  CHECK_FALSE(job->computing(HostId{0U}));
  CHECK(job->computing(HostId{2U}));
  CHECK_FALSE(job->computing(HostId{3U}));
  CHECK_FALSE(job->finished(HostId{0U}));
  CHECK(job->finished(HostId{1U}));
  CHECK_FALSE(job->finished(HostId{2U}));
  CHECK(job->report().unfinished ==
        Names{"list: flow a>b/0: 2 of 2 messages unfinished", "list: flow c>b/0: 1 of 1 messages unfinished"});
}

TEST_CASE("a long list of unfinished flows is cut, and says by how much") {
  FlowsConfig config;
  for (int i = 0; i < 50; ++i) config.flows.push_back(flow(0, 1, 10_B));
  const auto job = make_job(config, names);
  const std::vector<std::string> lines = job->report().unfinished;
  REQUIRE(lines.size() == 21);
  CHECK(lines.back() == "and 30 more");
}

TEST_CASE("a hundred thousand flows are set up and done") {
  FlowsConfig config;
  for (std::uint32_t i = 0; i < 100'000; ++i) config.flows.push_back(flow(i % 4, (i + 1) % 4, Bytes{i / 100}));
  const auto job = make_job(config, names);
  IdealNetwork network{*job, {.latency = 1_us}};
  network.run();
  CHECK(network.messages().size() == 100'000);
  CHECK(network.all_finished());
}
