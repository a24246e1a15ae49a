#include "fabric/deep_memory.hpp"

#include "core/check.hpp"

namespace soya {

DeepMemory::DeepMemory(const Setup& setup)
    : size_{setup.deep.config.size},
      threshold_{setup.deep.config.threshold},
      prefetch_{setup.deep.prefetch},
      landing_{setup.deep.landing},
      level_{setup.on_chip - setup.deep.landing -
             setup.deep.prefetch * static_cast<std::int64_t>(setup.ports * Priority::count)},
      resume_level_{level_ - setup.xon_offset},
      clock_{setup.deep.config.bandwidth},
      queues_(setup.ports * Priority::count),
      pressed_(setup.ports) {
  SOYA_CHECK(resume_level_ > Bytes{0}, "on-chip memory is built from a setup that has problems");
}

void DeepMemory::note_peaks() {
  on_chip_peak_ = std::max(on_chip_peak_, on_chip());
  off_chip_peak_ = std::max(off_chip_peak_, off_chip_);
}

bool DeepMemory::arrived(std::size_t queue, Bytes charge, Time ready) {
  Queue& joined = queues_[queue];
  on_chip_ += charge;
  note_peaks();
  // Frames behind an evicted one go the same way, so that none overtakes. A short queue is evicted, too, when it holds
  // more than is free below the resume level: what stays can then never keep a sender paused by itself.
  const Bytes held = joined.stayed_bytes + charge;
  if (!joined.evicted() && held <= threshold_ && held <= resume_level_ - on_chip_) {
    ++joined.stayed;
    joined.stayed_bytes = held;
    return true;
  }
  ++joined.waiting;
  const auto bytes = static_cast<std::uint32_t>(charge.count());
  joined.charges.push() = bytes;
  write_line_.push() = {ready, static_cast<std::uint32_t>(queue), bytes};
  return false;
}

void DeepMemory::left(std::size_t queue, Bytes charge) {
  Queue& sender = queues_[queue];
  if (sender.stayed > 0) {
    --sender.stayed;
    sender.stayed_bytes -= charge;
    on_chip_ -= charge;
    return;
  }
  SOYA_DCHECK(sender.back > 0, "a frame leaves that is not on chip");
  --sender.back;
  sender.prefetched -= charge;
  prefetched_ -= charge;
  join_read_line(queue);
}

/// The next frame off chip may come back: there is one, and room for it.
bool DeepMemory::wants_read(const Queue& queue) const {
  return queue.away > 0 && !queue.reading && queue.prefetched + Bytes{queue.charges.front()} <= prefetch_;
}

void DeepMemory::join_read_line(std::size_t queue) {
  Queue& joined = queues_[queue];
  if (joined.in_read_line || !wants_read(joined)) return;
  joined.in_read_line = true;
  read_line_.push() = static_cast<std::uint32_t>(queue);
}

Time DeepMemory::start(TransferKind kind, std::size_t queue, Bytes charge, Time now) {
  transfer_ = {kind, queue, charge, now, now + clock_.serialise(charge)};
  note_peaks();
  return transfer_.end;
}

/// The frame takes its place off chip at once, and gives its place on chip back when it is written.
Time DeepMemory::start_write(Time now) {
  const Write write = write_line_.front();
  write_line_.pop();
  const Bytes charge{write.charge};
  Queue& queue = queues_[write.queue];
  queue.off_chip += charge;
  queue.off_chip_peak = std::max(queue.off_chip_peak, queue.off_chip);
  off_chip_ += charge;
  SOYA_DCHECK(off_chip_ <= size_, "off-chip memory holds more than its size");
  return start(TransferKind::write, write.queue, charge, now);
}

/// The frame takes its place among the prefetched at once, and gives its place off chip back when it is read.
Time DeepMemory::start_read(Time now) {
  const std::size_t number = read_line_.front();
  read_line_.pop();
  Queue& queue = queues_[number];
  const Bytes charge{queue.charges.front()};
  queue.charges.pop();
  queue.in_read_line = false;
  queue.reading = true;
  --queue.away;
  queue.prefetched += charge;
  prefetched_ += charge;
  return start(TransferKind::read, number, charge, now);
}

std::optional<Time> DeepMemory::advance(Time now) {
  if (transfer_.kind != TransferKind::none) return std::nullopt;
  const bool can_read = !read_line_.empty();
  const bool can_write = !write_line_.empty() && write_line_.front().ready <= now;
  // While both sides have work they take turns, so that each gets half of the bandwidth to within a frame.
  if (!can_read || !can_write) lead_ = 0;
  if (can_write && (!can_read || lead_ <= 0)) return start_write(now);
  if (can_read) return start_read(now);
  if (!write_line_.empty()) return write_line_.front().ready;
  return std::nullopt;
}

std::optional<DeepMemory::ReadBack> DeepMemory::finish(Time now) {
  if (transfer_.kind == TransferKind::none || transfer_.end > now) return std::nullopt;
  const Transfer done = transfer_;
  transfer_ = {};
  busy_ += done.end - done.start;
  Queue& queue = queues_[done.queue];
  if (done.kind == TransferKind::write) {
    written_ += done.charge;
    lead_ += done.charge.count();
    on_chip_ -= done.charge;
    --queue.waiting;
    ++queue.away;
    join_read_line(done.queue);
    return std::nullopt;
  }
  read_ += done.charge;
  lead_ -= done.charge.count();
  queue.off_chip -= done.charge;
  off_chip_ -= done.charge;
  queue.reading = false;
  const ReadBack back{done.queue, queue.stayed + queue.back};
  ++queue.back;
  join_read_line(done.queue);
  return back;
}

void DeepMemory::press(PortId port, Time now) {
  if (pressed(port)) return;
  pressed_[port.index()] = true;
  if (pressed_ports_++ == 0) pressed_since_ = now;
}

std::vector<PortId> DeepMemory::relieved(Time now) {
  std::vector<PortId> ports;
  if (!relief_due()) return ports;
  for (std::size_t port = 0; port < pressed_.size(); ++port) {
    if (pressed_[port]) ports.emplace_back(port);
    pressed_[port] = false;
  }
  pressed_ports_ = 0;
  pressed_time_ += now - pressed_since_;
  return ports;
}

void DeepMemory::lose_all(Time now) {
  busy_ = busy_time(now);
  transfer_ = {};
  while (!write_line_.empty()) write_line_.pop();
  while (!read_line_.empty()) read_line_.pop();
  for (Queue& queue : queues_) {
    const Bytes peak = queue.off_chip_peak;
    queue = Queue{};
    queue.off_chip_peak = peak;
  }
  lead_ = 0;
  on_chip_ = prefetched_ = off_chip_ = Bytes{0};
  pressed_time_ = pressed_time(now);
  pressed_ports_ = 0;
  pressed_.assign(pressed_.size(), false);
}

Duration DeepMemory::busy_time(Time now) const {
  return transfer_.kind == TransferKind::none ? busy_ : busy_ + (now - transfer_.start);
}

Duration DeepMemory::pressed_time(Time now) const {
  return pressed_ports_ > 0 ? pressed_time_ + (now - pressed_since_) : pressed_time_;
}

void DeepMemory::check_invariants() const {
  Bytes stayed;
  Bytes waiting;
  Bytes prefetched;
  Bytes off_chip;
  for (const Queue& queue : queues_) {
    SOYA_CHECK(queue.stayed > 0 || queue.stayed_bytes == Bytes{0}, "a queue without frames on chip holds bytes there");
    SOYA_CHECK(queue.prefetched <= prefetch_, "a queue has prefetched more than its share");
    SOYA_CHECK(queue.charges.size() == queue.away + queue.waiting, "a queue has lost count of its frames off chip");
    stayed += queue.stayed_bytes;
    prefetched += queue.prefetched;
    off_chip += queue.off_chip;
  }
  for (std::uint32_t i = 0; i < write_line_.size(); ++i) waiting += Bytes{write_line_[i].charge};
  if (transfer_.kind == TransferKind::write) waiting += transfer_.charge;
  SOYA_CHECK(stayed + waiting == on_chip_, "the queues do not add up to what is on chip");
  SOYA_CHECK(prefetched == prefetched_, "the queues do not add up to what is prefetched");
  SOYA_CHECK(off_chip == off_chip_, "the queues do not add up to what is off chip");
  SOYA_CHECK(on_chip_ >= Bytes{0} && on_chip() <= on_chip_size(), "on-chip memory holds more than its size");
  SOYA_CHECK(off_chip_ <= size_, "off-chip memory holds more than its size");
}

}  // namespace soya
