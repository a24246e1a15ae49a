#include <algorithm>
#include <map>
#include <tuple>

#include "engine/routes.hpp"
#include "engine/state.hpp"
#include "workload/make_job.hpp"

namespace soya {

namespace {

/// One end of one connection, before queue pairs have numbers.
struct End {
  HostId host;                 ///< whose NIC it is at
  HostId rank;                 ///< as the job knows it
  std::uint64_t identity{0};   ///< hash of the connection's identity
  JobId job;
  std::uint32_t connection{0};
  bool is_a{true};
};

[[nodiscard]] std::vector<End> connection_ends(const std::vector<JobState>& jobs) {
  std::vector<End> ends;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const std::vector<ConnectionConfig>& connections = jobs[j].job->connections();
    for (std::size_t c = 0; c < connections.size(); ++c) {
      const std::uint64_t identity = hash_name(connections[c].identity);
      const HostPair& nics = jobs[j].ends[c].nics;
      ends.push_back({nics.from, connections[c].a, identity, JobId{j}, static_cast<std::uint32_t>(c), true});
      ends.push_back({nics.to, connections[c].b, identity, JobId{j}, static_cast<std::uint32_t>(c), false});
    }
  }
  // Queue pair numbers, and with them every order within a NIC, follow from identities, never from file order.
  std::sort(ends.begin(), ends.end(), [](const End& x, const End& y) {
    return std::tuple(x.host, x.identity, y.is_a) < std::tuple(y.host, y.identity, x.is_a);
  });
  return ends;
}

/// `ends` are this end's NIC and the other one's.
[[nodiscard]] QueuePairSetup queue_pair_setup(const Scenario& scenario, const ConnectionConfig& connection, bool is_a,
                                              const HostPair& ends) {
  const auto [self, peer] = ends;
  const NicConfig& nic = scenario.nics[self.index()];
  const NicConfig& other = scenario.nics[peer.index()];
  QueuePairSetup setup;
  setup.peer = peer;
  setup.priority = connection.priority;
  setup.ack_priority = nic.ack_priority.value_or(connection.priority);
  setup.flow_hash = flow_hash_of(connection, is_a);
  const bool selective = nic.retransmission == Retransmission::selective_repeat && other.retransmission == nic.retransmission;
  setup.requester = {.queue_depth = connection.queue_depth.value_or(nic.queue_depth),
                     .ack_every = nic.ack_every,
                     .retry_count = nic.retry_count,
                     .max_unacked = selective ? std::min(nic.max_unacked, other.reorder_window) : nic.max_unacked,
                     .initial_psn = nic.initial_psn,
                     .max_reads = nic.max_reads,
                     .rnr_retry = nic.rnr_retry,
                     .retransmission = selective ? Retransmission::selective_repeat : Retransmission::go_back_n,
                     .reorder_timeout = nic.reorder_timeout,
                     .holds_slots = nic.completion_queue.has_value()};
  setup.responder = {.initial_psn = other.initial_psn,
                     .retransmission = setup.requester.retransmission,
                     .reorder_window = nic.reorder_window,
                     .reorder_timeout = nic.reorder_timeout,
                     .mtu = scenario.frame.mtu,
                     .receives = nic.receive_queue};
  return setup;
}

}  // namespace

void SimulationState::build_jobs() {
  std::vector<std::string> host_names;
  for (std::size_t h = 0; h < nics.size(); ++h) host_names.push_back(node_name(node_of(HostId{h})));
  if (std::vector<Diagnostic> errors = path_problems(scenario); !errors.empty()) throw ScenarioError(std::move(errors));
  for (std::unique_ptr<Job>& job : make_jobs(scenario.jobs, host_names)) {
    jobs.push_back({std::move(job), {}, {}, {}, {}, {}, {}});
  }

  owners.resize(nics.size());
  const HostPorts host_ports{scenario.topology, routing->ports()};
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    for (const ConnectionConfig& connection : jobs[j].job->connections()) {
      jobs[j].ends.push_back({{}, {}, nics_of(host_ports, scenario.jobs[j], {connection.a, connection.b})});
    }
  }
  for (const End& end : connection_ends(jobs)) {
    JobState& job = jobs[end.job.index()];
    const HostPair ends = job.ends[end.connection].from(end.is_a);
    const QueuePairId id = nics[end.host.index()].add_queue_pair(
        queue_pair_setup(scenario, job.job->connections()[end.connection], end.is_a, ends));
    (end.is_a ? job.ends[end.connection].at_a : job.ends[end.connection].at_b) = id;
    owners[end.host.index()].push_back({end.job, end.connection, end.rank});
  }
  for (const JobState& job : jobs) {
    for (std::size_t c = 0; c < job.ends.size(); ++c) {
      const ConnectionEnds& ends = job.ends[c];
      nics[ends.nics.from.index()].queue_pairs()[ends.at_a.index()].peer_queue_pair = ends.at_b;
      nics[ends.nics.to.index()].queue_pairs()[ends.at_b.index()].peer_queue_pair = ends.at_a;
    }
  }

  std::map<std::string, int> same_name;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    JobState& job = jobs[j];
    const std::string name = job.job->name() + '\x1f' + std::to_string(same_name[job.job->name()]++);
    job.hosts = job.job->hosts();
    transfers_in_all += job.job->transfers();
    job.wake.resize(nics.size());
    job.started.resize(nics.size());
    job.finished.resize(nics.size());
    job.series.assign(2 * job.ends.size(), no_record);
    for (const HostId host : job.hosts) {
      ++home_of(host).parts_unfinished;
      job.wake[host.index()] = add_source(node_of(host), "job\x1f" + name + '\x1f' + host_names[host.index()],
                                          {EventKind::job_wake, host.value(), static_cast<std::uint32_t>(j)});
    }
  }
  // After all sources are known, for the queue numbers them anew when there are more.
  for (const JobState& job : jobs) {
    for (const HostId host : job.hosts) {
      home_of(host).events.schedule(job.wake[host.index()], Time{0}, Phase::workload);
    }
  }
}

}  // namespace soya
