#include "scenario/read.hpp"

#include <doctest/doctest.h>

#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

std::string with_workload(const std::string& items) {
  return two_hosts + ("workload: [" + items + "]\n");
}

}  // namespace

TEST_CASE("a scenario that says nothing has the defaults of the config structs") {
  const Scenario scenario = scenario_of(two_hosts);
  CHECK(scenario.name == "s");
  CHECK(scenario.seed == 1);
  CHECK(scenario.expect == Expectation::sound);
  const FrameConfig frame;
  CHECK(scenario.frame.mtu == frame.mtu);
  CHECK(scenario.frame.vlan == frame.vlan);
  CHECK(scenario.frame.ip == frame.ip);
  const PfcConfig pfc;
  CHECK(scenario.pfc.priorities == pfc.priorities);
  CHECK(scenario.pfc.quanta == pfc.quanta);
  CHECK(scenario.pfc.refresh == pfc.refresh);
  CHECK(scenario.pfc.response == pfc.response);
  CHECK(scenario.jobs.empty());
  CHECK(scenario.faults.empty());
  CHECK_FALSE(scenario.stop.after.has_value());
  CHECK_FALSE(scenario.stop.stalled_after.has_value());
  CHECK_FALSE(scenario.measure.sample.has_value());
}

TEST_CASE("switch, NIC and link defaults are those of the config structs") {
  const Scenario scenario = scenario_of(two_hosts);
  REQUIRE(scenario.switches.size() == 1);
  const SwitchConfig expected;
  const SwitchConfig& got = scenario.switches[0];
  CHECK(got.buffer.size == expected.buffer.size);
  CHECK(got.buffer.reserved == expected.buffer.reserved);
  CHECK(std::get<DynamicThreshold>(got.buffer.threshold).alpha == DynamicThreshold{}.alpha);
  CHECK(std::get<DynamicThreshold>(got.buffer.lossy_threshold).alpha ==
        std::get<DynamicThreshold>(expected.buffer.lossy_threshold).alpha);
  CHECK(got.buffer.xon_offset == expected.buffer.xon_offset);
  CHECK(got.buffer.cell == expected.buffer.cell);
  CHECK_FALSE(got.headroom.size.has_value());
  CHECK(got.scheduler.strict == expected.scheduler.strict);
  CHECK(got.scheduler.weights == expected.scheduler.weights);
  CHECK(got.latency == expected.latency);
  CHECK(got.ecmp_seed == expected.ecmp_seed);

  REQUIRE(scenario.nics.size() == 2);
  const NicConfig nic;
  CHECK(scenario.nics[0].queue_depth == nic.queue_depth);
  CHECK(scenario.nics[0].ack_every == nic.ack_every);
  CHECK(scenario.nics[0].retransmission_timeout() == nic.retransmission_timeout());
  CHECK(scenario.nics[0].retry_count == nic.retry_count);
  CHECK(scenario.nics[0].max_unacked == nic.max_unacked);
  CHECK(scenario.nics[0].initial_psn == nic.initial_psn);
  CHECK(scenario.nics[0].ack_priority == nic.ack_priority);
  CHECK_FALSE(scenario.nics[0].receive.has_value());

  REQUIRE(scenario.topology.links.size() == 2);
  const LinkConfig link;
  CHECK(scenario.topology.links[0].rate == link.rate);
  CHECK_FALSE(scenario.topology.links[0].reverse_rate.has_value());
  CHECK(scenario.topology.links[0].forward_way() == link.forward_way());
}

TEST_CASE("job defaults are those of the config structs") {
  const Scenario scenario =
      scenario_of(with_workload("{flows: [{from: h1, to: h2, size: 1B}]}, {all_reduce: {size: 8B}}, {ddp: {model: "
                                "{parameters: 40}, backward: 1s}}"));
  REQUIRE(scenario.jobs.size() == 3);
  const FlowConfig& flow = std::get<FlowsConfig>(scenario.jobs[0]).flows.at(0);
  CHECK(flow.messages == FlowConfig{}.messages);
  CHECK(flow.start == FlowConfig{}.start);
  CHECK(flow.priority == FlowConfig{}.priority);
  CHECK(flow.operation == FlowConfig{}.operation);
  const auto& all_reduce = std::get<AllReduceConfig>(scenario.jobs[1]);
  CHECK(all_reduce.element == AllReduceConfig{}.element);
  CHECK(all_reduce.repeat == AllReduceConfig{}.repeat);
  CHECK(all_reduce.ring.channels == RingConfig{}.channels);
  CHECK(all_reduce.ring.slice == RingConfig{}.slice);
  CHECK(all_reduce.ring.slices_per_chunk == RingConfig{}.slices_per_chunk);
  CHECK(all_reduce.ring.slots == RingConfig{}.slots);
  CHECK(all_reduce.ring.clear_to_send == RingConfig{}.clear_to_send);
  CHECK(all_reduce.ring.reduce_time == RingConfig{}.reduce_time);
  const auto& ddp = std::get<DdpConfig>(scenario.jobs[2]);
  CHECK(ddp.bucket == DdpConfig{}.bucket);
  CHECK(ddp.first_bucket == DdpConfig{}.first_bucket);
  CHECK(ddp.element == DdpConfig{}.element);
  CHECK(ddp.steps == DdpConfig{}.steps);
  CHECK(ddp.forward == Duration{0});
  CHECK(ddp.tensors.size() == 40);
}

