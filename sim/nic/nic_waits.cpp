// What a NIC waits for by itself: time-outs, delayed acknowledges, receivers that were not ready, the message rate and
// the host's handling of completions.
#include <algorithm>

#include "nic/nic.hpp"

namespace soya {

// Time-outs.

Duration Nic::timeout_of(const QueuePair& queue_pair) const {
  return queue_pair.round_trip.timeout(queue_pair.requester.retries(), ack_interval_, timeout_);
}

void Nic::arm_timer(Context& context, QueuePair& queue_pair) {
  if (queue_pair.timer_at <= queue_pair.deadline) return;
  queue_pair.timer_at = queue_pair.deadline;
  queue_pair.timer_runs = true;
  deadlines_.push_back({queue_pair.deadline, queue_pair.id});
  std::push_heap(deadlines_.begin(), deadlines_.end());
  // While several time-outs of one instant are handled, those still to come need no event.
  const Time earliest = deadlines_.front().at;
  if (earliest > context.now && earliest < context.events.time_of(timer_source_)) {
    context.events.schedule(timer_source_, earliest, Phase::timer);
  }
}

void Nic::timer_fired(Context& context) {
  while (!deadlines_.empty() && deadlines_.front().at <= context.now) {
    const Deadline earliest = deadlines_.front();
    std::pop_heap(deadlines_.begin(), deadlines_.end());
    deadlines_.pop_back();
    QueuePair& late = at(earliest.queue_pair);
    if (late.timer_at != earliest.at) continue;  // an adaptive time-out came to be earlier
    late.timer_at = Time::never();
    late.timer_runs = false;
    if (late.deadline == Time::never()) continue;
    if (late.deadline > context.now) {
      arm_timer(context, late);
      continue;
    }
    late.deadline = Time::never();
    ++late.timeouts;
    late.requester.timed_out();
    context.observe(FactKind::timed_out, port_.node(), port_.id(), late.priority, late.requester.retries());
    if (late.requester.failed()) {
      ++context.counters.failed_queue_pairs;
      continue;
    }
    if (activate(late)) offer(context);
  }
  if (!deadlines_.empty() && deadlines_.front().at < context.events.time_of(timer_source_)) {
    context.events.schedule(timer_source_, deadlines_.front().at, Phase::timer);
  }
}

// Waits.

void Nic::wait(Context& context, const Wait& wait) {
  waits_.push_back(wait);
  std::push_heap(waits_.begin(), waits_.end());
  schedule_waits(context);
}

void Nic::schedule_waits(Context& context) {
  if (waits_.empty()) return;
  // While several waits of one instant end, those still to come need no event.
  const Time earliest = waits_.front().at;
  if (earliest > context.now && earliest < context.events.time_of(waits_source_)) {
    context.events.schedule(waits_source_, earliest, Phase::timer);
  }
}

void Nic::wait_fired(Context& context) {
  while (!waits_.empty() && waits_.front().at <= context.now) {
    const Wait over = waits_.front();
    std::pop_heap(waits_.begin(), waits_.end());
    waits_.pop_back();
    end_wait(context, over);
  }
  schedule_waits(context);
}

void Nic::end_wait(Context& context, const Wait& over) {
  switch (over.kind) {
    case Wait::Kind::reply: {
      QueuePair& delayed = at(over.queue_pair);
      delayed.delays_reply = false;
      if (delayed.responder.owed() == Reply::none) return;  // it went with another one
      owe_reply(delayed);
      return offer(context);
    }
    case Wait::Kind::receiver:
      at(over.queue_pair).requester.resume();
      return progressed(context, at(over.queue_pair));
    case Wait::Kind::message:
      return next_message(context);
    case Wait::Kind::completion:
      return handled(context);
    case Wait::Kind::order:
      return order_is_due(context, at(over.queue_pair));
  }
}

// Packets that overtake others.

/// A gap has opened that may close by itself: the NIC looks again when the oldest is old.
void Nic::await_order(Context& context, QueuePair& queue_pair) {
  if (queue_pair.awaits_order) return;
  const Time never = Time::never();
  const Time next = std::min(queue_pair.responder.next_old_gap().value_or(never),
                             queue_pair.requester.next_old_gap().value_or(never));
  if (next == never) return;
  queue_pair.awaits_order = true;
  wait(context, {next, Wait::Kind::order, queue_pair.id});
}

void Nic::order_is_due(Context& context, QueuePair& queue_pair) {
  queue_pair.awaits_order = false;
  queue_pair.responder.gaps_grew_old(context.now);
  queue_pair.requester.gaps_grew_old(context.now);
  await_order(context, queue_pair);
  if (queue_pair.responder.owed() != Reply::none) owe_reply(queue_pair);
  activate(queue_pair);
  if (queue_pair.replying || queue_pair.sending) offer(context);
}

// The message rate.

/// Whether `queue_pair`, whose turn it is, would start a message too early. It then waits.
bool Nic::must_await_slot(Context& context, QueuePair& queue_pair) {
  if (!queue_pair.requester.starts_message()) return false;
  if (context.now >= next_slot_) {
    took_slot(context.now);
    return false;
  }
  queue_pair.awaits_slot = true;
  awaiting_slot_.push_back(queue_pair.id);
  await_slot(context, next_slot_);
  return true;
}

void Nic::await_slot(Context& context, Time at) {
  if (slot_awaited_) return;
  slot_awaited_ = true;
  wait(context, {at, Wait::Kind::message, QueuePairId{}});
}

void Nic::took_slot(Time now) {
  constexpr std::int64_t second = 1'000'000'000'000;
  if (next_slot_ < now) {
    next_slot_ = now;
    slot_remainder_ = 0;
  }
  const std::int64_t rate = *config_.message_rate;
  slot_remainder_ += second % rate;
  next_slot_ += Duration{second / rate + slot_remainder_ / rate};
  slot_remainder_ %= rate;
}

/// Another message may start: of the queue pair that has waited longest and may send.
void Nic::next_message(Context& context) {
  slot_awaited_ = false;
  if (awaiting_slot_.empty()) return;
  if (context.now < next_slot_) return await_slot(context, next_slot_);
  const PrioritySet paused = port_.pause_clock.paused();
  const auto free = std::find_if(awaiting_slot_.begin(), awaiting_slot_.end(),
                                 [&](QueuePairId id) { return !paused.contains(at(id).priority); });
  const auto next = free == awaiting_slot_.end() ? awaiting_slot_.begin() : free;
  QueuePair& turn = at(*next);
  awaiting_slot_.erase(next);
  turn.awaits_slot = false;
  activate(turn);
  offer(context);
  // It may wait for the port, or may have nothing to send after all: then the next one's turn comes.
  constexpr std::int64_t second = 1'000'000'000'000;
  if (!awaiting_slot_.empty()) {
    await_slot(context, std::max(next_slot_, context.now + Duration{second / *config_.message_rate + 1}));
  }
}

// Completions.

void Nic::complete(Context& context, const NicCompletion& completion) {
  if (!config_.completion_queue) return hand_over(context, completion);
  if (queued_.size() < static_cast<std::size_t>(config_.completion_queue->depth)) return enter(context, completion);
  if (no_room_.empty()) no_room_since_ = context.now;
  no_room_.push() = completion;
}

void Nic::enter(Context& context, const NicCompletion& completion) {
  queued_.push() = completion;
  if (queued_.size() == 1) {
    wait(context, {context.now + config_.completion_queue->handling, Wait::Kind::completion, QueuePairId{}});
  }
  if (completion.kind == NicCompletion::Kind::sent) at(completion.queue_pair).requester.release_slot();
}

/// The host has handled the oldest completion; one that had no room has it now.
void Nic::handled(Context& context) {
  hand_over(context, queued_.front());
  queued_.pop();
  if (!queued_.empty()) {
    wait(context, {context.now + config_.completion_queue->handling, Wait::Kind::completion, QueuePairId{}});
  }
  if (no_room_.empty()) return;
  const NicCompletion next = no_room_.front();
  no_room_.pop();
  if (no_room_.empty()) counters_.completions_stalled += context.now - no_room_since_;
  enter(context, next);
  activate(at(next.queue_pair));
  offer(context);
}

void Nic::hand_over(Context& context, const NicCompletion& completion) {
  if (completion.took_receive && config_.receive_queue) {
    at(completion.queue_pair).responder.post_receive(context.now + config_.receive_queue->repost);
  }
  if (completions_.empty()) context.events.schedule(completions_source_, context.now, Phase::workload);
  completions_.push_back(completion);
}

Duration Nic::completions_stalled(Time now) const {
  return counters_.completions_stalled + (no_room_.empty() ? Duration{0} : now - no_room_since_);
}

}  // namespace soya
