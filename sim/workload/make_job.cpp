#include "workload/make_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "workload/all_reduce_job.hpp"
#include "workload/ddp_job.hpp"
#include "workload/flow_identities.hpp"
#include "workload/flows_job.hpp"
#include "workload/perftest_job.hpp"

namespace soya {
namespace {

/// Collects what is wrong with the items of a workload.
class Checker {
 public:
  explicit Checker(const std::vector<std::string>& host_names) : host_names_{host_names} {}

  void operator()(const FlowsConfig& config) {
    for (const FlowConfig& flow : config.flows) {
      expect(known(flow.from) && known(flow.to), flow.where, "the flow's host does not exist");
      expect(flow.from != flow.to, flow.where, "a flow goes from one host to another, not to itself");
      expect(flow.messages >= 1, flow.where, "a flow has at least 1 message");
      expect(flow.size.count() >= 0, flow.where, "a message has a size of at least 0 B");
    }
  }
  void operator()(const AllReduceConfig& config) {
    check_ring(config.hosts, config.ring, config.where);
    expect(config.element.count() >= 1, config.where, "an element has at least 1 B");
    expect(config.size.count() >= 0, config.where, "an all-reduce has a size of at least 0 B");
    expect(config.repeat >= 1, config.where, "an all-reduce happens at least once");
  }
  void operator()(const DdpConfig& config) {
    check_ring(config.hosts, config.ring, config.where);
    expect(config.element.count() >= 1, config.where, "an element has at least 1 B");
    expect(config.steps >= 1, config.where, "training has at least 1 step");
    expect(!config.tensors.empty(), config.where, "the model has no parameters");
    const bool durations_ok = std::min({config.forward, config.backward, config.optimiser}) >= Duration{0};
    expect(durations_ok, config.where, "a compute time is not negative");
  }
  void operator()(const PerftestConfig& config) {
    expect(known(config.client) && known(config.server), config.where, "the perftest's host does not exist");
    expect(config.client != config.server, config.where, "a perftest goes from one host to another, not to itself");
    expect(!config.sizes.empty(), config.where, "a perftest has at least 1 size");
    for (const PerftestSize& size : config.sizes) {
      expect(size.message.count() >= 1, config.where, "a perftest has messages of at least 1 B");
      expect(size.cq_mod >= 1 && size.cq_mod <= std::min<std::int64_t>(config.tx_depth, config.iterations),
             config.where, "cq_mod is at least 1 and at most tx_depth and iterations");
    }
    expect(config.iterations >= 5 && config.tx_depth >= 1 && config.qps >= 1, config.where,
           "a perftest has at least 5 iterations, a tx_depth of 1 and 1 queue pair");
    expect(!is_latency(config.test) || (config.qps == 1 && config.tx_depth == 1), config.where,
           "a latency test has 1 queue pair and a tx_depth of 1");
  }

  void finish() && {
    if (!errors_.empty()) throw ScenarioError(std::move(errors_));
  }

 private:
  [[nodiscard]] bool known(HostId host) const { return host.index() < host_names_.size(); }

  void expect(bool holds, const Where& where, const char* message) {
    if (!holds) errors_.push_back({where, message});
  }

  void check_ring(std::vector<HostId> hosts, const RingConfig& ring, const Where& where) {
    expect(!hosts.empty(), where, "a ring has at least 1 host");
    expect(std::all_of(hosts.begin(), hosts.end(), [&](HostId host) { return known(host); }), where,
           "a host of the ring does not exist");
    std::sort(hosts.begin(), hosts.end());
    const auto twice = std::adjacent_find(hosts.begin(), hosts.end());
    if (twice != hosts.end() && known(*twice)) {
      errors_.push_back({where, fmt::format("host {} is in the ring twice", host_names_[twice->index()])});
    }
    expect(std::min({ring.channels, ring.slices_per_chunk, ring.slots}) >= 1, where,
           "a ring has at least 1 channel, 1 slice per chunk and 1 slot");
    expect(ring.slice.count() >= 1, where, "a slice has at least 1 B");
    expect(ring.reduce_time >= Duration{0}, where, "a reduction takes no negative time");
  }

  const std::vector<std::string>& host_names_;
  std::vector<Diagnostic> errors_;
};

/// Makes the jobs one after another; takes the identities of flows in the order of the flows jobs.
struct Maker {
  const std::vector<std::string>& host_names;
  std::vector<std::vector<std::string>> identities;
  std::size_t next_flows{0};

  std::unique_ptr<Job> operator()(const FlowsConfig& config) {
    return std::make_unique<FlowsJob>(config, std::move(identities[next_flows++]));
  }
  std::unique_ptr<Job> operator()(const AllReduceConfig& config) {
    return std::make_unique<AllReduceJob>(AllReduceProgram{config, host_names});
  }
  std::unique_ptr<Job> operator()(const DdpConfig& config) {
    return std::make_unique<DdpJob>(DdpProgram{config, host_names});
  }
  std::unique_ptr<Job> operator()(const PerftestConfig& config) {
    return std::make_unique<PerftestJob>(config, host_names);
  }
};

}  // namespace

std::vector<std::unique_ptr<Job>> make_jobs(const std::vector<JobConfig>& configs,
                                            const std::vector<std::string>& host_names) {
  Checker checker{host_names};
  for (const JobConfig& config : configs) std::visit(checker, config);
  std::move(checker).finish();

  std::vector<const FlowsConfig*> flows;
  for (const JobConfig& config : configs) {
    if (const auto* list = std::get_if<FlowsConfig>(&config)) flows.push_back(list);
  }
  Maker maker{host_names, flow_identities(flows, host_names)};
  std::vector<std::unique_ptr<Job>> jobs;
  for (const JobConfig& config : configs) jobs.push_back(std::visit(maker, config));
  return jobs;
}

std::unique_ptr<Job> make_job(const JobConfig& config, const std::vector<std::string>& host_names) {
  return std::move(make_jobs({config}, host_names).front());
}

}  // namespace soya
