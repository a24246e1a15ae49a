// The workload's side of the engine: jobs post work requests here and learn of completions from here.
#include "engine/state.hpp"

namespace soya {

namespace {

/// What one job may do on one host at this instant.
class EngineHost final : public HostContext {
 public:
  EngineHost(SimulationState& state, JobId job, HostId host) : state_{state}, job_{job}, host_{host} {}

  [[nodiscard]] Time now() const override { return state_.context.now; }
  [[nodiscard]] HostId host() const override { return host_; }

  void post(const WorkRequest& request) override {
    JobState& job = state_.jobs[job_.index()];
    const ConnectionConfig& connection = job.job->connections()[request.connection];
    SOYA_CHECK(connection.a == host_ || connection.b == host_, "a job posts on a connection of its own host");
    const ConnectionEnds& ends = job.ends[request.connection];
    SendRequest send{request.size, request.operation, request.tag, no_record};
    if (request.is_transfer) send.record = state_.record_of(job_, host_, request);
    const bool is_a = connection.a == host_;
    const HostId nic = ends.from(is_a).from;
    state_.nics[nic.index()].post(state_.context, is_a ? ends.at_a : ends.at_b, send);
  }

  void wake_at(Time at) override {
    state_.events.schedule(state_.jobs[job_.index()].wake[host_.index()], at, Phase::workload);
  }

  static constexpr std::uint32_t no_record = UINT32_MAX;

 private:
  SimulationState& state_;
  JobId job_;
  HostId host_;
};

}  // namespace

/// The record of a transfer that is posted now: a new one, or that of the series it goes on with.
std::uint32_t SimulationState::record_of(JobId id, HostId host, const WorkRequest& request) {
  const auto next = static_cast<std::uint32_t>(transfers.size());
  if (request.series > 1) {
    JobState& job = jobs[id.index()];
    const bool from_a = job.job->connections()[request.connection].a == host;
    job.series.resize(2 * job.ends.size(), EngineHost::no_record);
    std::uint32_t& series = job.series[2 * request.connection + (from_a ? 0 : 1)];
    if (series != EngineHost::no_record && transfers[series].posted < transfers[series].messages) {
      ++transfers[series].posted;
      return series;
    }
    series = next;
  }
  transfers.push_back({id, request.connection, host, request.size, request.operation, context.now, Time::never(), 0,
                       request.series});
  return next;
}

void SimulationState::wake_job(HostId host, JobId id) {
  JobState& job = jobs[id.index()];
  EngineHost host_context{*this, id, host};
  if (job.started[host.index()]) {
    job.job->woke(host_context);
  } else {
    job.started[host.index()] = true;
    job.job->start(host_context);
  }
  note_finished(job, host);
}

void SimulationState::deliver_completions(HostId host) {
  delivering.clear();
  delivering.swap(nics[host.index()].completions());
  for (const NicCompletion& completion : delivering) {
    const QueuePairOwner owner = owners[host.index()][completion.queue_pair.index()];
    JobState& job = jobs[owner.job.index()];
    EngineHost host_context{*this, owner.job, owner.host};
    const Completion report{owner.connection, completion.work.size, completion.work.tag};
    if (completion.kind == NicCompletion::Kind::sent) {
      if (completion.work.record != EngineHost::no_record) {
        TransferRecord& record = transfers[completion.work.record];
        record.retransmitted += completion.work.retransmitted;
        ++transfers_finished;
        if (++record.complete == record.messages) {
          record.finish = context.now;
          if (monitor != nullptr) unreported.push_back(completion.work.record);
        }
      }
      job.job->sent(host_context, report);
    } else {
      job.job->received(host_context, report);
    }
    note_finished(job, owner.host);
  }
}

void SimulationState::note_finished(JobState& job, HostId host) {
  if (job.finished[host.index()] || !job.job->finished(host)) return;
  job.finished[host.index()] = true;
  --parts_unfinished;
}

}  // namespace soya
