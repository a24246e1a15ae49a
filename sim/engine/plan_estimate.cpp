// When jobs end if their flows share links max-min fairly.
#include <algorithm>
#include <variant>

#include "engine/load_plan.hpp"
#include "engine/step_plan.hpp"
#include "planning/fluid.hpp"
#include "planning/ring_time.hpp"
#include "workload/buckets.hpp"

namespace soya {

namespace {

/// Many flows that end one by one: within a part of the time passed their ends are one.
constexpr std::size_t many_flows = 1'000;
constexpr double together_of_many = 0.002;

[[nodiscard]] double seconds(Duration time) {
  return time.seconds();
}

[[nodiscard]] Duration duration(double seconds) {
  return Duration{static_cast<std::int64_t>(seconds * 1e12 + 0.5)};
}

class Estimates {
 public:
  Estimates(const PlanInput& input, LoadPlan& plan)
      : input_{input}, plan_{plan}, taken_(plan.traffic.loads.size(), 0.0) {}

  void add() {
    std::size_t flow = 0;
    for (std::size_t j = 0; j < plan_.jobs.size(); ++j) {
      first_ = flow;
      flow += 2 * plan_.traffic.traffic[j].size();
      begins_.push_back(activities_.size());
      std::visit([&](const auto& config) { add_job(config, j, flow); }, input_.scenario.jobs[j]);
    }
    begins_.push_back(activities_.size());
    std::vector<Rate> rates;
    for (const LinkConfig& link : input_.scenario.topology.links) {
      rates.push_back(link.rate);
      rates.push_back(link.rate_from(link.b));
    }
    const double together = activities_.size() > many_flows ? together_of_many : 0;
    ends_ = fluid_ends(columns_, rates, activities_, together);
    flow = 0;
    for (std::size_t j = 0; j < plan_.jobs.size(); ++j) {
      first_ = flow;
      flow += 2 * plan_.traffic.traffic[j].size();
      std::visit([&](const auto& config) { note(config, j); }, input_.scenario.jobs[j]);
    }
  }

 private:
  /// A column for the flows from `begin` to `end`, per byte of data of `bytes`. Returns its number.
  std::uint32_t add_column(std::size_t begin, std::size_t end, Bytes bytes) {
    std::vector<LinkDirection> used;
    for (std::size_t f = begin; f < end; ++f) {
      const auto demand = static_cast<double>(plan_.traffic.demands[f].total().count());
      if (demand == 0) continue;
      for (const LinkShare& one : plan_.traffic.routes[f]) {
        if (taken_[one.direction] == 0) used.push_back(one.direction);
        taken_[one.direction] += one.share * demand;
      }
    }
    std::vector<LinkShare> column;
    for (const LinkDirection d : used) {
      column.push_back({d, taken_[d] / static_cast<double>(bytes.count())});
      taken_[d] = 0;
    }
    columns_.add(column);
    return static_cast<std::uint32_t>(columns_.count() - 1);
  }

  void add_job(const FlowsConfig& job, std::size_t j, std::size_t) {
    for (std::size_t c = 0; c < job.flows.size(); ++c) {
      const Exchange& posted = plan_.traffic.traffic[j][c].by_a;
      const Bytes data = posted.there.data + posted.back.data;
      const std::uint32_t column = add_column(first_ + 2 * c, first_ + 2 * c + 2, data);
      const double start = seconds(job.flows[c].start - Time{0});
      activities_.push_back({start, {{column, static_cast<double>(data.count()), 0}}});
    }
  }

  /// To and fro, a queue pair's share is what its round trips leave: it is on the links all the same.
  void add_job(const PerftestConfig& job, std::size_t j, std::size_t) {
    if (is_latency(job.test)) return;
    for (std::size_t c = 0; c < plan_.traffic.traffic[j].size(); ++c) {
      const Exchange& posted = plan_.traffic.traffic[j][c].by_a;
      const Bytes data = posted.there.data + posted.back.data;
      const std::uint32_t column = add_column(first_ + 2 * c, first_ + 2 * c + 2, data);
      activities_.push_back({0, {{column, static_cast<double>(data.count()), 0}}});
    }
  }

  /// The mean data of a connection: at the ring's rate all connections move as much.
  [[nodiscard]] Bytes ring_bytes(std::size_t j) const {
    const std::vector<ConnectionTraffic>& connections = plan_.traffic.traffic[j];
    Bytes sum{0};
    for (const ConnectionTraffic& one : connections) sum += one.by_a.there.data;
    return connections.empty() ? Bytes{0} : sum / static_cast<std::int64_t>(connections.size());
  }

