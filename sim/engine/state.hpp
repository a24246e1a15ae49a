// Everything a simulation owns, by value and in contiguous vectors. Built by build.cpp and build_jobs.cpp, driven by
// simulation.cpp, read by collect.cpp and stall.cpp. Not included outside engine/.
// Simplifies: nothing. Source: docs/architecture.md. Validated by tests/analytic and tests/property.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/event_queue.hpp"
#include "core/ids.hpp"
#include "core/units.hpp"
#include "engine/cuts.hpp"
#include "engine/outages.hpp"
#include "engine/partition.hpp"
#include "engine/simulation.hpp"
#include "fabric/switch.hpp"
#include "net/context.hpp"
#include "net/frame.hpp"
#include "nic/nic.hpp"
#include "probes/sampler.hpp"
#include "topology/routing.hpp"
#include "wan/accelerator.hpp"
#include "workload/job.hpp"

namespace soya {

/// A connection of a job as the NICs know it.
struct ConnectionEnds {
  QueuePairId at_a;
  QueuePairId at_b;
  HostPair nics{};  ///< of a and b: their own, or those they use instead (topology/servers.hpp)

  [[nodiscard]] HostPair from(bool is_a) const { return is_a ? nics : HostPair{nics.to, nics.from}; }
};

/// Which connection of which job a queue pair serves.
struct QueuePairOwner {
  JobId job;
  std::uint32_t connection{0};
  HostId host;  ///< as the job knows it: it may use another one's NIC
};

/// A connection of a job.
struct FlowRef {
  JobId job;
  std::uint32_t connection{0};
  bool operator==(const FlowRef&) const = default;
};

/// A job and what the engine keeps for it.
struct JobState {
  std::unique_ptr<Job> job;
  std::vector<ConnectionEnds> ends;       ///< by connection
  std::vector<HostId> hosts;
  std::vector<SourceId> wake;             ///< by HostId; none where the host takes no part
  std::vector<std::uint8_t> started;      ///< by HostId: a byte each, as hosts may run in different threads
  std::vector<std::uint8_t> finished;     ///< by HostId
  std::vector<std::uint32_t> series;      ///< by connection and end: record of the last series; of jobs that post any
};

/// A scripted fault's beginning or end.
struct FaultStep {
  enum class Kind {
    link_down,
    link_up,
    switch_down,
    switch_up,
    reroute,
    hold,
    release,
    begin_burst,
    end_burst,
    lose_next,
    reconverge,
  };
  Kind kind{Kind::link_down};
  Time at;
  LinkId link;
  NodeId node{};                          ///< of hold, release and the bursts: whose frames; of switch_down the switch
  std::int64_t frames{0};                 ///< of lose_next
  Duration forward{};                     ///< of reroute
  Duration reverse{};
  std::size_t reconvergence{0};           ///< of reconverge: which
};

/// Egresses that wait for each other in a circle; without nodes where there is none.
struct PauseCycle {
  std::vector<NodeId> nodes;              ///< of the egresses, in the order of the waiting
  std::string text;
};

enum class Ending { done, stopped, stalled, drained, interrupted };

class IdealTimes;
struct PlanInput;

struct SimulationState {
  explicit SimulationState(const Scenario& s) : scenario{s}, sizes{s.frame}, script{s.seed} {}

  // What it is built from.
  Scenario scenario;
  FrameSizes sizes;

  // The machinery.
  std::vector<std::unique_ptr<Partition>> partitions;
  Threads threads;
  Cuts cuts;                                     ///< which partition a node belongs to
  bool is_large{false};                          ///< does not stay close to a core: windows begin by fetching (look_ahead.hpp)
  std::vector<Duration> reach;                   ///< by partition: its shortest link to another one
  Duration longest_window;                       ///< by the traffic expected; the monitor waits no longer
  std::size_t members{1};                        ///< threads that run the partitions, each the same ones all the time
  std::vector<Mailbox> mail;                     ///< by partition to and member from
  std::vector<std::unique_ptr<CutLink>> cut_links;
  EventQueue script;                             ///< events of the run itself: faults, samples, looks for a stall
  Time now;                                      ///< of the script, and of the end

