// Perftest: what it measured in its own units, and the closed form of the same path beside it.
#include <algorithm>
#include <array>

#include "engine/paths.hpp"
#include "engine/state.hpp"
#include "planning/long_haul.hpp"
#include "workload/perftest_job.hpp"

namespace soya {

namespace {

/// Payload of `span`, in Gbps.
[[nodiscard]] double gbps(const MessageSpan& span, Bytes message) {
  const double picoseconds = static_cast<double>(span.time.picoseconds());
  return static_cast<double>(span.messages) * static_cast<double>(message.count()) * 8e3 / picoseconds;
}

/// A message of its own and the acknowledge that goes ahead of the answer: what a latency test posts to and fro.
[[nodiscard]] Duration half_round_trip(const SimulationState& state, const ConnectionPaths& paths, Bytes message) {
  const std::vector<FrameRun> packets = message_frames(state.sizes, Operation::write_polled, message);
  const Bytes acknowledge = state.sizes.acknowledge() + wire_gap;
  const auto one_way = [&](const std::vector<PathHop>& there) {
    return delivery_time(there, packets) + serialisation(acknowledge, there.front().rate);
  };
  return (one_way(paths.forward) + one_way(paths.back)) / 2;
}

class PerftestRows {
 public:
  PerftestRows(const SimulationState& state, JobId id, const PerftestConfig& config)
      : state_{state}, id_{id}, config_{config}, nic_{state.scenario.nics[config.client.index()]} {
    paths_ = connection_paths(state, id, 0);
    const QueuePairId client = state.jobs[id.index()].ends[0].at_a;
    requester_ = state.nics[config.client.index()].queue_pairs()[client.index()].requester.config();
  }

  [[nodiscard]] PerftestRow row(const PerftestReport& report) const {
    const PerftestSize& size = config_.sizes[report.size];
    PerftestRow row;
    row.job = config_.name;
    row.test = perftest_name(config_.test);
    row.client = state_.node_name(state_.node_of(config_.client));
    row.server = state_.node_name(state_.node_of(config_.server));
    row.bytes = size.message.count();
    row.iterations = config_.iterations * config_.qps;
    row.qps = config_.qps;
    row.tx_depth = std::min<std::int64_t>(config_.tx_depth, config_.iterations);
    row.cq_mod = size.cq_mod;
    row.mtu_bytes = state_.scenario.frame.mtu.count();
    if (report.latency) {
      add_latency(row, *report.latency, size.message);
    } else {
      add_bandwidth(row, report, size.message);
    }
    return row;
  }

 private:
  /// The closed forms know networks: no host that takes its time over completions or over posting receives.
  [[nodiscard]] bool hosts_take_time() const {
    return std::ranges::any_of(std::array{config_.client, config_.server}, [&](HostId host) {
      const NicConfig& nic = state_.scenario.nics[host.index()];
      return nic.completion_queue || nic.receive_queue || nic.receive;
    });
  }
  /// Of full packets on the way of the data.
  [[nodiscard]] PathLoss losses(Operation operation) const {
    const bool from_client = operation != Operation::read;
    return connection_loss(state_, id_, 0, from_client, state_.sizes.middle() + wire_gap);
  }

  void add_latency(PerftestRow& row, const HalfRoundTrips& times, Bytes message) const {
    row.t_min_us = times.shortest_us;
    row.t_max_us = times.longest_us;
    row.t_typical_us = times.typical_us;
    row.t_avg_us = times.average_us;
    row.t_stdev_us = times.deviation_us;
    row.p99_us = times.p99_us;
    row.p99_9_us = times.p99_9_us;
    if (hosts_take_time()) return;
    row.bound_us = static_cast<double>(half_round_trip(state_, paths_, message).picoseconds()) / 1e6;
    row.bound_by = "half a round trip";
  }

  void add_bandwidth(PerftestRow& row, const PerftestReport& report, Bytes message) const {
    row.bw_average_gbps = gbps(report.average, message);
    row.message_rate_mpps =
        static_cast<double>(report.average.messages) * 1e6 / static_cast<double>(report.average.time.picoseconds());
    if (report.peak) row.bw_peak_gbps = gbps(*report.peak, message);
    if (report.steady) row.steady_gbps = gbps(*report.steady, message);
    MessageStream stream;
    stream.message = message;
    stream.queue_pairs = config_.qps;
    stream.depth = row.tx_depth;
    stream.signal_every = row.cq_mod;
    stream.ack_every = requester_.ack_every;
    stream.max_unacked = requester_.max_unacked;
    stream.max_reads = requester_.max_reads;
    stream.message_rate = nic_.message_rate;
    stream.operation = perftest_operation(config_.test);
    if (config_.test == PerftestTest::read_bw) row.outstanding_reads = requester_.max_reads;
    stream.selective_repeat = requester_.retransmission == Retransmission::selective_repeat;
    const PathLoss loss = losses(stream.operation);
    stream.loss = loss.loss;
    stream.burst = loss.burst;
    if (hosts_take_time()) return;
    const Goodput bound = steady_goodput(state_.scenario.frame, paths_.round_trip(true), stream);
    row.bound_gbps = bound.rate.gbps();
    row.bound_by = limit_text(bound.limit);
  }

  const SimulationState& state_;
  JobId id_;
  const PerftestConfig& config_;
  const NicConfig& nic_;
  RequesterConfig requester_;
  ConnectionPaths paths_;
};

}  // namespace

void SimulationState::collect_perftest(RunResults& results) const {
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const auto* config = std::get_if<PerftestConfig>(&scenario.jobs[j]);
    if (config == nullptr) continue;
    const PerftestRows rows{*this, JobId{j}, *config};
    for (const PerftestReport& report : jobs[j].job->report().perftest) results.perftest.push_back(rows.row(report));
  }
}

}  // namespace soya
