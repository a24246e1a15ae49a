// Memory a run needs, before anything is built: a scenario too large for the machine is refused, not swapped.
#include <algorithm>
#include <variant>

#include "engine/state.hpp"

namespace soya {

namespace {

// Bytes of an object with what it owns. Rows carry three names; a queue pair two small vectors.
constexpr std::int64_t per_transfer = static_cast<std::int64_t>(sizeof(TransferRecord) + sizeof(TransferRow)) + 160;
constexpr std::int64_t per_connection = 2 * static_cast<std::int64_t>(sizeof(QueuePair) + 256) + 192;
constexpr std::int64_t per_flow = static_cast<std::int64_t>(sizeof(FlowConfig)) + 128;
constexpr std::int64_t per_port = static_cast<std::int64_t>(sizeof(Port)) + 1024;
constexpr std::int64_t base = 16 * 1024 * 1024;

struct Load {
  std::int64_t transfers{0};
  std::int64_t connections{0};
  std::int64_t flows{0};
};

/// Slices of one ring all-reduce: 2(N − 1) × S in pieces of at most a slice, and a remainder per rank, step and channel.
[[nodiscard]] std::int64_t ring_slices(Bytes size, std::size_t ranks, const RingConfig& ring) {
  if (ranks < 2) return 0;
  const auto n = static_cast<std::int64_t>(ranks);
  return 2 * (n - 1) * (size.count() / ring.slice.count() + n * ring.channels * ring.slices_per_chunk);
}

[[nodiscard]] std::int64_t ring_connections(std::size_t ranks, const RingConfig& ring) {
  return ranks < 2 ? 0 : static_cast<std::int64_t>(ranks) * ring.channels;
}

[[nodiscard]] Load load_of(const FlowsConfig& job) {
  Load load;
  load.flows = load.connections = static_cast<std::int64_t>(job.flows.size());
  for (const FlowConfig& flow : job.flows) load.transfers += flow.messages;
  return load;
}

[[nodiscard]] Load load_of(const AllReduceConfig& job) {
  return {job.repeat * ring_slices(job.size, job.hosts.size(), job.ring), ring_connections(job.hosts.size(), job.ring), 0};
}

[[nodiscard]] Load load_of(const DdpConfig& job) {
  Bytes gradients{0};
  for (const TensorConfig& tensor : job.tensors) gradients += tensor.elements * job.element;
  const std::int64_t buckets = gradients / std::max<std::int64_t>(job.bucket.count(), 1) > Bytes{0}
                                   ? gradients.count() / std::max<std::int64_t>(job.bucket.count(), 1) + 2
                                   : 2;
  const std::int64_t per_bucket = ring_slices(gradients / buckets, job.hosts.size(), job.ring);
  return {job.steps * buckets * per_bucket, ring_connections(job.hosts.size(), job.ring), 0};
}

/// Packets that can exist at once: every switch buffer full and every link full, of full frames.
[[nodiscard]] std::int64_t packets_in_fabric(const Scenario& scenario) {
  const std::int64_t frame = FrameSizes{scenario.frame}.middle().count();
  std::int64_t bytes = 0;
  for (const SwitchConfig& one : scenario.switches) bytes += one.buffer.size.count();
  for (const LinkConfig& link : scenario.topology.links) {
    bytes += bytes_in(link.one_way(), link.rate).count() + bytes_in(link.one_way(), link.rate_from(link.b)).count();
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
  // A buffer fills only with what is sent: never more packets than the workload has in all.
  const std::int64_t packets = packets_in_fabric(scenario);
  const auto ports = 2 * static_cast<std::int64_t>(scenario.topology.links.size());
  return base + total.transfers * per_transfer + total.connections * per_connection + total.flows * per_flow +
         packets * static_cast<std::int64_t>(sizeof(Packet)) + ports * per_port;
}

}  // namespace soya
