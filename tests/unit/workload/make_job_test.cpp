#include "workload/make_job.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace soya;

namespace {

const std::vector<std::string> names{"a", "b"};

std::string refusal(const JobConfig& config) {
  try {
    static_cast<void>(make_job(config, names));
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "";
}

const Where where{"f.yaml", 4, 3, "workload[0]"};

}  // namespace

TEST_CASE("each kind of item becomes its job, in the order of the scenario") {
  FlowsConfig flows;
  flows.name = "f";
  AllReduceConfig all_reduce;
  all_reduce.name = "r";
  all_reduce.hosts = {HostId{0U}, HostId{1U}};
  DdpConfig ddp;
  ddp.name = "d";
  ddp.hosts = all_reduce.hosts;
  ddp.tensors = {{"t", 1, std::nullopt}};
  const auto jobs = make_jobs({flows, all_reduce, ddp, flows}, names);
  REQUIRE(jobs.size() == 4);
  CHECK(jobs[0]->name() == "f");
  CHECK(jobs[1]->name() == "r");
  CHECK(jobs[2]->name() == "d");
  CHECK(jobs[1]->connections().size() == 4);  // 2 ranks x 2 channels
  CHECK(jobs[1]->connections()[3].identity == "r/b>a/1");
  CHECK(jobs[2]->connections()[0].identity == "d/a>b/0");
}

TEST_CASE("what no job can be made of is refused with its place") {
  FlowsConfig flows;
  FlowConfig flow;
  flow.from = HostId{0U};
  flow.to = HostId{0U};
  flow.messages = 0;
  flow.where = where;
  flows.flows = {flow};
  CHECK(refusal(flows) ==
        "f.yaml:4:3: workload[0]: a flow goes from one host to another, not to itself\n"
        "f.yaml:4:3: workload[0]: a flow has at least 1 message");
  flows.flows[0].messages = 1;
  flows.flows[0].to = HostId{2U};
  CHECK(refusal(flows) == "f.yaml:4:3: workload[0]: the flow's host does not exist");

  AllReduceConfig all_reduce;
  all_reduce.where = where;
  CHECK(refusal(all_reduce) == "f.yaml:4:3: workload[0]: a ring has at least 1 host");
  all_reduce.hosts = {HostId{1U}, HostId{1U}};
  all_reduce.ring.slots = 0;
  CHECK(refusal(all_reduce) ==
        "f.yaml:4:3: workload[0]: host b is in the ring twice\n"
        "f.yaml:4:3: workload[0]: a ring has at least 1 channel, 1 slice per chunk and 1 slot");

  DdpConfig ddp;
  ddp.where = where;
  ddp.hosts = {HostId{0U}};
  CHECK(refusal(ddp) == "f.yaml:4:3: workload[0]: the model has no parameters");
}