TEST_CASE("fabric keys reach every switch, and a switch's own keys only it") {
  const Scenario scenario = scenario_of(
      "topology:\n"
      "  nodes: {h1: host, h2: host, s1: switch, s2: switch}\n"
      "  links: [{between: [h1, s1]}, {between: [s1, s2]}, {between: [s2, h2]}]\n"
      "  switches: {s1: {latency: 1us, buffer: {size: 1MiB}}, s2: {ecmp_seed: 7}}\n"
      "fabric:\n"
      "  buffer: {size: 16MiB, threshold: 64KiB, cell: 208B}\n"
      "  headroom: {size: 128KiB}\n"
      "  scheduler: {strict: [], weights: [1, 2, 3, 4, 5, 6, 7, 8]}\n"
      "switches: {s1: {buffer: {size: 2MiB, alpha: 1/4}}, s2: {headroom: {size: auto}}}\n");
  REQUIRE(scenario.switches.size() == 2);
  const SwitchConfig& s1 = scenario.switches[0];
  const SwitchConfig& s2 = scenario.switches[1];
  CHECK(s1.latency == 1_us);
  CHECK(s1.buffer.size == 2_MiB);
  CHECK(std::get<DynamicThreshold>(s1.buffer.threshold).alpha == Ratio{1, 4});
  CHECK(s1.buffer.cell == 208_B);
  CHECK(s1.headroom.size == 128_KiB);
  CHECK(s2.latency == 500_ns);
  CHECK(s2.buffer.size == 16_MiB);
  CHECK(std::get<StaticThreshold>(s2.buffer.threshold).size == 64_KiB);
  CHECK_FALSE(s2.headroom.size.has_value());
  CHECK(s2.ecmp_seed == 7);
  CHECK(s2.scheduler.strict.empty());
  CHECK(s2.scheduler.weights[7] == 8);
}

TEST_CASE("nic keys reach every host, and a host's own keys only it") {
  const Scenario scenario =
      scenario_of(std::string{two_hosts} +
                  "nic: {queue_depth: 16, initial_psn: 0xFFFFFE, timeout: 100us, ack_priority: 5}\n"
                  "hosts: {h2: {receive: {rate: 50Gbps}, timeout: none, ack_priority: flow}}\n");
  REQUIRE(scenario.nics.size() == 2);
  CHECK(scenario.nics[0].queue_depth == 16);
  CHECK(scenario.nics[0].initial_psn == 0xFFFFFE);
  CHECK(scenario.nics[0].retransmission_timeout() == 100_us);
  CHECK(scenario.nics[0].ack_priority == Priority{5});
  CHECK_FALSE(scenario.nics[0].receive.has_value());
  CHECK(scenario.nics[1].queue_depth == 16);
  REQUIRE(scenario.nics[1].receive.has_value());
  CHECK(scenario.nics[1].receive->rate == 50_Gbps);
  CHECK(scenario.nics[1].receive->xoff == SlowReceiver{}.xoff);
  CHECK_FALSE(scenario.nics[1].timeout.has_value());
  CHECK_FALSE(scenario.nics[1].ack_priority.has_value());
}

