#include "planning/ring_time.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

#include "core/check.hpp"
#include "net/frame.hpp"

namespace soya {
namespace {

Rate slowest_rate(const std::vector<PathHop>& hops) {
  SOYA_CHECK(!hops.empty(), "neighbouring ranks are on different hosts with a path between them");
  return std::ranges::min(hops, {}, &PathHop::rate).rate;
}

/// M of a slice on one edge, when its channel has the wire to itself.
struct SliceMove {
  Duration alone;  ///< its delivery, and the acknowledges that go between its packets
  Duration grant;  ///< what a clear-to-send that is due adds
};

/// Times of one slice of a chunk.
struct SliceTimes {
  Duration busy;                 ///< B without clear-to-sends
  Duration wire;                 ///< the slice itself
  Duration packet;               ///< its first packet
  std::vector<SliceMove> moves;  ///< by edge
};

/// The slices of a chunk that go through all steps together.
using Batch = std::vector<SliceTimes>;

/// Times of the small messages on an edge.
struct EdgeTimes {
  Duration acknowledge;         ///< A
  Duration acknowledge_wire;    ///< a
  Duration clear_to_send;       ///< C
  Duration clear_to_send_wire;  ///< c
};

/// Times of messages on the ring's paths.
class RingTimes {
 public:
  RingTimes(const RingConfig& ring, const RingNetwork& network, std::int64_t channels)
      : sizes_{network.frame},
        ack_every_{network.ack_every},
        clear_to_send_{ring.clear_to_send},
        channels_{channels},
        rate_{ring_rate(network)} {}

  [[nodiscard]] std::int64_t channels() const { return channels_; }
  [[nodiscard]] bool one_packet(Bytes size) const { return sizes_.packets(size) == 1; }

  [[nodiscard]] EdgeTimes edge(const RingEdge& edge) const {
    const FrameRun acknowledge{1, acknowledge_wire()};
    const Rate rate = edge.forward.front().rate;
    return {delivery_time(edge.back, {&acknowledge, 1}), serialisation(acknowledge_wire(), rate),
            delivery_time(edge.back, frames(clear_to_send_)), serialisation(wire(clear_to_send_), rate)};
  }

  /// What a clear-to-send on every channel adds to B: itself, and the acknowledge of the one that comes in.
  [[nodiscard]] Duration grant() const {
    return serialisation(channels_ * (wire(clear_to_send_) + acknowledge_wire()), rate_);
  }

  [[nodiscard]] SliceTimes slice(Bytes size, const std::vector<RingEdge>& edges) const {
    const FrameRun first = frames(size).front();
    // With a slice that leaves, a slice comes in: its acknowledges leave too.
    const Bytes passing = wire(size) + asks(size) * acknowledge_wire();
    SliceTimes times{serialisation(channels_ * passing, rate_),
                     serialisation(wire(size), rate_),
                     serialisation(first.wire, rate_),
                     {}};
    for (const RingEdge& edge : edges) times.moves.push_back(move(size, edge));
    return times;
  }

 private:
  [[nodiscard]] Bytes acknowledge_wire() const { return sizes_.acknowledge() + wire_gap; }
  [[nodiscard]] Bytes wire(Bytes size) const { return sizes_.message_on_wire(Operation::write_immediate, size); }
  [[nodiscard]] std::vector<FrameRun> frames(Bytes size) const {
    return message_frames(sizes_, Operation::write_immediate, size);
  }
  /// Packets of a slice that ask for an acknowledge.
  [[nodiscard]] std::int64_t asks(Bytes size) const { return (sizes_.packets(size) + ack_every_ - 1) / ack_every_; }

  [[nodiscard]] SliceMove move(Bytes size, const RingEdge& edge) const {
    const std::vector<FrameRun> packets = frames(size);
    const Duration delivery = delivery_time(edge.forward, packets);
    if (one_packet(size)) return {delivery, Duration{0}};
    const EdgeTimes times = this->edge(edge);
    const Rate rate = edge.forward.front().rate;
    const FrameRun first{1, packets.front().wire};
    const Duration packet = serialisation(first.wire, rate);
    // Times below count from the slice's first bit; the last packet leaves when the others have left.
    const Duration last = serialisation(wire(size) - packets.back().wire, rate);
    // A slice like this one comes in: those of its packets that ask, but for the last, are acknowledged in between as
    // far as they come in time.
    const Duration latency = delivery - serialisation(wire(size), rate);
    const std::int64_t in_time = (last - latency).picoseconds() / (ack_every_ * packet).picoseconds();
    const std::int64_t acknowledges = channels_ * std::clamp<std::int64_t>(in_time, 0, asks(size) - 1);
    // The next rank's clear-to-send leaves behind its first packet and comes in behind the first packet of the slice.
    const Duration granted =
        std::max(packet + times.clear_to_send, delivery_time(edge.forward, {&first, 1}) + times.clear_to_send_wire);
    const bool acknowledged = granted < last + times.clear_to_send_wire;
    return {delivery + acknowledges * times.acknowledge_wire,
            times.clear_to_send_wire + (acknowledged ? times.acknowledge_wire : Duration{0})};
  }

