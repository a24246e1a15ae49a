#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "collective/ring.hpp"
#include "core/check.hpp"
#include "support/units_io.hpp"

using namespace soya;

namespace {

/// Writes down what a rank asks for: "send 0:100", "clear 3", "reduce".
class Notes final : public RingActions {
 public:
  void send_slice(const RingSlice& slice) override {
    lines_.push_back("send " + std::to_string(slice.ordinal) + ":" + std::to_string(slice.size.count()));
  }
  void send_clear_to_send(std::int64_t ordinal) override { lines_.push_back("clear " + std::to_string(ordinal)); }
  void reduce() override { lines_.push_back("reduce"); }

  /// What was asked since the last call.
  std::vector<std::string> take() { return std::exchange(lines_, {}); }

 private:
  std::vector<std::string> lines_;
};

using Lines = std::vector<std::string>;

/// Slices of 100 B, two per chunk.
RingConfig small(int slots) {
  RingConfig config;
  config.channels = 1;
  config.slice = 100_B;
  config.slots = slots;
  return config;
}

}  // namespace

TEST_CASE("a rank opens its slots at once and sends only what the next rank has opened") {
  // 2 ranks, 400 B: one loop of two chunks of 200 B, two slices each. A rank sends 2 steps x 2 slices.
  const RingLayout layout{{400_B, 1_B}, 2, small(4)};
  RingRank rank{{0, 0}, small(4)};
  Notes notes;
  CHECK(rank.finished());
  rank.begin(layout, notes);
  CHECK(notes.take() == Lines{"clear 0", "clear 1", "clear 2", "clear 3"});
  CHECK(rank.waits_for() == RingWait::slice);
  rank.clear_to_send_received(0, notes);
  CHECK(notes.take() == Lines{"send 0:100"});
  rank.clear_to_send_received(1, notes);
  CHECK(notes.take() == Lines{"send 1:100"});
  rank.clear_to_send_received(2, notes);
  CHECK(notes.take() == Lines{});  // slice 0 of step 1 needs slice 0 of step 0
  rank.slice_received(0, notes);
  CHECK(notes.take() == Lines{"send 2:100"});  // and not slice 1
  rank.slice_received(1, notes);
  rank.clear_to_send_received(3, notes);
  CHECK(notes.take() == Lines{"send 3:100"});
  rank.slice_received(2, notes);
  CHECK_FALSE(rank.finished());
  CHECK(rank.slices_taken() == 3);
  CHECK(rank.slices_to_take() == 4);
  rank.slice_received(3, notes);
  CHECK(rank.finished());
  CHECK(notes.take() == Lines{});
  CHECK(rank.placed_bytes() == 400_B);
}

TEST_CASE("a receive slot opens again only when its slice is in a send slot") {
  const RingLayout layout{{400_B, 1_B}, 2, small(1)};
  RingRank rank{{0, 0}, small(1)};
  Notes notes;
  rank.begin(layout, notes);
  CHECK(notes.take() == Lines{"clear 0"});
  rank.slice_received(0, notes);
  // The only send slot holds the slice of step 0, which has no clear-to-send yet.
  CHECK(notes.take() == Lines{});
  CHECK(rank.waits_for() == RingWait::clear_to_send);
  rank.clear_to_send_received(0, notes);
  CHECK(notes.take() == Lines{"send 0:100"});
  CHECK(rank.waits_for() == RingWait::acknowledge);
  rank.slice_sent(notes);
  CHECK(notes.take() == Lines{"clear 1"});  // slice 0 of step 1 is in the send slot
  rank.clear_to_send_received(1, notes);
  CHECK(notes.take() == Lines{"send 1:100"});
}

TEST_CASE("the first N-1 steps that receive reduce, the others copy") {
  RingConfig config = small(4);
  config.slices_per_chunk = 1;
  config.reduce_time = 5_us;
  // 3 ranks: slices arrive at steps 0 to 3; those of steps 0 and 1 are reduced.
  const RingLayout layout{{300_B, 1_B}, 3, config};
  RingRank rank{{0, 0}, config};
  Notes notes;
  rank.begin(layout, notes);
  for (std::int64_t n = 0; n < 4; ++n) rank.clear_to_send_received(n, notes);
  CHECK(notes.take() == Lines{"clear 0", "clear 1", "clear 2", "clear 3", "send 0:100"});
  rank.slice_received(0, notes);
  CHECK(notes.take() == Lines{"reduce"});
  rank.slice_received(1, notes);
  CHECK(notes.take() == Lines{});  // one after another
  CHECK(rank.waits_for() == RingWait::reduction);
  rank.slice_reduced(notes);
  CHECK(notes.take() == Lines{"send 1:100", "reduce"});
  rank.slice_reduced(notes);
  CHECK(notes.take() == Lines{"send 2:100"});
  rank.slice_received(2, notes);
  CHECK(notes.take() == Lines{"send 3:100"});
  rank.slice_received(3, notes);
  CHECK(rank.finished());
  CHECK(notes.take() == Lines{});
}

TEST_CASE("a clear-to-send for the next collective waits until that begins") {
  RingConfig config = small(4);
  config.slices_per_chunk = 1;
  const RingLayout layout{{200_B, 1_B}, 2, config};
  RingRank rank{{1, 0}, config};
  Notes notes;
  rank.begin(layout, notes);
  CHECK(notes.take() == Lines{"clear 0", "clear 1"});
  rank.clear_to_send_received(0, notes);
  rank.clear_to_send_received(1, notes);
  rank.slice_received(0, notes);
  CHECK(notes.take() == Lines{"send 0:100", "send 1:100"});
  rank.clear_to_send_received(2, notes);  // the neighbour is one collective ahead
  rank.slice_received(1, notes);
  CHECK(rank.finished());
  CHECK(notes.take() == Lines{});
  rank.begin(layout, notes);
  CHECK(notes.take() == Lines{"clear 2", "clear 3", "send 2:100"});
}

TEST_CASE("more slices per chunk than slots go round in batches") {
  // 2 ranks, 302 B: chunks of 151 B, slices of 76 and 75 B. One slot: the first slice of both steps goes before the
  // second slice of any.
  const RingLayout layout{{302_B, 1_B}, 2, small(1)};
  RingRank rank{{0, 0}, small(1)};
  Notes notes;
  rank.begin(layout, notes);
  CHECK(notes.take() == Lines{"clear 0"});
  const Lines sends{"send 0:76", "send 1:76", "send 2:75", "send 3:75"};
  for (std::int64_t n = 0; n < 4; ++n) {
    rank.clear_to_send_received(n, notes);
    CHECK(notes.take() == Lines{sends[static_cast<std::size_t>(n)]});
    rank.slice_sent(notes);
    rank.slice_received(n, notes);
    CHECK(notes.take() == (n < 3 ? Lines{"clear " + std::to_string(n + 1)} : Lines{}));
  }
  CHECK(rank.finished());
}

TEST_CASE("a slice without its clear-to-send, or out of order, is a defect") {
  const RingLayout layout{{400_B, 1_B}, 2, small(1)};
  RingRank rank{{0, 0}, small(1)};
  Notes notes;
  CHECK_THROWS_AS(rank.slice_received(0, notes), InternalError);
  rank.begin(layout, notes);
  CHECK_THROWS_AS(rank.slice_received(1, notes), InternalError);
  CHECK_THROWS_AS(rank.clear_to_send_received(1, notes), InternalError);
  CHECK_THROWS_AS(rank.slice_sent(notes), InternalError);
  CHECK_THROWS_AS(rank.begin(layout, notes), InternalError);
}