TEST_CASE("link types, their overrides and parallel links") {
  const Scenario scenario = scenario_of(
      "topology:\n"
      "  link_types: {haul: {rate: 400Gbps, reverse_rate: 100Gbps, length: 300km, per_kilometre: 4.9us, delay: 2us}}\n"
      "  nodes: {h1: host, h2: host, s1: switch, s2: switch}\n"
      "  links:\n"
      "    - {between: [h1, s1], rate: 25Gbps, length: 0m, delay: 1ns}\n"
      "    - {between: [s1, s2], type: haul, count: 2, length: 100km}\n"
      "    - {between: [s2, h2], type: haul}\n");
  const auto& links = scenario.topology.links;
  REQUIRE(links.size() == 4);
  CHECK(links[0].forward_way() == 1_ns);
  CHECK(links[0].rate == 25_Gbps);
  // 100 km x 4.9 us/km + 2 us.
  CHECK(links[1].forward_way() == 492_us);
  CHECK(links[2].forward_way() == 492_us);
  CHECK(links[1].rate == 400_Gbps);
  CHECK(links[1].rate_from(links[1].b) == 100_Gbps);
  CHECK(links[3].forward_way() == 1'472_us);
  CHECK(scenario.topology.nodes[links[3].a.index()].name == "s2");
}

TEST_CASE("a link loses at random what its type says, or what it says itself") {
  const Scenario scenario = scenario_of(
      "topology:\n"
      "  link_types: {haul: {loss: {packets: 1e-4, bits: 1e-12, burst: 8}}}\n"
      "  nodes: {h1: host, h2: host, s1: switch, s2: switch}\n"
      "  links:\n"
      "    - {between: [h1, s1], loss: 0}\n"
      "    - {between: [s1, s2], type: haul, loss: {packets: 0.01, control: false}}\n"
      "    - {between: [s1, s2], type: haul}\n"
      "    - {between: [s1, s2], type: haul, loss: 0.5}\n"
      "    - {between: [s2, h2], type: haul, loss: none}\n");
  const auto& links = scenario.topology.links;
  REQUIRE(links.size() == 5);
  CHECK_FALSE(links[0].loss);
  REQUIRE(links[1].loss);
  CHECK(links[1].loss->packets == Probability{0.01});
  CHECK(links[1].loss->bits == Probability{1e-12});
  CHECK(links[1].loss->burst == Ratio{8, 1});
  CHECK_FALSE(links[1].loss->control);
  CHECK(links[2].loss->packets == Probability{1e-4});
  CHECK(links[2].loss->control);
  CHECK(links[3].loss->packets == Probability{0.5});
  CHECK(links[3].loss->bits == Probability{0});  // a number says all of it
  CHECK(links[3].loss->burst == Ratio{1, 1});
  CHECK_FALSE(links[4].loss);
}

TEST_CASE("a link may take another way back") {
  const Scenario scenario = scenario_of(
      "topology:\n"
      "  link_types: {ring: {length: 300km, reverse_length: 340km, delay: 2us, reverse_delay: 5us}}\n"
      "  nodes: {h1: host, h2: host, s1: switch, s2: switch}\n"
      "  links:\n"
      "    - {between: [h1, s1]}\n"
      "    - {between: [s1, s2], type: ring, reverse_length: same}\n"
      "    - {between: [s2, h2], type: ring, length: 100km}\n");
  const auto& links = scenario.topology.links;
  REQUIRE(links.size() == 3);
  CHECK_FALSE(links[0].is_asymmetric());
  CHECK(links[1].one_way_from(links[1].a) == 1'502_us);  // 300 km x 5 us/km + 2 us
  CHECK(links[1].one_way_from(links[1].b) == 1'505_us);
  CHECK(links[2].one_way_from(links[2].a) == 502_us);
  CHECK(links[2].one_way_from(links[2].b) == 1'705_us);
  CHECK(links[2].round_trip() == 2'207_us);
}

TEST_CASE("leaf_spine makes nodes and links, with named and inline link types") {
  const Scenario scenario = scenario_of(
      "topology:\n"
      "  link_types: {access: {rate: 25Gbps}}\n"
      "  parts: [{leaf_spine: {prefix: a-, leaves: 3, spines: 2, hosts_per_leaf: 4, host_link: access, fabric_link: "
      "{rate: 400Gbps, length: 30m}}}]\n");
  // 3 x 4 hosts, 3 leaves, 2 spines; 12 host links and 3 x 2 fabric links.
  CHECK(scenario.topology.nodes.size() == 17);
  CHECK(scenario.topology.links.size() == 18);
  CHECK(scenario.nics.size() == 12);
  CHECK(scenario.switches.size() == 5);
  CHECK(scenario.topology.links.front().rate == 25_Gbps);
  CHECK(scenario.topology.links.back().rate == 400_Gbps);
  CHECK(scenario.topology.links.back().length == 30_m);
}

TEST_CASE("the default priority is the first lossless one, else 3") {
  const std::string flow =
      "workload: [{flows: [{from: h1, to: h2, size: 1B}, {from: h2, to: h1, size: 1B, priority: 1}]}]\n";
  const auto priority = [&](const std::string& pfc) {
    const Scenario scenario = scenario_of(two_hosts + ("fabric: {pfc: {priorities: " + pfc + "}}\n") + flow);
    const auto& flows = std::get<FlowsConfig>(scenario.jobs[0]).flows;
    CHECK(flows[1].priority == Priority{1});
    return flows[0].priority;
  };
  CHECK(priority("[5, 4]") == Priority{4});
  CHECK(priority("[0]") == Priority{0});
  CHECK(priority("[]") == Priority{3});
}

TEST_CASE("an incast becomes one flow for each sender") {
  const std::string star = "topology: {parts: [{leaf_spine: {leaves: 1, spines: 1, hosts_per_leaf: 5}}]}\n";
  const auto flows = [&](const std::string& senders) {
    const Scenario scenario = scenario_of(star + "workload: [{incast: {receiver: host2, senders: " + senders +
                                          ", size: 1MB, messages: 3, start: 2us, operation: send}}]\n");
    return std::get<FlowsConfig>(scenario.jobs[0]).flows;
  };
  CHECK(flows("all").size() == 4);
  const auto two = flows("2");
  REQUIRE(two.size() == 2);
  CHECK(two[0].from == HostId{0U});
  CHECK(two[1].from == HostId{2U});
  CHECK(two[1].to == HostId{1U});
  CHECK(two[1].size == 1_MB);
  CHECK(two[1].messages == 3);
  CHECK(two[1].start == Time{0} + 2_us);
  CHECK(two[1].operation == Operation::send);
  const auto named = flows("[host5, host1]");
  REQUIRE(named.size() == 2);
  CHECK(named[0].from == HostId{4U});
  CHECK(named[1].from == HostId{0U});
}

TEST_CASE("ranks are all hosts, the first of them, or a list in its own order") {
  const std::string star = "topology: {parts: [{leaf_spine: {leaves: 1, spines: 1, hosts_per_leaf: 3}}]}\n";
  const auto hosts = [&](const std::string& said) {
    const Scenario scenario = scenario_of(star + "workload: [{all_reduce: {size: 1MB, hosts: " + said + "}}]\n");
    return std::get<AllReduceConfig>(scenario.jobs[0]).hosts;
  };
  CHECK(hosts("all") == std::vector<HostId>{HostId{0U}, HostId{1U}, HostId{2U}});
  CHECK(hosts("2") == std::vector<HostId>{HostId{0U}, HostId{1U}});
  CHECK(hosts("[host3, host1]") == std::vector<HostId>{HostId{2U}, HostId{0U}});
}

TEST_CASE("data types give the size of an element") {
  const auto element = [](const std::string& keys) {
    return std::get<AllReduceConfig>(scenario_of(with_workload("{all_reduce: {size: 1MB, " + keys + "}}")).jobs[0])
        .element;
  };
  CHECK(element("dtype: float32") == 4_B);
  CHECK(element("dtype: bfloat16") == 2_B);
  CHECK(element("dtype: float16") == 2_B);
  CHECK(element("dtype: float64") == 8_B);
  CHECK(element("element: 1B") == 1_B);
}

TEST_CASE("a model is a number of parameters, a table in a file, or a list") {
  const ScenarioFolder folder;
  folder.write("models/m.csv", "index,name,numel\n0,a,5\n1,b,7\n");
  const auto ddp = [&](const std::string& model, const std::string& more = "backward: 1s") {
    folder.write("s.yaml", with_workload("{ddp: {model: " + model + ", " + more + "}}"));
    return std::get<DdpConfig>(folder.read("s.yaml").jobs[0]);
  };
  const DdpConfig equal = ddp("{parameters: 1e9, tensors: 7}");
  std::int64_t sum = 0;
  for (const TensorConfig& tensor : equal.tensors) sum += tensor.elements;
  CHECK(equal.tensors.size() == 7);
  CHECK(sum == 1'000'000'000);

  const DdpConfig table = ddp("{file: models/m.csv, dtype: float16}");
  REQUIRE(table.tensors.size() == 2);
  CHECK(table.tensors[1].name == "b");
  CHECK(table.tensors[1].elements == 7);
  CHECK(table.element == 2_B);

  const DdpConfig timed =
      ddp("{tensors: [{name: a, elements: 3, backward: 2us}, {elements: 4, backward: 5us}]}", "forward: 1us");
  CHECK(timed.backward == 7_us);
  CHECK(timed.forward == 1_us);
  CHECK(timed.tensors[0].backward == 2_us);
}

TEST_CASE("faults find their link among parallel ones, from either end") {
  const Scenario scenario = scenario_of(
      "topology: {nodes: {h1: host, h2: host, s1: switch, s2: switch}, links: [{between: [h1, s1]}, {between: [s1, "
      "s2], count: 3}, {between: [s2, h2]}]}\n"
      "faults:\n"
      "  - link_down: {between: [s2, s1], link: 2, at: 1ms, until: 2ms}\n"
      "  - link_down: {between: [h1, s1]}\n"
      "  - drop: {between: [s2, s1], link: 1, acknowledge: 4}\n"
      "  - hold: {between: [s1, s2], from: 5us, until: 20us}\n");
  REQUIRE(scenario.faults.size() == 4);
  const auto& down = std::get<LinkDownFault>(scenario.faults[0]);
  CHECK(down.link == LinkId{3U});
  CHECK(down.down == Time{0} + 1_ms);
  CHECK(down.up == Time{0} + 2_ms);
  CHECK_FALSE(std::get<LinkDownFault>(scenario.faults[1]).up.has_value());
  const auto& drop = std::get<DropFault>(scenario.faults[2]);
  CHECK(drop.link == LinkId{2U});
  CHECK(scenario.topology.nodes[drop.from.index()].name == "s2");
  CHECK(drop.kind == DropKind::acknowledge);
  CHECK(drop.nth == 4);
  const auto& hold = std::get<HoldFault>(scenario.faults[3]);
  CHECK(hold.link == LinkId{1U});
  CHECK(scenario.topology.nodes[hold.node.index()].name == "s1");
  CHECK(hold.until == Time{0} + 20_us);
}

TEST_CASE("jobs without a name are named after their kind, the second with a number") {
  const std::string flow = "{flows: [{from: h1, to: h2, size: 1B}]}";
  const Scenario scenario = scenario_of(with_workload(flow + ", {all_reduce: {size: 4B, name: grads}}, " + flow));
  CHECK(std::get<FlowsConfig>(scenario.jobs[0]).name == "flows");
  CHECK(std::get<AllReduceConfig>(scenario.jobs[1]).name == "grads");
  CHECK(std::get<FlowsConfig>(scenario.jobs[2]).name == "flows-2");
}

TEST_CASE("a burst of losses, a lost PAUSE and a protection switch are read") {
  const Scenario scenario = scenario_of(
      "topology: {nodes: {h1: host, h2: host, s1: switch}, links: [{between: [h1, s1]}, {between: [s1, h2]}]}\n"
      "faults:\n"
      "  - loss_burst: {between: [s1, h1], at: 1ms, until: 2ms}\n"
      "  - loss_burst: {between: [h1, s1], frames: 7}\n"
      "  - drop: {between: [s1, h1], pause: 70}\n"
      "  - protection: {between: [s1, h2], at: 1s, length: 400km}\n"
      "  - protection: {between: [s1, h1], at: 1s, until: 3s, delay: 5us, outage: 0s}\n");
  REQUIRE(scenario.faults.size() == 5);
  const NodeId s1 = scenario.topology.links[0].b;
  const auto& window = std::get<LossBurstFault>(scenario.faults[0]);
  CHECK(window.from == s1);
  CHECK(window.at == Time{0} + 1_ms);
  CHECK(window.until == Time{0} + 2_ms);
  CHECK_FALSE(window.frames);
  CHECK(std::get<LossBurstFault>(scenario.faults[1]).frames == 7);
  CHECK(std::get<LossBurstFault>(scenario.faults[1]).from == scenario.topology.links[0].a);
  CHECK(std::get<DropFault>(scenario.faults[2]).kind == DropKind::pause);
  CHECK(std::get<DropFault>(scenario.faults[2]).nth == 70);
  const auto& longer = std::get<ProtectionFault>(scenario.faults[3]);
  CHECK(longer.outage == 50_ms);  // ITU-T G.841
  CHECK_FALSE(longer.until);
  const LinkConfig& link = scenario.topology.links[1];
  CHECK(longer.other_path(link).forward_way() == 2'000_us);  // 400 km x 5 us/km
  CHECK(longer.other_path(link).reverse_way() == 2'000_us);
  const auto& brief = std::get<ProtectionFault>(scenario.faults[4]);
  CHECK(brief.outage == 0_s);
  CHECK(brief.until == Time{0} + 3_s);
  CHECK(brief.other_path(scenario.topology.links[0]).forward_way() == 5'015_ns);  // 3 m of its own and 5 us
}