  FrameSizes sizes_;
  std::int64_t ack_every_;
  Bytes clear_to_send_;
  std::int64_t channels_;
  Rate rate_;
};

/// The size of the recursion.
struct RingExtent {
  int ranks{0};
  std::int64_t slices{0};       ///< that a rank sends on a channel in all
  bool begins_with_one{false};  ///< the first slice is one packet
};

/// The recursion of the header. A rank and the edge that leaves it have the same number.
class RingRecursion {
 public:
  RingRecursion(const RingConfig& ring, const RingTimes& times, std::span<const RingEdge> edges,
                const RingExtent& extent)
      : slots_{static_cast<std::size_t>(ring.slots)},
        reduce_time_{ring.reduce_time},
        ranks_{extent.ranks},
        channels_{times.channels()},
        grant_{times.grant()},
        grants_{std::max<std::int64_t>(0, extent.slices - ring.slots)} {
    // The clear-to-sends of the other slots and channels come in while the first packet leaves; behind it they are
    // acknowledged, once for each channel. Behind a slice of one packet that delays the next channel only.
    const bool nothing_behind = extent.begins_with_one && channels_ == 1;
    const std::int64_t acknowledges = nothing_behind ? 0 : channels_ - (slots_ == 1 ? 1 : 0);
    for (const RingEdge& edge : edges) {
      Rank rank{times.edge(edge), {}, {}, {}, 0, {}, {}};
      // No slice has gone through the slots yet: all are open as soon as a clear-to-send can be here.
      rank.taken.assign(slots_, acknowledges * rank.edge.acknowledge_wire);
      rank.arrived.assign(slots_, Duration{0} - rank.edge.acknowledge);
      nodes_.push_back(std::move(rank));
    }
  }

  /// All steps of one batch.
  void pass(const Batch& batch) {
    for (int step = 0; step < 2 * (ranks_ - 1); ++step) {
      for (const SliceTimes& slice : batch) {
        for (std::size_t rank = 0; rank < nodes_.size(); ++rank) place(rank, step, batch.size());
        if (step > 0) ++taken_;
        const std::int64_t granted = std::exchange(granted_, std::min(taken_, grants_));
        for (std::size_t rank = 0; rank < nodes_.size(); ++rank) start(rank, slice, granted_ - granted);
        ++sent_;
      }
    }
    for (std::size_t k = sent_ - batch.size(); k < sent_; ++k) take_last(k % slots_);
    taken_ += std::ssize(batch);
    end_ = end_of(batch);
  }

  /// When the last channel ends on the last rank.
  [[nodiscard]] Duration end() const { return end_; }

 private:
  struct Rank {
    EdgeTimes edge;
    Duration placed;                ///< the latest slice placed or taken
    Duration replied;               ///< the latest slice that came in is acknowledged
    Duration wire_free;             ///< of the slice before
    std::int64_t waits{0};          ///< slices that came later than wire and slot were free
    std::vector<Duration> arrived;  ///< at the next rank, by slice modulo slots
    std::vector<Duration> taken;    ///< by the next rank
  };

  [[nodiscard]] Rank& before(std::size_t rank) { return nodes_[(rank + nodes_.size() - 1) % nodes_.size()]; }

  void place(std::size_t index, int step, std::size_t slices_per_step) {
    Rank& rank = nodes_[index];
    if (step > 0) {
      const Duration came = before(index).arrived[(sent_ - slices_per_step) % slots_];
      rank.placed = std::max(rank.placed, came) + (step < ranks_ ? reduce_time_ : Duration{0});
      rank.replied = came + rank.edge.acknowledge_wire;
    }
    rank.placed = std::max(rank.placed, rank.arrived[sent_ % slots_] + rank.edge.acknowledge);
    if (step > 0) before(index).taken[(sent_ - slices_per_step) % slots_] = rank.placed;
  }

  /// `grants`: clear-to-sends that have become due since the slice before.
  void start(std::size_t index, const SliceTimes& slice, std::int64_t grants) {
    Rank& rank = nodes_[index];
    const std::size_t slot = sent_ % slots_;
    const Duration opened = rank.taken[slot] + rank.edge.clear_to_send + rank.edge.acknowledge_wire;
    const Duration ready = std::max(rank.placed, rank.replied);
    const Duration may_start = std::max(rank.wire_free, opened);
    if (ready > may_start) ++rank.waits;
    const Duration at = std::max(ready, may_start);
    rank.wire_free = at + slice.busy + grants * grant_;
    const Duration others = (channels_ - 1) * (slice.wire - lead(rank, slice));
    // While a slice waits for its slot, the clear-to-sends that are due leave before it.
    const Duration granting = at > opened ? grants * slice.moves[index].grant : Duration{0};
    rank.arrived[slot] = at + slice.moves[index].alone + granting + others;
  }

