// What a NIC waits for by itself: delayed acknowledges, receivers that were not ready, the message rate and the host's
// handling of completions.
#include <algorithm>

#include "nic/nic.hpp"

namespace soya {

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
      QueuePair& queue_pair = queue_pairs_[over.queue_pair.index()];
      queue_pair.delays_reply = false;
      if (queue_pair.responder.owed() == Reply::none) return;  // it went with another one
      owe_reply(over.queue_pair);
      return offer(context);
    }
    case Wait::Kind::receiver:
      queue_pairs_[over.queue_pair.index()].requester.resume();
      return progressed(context, over.queue_pair);
    case Wait::Kind::message:
      return next_message(context);
    case Wait::Kind::completion:
      return handled(context);
    case Wait::Kind::order:
      return order_is_due(context, over.queue_pair);
  }
}

// Packets that overtake others.

/// A gap of `id` has opened that may close by itself: the NIC looks again when the oldest is old.
void Nic::await_order(Context& context, QueuePairId id) {
  QueuePair& queue_pair = queue_pairs_[id.index()];
  if (queue_pair.awaits_order) return;
  const Time never = Time::never();
  const Time next = std::min(queue_pair.responder.next_old_gap().value_or(never),
                             queue_pair.requester.next_old_gap().value_or(never));
  if (next == never) return;
  queue_pair.awaits_order = true;
  wait(context, {next, Wait::Kind::order, id});
}

void Nic::order_is_due(Context& context, QueuePairId id) {
  QueuePair& queue_pair = queue_pairs_[id.index()];
  queue_pair.awaits_order = false;
  queue_pair.responder.gaps_grew_old(context.now);
  queue_pair.requester.gaps_grew_old(context.now);
  await_order(context, id);
  if (queue_pair.responder.owed() != Reply::none) owe_reply(id);
  activate(id);
  if (queue_pair.replying || queue_pair.sending) offer(context);
}

// The message rate.

/// Whether `id`, whose turn it is, would start a message too early. It then waits.
bool Nic::must_await_slot(Context& context, QueuePairId id) {
  QueuePair& queue_pair = queue_pairs_[id.index()];
  if (!queue_pair.requester.starts_message()) return false;
  if (context.now >= next_slot_) {
    took_slot(context.now);
    return false;
  }
  queue_pair.awaits_slot = true;
  awaiting_slot_.push_back(id);
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
  const auto free = std::find_if(awaiting_slot_.begin(), awaiting_slot_.end(), [&](QueuePairId id) {
    return !paused.contains(queue_pairs_[id.index()].setup.priority);
  });
  const auto next = free == awaiting_slot_.end() ? awaiting_slot_.begin() : free;
  const QueuePairId id = *next;
  awaiting_slot_.erase(next);
  queue_pairs_[id.index()].awaits_slot = false;
  activate(id);
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
  no_room_.push_back(completion);
}

void Nic::enter(Context& context, const NicCompletion& completion) {
  queued_.push_back(completion);
  if (queued_.size() == 1) {
    wait(context, {context.now + config_.completion_queue->handling, Wait::Kind::completion, QueuePairId{}});
  }
  if (completion.kind == NicCompletion::Kind::sent)
    queue_pairs_[completion.queue_pair.index()].requester.release_slot();
}

/// The host has handled the oldest completion; one that had no room has it now.
void Nic::handled(Context& context) {
  hand_over(context, queued_.front());
  queued_.pop_front();
  if (!queued_.empty()) {
    wait(context, {context.now + config_.completion_queue->handling, Wait::Kind::completion, QueuePairId{}});
  }
  if (no_room_.empty()) return;
  const NicCompletion next = no_room_.front();
  no_room_.pop_front();
  if (no_room_.empty()) counters_.completions_stalled += context.now - no_room_since_;
  enter(context, next);
  activate(next.queue_pair);
  offer(context);
}

void Nic::hand_over(Context& context, const NicCompletion& completion) {
  if (completion.took_receive && config_.receive_queue) {
    queue_pairs_[completion.queue_pair.index()].responder.post_receive(context.now + config_.receive_queue->repost);
  }
  if (completions_.empty()) context.events.schedule(completions_source_, context.now, Phase::workload);
  completions_.push_back(completion);
}

Duration Nic::completions_stalled(Time now) const {
  return counters_.completions_stalled + (no_room_.empty() ? Duration{0} : now - no_room_since_);
}

}  // namespace soya
