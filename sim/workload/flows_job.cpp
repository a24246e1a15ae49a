#include "workload/flows_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/check.hpp"
#include "core/hash.hpp"
#include "workload/unfinished.hpp"

namespace soya {

FlowsJob::FlowsJob(const FlowsConfig& config, std::vector<std::string> identities) : name_{config.name} {
  SOYA_CHECK(identities.size() == config.flows.size(), "every flow has an identity");
  connections_.reserve(config.flows.size());
  flows_.reserve(config.flows.size());
  std::size_t host_count = 0;
  for (std::size_t i = 0; i < config.flows.size(); ++i) {
    const FlowConfig& flow = config.flows[i];
    connections_.push_back({flow.from, flow.to, flow.priority, std::move(identities[i])});
    flows_.push_back({flow.size, flow.messages, flow.messages, flow.start, flow.operation});
    host_count = std::max({host_count, flow.from.index() + 1, flow.to.index() + 1});
  }
  hosts_.resize(host_count);
  sort_by_host();
}

std::int64_t FlowsJob::transfers() const {
  std::int64_t all = 0;
  for (const Flow& flow : flows_) all += flow.messages;
  return all;
}

void FlowsJob::sort_by_host() {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(connections_.size());
  for (const ConnectionConfig& connection : connections_) hashes.push_back(hash_name(connection.identity));
  order_.resize(flows_.size());
  std::iota(order_.begin(), order_.end(), 0U);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(connections_[a].a, flows_[a].start, hashes[a], connections_[a].identity) <
           std::tie(connections_[b].a, flows_[b].start, hashes[b], connections_[b].identity);
  });
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const ConnectionConfig& connection = connections_[order_[i]];
    Host& from = hosts_[connection.a.index()];
    if (from.unfinished++ == 0) from.next = i;
    from.end = i + 1;
    from.takes_part = true;
    hosts_[connection.b.index()].takes_part = true;
  }
}

std::vector<HostId> FlowsJob::hosts() const {
  std::vector<HostId> hosts;
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    if (hosts_[i].takes_part) hosts.emplace_back(i);
  }
  return hosts;
}

void FlowsJob::start(HostContext& context) {
  post_due(context);
}

void FlowsJob::woke(HostContext& context) {
  hosts_[context.host().index()].alarm.rang();
  post_due(context);
}

void FlowsJob::post_due(HostContext& context) {
  Host& host = hosts_[context.host().index()];
  for (; host.next < host.end; ++host.next) {
    const std::uint32_t number = order_[host.next];
    const Flow& flow = flows_[number];
    if (flow.start > context.now()) return host.alarm.set(context, flow.start);
    for (std::int64_t message = 0; message < flow.messages; ++message) {
      context.post({.connection = number,
                    .size = flow.size,
                    .operation = flow.operation,
                    .tag = static_cast<std::uint64_t>(message),
                    .is_transfer = true});
    }
  }
}

void FlowsJob::sent(HostContext& context, const Completion& completion) {
  Flow& flow = flows_[completion.connection];
  SOYA_CHECK(flow.unfinished > 0, "a message completes once");
  if (--flow.unfinished == 0) --hosts_[context.host().index()].unfinished;
}

void FlowsJob::received(HostContext& /*context*/, const Completion& /*completion*/) {}

const FlowsJob::Host* FlowsJob::sender(HostId host) const {
  return host.index() < hosts_.size() ? &hosts_[host.index()] : nullptr;
}

bool FlowsJob::finished(HostId host) const {
  const Host* state = sender(host);
  return state == nullptr || state->unfinished == 0;
}

bool FlowsJob::computing(HostId host) const {
  const Host* state = sender(host);
  return state != nullptr && state->next < state->end;
}

JobReport FlowsJob::report() const {
  UnfinishedLines lines;
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    const Flow& flow = flows_[i];
    if (flow.unfinished == 0) continue;
    lines.add([&] {
      return fmt::format("{}: {} of {} messages unfinished", flow_label(name_, connections_[i].identity),
                         flow.unfinished, flow.messages);
    });
  }
  const std::size_t count = lines.count();
  return {{}, {}, std::move(lines).take(), count};
}

}  // namespace soya