  // The fabric.
  std::optional<Routing> routing;
  std::vector<Duration> latencies;               ///< by SwitchId; of accelerators none
  std::vector<Switch> switches;                  ///< by SwitchId
  std::vector<Nic> nics;                         ///< by HostId
  std::vector<Accelerator> accelerators;         ///< by AcceleratorId
  std::vector<std::vector<FlowRef>> relayed;     ///< by AcceleratorId: whose connections it relays, in its order
  std::vector<std::vector<Bytes>> headroom_auto;  ///< by SwitchId and port
  std::vector<std::string> warnings;

  // The workload.
  std::vector<JobState> jobs;
  std::vector<std::vector<QueuePairOwner>> owners;  ///< by HostId and QueuePairId
  std::vector<TransferRecord> transfers;         ///< of all partitions, in the order of events; once the run has ended
  std::int64_t transfers_in_all{0};              ///< of all jobs, when each is done

  // The script and the clocks of the run itself.
  std::vector<FaultStep> faults;                 ///< by time
  std::size_t next_fault{0};
  std::vector<Reconvergence> reconvergences;     ///< by time
  std::unique_ptr<Routing> rerouted;             ///< by which switches route after the last one; null before the first
  std::vector<ReconvergenceRow> reconverged;
  SourceId fault_source;
  SourceId stall_source;
  SourceId sample_source;
  Duration stalled_after;
  Duration circular_after;                       ///< the same where pauses wait for each other in a circle
  std::optional<Sampler> sampler;
  std::vector<Duration> sampled_busy;            ///< by port, node by node: time its wire was busy until the last sample

  Ending ending{Ending::done};
  std::vector<std::string> stall_report;
  RunMonitor* monitor{nullptr};

  // Names, made once and used in reports only.
  [[nodiscard]] const std::string& node_name(NodeId node) const { return scenario.topology.nodes[node.index()].name; }
  [[nodiscard]] NodeId node_of(HostId host) const { return routing->ports().node_of(host); }
  [[nodiscard]] NodeId node_of(SwitchId which) const { return routing->ports().node_of(which); }
  /// The neighbour's name, with "#k" where several links lead there.
  [[nodiscard]] std::string port_name(NodeId node, PortId port) const;
  [[nodiscard]] Port& port_at(PortRef ref);
  [[nodiscard]] const Port& port_at(PortRef ref) const;

  /// Of a component of `node`; of the run itself.
  SourceId add_source(NodeId node, const std::string& name, Event event);
  SourceId add_script_source(const std::string& name, Event event);
  [[nodiscard]] Partition& home_of(NodeId node) { return *partitions[cuts.part[node.index()]]; }
  [[nodiscard]] const Partition& home_of(NodeId node) const { return *partitions[cuts.part[node.index()]]; }
  [[nodiscard]] Partition& home_of(HostId host) { return home_of(node_of(host)); }
  [[nodiscard]] const Partition& home_of(HostId host) const { return home_of(node_of(host)); }

  // build.cpp
  void build_fabric(const Threads& given);
  // cuts.cpp: partitions, and links as what lies on both sides of a cut
  void make_partitions(const Threads& given);
  [[nodiscard]] std::size_t member_of(std::size_t partition) const { return partition % members; }
  [[nodiscard]] Mailbox& mail_from(std::size_t member, std::size_t to) { return mail[to * members + member]; }
  void connect(PortRef from);
  [[nodiscard]] Link& link_towards(PortRef ref);  ///< on which frames to the port start
  [[nodiscard]] bool is_down_towards(PortRef ref) const;
  [[nodiscard]] std::int64_t lost_towards(PortRef ref) const;
  [[nodiscard]] std::int64_t expired_while_meant(PortRef ref, Priority priority) const;
  void take_down(PortRef ref);
  // build_accelerators.cpp
  void build_accelerators();
  void connect_accelerators();
  [[nodiscard]] Accelerator& accelerator_at(NodeId node) {
    return accelerators[routing->ports().accelerator_at(node).index()];
  }
  [[nodiscard]] const Accelerator& accelerator_at(NodeId node) const {
    return accelerators[routing->ports().accelerator_at(node).index()];
  }
  // build_warnings.cpp
  void warn_of_headroom();
  void warn_of_thresholds();
  void warn_of_deep_memory();
  void warn_of_pauses();
  void warn_of_reordering();
  void warn_of_cycles();
  // build_jobs.cpp
  void build_jobs();

