#include "engine/step_plan.hpp"

#include "engine/routes.hpp"
#include "planning/path_hops.hpp"
#include "workload/buckets.hpp"

namespace soya {

namespace {

[[nodiscard]] std::int64_t slices_of(const RingData& data, std::size_t ranks, const RingConfig& ring) {
  return ranks < 2
             ? 0
             : RingLayout{data, static_cast<int>(ranks), ring}.slices_sent({0, 0}) * static_cast<std::int64_t>(ranks);
}

}  // namespace

std::int64_t ring_slices(const AllReduceConfig& job) {
  return slices_of({job.size, job.element}, job.hosts.size(), job.ring);
}

std::int64_t ring_slices(const DdpConfig& job) {
  std::int64_t slices = 0;
  for (const Bucket& bucket : make_buckets(job)) {
    slices += slices_of({bucket.size, job.element}, job.hosts.size(), job.ring);
  }
  return slices;
}

RingNetwork ring_network(const PlanInput& input, JobId job, std::span<const HostId> hosts, const RingConfig& ring) {
  const PortMap& ports = input.routing.ports();
  std::vector<Duration> latencies;
  latencies.reserve(ports.forwarder_count());
  for (const SwitchConfig& one : input.scenario.switches) latencies.push_back(one.latency);
  latencies.resize(ports.forwarder_count());  // an accelerator has no pipeline
  const HostPorts host_ports{input.scenario.topology, ports};
  RingNetwork network;
  network.frame = input.scenario.frame;
  network.ack_every = input.scenario.nics[hosts.front().index()].ack_every;
  const std::vector<ConnectionConfig>& connections = *input.connections[job.index()];
  const auto channels = static_cast<std::size_t>(ring.channels);
  for (std::size_t r = 0; r < hosts.size() && hosts.size() > 1; ++r) {
    const ConnectionConfig& one = connections[r * channels];  // the first channel's
    const auto hops = [&](HostPair ends, bool from_a) {
      return path_hops(input.scenario.topology, ports, input.routing.path(ends, flow_hash_of(one, from_a)), latencies);
    };
    const HostPair nics = nics_of(host_ports, input.scenario.jobs[job.index()], {one.a, one.b});
    network.edges.push_back({hops(nics, true), hops({nics.to, nics.from}, false)});
  }
  return network;
}

std::optional<DdpPlan> step_plan(const PlanInput& input, JobId job) {
  const auto* ddp = std::get_if<DdpConfig>(&input.scenario.jobs[job.index()]);
  if (ddp == nullptr) return std::nullopt;
  return plan_ddp(*ddp, ring_network(input, job, ddp->hosts, ddp->ring));
}

}  // namespace soya
