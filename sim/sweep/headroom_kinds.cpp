#include "sweep/headroom_kinds.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <variant>

#include "engine/headroom_auto.hpp"
#include "engine/longest_link.hpp"
#include "net/frame.hpp"
#include "net/pfc_config.hpp"

namespace soya {

namespace {

/// The figures of all switch ports, in the order of switches and ports, as the rows of a result are.
std::vector<PortFigures> figures(const Scenario& scenario, const PortMap& ports, const RunResults& run) {
  std::vector<PortFigures> all;
  auto row = run.queues.begin();
  for (std::size_t s = 0; s < ports.switch_count(); ++s) {
    const NodeId node = ports.node_of(SwitchId{s});
    for (std::size_t p = 0; p < ports.ports_of(node).size(); ++p) {
      PortFigures port{};
      port.ref = {node, PortId{p}};
      for (int left = std::popcount(scenario.pfc.priorities.bits()); left > 0; ++row) {
        if (!row->lossless) continue;
        --left;
        port.node = row->node;
        port.port = row->port;
        port.configured = std::max(port.configured, Bytes{row->headroom_configured_bytes});
        port.peak = std::max(port.peak, Bytes{row->headroom_peak_bytes});
        port.needed = std::max(port.needed, Bytes{row->headroom_needed_bytes});
        port.dropped += row->dropped_frames;
      }
      all.push_back(port);
    }
  }
  return all;
}

const SwitchConfig& switch_of(const Scenario& scenario, const PortMap& ports, NodeId node) {
  return scenario.switches[ports.switch_at(node).index()];
}

/// The link a port receives from, with frames of `frame` bytes.
WorstCase worst_case_of(const Scenario& scenario, const PortMap& ports, PortRef ref, Bytes frame) {
  const PortLink& plug = ports.at(ref);
  const LinkConfig link = longest_link(scenario, plug.link);
  const BufferConfig& buffer = switch_of(scenario, ports, ref.node).buffer;
  WorstCase what;
  what.rate = link.rate_from(plug.peer);
  if (link.rate_from(ref.node) != what.rate) what.reverse_rate = link.rate_from(ref.node);
  what.one_way = std::max(link.one_way_from(plug.peer), Duration{1});
  if (link.is_asymmetric()) what.way_back = link.one_way_from(ref.node);
  what.frame = scenario.frame;
  // The mtu whose Middle frames are as large as the largest frame of the scenario.
  what.frame.mtu = frame - FrameSizes{scenario.frame}.overhead();
  what.response = response_time(scenario.pfc, what.rate);
  what.cell = buffer.cell;
  what.threshold =
      std::holds_alternative<StaticThreshold>(buffer.threshold) ? ThresholdKind::static_ : ThresholdKind::dynamic;
  return what;
}

bool alike(const WorstCase& a, const WorstCase& b) {
  return a.rate == b.rate && a.reverse_rate == b.reverse_rate && a.one_way == b.one_way && a.way_back == b.way_back;
}

bool alike(const SwitchConfig& a, const SwitchConfig& b) {
  return a.buffer == b.buffer && a.headroom == b.headroom && a.latency == b.latency;
}

bool has_size_by_port(const HeadroomMode& mode) {
  return !std::holds_alternative<SharedPoolHeadroom>(mode) && !std::holds_alternative<NoHeadroom>(mode);
}

}  // namespace

std::vector<PortKind> port_kinds(const Scenario& scenario, const PortMap& ports, const RunResults& run) {
  const Bytes frame = largest_frame(scenario);
  std::vector<PortKind> kinds;
  for (const PortFigures& port : figures(scenario, ports, run)) {
    const WorstCase link = worst_case_of(scenario, ports, port.ref, frame);
    const SwitchConfig& config = switch_of(scenario, ports, port.ref.node);
    const LinkConfig cable = longest_link(scenario, ports.at(port.ref).link);
    const NodeId peer = ports.at(port.ref).peer;
    const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const PortKind& kind) {
      const PortFigures& first = kind.ports.front();
      return alike(kind.link, link) && kind.length == cable.length_from(peer) && kind.delay == cable.delay_from(peer) &&
             alike(switch_of(scenario, ports, first.ref.node), config);
    });
    if (same != kinds.end()) {
      same->ports.push_back(port);
      continue;
    }
    PortKind kind{};
    kind.ports = {port};
    kind.link = link;
    kind.length = cable.length_from(peer);
    kind.delay = cable.delay_from(peer);
    kind.budget = headroom_budget_of(scenario, ports, port.ref, frame);
    kind.mode = config.headroom.mode;
    kind.sized_by_port = has_size_by_port(config.headroom.mode);
    kinds.push_back(std::move(kind));
  }
  return kinds;
}

namespace {

/// Automatic headroom of the ports of a switch, in ascending order: what makes pools alike beside their settings.
std::vector<Bytes> budgets_of(const Scenario& scenario, const PortMap& ports, NodeId node) {
  std::vector<Bytes> sizes;
  for (std::size_t p = 0; p < ports.ports_of(node).size(); ++p) {
    sizes.push_back(headroom_budget_of(scenario, ports, {node, PortId{p}}, largest_frame(scenario)).automatic);
  }
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

}  // namespace

std::vector<PoolKind> pool_kinds(const Scenario& scenario, const PortMap& ports, const RunResults& run) {
  std::vector<PoolKind> kinds;
  for (std::size_t s = 0; s < ports.switch_count(); ++s) {
    const SwitchConfig& config = scenario.switches[s];
    const auto* shared = std::get_if<SharedPoolHeadroom>(&config.headroom.mode);
    if (shared == nullptr) continue;
    const NodeId node = ports.node_of(SwitchId{s});
    const std::vector<Bytes> budgets = budgets_of(scenario, ports, node);
    const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const PoolKind& kind) {
      const SwitchId first = kind.switches.front();
      return alike(scenario.switches[first.index()], config) &&
             budgets_of(scenario, ports, ports.node_of(first)) == budgets;
    });
    PoolKind& kind = same != kinds.end() ? *same : kinds.emplace_back();
    const SwitchRow& row = run.switches[s];
    kind.nodes.push_back(row.node);
    kind.switches.push_back(SwitchId{s});
    kind.pool = Bytes{row.headroom_bytes};
    kind.cap = shared->cap;
    kind.groups = static_cast<std::size_t>(row.lossless_groups);
    kind.peak = std::max(kind.peak, Bytes{row.headroom_peak_bytes});
    kind.needed = std::max(kind.needed, Bytes{row.headroom_needed_bytes});
    kind.groups_peak = std::max(kind.groups_peak, static_cast<std::size_t>(row.groups_in_headroom_max));
  }
  return kinds;
}

std::optional<std::size_t> groups_covered(const std::vector<PortKind>& kinds, const PortMap& ports,
                                          const PoolKind& pool) {
  const NodeId node = ports.node_of(pool.switches.front());
  const std::size_t priorities = pool.groups / ports.ports_of(node).size();
  std::vector<Bytes> needs;
  for (const PortKind& kind : kinds) {
    for (const PortFigures& port : kind.ports) {
      if (port.ref.node != node) continue;
      if (!kind.worst) return std::nullopt;
      needs.insert(needs.end(), priorities, kind.worst->smallest);
    }
  }
  std::sort(needs.begin(), needs.end(), std::greater<>{});
  if (pool.cap && !needs.empty() && needs.front() > *pool.cap) return 0;
  std::size_t covered = 0;
  for (Bytes sum; covered < needs.size() && (sum += needs[covered]) <= pool.pool;) ++covered;
  return covered;
}

}  // namespace soya
