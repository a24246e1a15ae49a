// What an accelerator does when nothing comes in time.
#include <algorithm>

#include "wan/accelerator.hpp"

namespace soya {

void Accelerator::wake_at(Context& context, Time at) {
  // While several deadlines of one instant are handled, those still to come need no event.
  if (at > context.now && at < context.events.time_of(setup_.timer)) {
    context.events.schedule(setup_.timer, at, Phase::timer);
  }
}

void Accelerator::wait_until(Context& context, ConnectionRelay& relay, Wait wait, Time deadline) {
  const auto kind = static_cast<std::size_t>(wait);
  relay.deadlines[kind] = deadline;
  if (relay.queued[kind]) return;  // it wakes at an earlier time, looks and sleeps again
  relay.queued[kind] = true;
  deadlines_.push_back({deadline, index_of(relay), wait});
  std::push_heap(deadlines_.begin(), deadlines_.end());
  wake_at(context, deadline);
}

void Accelerator::timer_fired(Context& context) {
  while (!deadlines_.empty() && deadlines_.front().at <= context.now) {
    const Deadline due = deadlines_.front();
    std::pop_heap(deadlines_.begin(), deadlines_.end());
    deadlines_.pop_back();
    ConnectionRelay& relay = connections_[due.connection];
    const auto kind = static_cast<std::size_t>(due.wait);
    relay.queued[kind] = false;
    const Time deadline = relay.deadlines[kind];
    if (deadline == Time::never()) continue;
    if (deadline > context.now) {
      wait_until(context, relay, due.wait, deadline);
      continue;
    }
    wait_no_more(relay, due.wait);
    waited_in_vain(context, relay, due.wait);
  }
  if (probe_at_ <= context.now) {
    probe_at_ = Time::never();
    if (waits_for_room_) send_probe(context);
  }
  Time earliest = probe_at_;
  if (!deadlines_.empty()) earliest = std::min(earliest, deadlines_.front().at);
  if (earliest != Time::never()) wake_at(context, earliest);
}

/// A round trip and half of one, and the frames that a reply may wait for.
Duration Accelerator::haul_timeout() const {
  const Duration frames = serialisation(4 * (setup_.largest_frame + wire_gap), haul_.port.rate());
  return setup_.haul_round_trip + setup_.haul_round_trip / 2 + frames;
}

void Accelerator::waited_in_vain(Context& context, ConnectionRelay& relay, Wait wait) {
  if (wait == Wait::not_ready) return queue_for_site(context, relay, relay.site.ready());
  if (wait == Wait::partner) {
    ++relay.haul_timeouts;
    relay.failed = relay.failed || context.now - relay.silent_since > setup_.haul_patience;
    if (relay.failed) return;
    lost_.clear();
    relay.haul.timed_out(lost_);
    wait_until(context, relay, Wait::partner, context.now + haul_timeout());
    return send_again(context, relay);
  }
  ++relay.site_timeouts;
  relay.site.timed_out();
  context.observe(FactKind::timed_out, site_.port.node(), site_.port.id(), relay.remote.priority, relay.site.retries());
  relay.failed = relay.failed || relay.site.retries() > relay.remote.retry_count;
  if (!relay.failed) queue_for_site(context, relay, relay.site.ready());
}

}  // namespace soya
