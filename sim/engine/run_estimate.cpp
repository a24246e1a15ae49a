#include "engine/run_estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <variant>
#include <vector>

#include "engine/routes.hpp"
#include "engine/state.hpp"
#include "planning/link_load.hpp"
#include "planning/wire_demand.hpp"
#include "topology/route_shares.hpp"

namespace soya {

namespace {

/// A run may send packets again for what no plan foresees.
[[nodiscard]] bool may_send_again(const Scenario& scenario) {
  return !scenario.faults.empty() ||
         std::ranges::any_of(scenario.topology.links, [](const LinkConfig& link) { return link.loss.has_value(); }) ||
         std::ranges::any_of(scenario.nics, [](const NicConfig& nic) { return nic.receive_queue.has_value(); });
}

/// What a job takes by itself, however fast its links are.
[[nodiscard]] Duration computing(const JobConfig& job) {
  const auto* training = std::get_if<DdpConfig>(&job);
  return training == nullptr
             ? Duration{0}
             : std::int64_t{training->steps} * (training->forward + training->backward + training->optimiser);
}

/// When the first byte may leave.
[[nodiscard]] Duration first_start(const JobConfig& job, std::size_t connection) {
  const auto* flows = std::get_if<FlowsConfig>(&job);
  return flows == nullptr ? Duration{0} : flows->flows[connection].start - Time{0};
}

class Estimate {
 public:
  explicit Estimate(const PlanInput& input)
      : input_{input}, hosts_{input.scenario.topology, input.routing.ports()}, sizes_{input.scenario.frame} {}

  [[nodiscard]] RunEstimate run() {
    const bool stops = input_.scenario.stop.after.has_value();
    if (stops) {
      seconds_.assign(2 * input_.scenario.topology.links.size(), 0.0);
      for_each_connection([this](const Connection& one) {
        for (const Way& way : one.ways) note_load(way);
      });
    }
    double hops = 0;
    std::set<HostId> hosts;
    for_each_connection([&](const Connection& one) {
      hosts.insert({one.nics.from, one.nics.to});
      const double part = stops ? part_sent(one) : 1.0;
      for (const Way& way : one.ways) {
        for (const PortShare& hop : way.route) hops += static_cast<double>(way.frames) * hop.share * part;
      }
    });
    return {std::llround(hops), may_send_again(input_.scenario), static_cast<std::int64_t>(hosts.size())};
  }

 private:
  /// What one end of a connection sends.
  struct Way {
    std::vector<PortShare> route;
    std::int64_t frames{0};
    Bytes bytes{0};
  };
  struct Connection {
    const JobConfig& job;
    std::size_t number;
    HostPair nics;
    std::array<Way, 2> ways;
  };

  template <class Visit>
  void for_each_connection(Visit visit) const {
    for (std::size_t j = 0; j < input_.scenario.jobs.size(); ++j) {
      const JobConfig& job = input_.scenario.jobs[j];
      const std::vector<ConnectionConfig>& connections = *input_.connections[j];
      const std::vector<ConnectionTraffic> traffic = job_traffic(job, {sizes_, input_.scenario.nics});
      for (std::size_t c = 0; c < traffic.size(); ++c) {
        const HostPair nics = nics_of(hosts_, job, {connections[c].a, connections[c].b});
        const auto route = [&](HostPair ends, bool from_a) {
          return route_shares(input_.routing, ends, flow_hash_of(connections[c], from_a));
        };
        const ConnectionTraffic& one = traffic[c];
        visit(Connection{job,
                         c,
                         nics,
                         {Way{route(nics, true), one.frames_from_a(), one.from_a().total()},
                          Way{route({nics.to, nics.from}, false), one.frames_from_b(), one.from_b().total()}}});
      }
    }
  }

  [[nodiscard]] Rate rate_of(PortRef port) const {
    const LinkId link = input_.routing.ports().at(port).link;
    return input_.scenario.topology.links[link.index()].rate_from(port.node);
  }

  void note_load(const Way& way) {
    for (const PortShare& hop : way.route) {
      seconds_[direction_of(input_.routing.ports(), hop.port)] +=
          static_cast<double>(way.bytes.count()) * hop.share * 8 /
          static_cast<double>(rate_of(hop.port).bits_per_second());
    }
  }

  /// Of what the connection sends in all, by the stop: its busiest link shares itself evenly over time, and
  /// acknowledges come as data goes.
  [[nodiscard]] double part_sent(const Connection& one) const {
    double needed = computing(one.job).seconds();
    for (const Way& way : one.ways) {
      for (const PortShare& hop : way.route) {
        needed = std::max(needed, seconds_[direction_of(input_.routing.ports(), hop.port)]);
      }
    }
    const double given = (*input_.scenario.stop.after - first_start(one.job, one.number)).seconds();
    return given >= needed ? 1.0 : std::max(given, 0.0) / needed;
  }

  const PlanInput& input_;
  HostPorts hosts_;
  FrameSizes sizes_;
  std::vector<double> seconds_{};  ///< by LinkDirection, that all of its traffic takes
};

}  // namespace

RunEstimate estimate_run(const PlanInput& input) {
  return Estimate{input}.run();
}

RunEstimate estimate_run(const Simulation& simulation) {
  return estimate_run(simulation.state().plan_input());
}

}  // namespace soya
