// What no run can be faster than. A bound takes only what is certain: that bytes cross the links of a static path, or,
// with faults or where switches spread frames, the links of their own hosts.
#include <algorithm>
#include <variant>

#include "engine/load_plan.hpp"
#include "workload/buckets.hpp"
#include "workload/perftest_job.hpp"

namespace soya {

namespace {

/// Sums by direction that know which are not zero.
class Sums {
 public:
  explicit Sums(std::size_t directions) : bytes_(directions, Bytes{0}) {}

  void add(LinkDirection direction, Bytes bytes) {
    if (bytes_[direction] == Bytes{0}) used_.push_back(direction);
    bytes_[direction] += bytes;
  }
  /// The longest time at its rate; and forgets all.
  [[nodiscard]] Duration longest(const PlanInput& input) {
    Duration longest{0};
    for (const LinkDirection d : used_) {
      const LinkConfig& link = input.scenario.topology.links[d / 2];
      longest = std::max(longest, serialisation(bytes_[d], link.rate_from(d % 2 == 0 ? link.a : link.b)));
      bytes_[d] = Bytes{0};
    }
    used_.clear();
    return longest;
  }

 private:
  std::vector<Bytes> bytes_;
  std::vector<LinkDirection> used_;
};

class Bounds {
 public:
  Bounds(const PlanInput& input, LoadPlan& plan)
      : input_{input}, plan_{plan}, sums_{plan.traffic.loads.size()}, whole_{plan.traffic.loads.size()} {}

  void add() {
    std::size_t flow = 0;
    for (std::size_t j = 0; j < plan_.jobs.size(); ++j) {
      first_ = flow;
      flow += 2 * plan_.traffic.traffic[j].size();
      end_ = flow;
      job_ = &plan_.jobs[j];
      std::visit([&](const auto& config) { bound(config); }, input_.scenario.jobs[j]);
      plan_.at_least = std::max(plan_.at_least, job_->at_least);
    }
    for (std::size_t f = 0; f < plan_.traffic.flows.size(); ++f) add_flow(whole_, f, loads_of(f));
    plan_.at_least = std::max(plan_.at_least, whole_.longest(input_));
  }

 private:
  /// What certainly crosses: acknowledges may answer several packets.
  [[nodiscard]] Bytes loads_of(std::size_t flow) const {
    return plan_.traffic.demands[flow].data + plan_.traffic.demands[flow].control;
  }

  [[nodiscard]] bool has_static_path(std::size_t flow) const {
    return input_.scenario.faults.empty() && plan_.traffic.flows[flow].certain && !is_relayed(flow);
  }
  [[nodiscard]] bool is_relayed(std::size_t flow) const {
    return std::ranges::any_of(plan_.traffic.routes[flow], [&](const LinkShare& one) {
      return input_.routing.ports().is_accelerator(egress_of(input_.routing.ports(), one.direction).node);
    });
  }

  /// Adds `bytes` to the directions that they cross for certain.
  void add_flow(Sums& sums, std::size_t flow, Bytes bytes) const {
    if (bytes == Bytes{0}) return;
    const PortMap& ports = input_.routing.ports();
    const bool all = has_static_path(flow);
    const bool relayed = is_relayed(flow);
    for (const LinkShare& one : plan_.traffic.routes[flow]) {
      const PortRef egress = egress_of(ports, one.direction);
      const bool leaves = ports.is_host(egress.node);
      // An accelerator acknowledges what has not arrived.
      if (all || leaves || (!relayed && ports.is_host(ports.at(egress).peer))) sums.add(one.direction, bytes);
    }
  }

  [[nodiscard]] Duration longest_of_job(bool with_control) {
    for (std::size_t f = first_; f < end_; ++f) {
      add_flow(sums_, f, with_control ? loads_of(f) : plan_.traffic.demands[f].data);
    }
    return sums_.longest(input_);
  }

  /// From its start: all its bytes at its slowest link, and its first message's way there and its acknowledge's back.
  [[nodiscard]] Duration bound_of(std::size_t flow, const MessageKind& messages) const {
    const FrameSizes sizes{input_.scenario.frame};
    const Bytes message = sizes.message_on_wire(messages.operation, messages.size);
    const std::size_t carrier = messages.operation == Operation::read ? flow ^ 1U : flow;
    if (has_static_path(flow) && has_static_path(flow ^ 1U)) {
      Duration time = alone(input_, plan_.traffic, flow, messages.operation, messages.size);
      if (messages.count == 1) return time;
      const std::vector<PathHop> hops = hops_of(input_, plan_.traffic.routes[carrier]);
      return time + serialisation((messages.count - 1) * message, std::ranges::min(hops, {}, &PathHop::rate).rate);
    }
    Sums own{plan_.traffic.loads.size()};
    add_flow(own, carrier, messages.count * message);
    return own.longest(input_);
  }

