// What is odd but legal once the fabric is known: headroom below the budget, pauses that do not hold.
// Read by build.cpp.
#include <algorithm>
#include <optional>
#include <string>

#include "core/quantity_text.hpp"
#include "engine/headroom_auto.hpp"
#include "engine/state.hpp"
#include "scenario/quantity.hpp"
#include "topology/buffer_cycles.hpp"

namespace soya {

namespace {

std::string counted(std::size_t count) {
  return grouped(static_cast<std::int64_t>(count));
}

/// A port that may be paused, as its neighbour sees it.
struct PausedPort {
  Rate rate;      ///< of the port
  Duration wait;  ///< of a PAUSE for the largest frame of its own direction

  /// Whether the repeat of a pause comes in time, at the latest: its PAUSE takes as long as the one before.
  [[nodiscard]] bool holds(std::int64_t quanta, Ratio refresh) const {
    const Duration length = quanta_time(quanta, rate);
    return Duration{scaled(length.picoseconds(), refresh)} + wait <= length;
  }
  /// The fewest quanta that hold; the end of the 16 bits where none do.
  [[nodiscard]] std::int64_t least_quanta(Ratio refresh) const {
    std::int64_t least = 1;
    for (std::int64_t end = no_quanta; least < end;) {
      const std::int64_t middle = (least + end) / 2;
      if (holds(middle, refresh)) {
        end = middle;
      } else {
        least = middle + 1;
      }
    }
    return least;
  }
  static constexpr std::int64_t no_quanta = 65'536;
};

/// What would hold at every port, of which `worst` needs most quanta; "" where nothing does.
std::string pause_advice(const PausedPort& worst, const PfcConfig& pfc) {
  const std::int64_t quanta = worst.least_quanta(pfc.refresh);
  if (quanta < PausedPort::no_quanta) return "; try fabric.pfc.quanta=" + std::to_string(quanta);
  constexpr Ratio half{1, 2};
  if (worst.holds(pfc.quanta, half)) return "; try fabric.pfc.refresh=1/2";
  const std::int64_t with_half = worst.least_quanta(half);
  if (with_half == PausedPort::no_quanta) return "";
  return "; try fabric.pfc.refresh=1/2 and fabric.pfc.quanta=" + std::to_string(with_half);
}

/// What to change so that a group of a port may hold `budget`, where `automatic` is what `size: auto` gives it.
std::string headroom_advice(const HeadroomConfig& config, Bytes automatic, Bytes budget) {
  const auto size = [](Bytes bytes) { return reading::format_number(bytes.count(), reading::Dimension::size); };
  if (const auto* pool = std::get_if<SharedPoolHeadroom>(&config.mode)) {
    return pool->cap && *pool->cap < budget ? "cap=" + size(budget) : "pool=" + size(budget) + " or more";
  }
  return !config.size && automatic < budget ? "formula=soya" : "size=auto";
}

}  // namespace

/// One warning for all ports whose headroom is below the budget: the worst by name, the others by count.
void SimulationState::warn_of_headroom() {
  if (scenario.pfc.priorities.empty()) return;
  std::size_t small = 0;
  Bytes largest_gap{0};
  std::string worst;
  std::string advice;
  const auto budgets = headroom_budgets(scenario, routing->ports());
  for (std::size_t s = 0; s < scenario.switches.size(); ++s) {
    const NodeId node = node_of(SwitchId{s});
    const HeadroomConfig& config = scenario.switches[s].headroom;
    if (std::holds_alternative<NoHeadroom>(config.mode)) continue;  // loss is allowed, in so many words
    const std::vector<Bytes> configured = headroom_of_groups(config, scenario.pfc.priorities, headroom_auto[s]);
    for (std::size_t p = 0; p < configured.size(); ++p) {
      const Bytes budget = budgets[s][p].automatic;
      const Bytes gap = budget - configured[p];
      if (gap <= Bytes{0}) continue;
      ++small;
      if (gap <= largest_gap) continue;
      largest_gap = gap;
      worst = "switch " + node_name(node) + " port " + port_name(node, PortId{p}) + " has " +
              bytes_text(configured[p]) + " of headroom, " + bytes_text(budget) + " is the budget";
      advice = headroom_advice(config, headroom_auto[s][p], budget);
    }
  }
  if (small == 0) return;
  const std::string others =
      small == 2 ? "1 more port is below its own" : counted(small - 1) + " more ports are below theirs";
  warnings.push_back(worst + (small > 1 ? "; " + others : "") +
                     ": frames may be lost after a PAUSE; try fabric.headroom." + advice);
}

/// One warning for all ports whose pauses may run out before they are repeated: the worst by name, the others by count.
void SimulationState::warn_of_pauses() {
  const PfcConfig& pfc = scenario.pfc;
  if (pfc.priorities.empty()) return;
  const PortMap& map = routing->ports();
  const Bytes wire = largest_frame(scenario) + wire_gap;
  std::size_t small = 0;
  std::optional<PausedPort> worst;
  std::string pause;
  for (std::size_t n = 0; n < map.node_count(); ++n) {
    const NodeId node{n};
    if (map.is_host(node) && !scenario.nics[map.host_at(node).index()].receive) continue;
    const auto plugs = map.ports_of(node);
    for (std::size_t p = 0; p < plugs.size(); ++p) {
      const LinkConfig& link = scenario.topology.links[plugs[p].link.index()];
      const PausedPort port{link.rate_from(plugs[p].peer), serialisation(wire, link.rate_from(node))};
      if (port.holds(pfc.quanta, pfc.refresh)) continue;
      ++small;
      const Ratio compare{1, 2};  // below 1, where quanta can make up for a slow way back
      if (worst && port.least_quanta(compare) <= worst->least_quanta(compare)) continue;
      worst = port;
      const Duration length = quanta_time(pfc.quanta, port.rate);
      pause = "a PAUSE of " + counted(static_cast<std::size_t>(pfc.quanta)) + " quanta from " + node_name(node) +
              " to " + port_name(node, PortId{p}) + " lasts " + time_text(length) + " and is repeated after " +
              time_text(Duration{scaled(length.picoseconds(), pfc.refresh)}) + ", but the repeat may wait " +
              time_text(port.wait) + " for a frame of its own direction";
    }
  }
  if (!worst) return;
  const std::string others =
      small > 1 ? "; so at " + counted(small - 1) + " more " + (small == 2 ? "port" : "ports") : "";
  const std::string advice = pause_advice(*worst, pfc);
  const Where where =
      scenario.where(advice.find("refresh") == std::string::npos ? "fabric.pfc.quanta" : "fabric.pfc.refresh");
  warnings.push_back(Diagnostic{where, pause + others + ": frames slip through meanwhile" + advice}.text());
}

/// NICs that take a packet which overtakes another for a sign of loss, in a fabric where packets do.
void SimulationState::warn_of_reordering() {
  const auto first = std::ranges::find_if(
      scenario.switches, [](const SwitchConfig& config) { return spreads_flows(config.routing.policy); });
  if (first == scenario.switches.end()) return;
  const auto is_patient = [](const NicConfig& nic) {
    return nic.retransmission == Retransmission::selective_repeat && nic.reorder_timeout;
  };
  const auto hasty = std::ranges::count_if(scenario.nics, [&](const NicConfig& nic) { return !is_patient(nic); });
  if (hasty == 0) return;
  const std::string& name = node_name(node_of(SwitchId{static_cast<std::size_t>(first - scenario.switches.begin())}));
  const auto where = scenario.where_of_switch(name, {"routing.policy"});
  const std::string many = hasty == 1 ? "1 NIC takes" : counted(static_cast<std::size_t>(hasty)) + " NICs take";
  warnings.push_back(Diagnostic{where.value_or(scenario.where_of_default("fabric.routing.policy")),
                                "frames of a flow take several ways and may overtake each other, and " + many +
                                    " that for a loss and have packets sent again; try "
                                    "nic.retransmission=selective-repeat and nic.reorder_timeout=100us"}
                         .text());
}

/// One warning for all switches whose static threshold is reached by any frame: legal, and hardly meant.
void SimulationState::warn_of_thresholds() {
  if (scenario.pfc.priorities.empty()) return;
  const Bytes frame = largest_frame(scenario);
  std::size_t small = 0;
  std::string first;
  for (std::size_t s = 0; s < scenario.switches.size(); ++s) {
    const auto* threshold = std::get_if<StaticThreshold>(&scenario.switches[s].buffer.threshold);
    if (threshold == nullptr || threshold->size >= frame) continue;
    if (++small > 1) continue;
    const std::string& name = node_name(node_of(SwitchId{s}));
    const auto where = scenario.where_of_switch(name, {"buffer.threshold"});
    first = Diagnostic{where.value_or(scenario.where_of_default("fabric.buffer.threshold")),
                       "switch " + name + " has a threshold of " + bytes_text(threshold->size)}
                .text();
  }
  if (small == 0) return;
  warnings.push_back(first + (small > 1 ? ", as " + counted(small - 1) + " more" : "") + ", less than one frame of " +
                     bytes_text(frame) + ": every frame pauses its sender");
}

/// One warning for all circles of links that may wait for each other: the first by name, the others by count.
void SimulationState::warn_of_cycles() {
  if (scenario.pfc.priorities.empty()) return;
  const std::vector<BufferCycle> cycles = buffer_cycles(*routing);
  if (cycles.empty()) return;
  const std::string others = cycles.size() == 1   ? ""
                             : cycles.size() == 2 ? "; 1 more circle like it"
                                                  : "; " + counted(cycles.size() - 1) + " more circles like it";
  warnings.push_back("lossless frames may wait for each other in a circle, for ever once all its buffers are full: " +
                     cycle_text(scenario.topology, cycles.front()) + others +
                     "; fabric.routing.order=up-down, where the tiers allow it, has none");
}

/// One warning for all switches whose off-chip memory is slower than their ports: legal, as on chips, which count on
/// few queues being long at once.
void SimulationState::warn_of_deep_memory() {
  if (scenario.pfc.priorities.empty()) return;
  const PortMap& map = routing->ports();
  std::size_t slow = 0;
  std::string first;
  for (std::size_t s = 0; s < scenario.switches.size(); ++s) {
    const auto& deep = scenario.switches[s].buffer.deep;
    if (!deep) continue;
    const NodeId node = node_of(SwitchId{s});
    std::int64_t most = 0;
    for (const PortLink& plug : map.ports_of(node)) {
      most += scenario.topology.links[plug.link.index()].rate_from(plug.peer).bits_per_second();
    }
    if (deep->bandwidth.bits_per_second() >= 2 * most || ++slow > 1) continue;
    const auto rate = [](std::int64_t bits) { return reading::format_number(bits, reading::Dimension::rate); };
    const auto where = scenario.where_of_switch(node_name(node), {"buffer.deep.bandwidth", "buffer.deep"});
    first = Diagnostic{where.value_or(scenario.where_of_default("fabric.buffer.deep.bandwidth")),
                       "switch " + node_name(node) + " writes and reads " + rate(deep->bandwidth.bits_per_second()) +
                           " off chip, and its ports bring up to " + rate(most) + ", to be written and read"}
                .text();
  }
  if (slow == 0) return;
  warnings.push_back(first + (slow > 1 ? "; so at " + counted(slow - 1) + " more" : "") +
                     ": where so much goes off chip, senders are paused while on-chip memory is full");
}

}  // namespace soya
