#include "support/ideal_network.hpp"

#include <doctest/doctest.h>

#include "support/units_io.hpp"
#include "workload/make_job.hpp"

using namespace soya;
using namespace soya::test;

TEST_CASE("the ideal network serialises per direction, then adds its latency, and acknowledges one latency later") {
  FlowsConfig config;
  config.flows.push_back(
      {.name = "x", .from = HostId{0U}, .to = HostId{1U}, .size = 1250_B, .messages = 2, .where = {}});
  const auto job = make_job(config, {"a", "b"});
  IdealNetwork network{*job, {.latency = 1_us, .rate = 100_Gbps}};
  network.run();
  // 1250 B at 100 Gbps are 100 ns; the second message follows the first.
  REQUIRE(network.messages().size() == 2);
  CHECK(network.messages()[0].arrived == Time{1'100'000});
  CHECK(network.messages()[1].arrived == Time{1'200'000});
  CHECK(network.now() == Time{2'200'000});
  CHECK(network.all_finished());
}