  void bound(const FlowsConfig& job) {
    Time first = job.flows.empty() ? Time{0} : job.flows.front().start;
    for (std::size_t c = 0; c < job.flows.size(); ++c) {
      const FlowConfig& flow = job.flows[c];
      const Duration time = bound_of(first_ + 2 * c, {flow.operation, flow.size, flow.messages});
      job_->transfers[c].at_least = time;
      job_->at_least = std::max(job_->at_least, flow.start + time - Time{0});
      first = std::min(first, flow.start);
    }
    job_->at_least = std::max(job_->at_least, first + longest_of_job(true) - Time{0});
  }

  /// Each message waits for the answer to the one before.
  [[nodiscard]] Duration to_and_fro(const MessageKind& messages) const {
    if (!has_static_path(first_) || !has_static_path(first_ + 1)) return bound_of(first_, messages);
    const std::vector<FrameRun> frames =
        message_frames(FrameSizes{input_.scenario.frame}, messages.operation, messages.size);
    Duration round{0};
    for (const std::size_t flow : {first_, first_ + 1}) {
      round += delivery_time(hops_of(input_, plan_.traffic.routes[flow]), frames);
    }
    return messages.count * round;
  }

  void bound(const PerftestConfig& job) {
    const std::size_t queue_pairs = job_->transfers.size();
    Duration whole{0};
    for (const PerftestSize& size : job.sizes) {
      const MessageKind messages{perftest_operation(job.test), size.message, job.iterations};
      whole += is_latency(job.test) ? to_and_fro(messages) : bound_of(first_, messages);
    }
    for (std::size_t c = 0; c < queue_pairs; ++c) job_->transfers[c].at_least = whole;
    job_->at_least = std::max(whole, longest_of_job(true));
  }

  /// Every byte passes 2(N - 1) neighbours one after another: twice the way round but for two.
  [[nodiscard]] Duration way_round(std::size_t channels) const {
    Duration sum{0};
    Duration longest{0};
    for (std::size_t f = first_; f < end_; f += 2 * channels) {
      if (!has_static_path(f)) return Duration{0};
      Duration way{0};
      for (const PathHop& hop : hops_of(input_, plan_.traffic.routes[f])) way += hop.one_way + hop.latency_before;
      sum += way;
      longest = std::max(longest, way);
    }
    return 2 * sum - 2 * longest;
  }

  /// Where each rank has elements of its own on the first channel, each waits for one that went all the way round.
  [[nodiscard]] static bool all_wait(const RingData& data, std::size_t ranks, int channels) {
    return data.size.count() / data.element.count() / channels >= static_cast<std::int64_t>(ranks);
  }

  void bound(const AllReduceConfig& job) {
    job_->unit = "collective";
    if (job.size == Bytes{0}) return;
    const Duration round = way_round(static_cast<std::size_t>(job.ring.channels));
    job_->unit_at_least = std::max(round, longest_of_job(false) / job.repeat);
    const int rounds = all_wait({job.size, job.element}, job.hosts.size(), job.ring.channels) ? job.repeat : 1;
    job_->at_least = std::max(rounds * round, longest_of_job(true));
  }

  void bound(const DdpConfig& job) {
    job_->unit = "step";
    const Duration computed = job.forward + job.backward + job.optimiser;
    job_->unit_at_least = computed;
    job_->at_least = job.steps * computed;
    const std::vector<Bucket> buckets = make_buckets(job);
    if (job.hosts.size() < 2 || buckets.empty()) return;
    // The last bucket is ready when backward ends, the first with its last gradient.
    const Bucket& last = buckets.back();
    const bool wait = all_wait({last.size, job.element}, job.hosts.size(), job.ring.channels);
    const Duration round = wait ? way_round(static_cast<std::size_t>(job.ring.channels)) : Duration{0};
    const Duration first = job.forward + buckets.front().ready;
    const Duration all = longest_of_job(false);
    job_->unit_at_least = std::max(computed + round, first + all / job.steps + job.optimiser);
    job_->at_least = std::max(job.steps * (computed + round), first + all + job.optimiser);
  }

  const PlanInput& input_;
  LoadPlan& plan_;
  Sums sums_;
  Sums whole_;
  JobPlan* job_{nullptr};
  std::size_t first_{0};  // the job's flows
  std::size_t end_{0};
};

}  // namespace

void add_bounds(const PlanInput& input, LoadPlan& plan) {
  Bounds{input, plan}.add();
}

}  // namespace soya
