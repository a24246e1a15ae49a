#include "workload/permutation.hpp"

#include <doctest/doctest.h>

#include <set>

#include "support/units_io.hpp"

using namespace soya;

namespace {

PermutationConfig of_hosts(std::size_t count) {
  PermutationConfig config;
  config.name = "all";
  for (std::size_t k = 0; k < count; ++k) config.hosts.push_back(HostId{k + 10});
  config.size = 64_KiB;
  return config;
}

}  // namespace

TEST_CASE("with a shift host k sends to host k + shift, round the end, each with its flows") {
  PermutationConfig config = of_hosts(5);
  config.shift = 2;
  config.flows_per_host = 3;
  config.messages = 7;
  config.start = Time{9};
  config.priority = Priority{4};
  config.operation = Operation::send;
  const FlowsConfig flows = expand_permutation(config, 1);
  REQUIRE(flows.flows.size() == 5 * 3);
  for (std::size_t i = 0; i < flows.flows.size(); ++i) {
    const FlowConfig& flow = flows.flows[i];
    CHECK(flow.from == HostId{i / 3 + 10});
    CHECK(flow.to == HostId{(i / 3 + 2) % 5 + 10});
    CHECK(flow.size == 64_KiB);
    CHECK(flow.messages == 7);
    CHECK(flow.start == Time{9});
    CHECK(flow.priority == Priority{4});
    CHECK(flow.operation == Operation::send);
  }
}

TEST_CASE("without a shift everybody sends to one other and receives from one other, by the seed") {
  for (const std::size_t hosts : {2U, 3U, 16U, 1000U}) {
    std::set<std::uint32_t> receivers;
    const FlowsConfig flows = expand_permutation(of_hosts(hosts), 5);
    REQUIRE(flows.flows.size() == hosts);
    for (const FlowConfig& flow : flows.flows) {
      CHECK(flow.from != flow.to);
      receivers.insert(flow.to.value());
    }
    CHECK(receivers.size() == hosts);
  }
  const auto to = [](std::uint64_t seed, const char* name) {
    PermutationConfig config = of_hosts(100);
    config.name = name;
    std::vector<HostId> all;
    for (const FlowConfig& flow : expand_permutation(config, seed).flows) all.push_back(flow.to);
    return all;
  };
  CHECK(to(1, "a") == to(1, "a"));
  CHECK(to(1, "a") != to(2, "a"));
  CHECK(to(1, "a") != to(1, "b"));
}
