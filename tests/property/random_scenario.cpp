#include "property/random_scenario.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <string>

#include "engine/headroom_auto.hpp"
#include "fabric/headroom_policy.hpp"
#include "net/frame.hpp"
#include "planning/headroom_budget.hpp"
#include "property/dice.hpp"
#include "property/random_connections.hpp"
#include "property/random_deep.hpp"
#include "property/random_headroom.hpp"
#include "property/random_routing.hpp"
#include "topology/port_map.hpp"

namespace soya::test {

namespace {

constexpr std::int64_t gigabit = 1'000'000'000;
constexpr std::int64_t microsecond = 1'000'000;

class Maker {
 public:
  Maker(std::uint64_t seed, const RandomOptions& options)
      : options_{options}, dice_{seed, "random scenario"}, deep_dice_{seed, "deep buffers"},
        routing_dice_{seed, "routing"} {
    scenario_.name = "random";
    scenario_.seed = seed;
  }

  Scenario make() {
    make_frames();
    make_topology();
    make_pfc();
    if (options_.script == Script::outages && dice_.chance(50)) make_protection();  // headroom is for the longer path
    make_flows();
    make_switches();
    make_nics();
    make_script();
    if (options_.ways == Ways::any) make_random_routing(routing_dice_, scenario_);
    if (options_.script == Script::failures) make_random_failures(routing_dice_, scenario_);
    return std::move(scenario_);
  }

 private:
  void make_frames() {
    scenario_.frame.mtu = Bytes{dice_.chance(70) ? dice_.one_of({256, 1000, 1024, 4096}) : dice_.small(1, 5000)};
    scenario_.frame.vlan = dice_.chance(30);
    scenario_.frame.ip = dice_.chance(30) ? IpVersion::v6 : IpVersion::v4;
  }

  NodeId add_node(const std::string& name, NodeKind kind) {
    scenario_.topology.nodes.push_back({name, kind, {}});
    if (kind == NodeKind::switch_) scenario_.switches.emplace_back();
    if (kind == NodeKind::host) scenario_.nics.emplace_back();
    return NodeId{scenario_.topology.nodes.size() - 1};
  }

  Rate any_rate() { return Rate{dice_.one_of({10, 25, 40, 50, 100, 200, 300, 400, 800}) * gigabit}; }

