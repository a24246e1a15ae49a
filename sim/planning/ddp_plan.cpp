#include "planning/ddp_plan.hpp"

#include <algorithm>
#include <map>

#include "core/check.hpp"
#include "net/frame.hpp"
#include "planning/collective_bounds.hpp"
#include "workload/buckets.hpp"

namespace soya {
namespace {

Bytes gradient_bytes(const DdpConfig& config) {
  Bytes total{0};
  for (const TensorConfig& tensor : config.tensors) total += config.element * tensor.elements;
  return total;
}

/// `data` in full packets, headers and gaps included; rounded up.
Bytes with_headers(Bytes data, const FrameConfig& frame) {
  const FrameSizes sizes{frame};
  const Int128 product = static_cast<Int128>(data.count()) * (sizes.middle() + wire_gap).count();
  return Bytes{static_cast<std::int64_t>((product + sizes.mtu().count() - 1) / sizes.mtu().count())};
}

}  // namespace

DdpCondition ddp_condition(const DdpConfig& config, Rate bandwidth) {
  const Bytes total = gradient_bytes(config);
  const auto ranks = static_cast<std::int64_t>(config.hosts.size());
  DdpCondition condition;
  condition.data = bytes_per_rank(Collective::all_reduce, ranks, total);
  condition.communication = ranks <= 1 ? Duration{0} : serialisation(condition.data, bandwidth);
  condition.holds = config.backward > condition.communication;
  return condition;
}

DdpPlan plan_ddp(const DdpConfig& config, const RingNetwork& network) {
  SOYA_CHECK(config.hosts.size() <= 1 || config.hosts.size() == network.edges.size(), "a ring has an edge per rank");
  DdpPlan plan;
  std::map<Bytes, Duration> time_of_size;
  Duration previous_end{0};
  for (const Bucket& bucket : make_buckets(config)) {
    const auto [time, added] = time_of_size.try_emplace(bucket.size);
    if (added) time->second = ring_all_reduce_time({bucket.size, config.element}, config.ring, network);
    const Duration start = std::max(bucket.ready, previous_end);
    previous_end = start + time->second;
    plan.buckets.push_back({bucket.size, bucket.ready, start, previous_end});
  }

  if (!plan.buckets.empty()) plan.communication = previous_end - plan.buckets.front().start;
  plan.exposed = std::max(previous_end - config.backward, Duration{0});
  plan.step_time = config.forward + std::max(config.backward, previous_end) + config.optimiser;
  const bool alone = config.hosts.size() <= 1;
  const Rate bandwidth = alone ? Rate{0} : ring_rate(network);
  plan.condition = ddp_condition(config, bandwidth);
  if (!alone) plan.on_wire = serialisation(with_headers(plan.condition.data, network.frame), bandwidth);
  return plan;
}

}  // namespace soya