  /// How far, in time on the wire, a channel is ahead of the next one.
  [[nodiscard]] static Duration lead(const Rank& rank, const SliceTimes& slice) {
    return std::min(slice.wire, (rank.waits + 2) * slice.packet);
  }

  /// The last step's slices are taken as they arrive.
  void take_last(std::size_t slot) {
    for (std::size_t index = 0; index < nodes_.size(); ++index) {
      Rank& rank = nodes_[index];
      const Duration came = before(index).arrived[slot];
      rank.placed = std::max(rank.placed, came);
      rank.replied = came + rank.edge.acknowledge_wire;
      before(index).taken[slot] = rank.placed;
    }
  }

  [[nodiscard]] Duration end_of(const Batch& batch) const {
    // Where channels go slice by slice, one's clear-to-send and an acknowledge go before the next one's slice.
    const Duration between = batch.size() == 1 && grants_ > 0 ? grant_ / channels_ : Duration{0};
    Duration end{0};
    for (const Rank& rank : nodes_) {
      end = std::max(end, rank.placed + (channels_ - 1) * (lead(rank, batch.back()) + between));
    }
    return end;
  }

  std::size_t slots_;
  Duration reduce_time_;
  int ranks_;
  std::int64_t channels_;
  Duration grant_;           ///< of all channels
  std::int64_t grants_;      ///< clear-to-sends on a channel after those of the beginning
  std::vector<Rank> nodes_;  ///< one for all where the edges are alike, else each
  std::size_t sent_{0};      ///< slices, by each rank
  std::int64_t taken_{0};    ///< slices, by each rank
  std::int64_t granted_{0};  ///< of `grants_`
  Duration end_{};
};

bool alike(const RingEdge& a, const RingEdge& b) {
  return a.forward == b.forward && a.back == b.back;
}

/// A chunk runs in batches of at most `slots` slices.
std::vector<Batch> batches(const RingLayout& layout, const RingChunk& chunk, const RingTimes& times, int slots,
                           const std::vector<RingEdge>& edges) {
  std::vector<Batch> result;
  for (std::int64_t slice = 0; slice < layout.slices(chunk); ++slice) {
    if (slice % slots == 0) result.emplace_back();
    result.back().push_back(times.slice(layout.slice_size(chunk, slice), edges));
  }
  return result;
}

std::int64_t slice_count(const std::vector<Batch>& batches) {
  std::int64_t count = 0;
  for (const Batch& batch : batches) count += std::ssize(batch);
  return count;
}

}  // namespace

Rate ring_rate(const RingNetwork& network) {
  Rate slowest = slowest_rate(network.edges.at(0).forward);
  for (const RingEdge& edge : network.edges) slowest = std::min(slowest, slowest_rate(edge.forward));
  return slowest;
}

Duration ring_all_reduce_time(const RingData& data, const RingConfig& ring, const RingNetwork& network) {
  if (network.edges.size() <= 1 || data.size == Bytes{0}) return Duration{0};
  const int ranks = static_cast<int>(network.edges.size());
  const RingLayout layout{data, ranks, ring};
  std::int64_t busy_channels = 0;
  for (int channel = 0; channel < layout.channels(); ++channel) busy_channels += layout.loops(channel) > 0 ? 1 : 0;

  std::vector<RingEdge> edges = network.edges;
  if (std::ranges::adjacent_find(edges, std::not_fn(alike)) == edges.end()) edges.resize(1);
  const RingTimes times{ring, network, busy_channels};
  // Shares are rounded so that the last channel has the largest, and of a loop the last chunk.
  const int channel = layout.channels() - 1;
  const std::int64_t loops = layout.loops(channel);
  const auto batches_of = [&](std::int64_t loop) {
    return batches(layout, {channel, loop, ranks - 1}, times, ring.slots, edges);
  };
  const std::vector<Batch> full = batches_of(0);
  const std::vector<Batch> last = batches_of(loops - 1);
  const std::int64_t slices = layout.steps() * ((loops - 1) * slice_count(full) + slice_count(last));
  const bool begins_with_one = times.one_packet(layout.slice_size({channel, 0, ranks - 1}, 0));
  RingRecursion recursion{ring, times, edges, {ranks, slices, begins_with_one}};
  for (std::int64_t loop = 0; loop + 1 < loops; ++loop) {
    for (const Batch& batch : full) recursion.pass(batch);
  }
  for (const Batch& batch : last) recursion.pass(batch);
  return recursion.end();
}

}  // namespace soya
