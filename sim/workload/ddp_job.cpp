#include "workload/ddp_job.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace soya {

DdpProgram::DdpProgram(const DdpConfig& config, const std::vector<std::string>& host_names)
    : forward_{config.forward},
      backward_{config.backward},
      optimiser_{config.optimiser},
      steps_{static_cast<std::size_t>(config.steps)},
      buckets_{make_buckets(config)},
      group_{{config.name, config.hosts, config.ring, config.priority}, host_names},
      log_{group_.ranks()},
      ranks_(config.hosts.size()) {
  layouts_.reserve(buckets_.size());
  for (const Bucket& bucket : buckets_) {
    layouts_.emplace_back(RingData{bucket.size, config.element}, group_.ranks(), config.ring);
  }
  group_.expect_slices(transfers());
  if (steps_ > 0) return;
  for (Rank& rank : ranks_) rank.phase = Phase::done;
}

std::int64_t DdpProgram::transfers() const {
  std::int64_t of_step = 0;
  for (const RingLayout& layout : layouts_) of_step += layout.slices_in_all();
  return static_cast<std::int64_t>(steps_) * of_step;
}

Time DdpProgram::advance(HostContext& context, int rank) {
  while (progress(context, rank)) {
  }
  return next_deadline(rank, context.now());
}

/// Does what is due now on a rank; returns whether something was.
bool DdpProgram::progress(HostContext& context, int rank) {
  Rank& state = rank_state(rank);
  const Time now = context.now();
  switch (state.phase) {
    case Phase::gradients:
      if (reduce_gradients(context, rank)) return true;
      if (state.next_bucket < buckets_.size() || log_.running(rank) || now < backward_end(state)) return false;
      state.phase = Phase::optimiser;
      state.optimiser_ends = now + optimiser_;
      return true;
    case Phase::optimiser:
      if (now < state.optimiser_ends) return false;
      end_step(rank, now);
      return true;
    case Phase::done:
      return false;
  }
  return false;
}

/// Ends the all-reduce that is over, or starts the next if its bucket is ready.
bool DdpProgram::reduce_gradients(HostContext& context, int rank) {
  Rank& state = rank_state(rank);
  if (log_.running(rank)) {
    if (!group_.finished(rank)) return false;
    log_.ended(rank, context.now());
    return true;
  }
  if (state.next_bucket == buckets_.size() || context.now() < ready(state, state.next_bucket)) return false;
  log_.begun(rank, context.now());
  group_.begin(context, layouts_[state.next_bucket++]);
  return true;
}

void DdpProgram::end_step(int rank, Time now) {
  Rank& state = rank_state(rank);
  const Bytes sent = group_.sent_bytes(rank);
  state.steps.push_back({state.step_begun, now, sent - state.sent_before});
  state.sent_before = sent;
  state.step_begun = now;
  state.next_bucket = 0;
  state.phase = state.steps.size() == steps_ ? Phase::done : Phase::gradients;
}

Time DdpProgram::backward_end(const Rank& rank) const {
  return rank.step_begun + forward_ + backward_;
}

Time DdpProgram::ready(const Rank& rank, std::size_t bucket) const {
  return rank.step_begun + forward_ + buckets_[bucket].ready;
}

Time DdpProgram::next_deadline(int rank, Time now) const {
  const Rank& state = rank_state(rank);
  Time next = Time::never();
  const auto consider = [&](Time deadline) {
    if (deadline > now) next = std::min(next, deadline);
  };
  if (state.phase == Phase::optimiser) consider(state.optimiser_ends);
  if (state.phase == Phase::gradients) {
    consider(backward_end(state));
    if (state.next_bucket < buckets_.size()) consider(ready(state, state.next_bucket));
  }
  return next;
}

bool DdpProgram::done(int rank) const {
  return rank_state(rank).phase == Phase::done && group_.quiet(rank);
}

}  // namespace soya