  void add_job(const AllReduceConfig& job, std::size_t j, std::size_t end) {
    const Bytes bytes = ring_bytes(j);
    FluidActivity activity;
    activity.cycles = job.repeat;
    if (bytes > Bytes{0}) {
      const std::uint32_t column = add_column(first_, end, bytes);
      activity.stages.push_back({column, static_cast<double>(bytes.count()) / job.repeat, 0});
    }
    activities_.push_back(std::move(activity));
  }

  void add_job(const DdpConfig& job, std::size_t j, std::size_t end) {
    FluidActivity activity;
    activity.cycles = job.steps;
    activity.least = seconds(job.forward + job.backward);
    activity.after = seconds(job.optimiser);
    const Bytes bytes = ring_bytes(j);
    if (bytes > Bytes{0}) {
      const std::uint32_t column = add_column(first_, end, bytes);
      const std::vector<Bucket> buckets = make_buckets(job);
      double all = 0;
      for (const Bucket& bucket : buckets) all += static_cast<double>(bucket.size.count());
      const double of_step = static_cast<double>(bytes.count()) / job.steps;
      for (const Bucket& bucket : buckets) {
        const double part = static_cast<double>(bucket.size.count()) / all;
        activity.stages.push_back({column, part * of_step, seconds(job.forward + bucket.ready)});
      }
    }
    activities_.push_back(std::move(activity));
  }

  /// What the fluid does not know: the first message's way, and the last acknowledge's way back.
  [[nodiscard]] Duration latency(std::size_t flow, Operation operation, Bytes size) const {
    if (plan_.traffic.routes[flow].empty()) return Duration{0};
    const std::size_t carrier = operation == Operation::read ? flow ^ 1U : flow;
    const std::vector<PathHop> hops = hops_of(input_, plan_.traffic.routes[carrier]);
    const Bytes wire = FrameSizes{input_.scenario.frame}.message_on_wire(operation, size);
    return alone(input_, plan_.traffic, flow, operation, size) -
           serialisation(wire, std::ranges::min(hops, {}, &PathHop::rate).rate);
  }

  void note(const FlowsConfig& job, std::size_t j) {
    JobPlan& plan = plan_.jobs[j];
    plan.estimate = Duration{0};
    for (std::size_t c = 0; c < job.flows.size(); ++c) {
      const FlowConfig& flow = job.flows[c];
      Duration end = duration(ends_[begins_[j] + c]);
      if (plan_.traffic.flows[first_ + 2 * c].certain) end += latency(first_ + 2 * c, flow.operation, flow.size);
      plan.transfers[c].estimate = std::max(end - (flow.start - Time{0}), plan.transfers[c].at_least);
      plan.estimate = std::max(*plan.estimate, end);
    }
    plan.estimate = std::max(*plan.estimate, plan.at_least);
  }

  void note(const PerftestConfig&, std::size_t) {}

  [[nodiscard]] bool spreads() const { return !std::ranges::all_of(plan_.traffic.flows, &FlowFacts::certain); }

  /// What the fluid does not know: steps that wait for each other, by the closed form of a ring alone on its links.
  void note(const AllReduceConfig& job, std::size_t j) {
    Duration alone_on_links{0};
    if (job.hosts.size() > 1 && ring_slices(job) <= most_slices_followed && !spreads()) {
      const RingNetwork network = ring_network(input_, JobId{j}, job.hosts, job.ring);
      alone_on_links = job.repeat * ring_all_reduce_time({job.size, job.element}, job.ring, network);
    }
    plan_.jobs[j].estimate = std::max({duration(ends_[begins_[j]]), alone_on_links, plan_.jobs[j].at_least});
  }

  void note(const DdpConfig& job, std::size_t j) {
    Duration alone_on_links{0};
    if (ring_slices(job) <= most_slices_followed && !spreads()) {
      const RingNetwork network = ring_network(input_, JobId{j}, job.hosts, job.ring);
      alone_on_links = job.steps * plan_ddp(job, network).step_time;
    }
    plan_.jobs[j].estimate = std::max({duration(ends_[begins_[j]]), alone_on_links, plan_.jobs[j].at_least});
  }

  const PlanInput& input_;
  LoadPlan& plan_;
  LinkColumns columns_;
  std::vector<FluidActivity> activities_;
  std::vector<std::size_t> begins_;  // of each job's activities
  std::vector<double> ends_;
  std::vector<double> taken_;  // scratch by direction
  std::size_t first_{0};       // of the job's flows
};

}  // namespace

void add_estimates(const PlanInput& input, LoadPlan& plan) {
  Estimates{input, plan}.add();
}

}  // namespace soya