  void add_link(NodeId a, NodeId b) {
    LinkConfig link;
    link.a = a;
    link.b = b;
    link.rate = base_rate_;
    if (dice_.chance(30)) link.rate = any_rate();
    if (dice_.chance(15)) link.reverse_rate = any_rate();
    link.length = Length{dice_.chance(80) ? dice_.between(1, 300'000) : dice_.between(1, 5'000'000)};
    if (dice_.chance(20)) link.delay = Duration{dice_.between(1, 2 * microsecond)};
    if (dice_.chance(15)) link.reverse_length = Length{dice_.between(1, 300'000)};
    if (dice_.chance(15)) link.reverse_delay = Duration{dice_.between(0, 2 * microsecond)};
    scenario_.topology.links.push_back(link);
  }

  std::vector<NodeId> add_switches(const std::string& prefix, int count) {
    std::vector<NodeId> added;
    for (int i = 1; i <= count; ++i) added.push_back(add_node(prefix + std::to_string(i), NodeKind::switch_));
    return added;
  }
  void add_hosts(const std::vector<NodeId>& leaves, int least, int most) {
    for (const NodeId leaf : leaves) {
      const int count = dice_.small(least, most);
      for (int i = 0; i < count; ++i) {
        const std::string name = "h" + std::to_string(scenario_.nics.size() + 1);
        add_link(add_node(name, NodeKind::host), leaf);
      }
    }
  }
  void join(const std::vector<NodeId>& lower, const std::vector<NodeId>& upper) {
    for (const NodeId a : lower) {
      for (const NodeId b : upper) dice_.chance(50) ? add_link(a, b) : add_link(b, a);
    }
  }

  void make_topology() {
    base_rate_ = any_rate();
    const int tiers = dice_.small(1, 3);
    if (tiers == 1) return add_hosts(add_switches("leaf", 1), 2, 8);
    if (tiers == 2) {
      const std::vector<NodeId> leaves = add_switches("leaf", dice_.small(2, 3));
      add_hosts(leaves, 1, 4);
      return join(leaves, add_switches("spine", dice_.small(1, 3)));
    }
    std::vector<NodeId> tops;
    for (const char* pod : {"a", "b"}) {
      const std::vector<NodeId> leaves = add_switches(std::string{pod} + "-leaf", dice_.small(1, 2));
      const std::vector<NodeId> spines = add_switches(std::string{pod} + "-spine", dice_.small(1, 2));
      add_hosts(leaves, 1, 2);
      join(leaves, spines);
      tops.insert(tops.end(), spines.begin(), spines.end());
    }
    join(tops, add_switches("core", dice_.small(1, 2)));
  }

  void make_pfc() {
    const int count = dice_.small(1, 3);
    PrioritySet& lossless = scenario_.pfc.priorities;
    lossless = PrioritySet{};
    for (int i = 0; i < count; ++i) lossless.insert(any_priority());
    for (std::uint8_t p = 0; p < Priority::count; ++p) {
      if (lossless.contains(Priority{p})) lossless_.push_back(Priority{p});
    }
    scenario_.pfc.refresh = dice_.one_of({Ratio{1, 2}, Ratio{1, 3}, Ratio{3, 4}});
    if (dice_.chance(50)) scenario_.pfc.response = Duration{dice_.one_of({0L, dice_.between(0, microsecond)})};
    if (dice_.chance(40)) scenario_.pfc.quanta = static_cast<int>(dice_.between(1, 4) * fewest_quanta());
  }

  /// Pauses must outlast the wait for their refresh: a frame and the PFC frame on the slowest reverse wire.
  std::int64_t fewest_quanta() const {
    Rate slowest{INT64_MAX};
    Rate fastest{0};
    for (const LinkConfig& link : scenario_.topology.links) {
      for (const Rate rate : {link.rate, link.rate_from(link.b)}) {
        slowest = std::min(slowest, rate);
        fastest = std::max(fastest, rate);
      }
    }
    const Bytes wait =
        FrameSizes{scenario_.frame}.largest(Operation::write_immediate) + wire_gap + pfc_frame + wire_gap;
    const Duration in_time = 4 * serialisation(wait, slowest);  // a quarter of the pause at least is left after 3/4
    return std::clamp<std::int64_t>(in_time.picoseconds() / quanta_time(1, fastest).picoseconds() + 1, 1, 16'000);
  }

  Priority any_priority() { return Priority{static_cast<std::uint8_t>(dice_.between(0, Priority::count - 1))}; }
  Priority flow_priority() {
    return options_.traffic == Traffic::mixed && dice_.chance(50) ? any_priority() : dice_.one_of(lossless_);
  }

  void make_flows() {
    FlowsConfig job;
    job.name = "flows";
    const auto hosts = static_cast<std::int64_t>(scenario_.nics.size());
    const auto any_host = [&] { return HostId{static_cast<std::size_t>(dice_.between(0, hosts - 1))}; };
    const HostId target = any_host();
    const bool incast = dice_.chance(50);
    const int count = dice_.small(1, 12);
    const std::int64_t mtu = scenario_.frame.mtu.count();
    for (int i = 0; i < count; ++i) {
      FlowConfig flow;
      flow.from = any_host();
      flow.to = incast && dice_.chance(80) ? target : any_host();
      if (flow.from == flow.to) flow.to = HostId{(flow.from.index() + 1) % scenario_.nics.size()};
      flow.size =
          Bytes{dice_.one_of({dice_.between(0, mtu + 1), dice_.between(0, 3 * mtu), dice_.between(0, 60 * mtu)})};
      flow.messages = dice_.chance(70) ? 1 : dice_.between(2, 5);
      if (dice_.chance(30)) flow.start = Time{dice_.between(1, 20 * microsecond)};
      flow.priority = flow_priority();
      flow.operation = dice_.one_of(
          {Operation::write, Operation::write_immediate, Operation::send, Operation::read, Operation::write_polled});
      if (dice_.chance(20)) flow.name = "n" + std::to_string(i);
      job.flows.push_back(flow);
    }
    scenario_.jobs.emplace_back(std::move(job));
  }

  Bytes in_cells(Bytes frame, const BufferConfig& buffer) const {
    const std::int64_t cell = buffer.cell ? buffer.cell->count() : 1;
    return Bytes{(frame.count() + cell - 1) / cell * cell};
  }

  void make_switches() {
    for (SwitchConfig& config : scenario_.switches) {
      if (dice_.chance(40)) config.buffer.cell = Bytes{dice_.between(64, 256)};
      config.latency = Duration{dice_.chance(30) ? 0 : dice_.between(1, microsecond)};
      for (int& weight : config.scheduler.weights) weight = dice_.small(1, 4);
      config.scheduler.strict = PrioritySet{static_cast<std::uint8_t>(dice_.chance(50) ? 0 : 1 << dice_.between(0, 7))};
    }
    const PortMap ports = build_ports(scenario_.topology);
    const std::vector<std::vector<Bytes>> budgets = automatic_headroom(scenario_, ports);
    for (std::size_t s = 0; s < scenario_.switches.size(); ++s) make_buffer(scenario_.switches[s], budgets[s]);
    for (std::size_t s = 0; s < scenario_.switches.size(); ++s) {
      if (deep_dice_.chance(35)) make_random_deep(deep_dice_, scenario_, ports, SwitchId{s}, budgets[s]);
    }
  }

  /// Headroom and reserved bytes as configured, and a shared pool in which a few frames reach the threshold.
  void make_buffer(SwitchConfig& config, const std::vector<Bytes>& budgets) {
    BufferConfig& buffer = config.buffer;
    const Bytes frame = in_cells(largest_frame(scenario_), buffer);
    const auto frames = [&](int most) { return Bytes{dice_.between(0, most * frame.count())}; };
    buffer.reserved = frames(2);
    buffer.xon_offset = frames(3);
    std::int64_t inverse_alpha = 1;
    if (dice_.chance(30)) {
      buffer.threshold = StaticThreshold{Bytes{1} + frames(8)};
    } else {
      const std::int64_t denominator = dice_.one_of({1, 2, 4, 8});
      buffer.threshold = DynamicThreshold{{1, denominator}};
      inverse_alpha = denominator;
    }
    std::vector<Bytes> sizes = budgets;
    if (options_.headroom == HeadroomSizes::starved) {
      const Bytes least = *std::min_element(budgets.begin(), budgets.end());
      config.headroom.size = Bytes{std::max<std::int64_t>(1, dice_.between(0, least.count() / 4))};
      sizes.assign(budgets.size(), *config.headroom.size);
    }
    config.headroom.mode =
        random_headroom_mode(dice_, options_.headroom, *std::max_element(sizes.begin(), sizes.end()));
    PrioritySet lossless;
    for (const Priority priority : lossless_) lossless.insert(priority);
    const auto policy = make_headroom_policy(config.headroom.mode, {sizes, lossless});
    const std::vector<Bytes> margins = policy->pause_rule().margin;
    const Bytes margin = margins.empty() ? Bytes{0} : *std::max_element(margins.begin(), margins.end());
    buffer.size = policy->carved() + std::ssize(budgets) * std::ssize(lossless_) * buffer.reserved +
                  inverse_alpha * (frame + margin) + frames(dice_.one_of({2, 40}));
    if (auto* threshold = std::get_if<StaticThreshold>(&buffer.threshold)) threshold->size += margin + frame;
  }

  /// What all flows take one after another on the slowest link, and every way there and back.
  Duration total_time() const {
    const FrameSizes sizes{scenario_.frame};
    Bytes wire{0};
    for (const FlowConfig& flow : std::get<FlowsConfig>(scenario_.jobs.front()).flows) {
      wire += flow.messages * sizes.message_on_wire(flow.operation, flow.size);
    }
    Duration total{0};
    Rate slowest{INT64_MAX};
    for (const LinkConfig& link : scenario_.topology.links) {
      total += link.round_trip();
      slowest = std::min({slowest, link.rate, link.rate_from(link.b)});
    }
    return total + serialisation(wire, slowest);
  }

  bool loses() const {
    return options_.traffic == Traffic::mixed || options_.headroom == HeadroomSizes::starved ||
           options_.script != Script::holds;
  }

  void make_nics() {
    const Duration total = total_time();
    scenario_.stop.stalled_after = 20 * total + Duration{50'000 * microsecond};
    for (NicConfig& nic : scenario_.nics) {
      nic.queue_depth = dice_.chance(50) ? 128 : dice_.small(1, 4);
      nic.ack_every = dice_.one_of({1, 2, 16, 64});
      if (dice_.chance(40)) nic.max_unacked = dice_.between(1, 40);
      nic.initial_psn = static_cast<std::uint32_t>(dice_.chance(50) ? 0 : 0xFF'FFFF - dice_.between(0, 20));
      nic.retry_count = 1000;
      nic.timeout = loses() ? Duration{dice_.between(total.picoseconds() / 2, 4 * total.picoseconds())}
                            : Duration{1'000'000 * microsecond};
      // Acknowledges that lossy data pushes out of a buffer of a few frames, each time anew, would end a flow for good.
      if (options_.traffic == Traffic::mixed || dice_.chance(30)) nic.ack_priority = dice_.one_of(lossless_);
      make_connections(dice_, nic, loses() ? Losses::some : Losses::none);
    }
    if (options_.traffic == Traffic::lossless && dice_.chance(40)) make_slow_receivers();
  }

  /// Receivers whose buffer above XOFF is the budget of their link.
  void make_slow_receivers() {
    const PortMap ports = build_ports(scenario_.topology);
    for (std::size_t h = 0; h < scenario_.nics.size(); ++h) {
      if (dice_.chance(50)) continue;
      const NodeId node = ports.node_of(HostId{h});
      const LinkConfig& link = scenario_.topology.links[ports.at({node, PortId{0U}}).link.index()];
      HeadroomQuery query;
      query.rate = link.rate_from(link.peer_of(node));
      query.reverse_rate = link.rate_from(node);
      query.one_way = link.one_way_from(link.peer_of(node));
      query.way_back = link.one_way_from(node);
      query.largest_frame = largest_frame(scenario_);
      query.response = response_time(scenario_.pfc, query.rate);
      SlowReceiver slow;
      slow.rate = Rate{query.rate.bits_per_second() / dice_.between(1, 5)};
      slow.xoff = Bytes{1 + dice_.between(0, 6 * query.largest_frame.count())};
      slow.xon = Bytes{dice_.between(0, slow.xoff.count())};
      slow.buffer = slow.xoff + headroom_budget(query).automatic;
      scenario_.nics[h].receive = slow;
    }
  }

  LinkId any_link() {
    return LinkId{
        static_cast<std::size_t>(dice_.between(0, static_cast<std::int64_t>(scenario_.topology.links.size()) - 1))};
  }
  NodeId any_end(LinkId id) {
    const LinkConfig& link = scenario_.topology.links[id.index()];
    return dice_.chance(50) ? link.a : link.b;
  }

  void make_loss_burst() {
    LossBurstFault fault;
    fault.link = any_link();
    fault.from = any_end(fault.link);
    fault.at = Time{dice_.between(0, 30 * microsecond)};
    if (dice_.chance(50)) {
      fault.until = fault.at + Duration{dice_.between(1, 5 * microsecond)};
    } else {
      fault.frames = dice_.between(1, 20);
    }
    scenario_.faults.emplace_back(fault);
  }
  void make_protection() {
    ProtectionFault fault;
    fault.link = any_link();
    fault.at = Time{dice_.between(1, 30 * microsecond)};
    fault.length = Length{dice_.between(1, 3'000'000)};
    fault.outage = Duration{dice_.chance(50) ? 0 : dice_.between(1, 10 * microsecond)};
    if (dice_.chance(70)) fault.until = fault.at + fault.outage + Duration{dice_.between(1, 30 * microsecond)};
    scenario_.faults.emplace_back(fault);
  }

  void make_script() {
    for (int i = dice_.small(0, 2); i > 0; --i) {
      const LinkId link = any_link();
      const Time from{dice_.between(1, 30 * microsecond)};
      const Duration length{dice_.between(1, dice_.one_of({10, 200}) * microsecond)};
      scenario_.faults.emplace_back(HoldFault{link, any_end(link), from, from + length, {}});
    }
    if (options_.script == Script::holds) return;
    for (int i = dice_.small(1, 4); i > 0; --i) {
      const LinkId link = any_link();
      const DropKind kind = dice_.chance(60) ? DropKind::data : DropKind::acknowledge;
      scenario_.faults.emplace_back(DropFault{link, any_end(link), kind, dice_.between(1, 30), {}});
    }
    // PFC frames are kept: without an XOFF a buffer may overflow, which is for the outages.
    if (dice_.chance(50)) {
      LossConfig loss{.packets = {dice_.chance(70) ? 0.02 : 0.0}, .bits = {dice_.chance(50) ? 1e-6 : 0.0}};
      if (loss.packets.value > 0 && dice_.chance(50)) loss.burst = Ratio{dice_.between(3, 8), 2};
      loss.control = options_.script == Script::outages || options_.script == Script::failures;
      scenario_.topology.links[any_link().index()].loss = loss;
    }
    if (dice_.chance(30)) make_loss_burst();
    if (options_.script == Script::losses) return;
    for (int i = dice_.small(1, 2); i > 0; --i) {
      const Time down{dice_.between(1, 30 * microsecond)};
      scenario_.faults.emplace_back(
          LinkDownFault{any_link(), down, down + Duration{dice_.between(1, 30 * microsecond)}, {}});
    }
  }

  RandomOptions options_;
  Dice dice_;
  Dice deep_dice_;  ///< of its own, so that all else is as without it
  Dice routing_dice_;
  Scenario scenario_;
  Rate base_rate_;
  std::vector<Priority> lossless_;
};

}  // namespace

Scenario random_scenario(std::uint64_t seed, const RandomOptions& options) {
  return Maker{seed, options}.make();
}

std::uint64_t property_seeds() {
  const char* text = std::getenv("SOYA_PROPERTY_SEEDS");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 200;
}

}  // namespace soya::test
