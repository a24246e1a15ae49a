#include "scenario/keys.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/suggest.hpp"
#include "scenario/key_tables.hpp"
#include "scenario/key_tables_device.hpp"
#include "scenario/key_tables_families.hpp"
#include "scenario/key_tables_nic.hpp"
#include "scenario/key_tables_routing.hpp"
#include "scenario/key_tables_run.hpp"
#include "scenario/key_tables_work.hpp"

namespace soya::reading {

namespace {

constexpr auto sections = std::to_array<SectionKeys>({
    {SectionId::root, "", root_keys},
    {SectionId::topology, "topology", topology_keys},
    {SectionId::link, "topology.link_types.*", link_keys},
    {SectionId::loss, "topology.link_types.*.loss", loss_keys},
    {SectionId::part, "topology.parts[]", part_keys, {}, Picks::exactly_one},
    {SectionId::leaf_spine, "topology.parts[].leaf_spine", leaf_spine_keys},
    {SectionId::fat_tree, "topology.parts[].fat_tree", fat_tree_keys},
    {SectionId::clos, "topology.parts[].clos", clos_keys},
    {SectionId::rail_optimized, "topology.parts[].rail_optimized", rail_optimized_keys},
    {SectionId::dragonfly, "topology.parts[].dragonfly", dragonfly_keys},
    {SectionId::torus, "topology.parts[].torus", torus_keys},
    {SectionId::ring_topology, "topology.parts[].ring", ring_topology_keys},
    {SectionId::multi_site, "topology.parts[].multi_site", multi_site_keys},
    {SectionId::site, "topology.parts[].multi_site.sites[]", site_keys, family_keys},
    {SectionId::node, "topology.nodes.*", node_keys},
    {SectionId::placed_link, "topology.links[]", placed_link_keys, link_keys},
    {SectionId::route, "topology.routes[]", route_keys},
    {SectionId::fabric, "fabric", fabric_keys, switch_keys},
    {SectionId::switch_, "switches.*", one_switch_keys, switch_keys},
    {SectionId::buffer, "fabric.buffer", buffer_keys},
    {SectionId::deep, "fabric.buffer.deep", deep_keys},
    {SectionId::headroom, "fabric.headroom", headroom_keys},
    {SectionId::pfc, "fabric.pfc", pfc_keys},
    {SectionId::routing, "fabric.routing", fabric_routing_keys, routing_keys},
    {SectionId::switch_routing, "switches.*.routing", routing_keys},
    {SectionId::scheduler, "fabric.scheduler", scheduler_keys},
    {SectionId::nic, "nic", nic_keys},
    {SectionId::receive, "nic.receive", receive_keys},
    {SectionId::receive_queue, "nic.receive_queue", receive_queue_keys},
    {SectionId::completion_queue, "nic.completion_queue", completion_queue_keys},
    {SectionId::workload_item, "workload[]", workload_item_keys, {}, Picks::exactly_one},
    {SectionId::message, "", message_keys},
    {SectionId::flows, "workload[].flows", flows_keys},
    {SectionId::flow, "workload[].flows.list[]", flow_keys, message_keys},
    {SectionId::incast, "workload[].incast", incast_keys, message_keys},
    {SectionId::permutation, "workload[].permutation", permutation_keys, message_keys},
    {SectionId::perftest, "workload[].perftest", perftest_keys},
    {SectionId::all_reduce, "workload[].all_reduce", all_reduce_keys},
    {SectionId::ddp, "workload[].ddp", ddp_keys},
    {SectionId::model, "workload[].ddp.model", model_keys},
    {SectionId::tensor, "workload[].ddp.model.tensors[]", tensor_keys},
    {SectionId::ring, "workload[].ddp.ring", ring_keys},
    {SectionId::fault, "faults[]", fault_keys, {}, Picks::exactly_one},
    {SectionId::link_down, "faults[].link_down", link_down_keys},
    {SectionId::drop, "faults[].drop", drop_keys},
    {SectionId::hold, "faults[].hold", hold_keys},
    {SectionId::loss_burst, "faults[].loss_burst", loss_burst_keys},
    {SectionId::protection, "faults[].protection", protection_keys},
    {SectionId::switch_down, "faults[].switch_down", switch_down_keys},
    {SectionId::stop, "stop", stop_keys},
    {SectionId::measure, "measure", measure_keys},
});

struct Synonym {
  std::string_view said;
  std::string_view meant;
};
/// What other tools call our keys.
constexpr auto synonyms = std::to_array<Synonym>({
    {"bandwidth", "rate"},
    {"speed", "rate"},
    {"capacity", "rate"},
    {"propagation", "delay"},
    {"latency", "delay"},
    {"distance", "length"},
    {"cable", "length"},
    {"src", "from"},
    {"source", "from"},
    {"sender", "from"},
    {"dst", "to"},
    {"destination", "to"},
    {"bytes", "size"},
    {"sources", "senders"},
    {"count", "messages"},
    {"prio", "priority"},
    {"optimizer", "optimiser"},
    {"datatype", "dtype"},
    {"tx_depth", "queue_depth"},
    {"outs", "max_reads"},
    {"max_rd_atomic", "max_reads"},
    {"min_rnr_timer", "rnr_timer"},
    {"time", "at"},
    {"params", "parameters"},
    {"random_seed", "seed"},
    {"allreduce", "all_reduce"},
    {"jobs", "workload"},
    {"payload", "mtu"},
    {"bucket_cap", "bucket"},
    {"ranks", "hosts"},
    {"ack", "acknowledge"},
    {"ends", "between"},
    {"kmin", "threshold"},
    {"lossless", "priorities"},
    {"rto", "timeout"},
    {"iterations", "steps"},
    {"next_hop", "via"},
    {"static_routes", "routes"},
    {"leafs", "leaves"},
    {"edge_links", "fabric_link"},
    {"pods", "k"},
    {"ports", "radix"},
    {"routers", "switches"},
    {"gpus", "gpus_per_server"},
    {"dims", "dimensions"},
});

std::string in_quotes(std::string_view text) {
  return '"' + std::string{text} + '"';
}

std::vector<std::string_view> names_of(const SectionKeys& section) {
  std::vector<std::string_view> names;
  for (const Key& key : section.own) names.push_back(key.name);
  for (const Key& key : section.shared) names.push_back(key.name);
  return names;
}

}  // namespace

const Key* SectionKeys::find(std::string_view name) const {
  for (const Key& key : own) {
    if (key.name == name) return &key;
  }
  for (const Key& key : shared) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

std::span<const SectionKeys> all_sections() {
  return sections;
}

const SectionKeys& keys_of(SectionId id) {
  return sections[static_cast<std::size_t>(id)];
}

bool may_be_null(const Key& key) {
  return key.kind == Kind::section || (key.kind == Kind::structured && (key.standard == "{}" || key.standard == "[]"));
}

std::vector<std::string_view> split_choices(std::string_view choices) {
  std::vector<std::string_view> out;
  while (!choices.empty()) {
    const std::size_t end = std::min(choices.find('|'), choices.size());
    out.push_back(choices.substr(0, end));
    choices.remove_prefix(std::min(end + 1, choices.size()));
  }
  return out;
}

std::vector<std::string_view> choices_of(const Key& key) {
  return split_choices(key.kind == Kind::flag ? "false|true" : key.choices);
}

std::string_view meant_by(std::string_view name) {
  const auto found = std::ranges::find(synonyms, name, &Synonym::said);
  return found == synonyms.end() ? std::string_view{} : found->meant;
}

Dimension dimension_of(Kind kind) {
  switch (kind) {
    case Kind::size:
      return Dimension::size;
    case Kind::rate:
      return Dimension::rate;
    case Kind::duration:
      return Dimension::duration;
    case Kind::length:
      return Dimension::length;
    default:
      return Dimension::none;
  }
}

std::string suggestion(const SectionKeys& section, std::string_view unknown) {
  std::vector<std::string_view> candidates = names_of(section);
  const std::vector<std::string_view> names = candidates;
  for (const Synonym& synonym : synonyms) {
    if (section.find(synonym.meant)) candidates.push_back(synonym.said);
  }
  if (const auto near = nearest(unknown, candidates)) {
    const auto synonym =
        std::find_if(synonyms.begin(), synonyms.end(), [&](const Synonym& s) { return s.said == *near; });
    const bool is_own = section.find(*near) != nullptr;
    return "; did you mean " + in_quotes(is_own ? *near : synonym->meant) + "?";
  }
  const auto ends_so = [&](std::string_view name) { return name.ends_with("_" + std::string{unknown}); };
  std::string longer;
  for (const std::string_view name : names) {
    if (ends_so(name)) longer += (longer.empty() ? "" : " or ") + in_quotes(name);
  }
  if (!longer.empty()) return "; did you mean " + longer + "?";
  for (const SectionKeys& other : sections) {
    if (!other.place.empty() && other.find(unknown)) {
      return "; " + in_quotes(unknown) + " is a key of " + std::string{other.place};
    }
  }
  std::string out = "; the keys here are ";
  for (std::size_t i = 0; i < names.size(); ++i) out += (i == 0 ? "" : ", ") + std::string{names[i]};
  return out;
}

}  // namespace soya::reading
