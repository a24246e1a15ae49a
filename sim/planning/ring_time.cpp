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

/// Times of one slice of a chunk: B, and M by edge.
struct SliceTimes {
  Duration busy{};
  std::vector<Duration> moves{};
};

/// The slices of a chunk that go through all steps together.
using Batch = std::vector<SliceTimes>;

/// Times of messages on the ring's paths.
class RingTimes {
 public:
  RingTimes(const RingConfig& ring, const RingNetwork& network, std::int64_t channels)
      : sizes_{network.frame},
        ack_every_{network.ack_every},
        clear_to_send_{ring.clear_to_send},
        channels_{channels},
        rate_{ring_rate(network)} {}

  [[nodiscard]] Duration acknowledge(const RingEdge& edge) const {
    const FrameRun frame{1, acknowledge_wire()};
    return delivery_time(edge.back, {&frame, 1});
  }
  [[nodiscard]] Duration clear_to_send(const RingEdge& edge) const {
    return delivery_time(edge.back, frames(clear_to_send_));
  }
  /// What the clear-to-send of the last channel waits for when all begin together.
  [[nodiscard]] Duration other_clear_to_sends() const {
    return serialisation((channels_ - 1) * wire(clear_to_send_), rate_);
  }

  [[nodiscard]] SliceTimes slice(Bytes size, const std::vector<RingEdge>& edges) const {
    // With a slice that leaves, a slice comes in: its clear-to-send and acknowledges leave too, and one acknowledge for
    // the clear-to-send of the slice that left.
    const std::int64_t acknowledges = (sizes_.packets(size) + ack_every_ - 1) / ack_every_ + 1;
    const Bytes passing = wire(size) + wire(clear_to_send_) + acknowledges * acknowledge_wire();
    SliceTimes times{serialisation(channels_ * passing, rate_), {}};
    for (const RingEdge& edge : edges) times.moves.push_back(move(edge, size));
    return times;
  }

 private:
  [[nodiscard]] Bytes acknowledge_wire() const { return sizes_.acknowledge() + wire_gap; }
  [[nodiscard]] Bytes wire(Bytes size) const { return sizes_.message_on_wire(Operation::write_immediate, size); }
  [[nodiscard]] std::vector<FrameRun> frames(Bytes size) const {
    return message_frames(sizes_, Operation::write_immediate, size);
  }
  [[nodiscard]] Duration move(const RingEdge& edge, Bytes size) const {
    const std::vector<FrameRun> own = frames(size);
    const Bytes others = (channels_ - 1) * (wire(size) - own.back().wire);
    return delivery_time(edge.forward, own) + serialisation(others, slowest_rate(edge.forward));
  }

  FrameSizes sizes_;
  std::int64_t ack_every_;
  Bytes clear_to_send_;
  std::int64_t channels_;
  Rate rate_;
};

/// The recursion of the header. A rank and the edge that leaves it have the same number.
class RingRecursion {
 public:
  RingRecursion(const RingConfig& ring, const RingTimes& times, std::span<const RingEdge> edges, int ranks)
      : slots_{static_cast<std::size_t>(ring.slots)}, reduce_time_{ring.reduce_time}, ranks_{ranks} {
    for (const RingEdge& edge : edges) {
      Rank rank{times.acknowledge(edge), times.clear_to_send(edge), {}, {}, {}, {}};
      // No slice has gone through the slots yet: all are open as soon as a clear-to-send can be here.
      rank.taken.assign(slots_, times.other_clear_to_sends());
      rank.arrived.assign(slots_, Duration{0} - rank.acknowledge);
      nodes_.push_back(std::move(rank));
    }
  }

  /// All steps of one batch.
  void pass(const Batch& batch) {
    for (int step = 0; step < 2 * (ranks_ - 1); ++step) {
      for (std::size_t slice = 0; slice < batch.size(); ++slice, ++sent_) {
        for (std::size_t rank = 0; rank < nodes_.size(); ++rank) place(rank, step, batch.size());
        for (std::size_t rank = 0; rank < nodes_.size(); ++rank) start(nodes_[rank], batch[slice], rank);
      }
    }
    for (std::size_t k = sent_ - batch.size(); k < sent_; ++k) take_last(k % slots_);
  }

  [[nodiscard]] Duration end() const { return std::ranges::max(nodes_, {}, &Rank::placed).placed; }

 private:
  struct Rank {
    Duration acknowledge;    ///< A
    Duration clear_to_send;  ///< C
    Duration placed;         ///< the latest slice placed or taken
    Duration wire_free;
    std::vector<Duration> arrived;  ///< at the next rank, by slice modulo slots
    std::vector<Duration> taken;    ///< by the next rank
  };

  [[nodiscard]] Rank& before(std::size_t rank) { return nodes_[(rank + nodes_.size() - 1) % nodes_.size()]; }

  void place(std::size_t index, int step, std::size_t slices_per_step) {
    Rank& rank = nodes_[index];
    if (step > 0) {
      const Duration came = before(index).arrived[(sent_ - slices_per_step) % slots_];
      rank.placed = std::max(rank.placed, came) + (step < ranks_ ? reduce_time_ : Duration{0});
    }
    rank.placed = std::max(rank.placed, rank.arrived[sent_ % slots_] + rank.acknowledge);
    if (step > 0) before(index).taken[(sent_ - slices_per_step) % slots_] = rank.placed;
  }

  void start(Rank& rank, const SliceTimes& slice, std::size_t edge) {
    const std::size_t slot = sent_ % slots_;
    const Duration at = std::max({rank.placed, rank.wire_free, rank.taken[slot] + rank.clear_to_send});
    rank.wire_free = at + slice.busy;
    rank.arrived[slot] = at + slice.moves[edge];
  }

  /// The last step's slices are taken as they arrive.
  void take_last(std::size_t slot) {
    for (std::size_t rank = 0; rank < nodes_.size(); ++rank) {
      Duration& placed = nodes_[rank].placed;
      placed = std::max(placed, before(rank).arrived[slot]);
      before(rank).taken[slot] = placed;
    }
  }

  std::size_t slots_;
  Duration reduce_time_;
  int ranks_;
  std::vector<Rank> nodes_;  ///< one for all where the edges are alike, else each
  std::size_t sent_{0};      ///< slices, by each rank
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
  RingRecursion recursion{ring, times, edges, ranks};
  // Shares are rounded so that the last channel has the largest, and of a loop the last chunk.
  const int channel = layout.channels() - 1;
  const std::int64_t loops = layout.loops(channel);
  const auto batches_of = [&](std::int64_t loop) {
    return batches(layout, {channel, loop, ranks - 1}, times, ring.slots, edges);
  };
  const std::vector<Batch> full = batches_of(0);
  for (std::int64_t loop = 0; loop + 1 < loops; ++loop) {
    for (const Batch& batch : full) recursion.pass(batch);
  }
  for (const Batch& batch : batches_of(loops - 1)) recursion.pass(batch);
  return recursion.end();
}

}  // namespace soya
