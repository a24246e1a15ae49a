#include <doctest/doctest.h>

#include <vector>

#include "collective/ring.hpp"
#include "support/units_io.hpp"

using namespace soya;

namespace {

RingConfig one_channel() {
  RingConfig config;
  config.channels = 1;
  return config;
}

/// What a rank sends on a channel, added up slice by slice.
struct Sent {
  std::int64_t slices{0};
  Bytes bytes{0};
};

Sent walk(const RingLayout& layout, const RingPlace& by) {
  Sent sent;
  for (std::int64_t loop = 0; loop < layout.loops(by.channel); ++loop) {
    for (int step = 0; step < layout.steps(); ++step) {
      const RingChunk chunk{by.channel, loop, layout.chunk_at(by.rank, step)};
      sent.slices += layout.slices(chunk);
      for (std::int64_t slice = 0; slice < layout.slices(chunk); ++slice) sent.bytes += layout.slice_size(chunk, slice);
    }
  }
  return sent;
}

}  // namespace

TEST_CASE("a million bytes of float32 over three ranks are chunks of 83 333, 83 333 and 83 334 elements") {
  const RingLayout layout{{1'000'000_B, 4_B}, 3, one_channel()};
  REQUIRE(layout.loops(0) == 1);
  CHECK(layout.chunk_elements({0, 0, 0}) == 83'333);
  CHECK(layout.chunk_elements({0, 0, 1}) == 83'333);
  CHECK(layout.chunk_elements({0, 0, 2}) == 83'334);
  // Two slices per chunk, as equal as whole elements allow: 41 667 and what is left of the chunk.
  CHECK(layout.slices({0, 0, 0}) == 2);
  CHECK(layout.slice_size({0, 0, 0}, 0) == Bytes{4 * 41'667});
  CHECK(layout.slice_size({0, 0, 0}, 1) == Bytes{4 * 41'666});
  CHECK(layout.slice_size({0, 0, 2}, 1) == Bytes{4 * 41'667});
  // Rank 0 skips chunks 0 and 1, rank 1 chunks 1 and 2, rank 2 chunks 2 and 0.
  CHECK(layout.sent_by(0) == Bytes{2'000'000 - 4 * (83'333 + 83'333)});
  CHECK(layout.sent_by(1) == Bytes{2'000'000 - 4 * (83'333 + 83'334)});
  CHECK(layout.sent_by(2) == Bytes{2'000'000 - 4 * (83'334 + 83'333)});
}

TEST_CASE("a channel works through its share in loops of full chunks and one smaller loop") {
  // 40 MiB on 2 channels are 20 MiB each: with 4 ranks two loops of 4 x 2 MiB, then 4 MiB are left: 4 x 1 MiB.
  const RingLayout layout{{40_MiB, 4_B}, 4, RingConfig{}};
  for (int channel = 0; channel < 2; ++channel) {
    REQUIRE(layout.loops(channel) == 3);
    for (int chunk = 0; chunk < 4; ++chunk) {
      CHECK(layout.chunk_size({channel, 0, chunk}) == 2_MiB);
      CHECK(layout.chunk_size({channel, 1, chunk}) == 2_MiB);
      CHECK(layout.chunk_size({channel, 2, chunk}) == 1_MiB);
      CHECK(layout.slices({channel, 1, chunk}) == 2);
      CHECK(layout.slice_size({channel, 1, chunk}, 1) == 1_MiB);
      CHECK(layout.slices({channel, 2, chunk}) == 2);
      CHECK(layout.slice_size({channel, 2, chunk}, 1) == 512_KiB);
    }
  }
  // 6 steps of (2 + 2 + 2) slices.
  CHECK(layout.slices_sent({3, 1}) == 36);
  CHECK(layout.sent_by(2) == Bytes{2 * 3 * 40 * 1024 * 1024 / 4});
}

TEST_CASE("a slice of a small chunk is not below a thirty-second of the largest slice") {
  // 4 ranks, 200 KiB: chunks of 50 KiB. Half of one, 25 KiB, is below 1 MiB / 32 = 32 KiB: slices of 32 and 18 KiB.
  const RingLayout layout{{200_KiB, 4_B}, 4, one_channel()};
  CHECK(layout.slices({0, 0, 1}) == 2);
  CHECK(layout.slice_size({0, 0, 1}, 0) == 32_KiB);
  CHECK(layout.slice_size({0, 0, 1}, 1) == 18_KiB);
  // 100 KiB: chunks of 25 KiB are one slice.
  CHECK(RingLayout{{100_KiB, 4_B}, 4, one_channel()}.slices({0, 0, 1}) == 1);
}

TEST_CASE("step 0 sends the chunk before the rank's own, and each step goes one further back") {
  const RingLayout layout{{3000_B, 4_B}, 3, one_channel()};
  const std::vector<std::vector<int>> expected{{2, 1, 0, 2}, {0, 2, 1, 0}, {1, 0, 2, 1}};
  for (int rank = 0; rank < 3; ++rank) {
    for (int step = 0; step < 4; ++step) {
      CHECK(layout.chunk_at(rank, step) == expected[static_cast<std::size_t>(rank)][static_cast<std::size_t>(step)]);
      // What the next rank sends one step later is what it receives from this rank now.
      CHECK(layout.chunk_at((rank + 1) % 3, step + 1) == layout.chunk_at(rank, step));
    }
  }
}

TEST_CASE("fewer elements than ranks, no bytes, and one rank") {
  // 2 B are one short float32 element; it is in the last chunk of the last channel.
  const RingLayout tiny{{2_B, 4_B}, 3, RingConfig{}};
  CHECK(tiny.loops(0) == 0);
  REQUIRE(tiny.loops(1) == 1);
  CHECK(tiny.slices({1, 0, 0}) == 0);
  CHECK(tiny.slices({1, 0, 1}) == 0);
  CHECK(tiny.slices({1, 0, 2}) == 1);
  CHECK(tiny.slice_size({1, 0, 2}, 0) == 2_B);
  CHECK(tiny.sent_by(0) == Bytes{2 * 2});      // skips chunks 0 and 1
  CHECK(tiny.sent_by(1) == Bytes{2 * 2 - 2});  // skips chunks 1 and 2
  CHECK(tiny.sent_by(2) == Bytes{2 * 2 - 2});  // skips chunks 2 and 0

  const RingLayout nothing{{0_B, 4_B}, 3, RingConfig{}};
  CHECK(nothing.loops(0) == 0);
  CHECK(nothing.loops(1) == 0);
  CHECK(nothing.sent_by(0) == 0_B);

  const RingLayout alone{{100_MB, 4_B}, 1, RingConfig{}};
  CHECK(alone.loops(0) == 0);
  CHECK(alone.steps() == 0);
  CHECK(alone.slices_sent({0, 0}) == 0);
  CHECK(alone.sent_by(0) == 0_B);
  CHECK(alone.slices_in_all() == 0);
}

TEST_CASE("a last element that the bytes do not fill is short, the others are whole") {
  // 10 B are elements of 4, 4 and 2 B; one per rank.
  const RingLayout layout{{10_B, 4_B}, 3, one_channel()};
  CHECK(layout.chunk_size({0, 0, 0}) == 4_B);
  CHECK(layout.chunk_size({0, 0, 1}) == 4_B);
  CHECK(layout.chunk_size({0, 0, 2}) == 2_B);
}

TEST_CASE("an element larger than a slice still travels whole") {
  RingConfig config = one_channel();
  config.slice = 3_B;
  const RingLayout layout{{80_B, 8_B}, 2, config};
  // A slice is one element of 8 B, a chunk two of them; 10 elements are 2 loops of 4 and a rest of 2.
  CHECK(layout.loops(0) == 3);
  CHECK(layout.slice_size({0, 0, 0}, 0) == 8_B);
  CHECK(layout.chunk_size({0, 2, 1}) == 8_B);
}

TEST_CASE("all ranks together send 2(N-1)S bytes, each what its slices add up to") {
  for (const int ranks : {2, 3, 4, 5, 6, 24}) {
    for (const Bytes size : {0_B, 2_B, 1'000'000_B, 40_MiB, 100_MB, Bytes{100'000'007}}) {
      for (const int channels : {1, 2, 4}) {
        CAPTURE(ranks);
        CAPTURE(size.count());
        CAPTURE(channels);
        RingConfig config;
        config.channels = channels;
        const RingLayout layout{{size, 4_B}, ranks, config};
        Bytes total{0};
        std::int64_t slices = 0;
        for (int rank = 0; rank < ranks; ++rank) {
          Bytes sent{0};
          for (int channel = 0; channel < channels; ++channel) {
            const Sent walked = walk(layout, {rank, channel});
            sent += walked.bytes;
            slices += walked.slices;
            REQUIRE(layout.slices_sent({rank, channel}) == walked.slices);
            REQUIRE(layout.slices_received({(rank + 1) % ranks, channel}) == walked.slices);
          }
          REQUIRE(layout.sent_by(rank) == sent);
          total += sent;
        }
        CHECK(total == 2 * (ranks - 1) * size);
        CHECK(layout.slices_in_all() == slices);
      }
    }
  }
}
