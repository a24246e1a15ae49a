#include "net/far_clock.hpp"

namespace soya {

FarClock::FarClock(const PfcConfig& pfc, const Setup& setup, const PauseRefresher& asker)
    : events_{setup.seed},
      context_{Time{0}, events_, packets_, counters_},
      arrival_{events_.add_source(setup.arrival_name, {EventKind::switch_arrival, 0, 0})},
      clock_{pfc, setup.rate, events_.add_source(setup.clock_name, {EventKind::switch_pause_clock, 0, 0})} {
  clock_.name_asker(asker);
}

void FarClock::coming(Time at, const PfcFields& fields) {
  if (coming_.empty()) events_.schedule(arrival_, at, Phase::control_arrival);
  coming_.push() = {at, fields};
}

void FarClock::look(const EventKey& now) {
  const auto handle_it = [this](const EventQueue::Fired& fired) { handle(fired); };
  while (events_.pop_before(now, handle_it)) {
  }
}

void FarClock::handle(const EventQueue::Fired& fired) {
  context_.now = fired.time;
  if (fired.event.kind != EventKind::switch_arrival) {
    clock_.wake(context_);
    return;
  }
  const PfcFields fields = coming_.front().fields;
  coming_.pop();
  if (!coming_.empty()) events_.schedule(arrival_, coming_.front().at, Phase::control_arrival);
  clock_.receive(context_, fields);
}

void FarClock::link_lost(const EventKey& now, bool was_up) {
  look(now);
  context_.now = now.time;
  while (!coming_.empty()) coming_.pop();
  events_.cancel(arrival_);
  if (was_up) clock_.link_lost(context_);
}

}  // namespace soya
