#include <algorithm>
#include <cstddef>
#include <utility>

#include "scenario/decode.hpp"
#include "topology/port_map.hpp"
#include "scenario/read_headroom.hpp"
#include "transport/rnr_timer.hpp"

namespace soya::reading {

namespace {

/// A section that may be `none`. Over one that is there only what differs is given; over none the defaults fill up.
template <class Config, class Read>
void read_optional(Section& parent, std::string_view name, SectionId id, std::optional<Config>& config, Read read) {
  const Node* node = parent.given(name);
  if (!node && parent.absent() == Absent::keep) return;
  if (!node || (node->is_scalar() && node->text == "none")) {
    config.reset();
    return parent.note(name, "none");
  }
  const Absent absent = config ? Absent::keep : Absent::standard;
  Config next = config.value_or(Config{});
  Section section{parent.reading(), node, parent.at(name), id, absent};
  read(section, next);
  config = next;
}

void read_deep(Section& buffer, std::optional<DeepConfig>& deep) {
  read_optional(buffer, "deep", SectionId::deep, deep, [](Section& keys, DeepConfig& config) {
    keys.read("size", config.size);
    keys.read("bandwidth", config.bandwidth);
    keys.read("threshold", config.threshold);
    keys.read("headroom", config.headroom);
  });
}

void read_buffer(Section& parent, BufferConfig& buffer) {
  Section section{parent.reading(), parent.given("buffer"), parent.at("buffer"), SectionId::buffer, parent.absent()};
  section.read("size", buffer.size);
  section.read("reserved", buffer.reserved);
  if (section.given("threshold")) {
    if (section.given("alpha"))
      section.error("threshold", "alpha (dynamic) and threshold (static) exclude each other; give one");
    StaticThreshold threshold;
    if (section.read("threshold", threshold.size)) buffer.threshold = threshold;
  } else {
    DynamicThreshold threshold;
    if (section.read("alpha", threshold.alpha)) buffer.threshold = threshold;
  }
  DynamicThreshold lossy;
  if (section.read("lossy_alpha", lossy.alpha)) buffer.lossy_threshold = lossy;
  section.read("xon_offset", buffer.xon_offset);
  section.read("cell", buffer.cell);
  read_deep(section, buffer.deep);
}

void read_weights(Section& section, std::array<int, Priority::count>& weights) {
  const Node* node = section.given("weights");
  if (!node) {
    if (section.absent() == Absent::standard) section.note("weights", "[1, 1, 1, 1, 1, 1, 1, 1]");
    return;
  }
  if (!node->is_list() || node->children.size() != weights.size()) {
    const std::string got = node->is_list() ? "a list of " + std::to_string(node->children.size()) : shown(*node);
    return section.error("weights", "expected a list of eight whole numbers, one for each priority, got " + got);
  }
  const Path path = section.at("weights");
  const Key* key = keys_of(SectionId::scheduler).find("weights");
  std::string noted = "[";
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Node& item = node->children[i];
    const ParsedNumber number = parse_number(item.text, Dimension::none);
    const bool is_number = number.fault == NumberFault::none || number.fault == NumberFault::overflow;
    if (number.fault != NumberFault::none || number.value < key->least || number.value > key->most) {
      section.reading().errors.add(
          item.place, path.item(i).text(),
          (is_number ? item.text + " is out of range" : "expected a whole number, got " + shown(item)) + "; allowed: " +
              format_number(key->least, Dimension::none) + " to " + format_number(key->most, Dimension::none));
      continue;
    }
    weights[i] = static_cast<int>(number.value);
    noted += (i == 0 ? "" : ", ") + std::to_string(weights[i]);
  }
  section.note("weights", noted + ']');
}

void read_scheduler(Section& parent, SchedulerConfig& scheduler) {
  Section section{parent.reading(), parent.given("scheduler"), parent.at("scheduler"), SectionId::scheduler,
                  parent.absent()};
  section.read("strict", scheduler.strict);
  read_weights(section, scheduler.weights);
}

/// A switch, and its headroom until all of that is read.
struct SwitchDraft {
  SwitchConfig config;
  HeadroomKeys headroom;
};

void read_switch(Section& section, SwitchDraft& draft, HeadroomGiven& given) {
  SwitchConfig& config = draft.config;
  read_buffer(section, config.buffer);
  draft.headroom.read(section, given);
  read_scheduler(section, config.scheduler);
  section.read("latency", config.latency);
  section.read("ecmp_seed", config.ecmp_seed);
  read_routing(section, config.routing);
}

void read_pfc(Section& fabric, PfcConfig& pfc) {
  Section section{fabric.reading(), fabric.given("pfc"), fabric.at("pfc"), SectionId::pfc};
  section.read("priorities", pfc.priorities);
  section.read("quanta", pfc.quanta);
  section.read("refresh", pfc.refresh);
  section.read("response", pfc.response);
}

/// `switches`: keys that differ, by name of the switch.
void read_overrides(Section& parent, const Names& names, std::vector<SwitchDraft>& switches, HeadroomGiven& given) {
  const Node* node = parent.given("switches");
  if (!node || (node->is_map() && node->children.empty())) return parent.note("switches", "{}");
  if (!node->is_map()) return parent.error("switches", "expected a mapping of switch names, got " + shown(*node));
  const Path path = parent.at("switches");
  for (const Node& entry : node->children) {
    const Path entry_path = path.key(entry.key);
    const auto id = names.find_switch(parent.reading(), entry.key, entry.key_place, entry_path);
    SwitchDraft unknown;
    Section section{parent.reading(), &entry, entry_path, SectionId::switch_, Absent::keep};
    read_switch(section, id ? switches[id->index()] : unknown, given);
  }
}

void read_receive(Section& nic, std::optional<SlowReceiver>& receive) {
  read_optional(nic, "receive", SectionId::receive, receive, [](Section& keys, SlowReceiver& config) {
    keys.read("rate", config.rate);
    keys.read("buffer", config.buffer);
    keys.read("xoff", config.xoff);
    keys.read("xon", config.xon);
    const auto text = [](Bytes size) { return format_number(size.count(), Dimension::size); };
    if (config.xon > config.xoff && keys.right({"xon", "xoff"}))
      keys.error("xon", "xon " + text(config.xon) + " is above xoff " + text(config.xoff));
    if (config.xoff > config.buffer && keys.right({"xoff", "buffer"}))
      keys.error("xoff", "xoff " + text(config.xoff) + " is above buffer " + text(config.buffer));
  });
}

void read_rnr_timer(Section& section, Duration& timer) {
  Duration time = timer;
  if (!section.read("rnr_timer", time)) return;
  if (rnr_code(time)) {
    timer = time;
    return;
  }
  const auto text = [](Duration one) { return format_number(one.picoseconds(), Dimension::duration); };
  const RnrNeighbours near = rnr_neighbours(time);
  section.error("rnr_timer", text(time) + " is no RNR time of InfiniBand; its neighbours are " + text(*near.below) +
                                 " and " + text(*near.above));
}

void read_nic(Section& section, NicConfig& nic) {
  section.read("queue_depth", nic.queue_depth);
  section.read("ack_every", nic.ack_every);
  section.read("ack_priority", nic.ack_priority);
  section.read("timeout_exponent", nic.timeout_exponent);
  section.read("timeout", nic.timeout);
  section.read("retry_count", nic.retry_count);
  section.read("max_unacked", nic.max_unacked);
  section.read("initial_psn", nic.initial_psn);
  section.read("retransmission", nic.retransmission);
  section.read("reorder_window", nic.reorder_window);
  section.read("reorder_timeout", nic.reorder_timeout);
  if (section.given("reorder_timeout") && nic.reorder_timeout &&
      nic.retransmission != Retransmission::selective_repeat && section.right({"retransmission", "reorder_timeout"})) {
    section.error("reorder_timeout", "is of selective repeat only; it takes retransmission: selective-repeat");
  }
  section.read("adaptive_retransmission", nic.adaptive_retransmission);
  section.read("max_reads", nic.max_reads);
  read_optional(section, "receive_queue", SectionId::receive_queue, nic.receive_queue,
                [](Section& keys, ReceiveQueue& queue) {
                  keys.read("depth", queue.depth);
                  keys.read("repost", queue.repost);
                });
  read_rnr_timer(section, nic.rnr_timer);
  section.read("rnr_retry", nic.rnr_retry);
  read_optional(section, "completion_queue", SectionId::completion_queue, nic.completion_queue,
                [](Section& keys, CompletionQueue& queue) {
                  keys.read("depth", queue.depth);
                  keys.read("handling", queue.handling);
                });
  section.read("ack_delay", nic.ack_delay);
  section.read("message_rate", nic.message_rate);
  read_receive(section, nic.receive);
}

}  // namespace

