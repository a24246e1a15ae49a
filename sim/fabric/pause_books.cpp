#include "fabric/pause_books.hpp"

#include <algorithm>

namespace soya {

namespace {

/// One way, of 200 m of fibre.
constexpr Duration shortest_looked_at{1'000'000};

}  // namespace

void PauseBooks::watch(PortId port, Priority priority, bool on) {
  const std::size_t group = port.index() * Priority::count + priority.index();
  watching_[group / 64] ^= std::uint64_t{1} << (group % 64);
  watched_ += on ? 1 : -1;
}

void PauseBooks::off(PortId port, Priority priority, Time now) {
  std::unique_ptr<PauseBook>& made = entry(port, priority);
  if (made == nullptr) made = std::make_unique<PauseBook>();
  ++made->cycles;
  made->since = now;
  if (watches(port, priority)) watch(port, priority, false);
}

void PauseBooks::on(const Port& port, Priority priority, Bytes stored, Time now) {
  PauseBook& book = *entry(port.id(), priority);
  book.longest = std::max(book.longest, now - book.since);
  book.stored_min = book.xons == 0 ? stored : std::min(book.stored_min, stored);
  book.stored_sum += stored;
  ++book.xons;
  if (port.incoming.delay() < shortest_looked_at) return;
  watch(port.id(), priority, true);
  book.since = now;
  book.stored = stored;
  book.empty_since = Time::never();
  book.first_empty.reset();
  book.dry_now = Duration{0};
  if (stored == Bytes{0}) released(port.id(), priority, stored, now);
}

void PauseBooks::released(PortId port, Priority priority, Bytes stored, Time now) {
  if (stored > Bytes{0}) return;
  PauseBook& book = *entry(port, priority);
  book.empty_since = now;
  if (!book.first_empty) book.first_empty = now;
}

void PauseBooks::arrived(Context& context, Port& port, Priority priority, Bytes frame, Bytes stored) {
  const Time now = context.now;
  PauseBook& book = *entry(port.id(), priority);
  if (book.empty_since != Time::never()) book.dry_now += now - book.empty_since;
  book.empty_since = Time::never();
  const PauseClock& sender = *port.pause_refresher.paused(context);
  const Time started = now - (port.incoming.delay() + serialisation(frame + wire_gap, sender.rate()));
  // What it had sent before it was paused may still come.
  if (sender.paused().contains(priority) || started < sender.free_since(priority)) return;
  const Duration ready = 2 * serialisation(frame_ + wire_gap, sender.rate());
  if (started - sender.free_since(priority) <= ready) close(book, stored, now);
  watch(port.id(), priority, false);
}

void PauseBooks::close(PauseBook& book, Bytes stored, Time now) {
  ++book.restarts;
  book.dry_cycles += book.dry_now > Duration{0} ? 1 : 0;
  book.dry += book.dry_now;
  book.drained += book.first_empty ? book.stored : std::max(Bytes{0}, book.stored - stored);
  book.drain_time += book.first_empty.value_or(now) - book.since;
}

}  // namespace soya