  // hosts.cpp: the workload's side of an event
  void wake_job(Partition& partition, HostId host, JobId job);
  void deliver_completions(Partition& partition, HostId host);
  static void note_finished(Partition& partition, JobState& job, HostId host);
  [[nodiscard]] std::uint32_t record_of(Partition& partition, JobId job, HostId host, const WorkRequest& request);

  // stall.cpp
  void check_stall();
  [[nodiscard]] std::optional<Time> next_awake() const;
  [[nodiscard]] std::optional<Time> next_fault_for(const PauseCycle& cycle) const;
  [[nodiscard]] bool receiver_works() const;
  [[nodiscard]] bool memory_works() const;
  [[nodiscard]] bool pause_will_expire() const;
  [[nodiscard]] PauseCycle pause_cycle() const;

  // faults.cpp
  void build_faults();
  void apply_faults();
  void apply(const FaultStep& step);
  void hold_egress(const FaultStep& step);
  void take_down(const Outage& outage);
  void bring_up(const Outage& outage);
  void reconverge(const Reconvergence& to);

  // windows.cpp: the run as a whole
  void run();
  void deliver_mail(std::size_t to);
  void deliver_all_mail();

  // simulation.cpp: its events
  void dispatch(Partition& partition, const Event& event);
  void dispatch_script(const Event& event);
  void handle(Partition& partition, const EventQueue::Fired& fired);
  /// Handles all that `partition` has before `end`; the same, `most` events at most, up to the one that makes it quiet.
  void run_before(Partition& partition, const EventKey& end);
  void run_until_quiet(Partition& partition, const EventKey& end, std::uint64_t most);
  /// The next event of the script.
  void step_script();
  /// The next event of all, wherever it is.
  void step();
  [[nodiscard]] EventKey next_key();
  /// Nothing is to be done, under way or held back anywhere.
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] bool report_progress();

  // totals.cpp: sums over partitions
  [[nodiscard]] RunCounters totals() const;
  [[nodiscard]] std::int64_t packets_in_use() const;
  [[nodiscard]] std::int64_t parts_unfinished() const;
  [[nodiscard]] std::int64_t events_handled() const;
  [[nodiscard]] std::uint64_t fingerprint() const;
  void gather_transfers();

  // samples.cpp
  void take_sample();
  [[nodiscard]] std::vector<SampleRow> sample_rows() const;

  // collect.cpp
  [[nodiscard]] RunResults collect() const;
  // collect_buffers.cpp
  void collect_buffers(RunResults& results) const;
  // collect_accelerators.cpp
  void collect_accelerators(RunResults& results) const;
  [[nodiscard]] std::vector<std::string> undelivered() const;
  // collect_pauses.cpp
  void collect_pauses(RunResults& results) const;
  // collect_tiers.cpp
  [[nodiscard]] PlanInput plan_input() const;
  void collect_tiers(RunResults& results) const;
  // collect_transfers.cpp
  [[nodiscard]] TransferRow transfer_row(const TransferRecord& record, IdealTimes& ideal) const;
  void collect_transfers(RunResults& results) const;
  // collect_perftest.cpp
  void collect_perftest(RunResults& results) const;
  // verdict.cpp
  [[nodiscard]] std::vector<std::string> why_not_sound() const;
};

}  // namespace soya
