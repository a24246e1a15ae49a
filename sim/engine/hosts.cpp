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
    if (request.is_transfer) {
      send.record = static_cast<std::uint32_t>(state_.transfers.size());
      state_.transfers.push_back(
          {job_, request.connection, host_, request.size, request.operation, now(), Time::never(), 0});
    }
    state_.nics[host_.index()].post(state_.context, connection.a == host_ ? ends.at_a : ends.at_b, send);
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
    EngineHost host_context{*this, owner.job, host};
    const Completion report{owner.connection, completion.work.size, completion.work.tag};
    if (completion.kind == NicCompletion::Kind::sent) {
      if (completion.work.record != EngineHost::no_record) {
        TransferRecord& record = transfers[completion.work.record];
        record.finish = context.now;
        record.retransmitted = completion.work.retransmitted;
        ++transfers_finished;
        if (monitor != nullptr) unreported.push_back(completion.work.record);
      }
      job.job->sent(host_context, report);
    } else {
      job.job->received(host_context, report);
    }
    note_finished(job, host);
  }
}

void SimulationState::note_finished(JobState& job, HostId host) {
  if (job.finished[host.index()] || !job.job->finished(host)) return;
  job.finished[host.index()] = true;
  --parts_unfinished;
}

}  // namespace soya