void read_fabric(Section& root, const Names& names, Scenario& out) {
  Section fabric{root.reading(), root.given("fabric"), root.at("fabric"), SectionId::fabric};
  fabric.read("mtu", out.frame.mtu);
  fabric.read("vlan", out.frame.vlan);
  fabric.read("ip", out.frame.ip);
  SwitchDraft all;
  HeadroomGiven given;
  read_buffer(fabric, all.config.buffer);
  all.headroom.read(fabric, given);
  read_pfc(fabric, out.pfc);
  read_scheduler(fabric, all.config.scheduler);
  fabric.read("latency", all.config.latency);
  fabric.read("ecmp_seed", all.config.ecmp_seed);
  read_routing(fabric, all.config.routing, out.routing);
  std::vector<SwitchDraft> switches(names.switch_count(), all);

  const Path path = root.at("topology");
  // Its other keys are the topology's business, so this section is told of `switches` only.
  Node only_switches;
  only_switches.type = NodeType::map;
  if (const Node* topology = root.given("topology")) {
    only_switches.place = topology->place;
    if (const Node* given_there = topology->find("switches")) only_switches.children.push_back(*given_there);
  }
  Section topology{root.reading(), &only_switches, path, SectionId::topology};
  std::vector<EffectiveKey>& noted = root.reading().effective;
  const auto offset = [&](std::size_t index) { return noted.begin() + static_cast<std::ptrdiff_t>(index); };
  const std::size_t before = noted.size();
  read_overrides(topology, names, switches, given);
  // The topology's switches are read late, over the fabric's keys; in the format they stand with the topology.
  std::rotate(offset(root.reading().topology_end), offset(before), noted.end());
  read_overrides(root, names, switches, given);
  for (SwitchDraft& draft : switches) {
    draft.headroom.finish(draft.config.headroom, given);
    out.switches.push_back(std::move(draft.config));
  }
  given.warn(root.reading());
}

