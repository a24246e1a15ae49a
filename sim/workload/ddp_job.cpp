#include "workload/ddp_job.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace soya {

DdpJob::DdpJob(const DdpConfig& config, const std::vector<std::string>& host_names)
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
}

std::int64_t DdpJob::transfers() const {
  std::int64_t of_step = 0;
  for (const RingLayout& layout : layouts_) of_step += layout.slices_in_all();
  return static_cast<std::int64_t>(steps_) * of_step;
}

void DdpJob::start(HostContext& context) {
  Rank& rank = rank_state(group_.rank_of(context.host()));
  rank.step_begun = context.now();
  if (steps_ == 0) rank.phase = Phase::done;
  advance(context);
}

void DdpJob::woke(HostContext& context) {
  rank_state(group_.rank_of(context.host())).alarm.rang();
  group_.woke(context);
  advance(context);
}

void DdpJob::sent(HostContext& context, const Completion& completion) {
  group_.sent(context, completion);
  advance(context);
}

void DdpJob::received(HostContext& context, const Completion& completion) {
  group_.received(context, completion);
  advance(context);
}

void DdpJob::advance(HostContext& context) {
  const int rank = group_.rank_of(context.host());
  while (progress(context, rank)) {
  }
  rank_state(rank).alarm.set(context, next_deadline(rank, context.now()));
}

/// Does what is due now on a rank; returns whether something was.
bool DdpJob::progress(HostContext& context, int rank) {
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
bool DdpJob::reduce_gradients(HostContext& context, int rank) {
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

void DdpJob::end_step(int rank, Time now) {
  Rank& state = rank_state(rank);
  const Bytes sent = group_.sent_bytes(rank);
  state.steps.push_back({state.step_begun, now, sent - state.sent_before});
  state.sent_before = sent;
  state.step_begun = now;
  state.next_bucket = 0;
  state.phase = state.steps.size() == steps_ ? Phase::done : Phase::gradients;
}

Time DdpJob::backward_end(const Rank& rank) const {
  return rank.step_begun + forward_ + backward_;
}

Time DdpJob::ready(const Rank& rank, std::size_t bucket) const {
  return rank.step_begun + forward_ + buckets_[bucket].ready;
}

Time DdpJob::next_deadline(int rank, Time now) const {
  const Rank& state = rank_state(rank);
  Time next = group_.next_reduction(rank);
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

bool DdpJob::done(int rank) const {
  return rank_state(rank).phase == Phase::done && group_.quiet(rank);
}

bool DdpJob::finished(HostId host) const {
  return !group_.has(host) || done(group_.rank_of(host));
}

bool DdpJob::computing(HostId host) const {
  if (!group_.has(host)) return false;
  // A rank that computes or reduces has an end in sight, and asked to be woken then.
  return rank_state(group_.rank_of(host)).alarm.is_set();
}

}  // namespace soya
