// The parts of a scenario, each from its mapping to its config structs, in the order of the format.
// Simplifies: nothing. Source: docs/scenario.md. Validated by tests/unit/scenario and tests/errors.
#pragma once

#include "scenario/names.hpp"
#include "scenario/read_links.hpp"
#include "scenario/scenario.hpp"
#include "scenario/section.hpp"

namespace soya::reading {

/// The whole of `root`; what is wrong with it is in `reading.errors`, and the scenario is then of no use.
[[nodiscard]] Scenario decode(const Node& root, Reading& reading);

/// Why `name`, which is text, cannot name a scenario, and so a folder: "cannot name a folder; …"; nothing where it can.
[[nodiscard]] std::optional<std::string> name_fault(const std::string& name);

[[nodiscard]] TopologyConfig read_topology(Section& root);
/// What the accelerator `accelerator` calls its partner.
struct PartnerName {
  std::size_t accelerator{0};
  const Node* name{nullptr};
};
/// What a node says of the server that it is part of: `server`, `nic`, `local_port_of` or `local_switch_of`.
struct ServerWord {
  NodeId node{};
  std::string_view key;
  const Node* name{nullptr};
};
/// Names that nodes give: they are found once all nodes are there.
struct NamedByNodes {
  std::vector<PartnerName> partners;
  std::vector<ServerWord> server_words;
  std::vector<std::size_t> spelled_servers;  ///< those of the topology's servers whose nodes are given one by one
};
/// `topology.nodes`. What is inside a server stands behind all other nodes.
[[nodiscard]] NamedByNodes read_nodes(Section& topology, const LinkTypes& types, TopologyConfig& out);
void read_partners(Section& topology, const Names& names, const std::vector<PartnerName>& partners,
                   TopologyConfig& out);
/// NICs, ports and switches of the servers whose nodes are given one by one; once the links are there.
void read_servers(Section& topology, const Names& names, const NamedByNodes& named, TopologyConfig& out);
/// Static routes: `topology.routes`. Their links are checked where all of the topology's could be read.
void read_routes(Section& topology, const Names& names, TopologyConfig& out);
/// Duplicate names, self-links, hosts without exactly one link, accelerators without a partner, sizes beyond reason.
void check_topology(const TopologyConfig& topology, Section& root);

/// Frames, PFC and every switch: `fabric`, `topology.switches`, `switches`.
void read_fabric(Section& root, const Names& names, Scenario& out);
/// `routing` of a switch that differs from the fabric, and of the fabric.
void read_routing(Section& parent, RoutingConfig& routing);
void read_routing(Section& parent, RoutingConfig& routing, FabricRoutingConfig& fabric);
/// Every NIC: `nic`, `hosts`.
void read_nics(Section& root, const Names& names, Scenario& out);
void read_workload(Section& root, const Names& names, Scenario& out);
void read_faults(Section& root, const Names& names, Scenario& out);

/// What a job needs to know of the scenario around it.
struct JobScope {
  Reading& reading;
  const Names& names;
  Priority priority;      ///< of items that name none
  std::uint64_t seed{0};  ///< of the scenario
};
/// A job has a name, whether it was given or not.
void note_job_name(Section& item, const std::string& name);
void read_ring(Section& item, RingConfig& ring);
[[nodiscard]] std::optional<DdpConfig> read_ddp(JobScope& scope, const Node& node, const Path& path,
                                                const std::string& name);
/// `all`, a number or a list of names under `key`; `without` is left out of all and of the number.
[[nodiscard]] std::vector<HostId> read_hosts(JobScope& scope, Section& item, std::string_view key,
                                             std::optional<HostId> without);
[[nodiscard]] PerftestConfig read_perftest(JobScope& scope, const Node& node, const Path& path,
                                           const std::string& name);
/// The host named under `key`, which has to be there.
[[nodiscard]] HostId read_host(JobScope& scope, Section& item, std::string_view key);
void read_priority(JobScope& scope, Section& item, Priority& priority);

/// Bytes of an element of data type `float32|bfloat16|float16|float64`, in this order.
enum class DataType { float32, bfloat16, float16, float64 };
[[nodiscard]] Bytes element_size(DataType type);

/// Odd but legal: adds to `reading.warnings`.
void warn(const Scenario& scenario, const Names& names, Reading& reading);

}  // namespace soya::reading