namespace {

void read_host_nics(Section& root, const Names& names, Scenario& out) {
  const Node* node = root.given("hosts");
  if (!node || (node->is_map() && node->children.empty())) return root.note("hosts", "{}");
  if (!node->is_map()) return root.error("hosts", "expected a mapping of host names, got " + shown(*node));
  const Path path = root.at("hosts");
  for (const Node& entry : node->children) {
    const Path entry_path = path.key(entry.key);
    Node name = entry;
    name.type = NodeType::scalar;
    name.text = entry.key;
    name.place = entry.key_place;
    const auto id = names.find_host(root.reading(), name, entry_path);
    NicConfig unknown;
    Section overrides{root.reading(), &entry, entry_path, SectionId::nic, Absent::keep};
    read_nic(overrides, id ? out.nics[id->index()] : unknown);
  }
}

/// A GPU's port inside its server is set up as the GPU's NIC is, and that of a GPU without one as the NIC it uses.
void share_nics(Scenario& out) {
  if (out.topology.servers.empty()) return;
  const PortMap ports = build_ports(out.topology);
  const auto nic = [&](NodeId host) -> NicConfig& { return out.nics[ports.host_at(host).index()]; };
  for (const ServerConfig& server : out.topology.servers) {
    for (std::size_t gpu = 0; gpu < server.gpus.size(); ++gpu) {
      if (server.nics[gpu] != server.gpus[gpu]) nic(server.gpus[gpu]) = nic(server.nics[gpu]);
      if (!server.local_ports.empty()) nic(server.local_ports[gpu]) = nic(server.gpus[gpu]);
    }
  }
}

}  // namespace

void read_nics(Section& root, const Names& names, Scenario& out) {
  Section section{root.reading(), root.given("nic"), root.at("nic"), SectionId::nic};
  NicConfig nic;
  read_nic(section, nic);
  out.nics.assign(names.host_count(), nic);

  read_host_nics(root, names, out);
  share_nics(out);
}

}  // namespace soya::reading
