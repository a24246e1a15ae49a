// Ring all-reduce: how the data is cut (RingLayout), and what one rank does on one channel (RingRank).
// Simplifies: empty slices do not exist and cost nothing; a channel reduces one slice after another, in the order of
// its program; copying takes no time. A rank's part ends when its last slice has arrived, not when it is acknowledged.
// Source: NCCL 2.x Simple protocol as in docs/model.md section 8. Validated by tests/unit/collective.
#pragma once

#include <cstdint>
#include <vector>

#include "collective/ring_config.hpp"
#include "core/units.hpp"

namespace soya {

/// The data each rank holds. A last element that `size` does not fill is shorter.
struct RingData {
  Bytes size{0};
  Bytes element{4};
};

/// One chunk: its channel, the loop of that channel, and its number in the loop (0 to ranks − 1).
struct RingChunk {
  int channel{0};
  std::int64_t loop{0};
  int chunk{0};
};

/// A rank on one of its channels.
struct RingPlace {
  int rank{0};
  int channel{0};
};

/// How `RingData` is cut into channels, loops, chunks and slices. All ranks compute the same layout.
///
/// The elements are shared among the channels, and a channel's share is worked through in loops of one chunk per rank.
/// A chunk is `slices_per_chunk` slices; the last loop divides what is left. Every division of E elements into n parts
/// ends part k at ⌊(k + 1)·E/n⌋: parts differ by one element at most. The last loop's slices are its largest chunk ÷
/// `slices_per_chunk`, but not below 1/32 of the largest slice, as in NCCL.
class RingLayout {
 public:
  RingLayout(const RingData& data, int ranks, const RingConfig& config);

  [[nodiscard]] Bytes size() const { return data_.size; }
  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] int channels() const { return static_cast<int>(shares_.size()); }
  /// Sends of a rank per loop: 2(N − 1).
  [[nodiscard]] int steps() const { return 2 * (ranks_ - 1); }
  /// Loops of a channel; 0 when there is nothing to send.
  [[nodiscard]] std::int64_t loops(int channel) const;
  /// The chunk that `rank` sends at `step`, which is also the one it received at the step before.
  [[nodiscard]] int chunk_at(int rank, int step) const;

  [[nodiscard]] std::int64_t chunk_elements(const RingChunk& at) const;
  [[nodiscard]] Bytes chunk_size(const RingChunk& at) const;
  [[nodiscard]] std::int64_t slices(const RingChunk& at) const;
  [[nodiscard]] Bytes slice_size(const RingChunk& at, std::int64_t slice) const;
  /// Slices of the largest chunk of a loop.
  [[nodiscard]] std::int64_t most_slices(int channel, std::int64_t loop) const;

  /// Slices that a rank sends on a channel, all loops.
  [[nodiscard]] std::int64_t slices_sent(const RingPlace& by) const;
  /// Slices of all ranks and channels.
  [[nodiscard]] std::int64_t slices_in_all() const;
  /// Slices that a rank receives on a channel, all loops.
  [[nodiscard]] std::int64_t slices_received(const RingPlace& by) const;
  /// Bytes that a rank sends in all: 2S minus the two chunks it skips in every loop.
  [[nodiscard]] Bytes sent_by(int rank) const;

 private:
  struct Share {
    std::int64_t first{0};  ///< element
    std::int64_t full_loops{0};
    std::int64_t rest{0};        ///< elements of the last, smaller loop; 0: there is none
    std::int64_t rest_slice{0};  ///< elements of a slice of that loop
  };
  struct Range {
    std::int64_t first{0};
    std::int64_t last{0};  ///< one past
  };
  [[nodiscard]] const Share& share(int channel) const { return shares_[static_cast<std::size_t>(channel)]; }
  [[nodiscard]] std::int64_t slices_of_rest(const Share& part) const;
  [[nodiscard]] Range range(const RingChunk& at) const;
  [[nodiscard]] Bytes bytes(const Range& range) const;
  [[nodiscard]] std::int64_t slice_elements(int channel, std::int64_t loop) const;
  [[nodiscard]] Bytes chunk_total(int channel, int chunk) const;

  RingData data_;
  int ranks_;
  int slices_per_chunk_;
  std::int64_t slice_elements_;  ///< of a full slice
  std::int64_t chunk_elements_;  ///< of a full chunk
  std::vector<Share> shares_;    ///< by channel
};

/// A slice to be sent. `ordinal` counts the slices of its connection, from 0, over all collectives.
struct RingSlice {
  std::int64_t ordinal{0};
  Bytes size{0};
};

