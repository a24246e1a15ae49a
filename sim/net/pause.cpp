#include "net/pause.hpp"

#include <algorithm>
#include <bit>

#include "net/far_clock.hpp"

namespace soya {

namespace {

/// Calls `visit(priority)` for each member of `set`, lowest first.
template <class Visit>
void for_each(PrioritySet set, Visit visit) {
  for (unsigned bits = set.bits(); bits != 0; bits &= bits - 1) {
    visit(Priority{static_cast<std::uint8_t>(std::countr_zero(bits))});
  }
}

}  // namespace

PauseClock::PauseClock(const PfcConfig& pfc, Rate rate, SourceId source)
    : lossless_{pfc.priorities}, source_{source}, quantum_response_{response_time(pfc, rate)}, rate_{rate} {}

PauseClock::Books& PauseClock::books() {
  if (books_ == nullptr) books_ = std::make_unique<Books>();
  return *books_;
}

const PauseClock::Books& PauseClock::books() const {
  static const Books untouched;
  return books_ == nullptr ? untouched : *books_;
}

bool PauseClock::receive(Context& context, const PfcFields& fields) {
  const PrioritySet relevant{static_cast<std::uint8_t>(fields.enabled.bits() & lossless_.bits())};
  if (relevant.empty()) return false;
  for_each(PrioritySet{static_cast<std::uint8_t>(relevant.bits() & fields.paused.bits())},
           [this](Priority p) { ++books().received[p.index()]; });
  const PfcFields obeyed{relevant, fields.paused, fields.quanta};
  bool resumed = false;
  if (quantum_response_ == Duration{0}) {
    resumed = apply(context, context.now, obeyed);
  } else {
    books().effects.push_back({context.now + quantum_response_, obeyed});
  }
  expose_earliest(context);
  return resumed;
}

bool PauseClock::wake(Context& context) {
  bool resumed = false;
  std::deque<Effect>& effects = books().effects;
  while (!effects.empty() && effects.front().at <= context.now) {
    const Effect effect = effects.front();
    effects.pop_front();
    resumed |= apply(context, effect.at, effect.fields);
  }
  for_each(paused_, [&](Priority p) {
    if (books().until[p.index()] <= context.now) {
      expire(context, p);
      resumed = true;
    }
  });
  expose_earliest(context);
  return resumed;
}

void PauseClock::link_lost(Context& context) {
  if (books_ == nullptr) return;
  books_->effects.clear();
  for_each(paused_, [&](Priority p) { resume(context, p); });
}

void PauseClock::expire(Context& context, Priority priority) {
  Books& own = books();
  // A pause that the far end asks for again, after an XON that was lost, is another one.
  const bool meant = asker_ != nullptr && asker_->asking_since(priority) <= own.since[priority.index()];
  if (meant) ++own.expired[priority.index()];
  resume(context, priority);
}

bool PauseClock::apply(Context& context, Time at, const PfcFields& fields) {
  bool resumed = false;
  const Duration length = quanta_time(fields.quanta, rate_);
  Books& own = books();
  for_each(fields.enabled, [&](Priority p) {
    const bool pause = fields.paused.contains(p) && fields.quanta > 0;
    if (!pause) {
      if (!paused_.contains(p)) return;
      resume(context, p);
      resumed = true;
      return;
    }
    own.until[p.index()] = at + length;
    if (paused_.contains(p)) return;
    if (paused_.empty()) own.any_since = context.now;
    paused_.insert(p);
    own.since[p.index()] = context.now;
    context.observe(FactKind::paused, node_, port_, p, length.picoseconds());
  });
  return resumed;
}

void PauseClock::resume(Context& context, Priority priority) {
  paused_.erase(priority);
  Books& own = books();
  own.total[priority.index()] += context.now - own.since[priority.index()];
  own.ended[priority.index()] = context.now;
  if (paused_.empty()) own.any_total += context.now - own.any_since;
  context.observe(FactKind::resumed, node_, port_, priority, 0);
}

void PauseClock::expose_earliest(Context& context) {
  const Books& own = books();
  Time earliest = own.effects.empty() ? Time::never() : own.effects.front().at;
  for_each(paused_, [&](Priority p) { earliest = std::min(earliest, own.until[p.index()]); });
  // A deadline that has moved later leaves the slot alone: the clock wakes, looks and sleeps again.
  if (earliest < context.events.time_of(source_)) context.events.schedule(source_, earliest, Phase::timer);
}

Duration PauseClock::paused_time(Priority priority, Time now) const {
  const Books& own = books();
  const Duration open = paused_.contains(priority) ? now - own.since[priority.index()] : Duration{0};
  return own.total[priority.index()] + open;
}

Duration PauseClock::any_paused_time(Time now) const {
  const Books& own = books();
  return paused_.empty() ? own.any_total : own.any_total + (now - own.any_since);
}

PauseRefresher::PauseRefresher(const PfcConfig& pfc, Rate peer_rate, SourceId source)
    : interval_{Duration{scaled(quanta_time(pfc.quanta, peer_rate).picoseconds(), pfc.refresh)}},
      source_{source},
      quanta_{static_cast<std::uint16_t>(pfc.quanta)} {}

void PauseRefresher::pause(Context& context, Priority priority) {
  if (asking_.contains(priority)) return;
  look(context);
  if (books_ == nullptr) books_ = std::make_unique<Books>();
  books_->asked_at[priority.index()] = context.now;
  asking_.insert(priority);
  changed_.insert(priority);
  ++context.counters.asking;
}

void PauseRefresher::resume(Context& context, Priority priority) {
  if (!asking_.contains(priority)) return;
  look(context);
  asking_.erase(priority);
  --context.counters.asking;
  if (told_.contains(priority)) {
    changed_.insert(priority);
  } else {
    changed_.erase(priority);
  }
}

void PauseRefresher::name_paused(FarClock& far) {
  far_ = &far;
  paused_ = &far.clock();
}

/// A pause that runs out at the far end does so while that is meant which is meant until now.
void PauseRefresher::look(Context& context) {
  if (far_ != nullptr) far_->look(context.key());
}

PfcFields PauseRefresher::take(Context& context) {
  const PfcFields fields{changed_, PrioritySet{static_cast<std::uint8_t>(changed_.bits() & asking_.bits())}, quanta_};
  for_each(changed_, [&](Priority p) {
    if (asking_.contains(p)) {
      if (told_.contains(p)) ++books_->refreshes[p.index()];
      told_.insert(p);
      books_->refresh_at[p.index()] = context.now + interval_;
    } else {
      told_.erase(p);
    }
  });
  changed_ = PrioritySet{};
  ++(fields.paused.empty() ? context.counters.resume_frames : context.counters.pause_frames);
  expose_earliest(context);
  return fields;
}

void PauseRefresher::sent(Context& context, Time arrival) {
  Ring<Time>& arrivals = books_->arrivals;
  while (!arrivals.empty() && arrivals.front() <= context.now) arrivals.pop();
  arrivals.push() = arrival;
  books_->most_in_flight = std::max(books_->most_in_flight, static_cast<std::int64_t>(arrivals.size()));
}

const PauseRefresher::Books& PauseRefresher::books() const {
  static const Books untouched;
  return books_ == nullptr ? untouched : *books_;
}

bool PauseRefresher::wake(Context& context) {
  for_each(asking_, [&](Priority p) {
    if (told_.contains(p) && books_->refresh_at[p.index()] <= context.now) changed_.insert(p);
  });
  expose_earliest(context);
  return due();
}

void PauseRefresher::expose_earliest(Context& context) {
  Time earliest = Time::never();
  for_each(asking_, [&](Priority p) {
    if (told_.contains(p) && !changed_.contains(p)) earliest = std::min(earliest, books_->refresh_at[p.index()]);
  });
  if (earliest < context.events.time_of(source_)) context.events.schedule(source_, earliest, Phase::timer);
}

}  // namespace soya
