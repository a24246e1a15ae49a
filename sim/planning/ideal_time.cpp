#include "planning/ideal_time.hpp"

#include <algorithm>

namespace soya {
namespace {

/// Time of `bytes` at `rate`, rounded down as a port's clock does from a remainder of zero.
Duration wire_time(Int128 bytes, Rate rate) {
  return Duration{static_cast<std::int64_t>(bytes * 8 * 1'000'000'000'000 / rate.bits_per_second())};
}

/// When each hop's wire is free after a run, given when it was free before.
std::vector<Duration> pass_run(std::span<const PathHop> hops, std::span<const Duration> before, const FrameRun& run) {
  const Int128 wire = run.wire.count();
  const Int128 all_but_one = wire * (run.count - 1);
  std::vector<Duration> after(hops.size());
  for (std::size_t last = 0; last < hops.size(); ++last) {
    Duration along{0};  // of one packet from hop `from` to hop `last`
    Rate slowest = hops[last].rate;
    Duration final_start = before[last] + wire_time(all_but_one, slowest);
    for (std::size_t from = last; from-- > 0;) {
      along += wire_time(wire, hops[from].rate) + hops[from].one_way + hops[from + 1].latency_before;
      slowest = std::min(slowest, hops[from].rate);
      final_start = std::max(final_start, before[from] + along + wire_time(all_but_one, slowest));
    }
    after[last] = final_start + wire_time(wire, hops[last].rate);
  }
  return after;
}

}  // namespace

std::vector<FrameRun> message_frames(const FrameSizes& sizes, Operation operation, Bytes size) {
  const std::int64_t packets = sizes.packets(size);
  const Bytes tail = size - (packets - 1) * sizes.mtu();
  if (packets == 1) return {{1, sizes.data(operation, PacketPosition::only, tail) + wire_gap}};

  const Bytes mtu = sizes.mtu();
  std::vector<FrameRun> runs{{1, sizes.data(operation, PacketPosition::first, mtu) + wire_gap}};
  if (packets > 2) runs.push_back({packets - 2, sizes.data(operation, PacketPosition::middle, mtu) + wire_gap});
  runs.push_back({1, sizes.data(operation, PacketPosition::last, tail) + wire_gap});
  return runs;
}

Duration delivery_time(std::span<const PathHop> hops, std::span<const FrameRun> frames) {
  const bool nothing_sent = std::ranges::all_of(frames, [](const FrameRun& run) { return run.count == 0; });
  if (hops.empty() || nothing_sent) return Duration{0};

  std::vector<Duration> free(hops.size());
  free.front() = hops.front().latency_before;
  for (const FrameRun& run : frames) {
    if (run.count > 0) free = pass_run(hops, free, run);
  }
  return free.back() + hops.back().one_way;
}

Duration completion_time(const RoundTrip& paths, std::span<const FrameRun> frames, Bytes acknowledge_wire) {
  const FrameRun acknowledge{1, acknowledge_wire};
  return delivery_time(paths.forward, frames) + delivery_time(paths.back, {&acknowledge, 1});
}

Duration read_time(const RoundTrip& paths, std::span<const FrameRun> responses, Bytes request_wire) {
  const FrameRun request{1, request_wire};
  return delivery_time(paths.forward, {&request, 1}) + delivery_time(paths.back, responses);
}

}  // namespace soya