/// What a rank asks of its surroundings.
class RingActions {
 public:
  virtual ~RingActions() = default;
  /// Sends a slice to the next rank; `RingRank::slice_sent` when it is acknowledged.
  virtual void send_slice(const RingSlice& slice) = 0;
  /// Tells the previous rank that there is a slot for the slice with this ordinal.
  virtual void send_clear_to_send(std::int64_t ordinal) = 0;
  /// Calls `RingRank::slice_reduced` after `reduce_time`.
  virtual void reduce() = 0;
};

/// What a rank waits for.
enum class RingWait { nothing, slice, reduction, acknowledge, clear_to_send };

/// One rank on one channel: a state machine without network or clock, for one collective after another.
///
/// Its program, for each loop: send the slices of the chunk of step 0; for each later step take the slice that arrived
/// and send it on; take the slices of the last step. Up to `slots` slices wait in send slots, from the moment they are
/// placed until they are acknowledged, and up to `slots` in receive slots, until they are placed in a send slot or, in
/// the last step, taken. The n-th clear-to-send of a connection opens its n-th slice, whichever collective that is
/// part of; so one that comes early, from a neighbour that is ahead, waits here for `begin`.
///
/// A loop whose chunks have more than `slots` slices is run as batches of `slots` slices, each through all steps.
/// Why nothing blocks: were all ranks blocked, every send slot and every receive slot would be full, 2·slots slices
/// per rank; but a rank places at most `slots` slices (step 0 of one batch) ahead of those it takes.
class RingRank {
 public:
  RingRank(const RingPlace& place, const RingConfig& config);

  /// Starts the next collective; the one before is finished. `layout` outlives it.
  void begin(const RingLayout& layout, RingActions& actions);
  /// The slice with this ordinal has arrived from the previous rank.
  void slice_received(std::int64_t ordinal, RingActions& actions);
  void clear_to_send_received(std::int64_t ordinal, RingActions& actions);
  void slice_reduced(RingActions& actions);
  /// A slice sent earlier is acknowledged.
  void slice_sent(RingActions& actions);

  /// The rank holds the result and has placed everything it has to send.
  [[nodiscard]] bool finished() const { return layout_ == nullptr; }
  [[nodiscard]] RingWait waits_for() const;
  /// Payload of the slices placed so far, over all collectives; when `finished`, of all it has to send.
  [[nodiscard]] Bytes placed_bytes() const { return placed_bytes_; }
  /// Slices taken since `begin`, of `slices_to_take`.
  [[nodiscard]] std::int64_t slices_taken() const { return taken_ - taken_before_; }
  [[nodiscard]] std::int64_t slices_to_take() const { return granted_limit_ - taken_before_; }

 private:
  /// A place in the program. The slice counts within its chunk.
  struct Cursor {
    std::int64_t loop{0};
    std::int64_t batch{0};
    int step{0};
    std::int64_t slice{0};
  };
  enum class Reduction { none, running, done };

  [[nodiscard]] RingChunk chunk() const;
  [[nodiscard]] bool takes() const { return cursor_.step > 0; }
  [[nodiscard]] bool sends() const { return cursor_.step < layout_->steps(); }
  [[nodiscard]] bool reduces() const { return takes() && cursor_.step < layout_->ranks(); }
  [[nodiscard]] bool reduced(RingActions& actions);
  void advance(RingActions& actions);
  void place(RingActions& actions);
  void take(RingActions& actions);
  void grant(RingActions& actions);
  void send_ready(RingActions& actions);
  void next_slice();
  void settle();
  void next_step();

  RingPlace place_;
  std::int64_t slots_;
  Duration reduce_time_;
  const RingLayout* layout_{nullptr};
  Cursor cursor_;
  Reduction reduction_{Reduction::none};

  // Counted over all collectives of the channel: the ordinal of the next of each.
  std::vector<Bytes> placed_sizes_;  ///< by ordinal modulo `slots`
  std::int64_t placed_{0};
  Bytes placed_bytes_{0};
  std::int64_t posted_{0};
  std::int64_t acknowledged_{0};
  std::int64_t credits_{0};  ///< clear-to-sends received
  std::int64_t arrived_{0};
  std::int64_t taken_{0};
  std::int64_t granted_{0};        ///< clear-to-sends sent
  std::int64_t granted_limit_{0};  ///< clear-to-sends owed by the end of this collective
  std::int64_t taken_before_{0};   ///< by earlier collectives
};

}  // namespace soya
