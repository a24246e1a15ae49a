// Memory a run needs, before anything is built: a scenario too large for the machine is refused, not swapped.
#include <algorithm>
#include <limits>
#include <variant>

#include "engine/longest_link.hpp"
#include "engine/plan_traffic.hpp"
#include "engine/state.hpp"
#include "workload/ring_group.hpp"

namespace soya {

namespace {

// Bytes of an object with what it owns. Rows carry three names; a queue pair a few small vectors.
constexpr std::int64_t per_transfer = static_cast<std::int64_t>(sizeof(TransferRecord) + sizeof(TransferRow)) + 160;
/// Both ways through six switches, in tables that are half full or have just doubled.
constexpr std::int64_t flowlets_of_connection = 2 * 6 * 4 * 24;
constexpr std::int64_t per_connection = 2 * static_cast<std::int64_t>(sizeof(QueuePair) + 512) + 192;
/// The plan that is made at the end of a run, in vectors that may have just doubled: what each end sends, and its share
/// of each port on the way, of which there are many only where switches spread frames: 686 in a fat tree of k = 36.
constexpr std::int64_t plan_of_connection = sizeof(ConnectionTraffic) + 2 * 2 * (sizeof(FlowFacts) + sizeof(WireLoad));
constexpr std::int64_t plan_of_hop = 2 * 2 * sizeof(LinkShare);
constexpr std::int64_t hops_of_path = 6;
constexpr std::int64_t hops_of_spread = 1024;
constexpr std::int64_t per_flow = static_cast<std::int64_t>(sizeof(FlowConfig)) + 128;
constexpr std::int64_t per_port = static_cast<std::int64_t>(sizeof(Port)) + 2048;
/// A packet, and its place in a queue's ring, which is up to half empty.
constexpr auto per_packet = static_cast<std::int64_t>(sizeof(Packet) + 2 * sizeof(WaitingFrame));
constexpr std::int64_t base = 16 * 1024 * 1024;

/// Wide: the largest values of the keys multiply to far more than 64 bits hold.
struct Load {
  Int128 transfers{0};
  Int128 connections{0};
  Int128 flows{0};
};

/// Slices of one ring all-reduce: 2(N − 1) × S in pieces of at most a slice, and a remainder per rank, step and
/// channel.
[[nodiscard]] Int128 ring_slices(Int128 size, std::size_t ranks, const RingConfig& ring) {
  if (ranks < 2) return 0;
  const Int128 n = static_cast<std::int64_t>(ranks);
  return 2 * (n - 1) * (size / ring.slice.count() + n * ring.channels * ring.slices_per_chunk);
}

[[nodiscard]] std::int64_t ring_connections(std::size_t ranks, const RingConfig& ring) {
  return ranks < 2 ? 0 : static_cast<std::int64_t>(ranks) * ring.channels;
}

[[nodiscard]] Load load_of(const FlowsConfig& job) {
  Load load;
  load.flows = static_cast<std::int64_t>(job.flows.size());
  load.connections = load.flows;
  for (const FlowConfig& flow : job.flows) load.transfers += flow.messages;
  return load;
}

/// Rows of a job of as many collectives: of slices, or of series where they are too many.
[[nodiscard]] Load ring_load(Int128 slices, Int128 collectives, std::int64_t connections) {
  // A bound may say more slices than there are: the larger of the two then.
  const Int128 series = collectives * connections;
  return {slices > RingGroup::most_listed ? std::max<Int128>(series, RingGroup::most_listed) : slices, connections, 0};
}

[[nodiscard]] Load load_of(const AllReduceConfig& job) {
  return ring_load(job.repeat * ring_slices(job.size.count(), job.hosts.size(), job.ring), job.repeat,
                   ring_connections(job.hosts.size(), job.ring));
}

[[nodiscard]] Load load_of(const DdpConfig& job) {
  Int128 gradients = 0;
  for (const TensorConfig& tensor : job.tensors) gradients += Int128{tensor.elements} * job.element.count();
  // A bucket holds a tensor at least.
  const Int128 most = static_cast<std::int64_t>(job.tensors.size()) + 2;
  const Int128 buckets = std::min(gradients / std::max<std::int64_t>(job.bucket.count(), 1) + 2, most);
  const Int128 per_bucket = ring_slices(gradients / buckets, job.hosts.size(), job.ring);
  return ring_load(job.steps * buckets * per_bucket, job.steps * buckets, ring_connections(job.hosts.size(), job.ring));
}

/// A row for each size, queue pair and end, and the times that perftest keeps of one size
/// (workload/perftest_meter.hpp).
[[nodiscard]] Load load_of(const PerftestConfig& job) {
  const Int128 rows = std::ssize(job.sizes) * (is_latency(job.test) ? Int128{2} : Int128{job.qps});
  const Int128 times = is_latency(job.test) || job.iterations <= 20'000 ? Int128{job.iterations} * job.qps : Int128{0};
  constexpr Int128 per_time = 24;  // a post and a completion
  return {rows + std::min<Int128>(times, 2'000'000) * per_time / per_transfer, job.qps, 0};
}

/// Packets that can exist at once: every switch buffer full and every link full, of full frames.
[[nodiscard]] Int128 packets_in_fabric(const Scenario& scenario) {
  const std::int64_t frame = FrameSizes{scenario.frame}.middle().count();
  Int128 bytes = 0;
  for (const SwitchConfig& one : scenario.switches) bytes += one.buffer.memory().count();
  // A packet that an accelerator keeps is sent as a copy.
  for (const AcceleratorConfig& one : scenario.topology.accelerators) bytes += 2 * one.buffer.count();
  for (std::size_t l = 0; l < scenario.topology.links.size(); ++l) {
    const LinkConfig link = longest_link(scenario, LinkId{l});
    bytes +=
        bytes_in(link.forward_way(), link.rate).count() + bytes_in(link.reverse_way(), link.rate_from(link.b)).count();
  }
  return bytes / frame + static_cast<std::int64_t>(scenario.topology.links.size()) * 4;
}

}  // namespace

std::int64_t estimated_memory_bytes(const Scenario& scenario) {
  Load total;
  for (const JobConfig& job : scenario.jobs) {
    const Load load = std::visit([](const auto& config) { return load_of(config); }, job);
    total.transfers += load.transfers;
    total.connections += load.connections;
    total.flows += load.flows;
  }
  // As if the workload filled them: what it has under way at once is not known before the run.
  const Int128 packets = packets_in_fabric(scenario);
  const auto ports = 2 * static_cast<std::int64_t>(scenario.topology.links.size());
  const bool has_flowlets = std::ranges::any_of(
      scenario.switches, [](const SwitchConfig& one) { return one.routing.policy == RoutingPolicy::flowlet; });
  const bool spreads =
      std::ranges::any_of(scenario.switches, [](const SwitchConfig& one) { return spreads_flows(one.routing.policy); });
  const std::int64_t hops = std::min(ports, spreads ? hops_of_spread : hops_of_path);
  const std::int64_t connection =
      per_connection + (has_flowlets ? flowlets_of_connection : 0) + plan_of_connection + hops * plan_of_hop;
  const Int128 bytes = base + total.transfers * per_transfer + total.connections * connection + total.flows * per_flow +
                       packets * per_packet + ports * per_port;
  return static_cast<std::int64_t>(std::min(bytes, Int128{std::numeric_limits<std::int64_t>::max()}));
}

}  // namespace soya
