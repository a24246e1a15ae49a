// The workload's side of the engine: jobs post work requests here and learn of completions from here.
#include <algorithm>

#include "engine/state.hpp"

namespace soya {

namespace {

/// What one job may do on one host at this instant.
class EngineHost final : public HostContext {
 public:
  EngineHost(SimulationState& state, Partition& partition, JobId job, HostId host)
      : state_{state}, partition_{partition}, job_{job}, host_{host} {}

  [[nodiscard]] Time now() const override { return partition_.context.now; }
  [[nodiscard]] HostId host() const override { return host_; }

  void post(const WorkRequest& request) override {
    JobState& job = state_.jobs[job_.index()];
    const ConnectionConfig& connection = job.job->connections()[request.connection];
    SOYA_CHECK(connection.a == host_ || connection.b == host_, "a job posts on a connection of its own host");
    const ConnectionEnds& ends = job.ends[request.connection];
    SendRequest send{request.size, request.operation, request.tag, no_record};
    if (request.is_transfer) send.record = state_.record_of(partition_, job_, host_, request);
    const bool is_a = connection.a == host_;
    const HostId nic = ends.from(is_a).from;
    state_.nics[nic.index()].post(partition_.context, is_a ? ends.at_a : ends.at_b, send);
  }

  void wake_at(Time at) override {
    partition_.events.schedule(state_.jobs[job_.index()].wake[host_.index()], at, Phase::workload);
  }

 private:
  SimulationState& state_;
  Partition& partition_;
  JobId job_;
  HostId host_;
};

}  // namespace

/// The record of a transfer that is posted now: a new one, or that of the series it goes on with.
std::uint32_t SimulationState::record_of(Partition& partition, JobId id, HostId host, const WorkRequest& request) {
  std::vector<TransferRecord>& posted = partition.transfers;
  const auto next = static_cast<std::uint32_t>(posted.size());
  JobState& job = jobs[id.index()];
  const bool from_a = job.job->connections()[request.connection].a == host;
  std::uint32_t& series = job.series[2 * request.connection + (from_a ? 0 : 1)];
  if (series != no_record && posted[series].posted < posted[series].messages) {
    ++posted[series].posted;
    posted[series].size = std::max(posted[series].size, request.size);
    return series;
  }
  series = next;
  posted.push_back({id, request.connection, host, request.size, request.operation, partition.context.now, Time::never(),
                    0, request.series});
  if (partitions.size() > 1) partition.posted_by.push_back(partition.context.key());
  return next;
}

void SimulationState::wake_job(Partition& partition, HostId host, JobId id) {
  JobState& job = jobs[id.index()];
  EngineHost host_context{*this, partition, id, host};
  if (job.started[host.index()] != 0) {
    job.job->woke(host_context);
  } else {
    job.started[host.index()] = 1;
    job.job->start(host_context);
  }
  note_finished(partition, job, host);
}

void SimulationState::deliver_completions(Partition& partition, HostId host) {
  std::vector<NicCompletion>& delivering = partition.delivering;
  delivering.clear();
  delivering.swap(nics[host.index()].completions());
  for (const NicCompletion& completion : delivering) {
    const QueuePairOwner owner = owners[host.index()][completion.queue_pair.index()];
    JobState& job = jobs[owner.job.index()];
    EngineHost host_context{*this, partition, owner.job, owner.host};
    const Completion report{owner.connection, completion.work.size, completion.work.tag};
    if (completion.kind == NicCompletion::Kind::sent) {
      if (completion.work.record != no_record) {
        TransferRecord& record = partition.transfers[completion.work.record];
        record.retransmitted += completion.work.retransmitted;
        record.payload += completion.work.size.count();
        ++partition.transfers_finished;
        if (++record.complete == record.messages) {
          record.finish = partition.context.now;
          if (monitor != nullptr) partition.unreported.push_back(completion.work.record);
        }
      }
      job.job->sent(host_context, report);
    } else {
      job.job->received(host_context, report);
    }
    note_finished(partition, job, owner.host);
  }
}

void SimulationState::note_finished(Partition& partition, JobState& job, HostId host) {
  if (job.finished[host.index()] != 0 || !job.job->finished(host)) return;
  job.finished[host.index()] = 1;
  --partition.parts_unfinished;
}

}  // namespace soya
