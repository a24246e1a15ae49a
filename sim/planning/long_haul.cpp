#include "planning/long_haul.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/check.hpp"
#include "net/frame.hpp"

namespace soya {
namespace {

Rate slowest(std::span<const PathHop> hops) {
  SOYA_CHECK(!hops.empty(), "two hosts have a path between them");
  return std::ranges::min(hops, {}, &PathHop::rate).rate;
}

/// `payload` per `time`.
Rate rate_of(Int128 payload, Duration time) {
  const Int128 bits = payload * 8 * 1'000'000'000'000 / std::max<std::int64_t>(time.picoseconds(), 1);
  return Rate{static_cast<std::int64_t>(std::min(bits, Int128{std::numeric_limits<std::int64_t>::max()}))};
}

/// Slots that come back `together` at a time, as the header derives.
struct Window {
  std::int64_t slots{0};
  std::int64_t together{1};

  /// How many go per `cycle`.
  [[nodiscard]] std::int64_t count() const { return slots / together * together; }
  /// The time they take when one completes `completion` after its start and they start every `spacing`.
  [[nodiscard]] Duration cycle(Duration completion, Duration spacing) const {
    return completion + (together - 1 - slots % together) * spacing;
  }
};

/// Keeps the smallest of the limits; of equal ones the first.
class Smallest {
 public:
  explicit Smallest(const Goodput& first) : found_{first} {}
  void consider(GoodputLimit limit, Rate rate) {
    if (rate >= found_.rate) return;
    found_.rate = rate;
    found_.limit = limit;
  }
  [[nodiscard]] const Goodput& found() const { return found_; }

 private:
  Goodput found_;
};

/// The share of the wire that is left where packets are lost, as the header derives; `nak_after` is the time from the
/// first bit of a lost packet until its NAK is back.
double share_after_losses(const MessageStream& stream, Duration packet, Duration nak_after) {
  const double delivered = 1 - stream.loss;
  if (stream.selective_repeat) return delivered;
  const double again = static_cast<double>(nak_after.picoseconds()) / static_cast<double>(packet.picoseconds());
  return delivered / (1 + (again - 1) * stream.loss / stream.burst);
}

}  // namespace

const char* limit_text(GoodputLimit limit) {
  switch (limit) {
    case GoodputLimit::wire:
      return "the wire";
    case GoodputLimit::message_rate:
      return "the message rate of the NIC";
    case GoodputLimit::window:
      return "the window";
    case GoodputLimit::unacked:
      return "the packets outstanding";
    case GoodputLimit::reads:
      return "the READs outstanding";
    case GoodputLimit::losses:
      return "losses";
    case GoodputLimit::slots:
      return "the slots of the ring";
    case GoodputLimit::steps:
      return "the steps of the ring";
  }
  return "";
}

Goodput steady_goodput(const FrameConfig& frame, const RoundTrip& paths, const MessageStream& stream) {
  SOYA_CHECK(stream.message > Bytes{0} && stream.queue_pairs >= 1 && stream.depth >= 1, "a stream has messages");
  const FrameSizes sizes{frame};
  const bool reads = stream.operation == Operation::read;
  const Bytes acknowledge = sizes.acknowledge() + wire_gap;
  const std::vector<FrameRun> packets = message_frames(sizes, stream.operation, stream.message);
  const Rate rate = slowest(reads ? paths.back : paths.forward);
  const Int128 all = Int128{stream.queue_pairs} * stream.message.count();
  const Duration wire = serialisation(sizes.message_on_wire(stream.operation, stream.message), rate);
  const Duration packet = serialisation(packets.front().wire, rate);
  const Duration others = (stream.queue_pairs - 1) * (wire - packet);
  const Duration completion = others + (reads ? read_time(paths, packets, sizes.read_request() + wire_gap)
                                              : completion_time(paths, packets, acknowledge));

  const FrameRun one{1, packets.size() > 2 ? packets[1].wire : packets.front().wire};
  Smallest smallest{{rate_of(stream.message.count(), wire), GoodputLimit::wire, completion}};
  if (stream.loss > 0) {
    const Duration each = serialisation(one.wire, rate);
    // A READ's responses come back, and it is the next request that says what is missing.
    const RoundTrip data = reads ? RoundTrip{paths.back, paths.forward} : paths;
    const Bytes says_so = reads ? sizes.read_request() + wire_gap : acknowledge;
    const double share = share_after_losses(stream, each, each + completion_time(data, {&one, 1}, says_so));
    const auto bits = static_cast<double>(smallest.found().rate.bits_per_second());
    smallest.consider(GoodputLimit::losses, Rate{std::max(std::int64_t{1}, static_cast<std::int64_t>(bits * share))});
  }
  Duration spacing = stream.queue_pairs * wire;
  if (stream.message_rate) {
    const Duration each{1'000'000'000'000 / *stream.message_rate};
    smallest.consider(GoodputLimit::message_rate, rate_of(Int128{stream.message.count()} * *stream.message_rate, 1_s));
    spacing = std::max(spacing, stream.queue_pairs * each);
  }
  const Window requests{stream.depth, std::min(stream.signal_every, stream.depth)};
  smallest.consider(GoodputLimit::window, rate_of(all * requests.count(), requests.cycle(completion, spacing)));
  if (reads) {
    smallest.consider(GoodputLimit::reads, rate_of(all * stream.max_reads, completion));
    return smallest.found();  // what comes back is not acknowledged
  }
  const std::int64_t count = sizes.packets(stream.message);
  const Window unacked{stream.max_unacked, std::min({std::int64_t{stream.ack_every}, count, stream.max_unacked})};
  const Duration cycle = unacked.cycle(completion_time(paths, {&one, 1}, acknowledge), stream.queue_pairs * packet);
  smallest.consider(GoodputLimit::unacked, rate_of(all * unacked.count() / count, cycle));
  return smallest.found();
}

std::optional<Goodput> ring_goodput(const RingNetwork& network, const RingConfig& ring) {
  const auto ranks = static_cast<std::int64_t>(network.edges.size());
  if (ranks < 2) return std::nullopt;
  const FrameSizes sizes{network.frame};
  const Rate rate = ring_rate(network);
  const std::vector<FrameRun> slice = message_frames(sizes, Operation::write_immediate, ring.slice);
  const std::vector<FrameRun> opens = message_frames(sizes, Operation::write_immediate, ring.clear_to_send);
  const Duration wire = serialisation(sizes.message_on_wire(Operation::write_immediate, ring.slice), rate);
  const Duration others = (ring.channels - 1) * wire;
  Duration edges{0};
  Duration longest{0};
  for (const RingEdge& edge : network.edges) {
    const Duration there = delivery_time(edge.forward, slice) + others;
    edges += there;
    longest = std::max(longest, there + delivery_time(edge.back, opens));
  }
  const std::int64_t steps = 2 * (ranks - 1);
  const std::int64_t slices = ring.slices_per_chunk;
  const Duration loop = edges * steps / ranks + (slices - 1) * ring.channels * wire;
  const Int128 all = Int128{ring.channels} * ring.slice.count();

  Smallest smallest{{rate_of(ring.slice.count(), wire), GoodputLimit::wire, longest}};
  smallest.consider(GoodputLimit::slots, rate_of(all * ring.slots, longest));
  smallest.consider(GoodputLimit::steps, rate_of(all * steps * slices, loop));
  return smallest.found();
}

}  // namespace soya
