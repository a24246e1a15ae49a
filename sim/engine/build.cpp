#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/quantity_text.hpp"
#include "core/random.hpp"
#include "engine/headroom_auto.hpp"
#include "engine/port_setup.hpp"
#include "engine/routes.hpp"
#include "engine/state.hpp"
#include "planning/tier_load.hpp"
#include "scenario/quantity.hpp"
#include "topology/route_loops.hpp"

namespace soya {

namespace {

Switch::Setup switch_setup(SimulationState& state, SwitchId id) {
  const Scenario& scenario = state.scenario;
  const SwitchConfig& config = scenario.switches[id.index()];
  const NodeId node = state.node_of(id);
  Switch::Setup setup;
  setup.buffer = buffer_setup_of(scenario, state.routing->ports(), id, state.headroom_auto[id.index()]);
  setup.scheduler = config.scheduler;
  setup.latency = config.latency;
  setup.routes = &state.routing->table(id);
  if (spreads_flows(config.routing.policy) || !state.reconvergences.empty()) {
    const std::string stream = "routing" + (source_separator + state.node_name(node));
    setup.choice.emplace(config.routing, RandomStreams{scenario.seed}.stream(stream));
  }
  setup.largest_frame = largest_frame(scenario);
  const std::size_t ports = state.routing->ports().ports_of(node).size();
  for (std::size_t p = 0; p < ports; ++p)
    setup.ports.push_back(port_setup(state, {node, PortId{p}}, switch_events, id.value()));
  if (setup.buffer.deep) {
    setup.deep_memory = state.add_source(node, state.node_name(node) + source_separator + "deep memory",
                                         {EventKind::switch_deep_memory, id.value(), 0});
  }
  return setup;
}

/// A size as a scenario spells it.
std::string yaml_size(Bytes size) {
  return reading::format_number(size.count(), reading::Dimension::size);
}

/// A reason that keeps switches from being built.
struct BufferProblem {
  Where where;
  std::string message;
  std::optional<Bytes> remedy;  ///< the smallest buffer that would do
  std::vector<std::string> switches;
  std::string example{};  ///< what is told of the first switch only
};

/// Where to look for what makes the budget of a port so large: the key of its largest part.
Where largest_part(const SimulationState& state, PortRef ref) {
  const Scenario& scenario = state.scenario;
  const HeadroomBudget budget = headroom_budget_of(scenario, state.routing->ports(), ref, largest_frame(scenario));
  if (budget.response > std::max({budget.propagation, budget.waiting, budget.pause_frame, 2 * budget.frame})) {
    return scenario.where("fabric.pfc.response");
  }
  const LinkConfig& link = scenario.topology.links[state.routing->ports().at(ref).link.index()];
  return link.where.path.empty() ? scenario.where_of_default("topology.links") : link.where;
}

/// Where one port alone is too much for its buffer, the buffer may be what was meant and the response time not.
std::string response_advice(const SimulationState& state, SwitchId id) {
  const SwitchConfig& config = state.scenario.switches[id.index()];
  const bool has_none = std::holds_alternative<NoHeadroom>(config.headroom.mode);
  if (has_none || config.headroom.size || !state.scenario.pfc.response) return "";
  const std::vector<Bytes>& automatic = state.headroom_auto[id.index()];
  const auto most = std::max_element(automatic.begin(), automatic.end());
  if (most == automatic.end() || *most <= config.buffer.memory()) return "";
  const PortRef ref{state.node_of(id), PortId{static_cast<std::size_t>(most - automatic.begin())}};
  const std::string key = largest_part(state, ref).path;
  return key == "fabric.pfc.response" ? "; the largest part of the headroom is due to " + key : "";
}

/// A headroom that no switch can have; nothing where there is none.
std::optional<BufferProblem> headroom_problem(const SimulationState& state, SwitchId id) {
  const Scenario& scenario = state.scenario;
  const HeadroomConfig& config = scenario.switches[id.index()].headroom;
  if (std::holds_alternative<NoHeadroom>(config.mode) || scenario.pfc.priorities.empty()) return std::nullopt;
  const std::string& name = state.node_name(state.node_of(id));
  const std::string range = " is not between 1 and " + grouped(SharedBuffer::largest.count()) + " (bytes)";
  if (config.size) {
    if (*config.size > Bytes{0} && *config.size <= SharedBuffer::largest) return std::nullopt;
    const std::optional<Where> given = scenario.where_of_switch(name, {"headroom.size"});
    return BufferProblem{given.value_or(scenario.where_of_default("fabric.headroom.size")),
                         "headroom " + grouped(config.size->count()) + " of each lossless priority" + range,
                         std::nullopt,
                         {name}};
  }
  const std::vector<Bytes>& automatic = state.headroom_auto[id.index()];
  const auto largest = std::max_element(automatic.begin(), automatic.end());
  if (largest == automatic.end() || *largest <= SharedBuffer::largest) return std::nullopt;
  const PortId port{static_cast<std::size_t>(largest - automatic.begin())};
  return BufferProblem{
      largest_part(state, {state.node_of(id), port}),
      "the largest part of an automatic headroom that" + range,
      std::nullopt,
      {name},
      ": " + grouped(largest->count()) + " at port " + state.port_name(state.node_of(id), port) + " of " + name};
}

struct SizeNow {
  Bytes size;
  Bytes standard;  ///< what it is where nothing is given
};

/// The memory whose size may be what is wrong: its key, where that stands, and what would do.
struct SizeKey {
  Where where;
  std::optional<Bytes> remedy;
  std::string advice;
};

SizeKey size_key(const Scenario& scenario, const std::string& name, const std::string& key, const SizeNow& now,
                 std::optional<Bytes> remedy) {
  const std::optional<Where> given = scenario.where_of_switch(name, {key});
  SizeKey size{given.value_or(scenario.where_of_default("fabric." + key)), remedy, ""};
  if (!remedy) return size;
  size.advice = given || now.size != now.standard ? "; " : "; " + yaml_size(now.size) + " is the default, ";
  size.advice += "it takes at least " + size.where.path + "=" + yaml_size(*remedy);
  return size;
}

/// The reasons of one switch. Those of switches alike are equal but for the names.
std::vector<BufferProblem> buffer_problems(const SimulationState& state, SwitchId id) {
  const Scenario& scenario = state.scenario;
  const SwitchConfig& config = scenario.switches[id.index()];
  const std::string& name = state.node_name(state.node_of(id));
  const bool is_deep = config.buffer.deep.has_value();
  const std::vector<std::string> keys{is_deep ? "buffer.deep.size" : "buffer.size",
                                      "headroom.size",
                                      "buffer.reserved",
                                      "buffer.alpha",
                                      "buffer.threshold",
                                      "buffer.lossy_alpha",
                                      "buffer.cell"};
  const std::vector<std::string> threshold_keys{"buffer.threshold", "buffer.alpha", "headroom.size", "headroom.mode"};
  if (std::optional<BufferProblem> headroom = headroom_problem(state, id)) return {std::move(*headroom)};
  const SharedBufferSetup setup =
      buffer_setup_of(scenario, state.routing->ports(), id, state.headroom_auto[id.index()]);
  const Bytes frame = largest_frame(scenario);
  const SizeNow now{config.buffer.memory(), is_deep ? DeepConfig{}.size : BufferConfig{}.size};
  const SizeKey size = size_key(scenario, name, keys.front(), now, SharedBuffer::smallest_size(setup, frame));
  std::vector<BufferProblem> problems;
  for (const std::string& problem : SharedBuffer::problems(setup, frame)) {
    if (problem.starts_with("on chip: deep threshold")) {
      const Where key = scenario.where_of_switch(name, {"buffer.deep.threshold"})
                            .value_or(scenario.where_of_default("fabric.buffer.deep.threshold"));
      const std::string advice = "; it takes at most " + key.path + "=" + yaml_size(config.buffer.size);
      problems.push_back({key, problem + advice, std::nullopt, {name}, {}});
    } else if (problem.starts_with("on chip: ")) {
      const Bytes least = SharedBuffer::smallest_on_chip(setup, frame);
      const SizeKey on_chip = size_key(scenario, name, "buffer.size", {config.buffer.size, BufferConfig{}.size}, least);
      problems.push_back({on_chip.where, problem + on_chip.advice, least, {name}, {}});
    } else {
      // No size of buffer helps a static threshold.
      const bool of_threshold = problem.starts_with("threshold: ") && !size.remedy;
      const auto where = scenario.where_of_switch(name, of_threshold ? threshold_keys : keys);
      problems.push_back(
          {where.value_or(size.where), problem + size.advice + response_advice(state, id), size.remedy, {name}, {}});
    }
  }
  return problems;
}

std::string counted(std::size_t count) {
  return grouped(static_cast<std::int64_t>(count));
}

/// "switch s1", "switches s1 and s2", or "switches s1, s2, s3 and 5 more".
std::string switch_list(const std::vector<std::string>& names) {
  constexpr std::size_t listed = 3;
  if (names.size() == 1) return "switch " + names.front();
  std::string text = "switches ";
  // A fourth name takes no more room than its count.
  const std::size_t shown = names.size() > listed + 1 ? listed : names.size();
  for (std::size_t i = 0; i < shown; ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return shown < names.size() ? text + " and " + counted(names.size() - shown) + " more" : text;
}

/// Every reason a switch's buffer cannot work, one for all switches that are alike, those that need most first.
void check_buffers(const SimulationState& state, std::vector<Diagnostic>& errors) {
  constexpr std::size_t spelled_out = 8;
  std::vector<BufferProblem> problems;
  std::map<std::string, std::size_t> known;
  for (std::size_t s = 0; s < state.scenario.switches.size(); ++s) {
    for (BufferProblem& problem : buffer_problems(state, SwitchId{s})) {
      const std::string text = Diagnostic{problem.where, problem.message}.text();
      const auto [entry, is_new] = known.try_emplace(text, problems.size());
      if (is_new)
        problems.push_back(std::move(problem));
      else
        problems[entry->second].switches.push_back(std::move(problem.switches.front()));
    }
  }
  std::stable_sort(problems.begin(), problems.end(),
                   [](const BufferProblem& a, const BufferProblem& b) { return a.remedy > b.remedy; });
  std::size_t others = 0;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (i >= spelled_out) {
      others += problems[i].switches.size();
    } else {
      errors.push_back(
          {problems[i].where, switch_list(problems[i].switches) + ": " + problems[i].message + problems[i].example});
    }
  }
  if (others > 0) {
    const char* what = others == 1 ? " more switch with such a buffer" : " more switches with such buffers";
    errors.push_back({{}, "and " + counted(others) + what});
  }
}

}  // namespace

std::string SimulationState::port_name(NodeId node, PortId port) const {
  return port_label(scenario.topology, routing->ports(), {node, port});
}

Port& SimulationState::port_at(PortRef ref) {
  const PortMap& map = routing->ports();
  if (map.is_accelerator(ref.node)) return accelerator_at(ref.node).port(ref.port);
  return map.is_host(ref.node) ? nics[map.host_at(ref.node).index()].port()
                               : switches[map.switch_at(ref.node).index()].port(ref.port);
}

const Port& SimulationState::port_at(PortRef ref) const {
  const PortMap& map = routing->ports();
  if (map.is_accelerator(ref.node)) return accelerator_at(ref.node).port(ref.port);
  return map.is_host(ref.node) ? nics[map.host_at(ref.node).index()].port()
                               : switches[map.switch_at(ref.node).index()].port(ref.port);
}

SourceId SimulationState::add_source(NodeId node, const std::string& name, Event event) {
  return home_of(node).events.add_source(hash_name(name), event);
}

SourceId SimulationState::add_script_source(const std::string& name, Event event) {
  return script.add_source(hash_name(name), event);
}

void SimulationState::build_fabric(const Threads& given) {
  const TopologyConfig& topology = scenario.topology;
  routing.emplace(routing_of(scenario));
  const PortMap& ports = routing->ports();
  reconvergences = reconvergences_of(scenario);
  headroom_auto = automatic_headroom(scenario, routing->ports());

  std::vector<Diagnostic> errors = route_problems(topology, *routing);
  if (errors.empty()) errors = loops_after_failures(scenario);
  for (Diagnostic& problem : spreading_problems(scenario)) errors.push_back(std::move(problem));
  for (Diagnostic& problem : formula_problems(scenario, routing->ports())) errors.push_back(std::move(problem));
  check_buffers(*this, errors);
  for (Diagnostic& problem : accelerator_problems(scenario, routing->ports())) errors.push_back(std::move(problem));
  if (!errors.empty()) throw ScenarioError(std::move(errors));
  warn_of_headroom();
  warn_of_thresholds();
  warn_of_deep_memory();
  warn_of_pauses();
  warn_of_reordering();
  warn_of_cycles();

  make_partitions(given);
  for (const SwitchConfig& one : scenario.switches) latencies.push_back(one.latency);
  latencies.resize(ports.forwarder_count());  // an accelerator has no pipeline
  switches.reserve(ports.switch_count());
  for (std::size_t s = 0; s < ports.switch_count(); ++s) {
    switches.emplace_back(scenario.pfc, switch_setup(*this, SwitchId{s}));
  }
  nics.reserve(ports.host_count());
  for (std::size_t h = 0; h < ports.host_count(); ++h) {
    const NodeId node = ports.node_of(HostId{h});
    const std::string& name = node_name(node);
    Nic::Setup setup;
    setup.host = HostId{h};
    setup.port = port_setup(*this, {node, PortId{0U}}, nic_events, static_cast<std::uint32_t>(h));
    const auto object = static_cast<std::uint32_t>(h);
    setup.timer = add_source(node, name + source_separator + "timer", {EventKind::nic_timer, object, 0});
    setup.receive = add_source(node, name + source_separator + "receive", {EventKind::nic_receive, object, 0});
    setup.completions = add_source(node, name + source_separator + "completions", {EventKind::host_completions, object, 0});
    setup.waits = add_source(node, name + source_separator + "waits", {EventKind::nic_wait, object, 0});
    nics.emplace_back(scenario.nics[h], scenario.pfc, sizes, setup);
  }
  build_accelerators();
  for (std::size_t n = 0; n < topology.nodes.size(); ++n) {
    const auto plugs = ports.ports_of(NodeId{n});
    for (std::size_t p = 0; p < plugs.size(); ++p) {
      Port& port = port_at({NodeId{n}, PortId{p}});
      connect({NodeId{n}, PortId{p}});
      if (const auto& loss = topology.links[plugs[p].link.index()].loss) {
        const std::string name =
            "loss" + (source_separator + node_name(NodeId{n})) + source_separator + port_name(NodeId{n}, PortId{p});
        port.outgoing().lose_at_random(*loss, RandomStreams{scenario.seed}.stream(name));
      }
    }
  }
}

}  // namespace soya
