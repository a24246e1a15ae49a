#include <algorithm>

#include "collective/ring.hpp"
#include "core/check.hpp"

namespace soya {
namespace {

/// NCCL's smallest slice is this part of the largest.
constexpr std::int64_t smallest_slice_part = 32;

constexpr std::int64_t divide_up(std::int64_t value, std::int64_t by) {
  return (value + by - 1) / by;
}

}  // namespace

RingLayout::RingLayout(const RingData& data, int ranks, const RingConfig& config)
    : data_{data},
      ranks_{ranks},
      slices_per_chunk_{config.slices_per_chunk},
      slice_elements_{
          std::max<std::int64_t>(1, config.slice.count() / std::max<std::int64_t>(1, data.element.count()))},
      chunk_elements_{slice_elements_ * config.slices_per_chunk} {
  SOYA_CHECK(ranks >= 1 && config.channels >= 1 && config.slices_per_chunk >= 1, "a ring has ranks, channels, slices");
  SOYA_CHECK(data.size.count() >= 0 && data.element.count() >= 1, "elements have bytes");
  const std::int64_t elements = divide_up(data.size.count(), data.element.count());
  const std::int64_t loop_elements = chunk_elements_ * ranks;
  for (int channel = 0; channel < config.channels; ++channel) {
    Share share;
    share.first = scaled(elements, {channel, config.channels});
    const std::int64_t count = scaled(elements, {channel + 1, config.channels}) - share.first;
    share.full_loops = count / loop_elements;
    share.rest = count % loop_elements;
    const std::int64_t largest_chunk = divide_up(share.rest, ranks);
    share.rest_slice = std::max(
        {divide_up(largest_chunk, config.slices_per_chunk), slice_elements_ / smallest_slice_part, std::int64_t{1}});
    shares_.push_back(share);
  }
}

std::int64_t RingLayout::loops(int channel) const {
  if (ranks_ == 1) return 0;
  return share(channel).full_loops + (share(channel).rest > 0 ? 1 : 0);
}

int RingLayout::chunk_at(int rank, int step) const {
  // Step 0 sends the chunk that ends, reduced, at the rank before: r − 1, then r − 2, and so on round the ring.
  return (rank - 1 - step + 3 * ranks_) % ranks_;
}

RingLayout::Range RingLayout::range(const RingChunk& at) const {
  const Share& part = share(at.channel);
  const std::int64_t start = part.first + at.loop * chunk_elements_ * ranks_;
  if (at.loop < part.full_loops) {
    return {start + at.chunk * chunk_elements_, start + (at.chunk + 1) * chunk_elements_};
  }
  return {start + scaled(part.rest, {at.chunk, ranks_}), start + scaled(part.rest, {at.chunk + 1, ranks_})};
}

Bytes RingLayout::bytes(const Range& range) const {
  return std::min(data_.element * range.last, data_.size) - std::min(data_.element * range.first, data_.size);
}

std::int64_t RingLayout::slice_elements(int channel, std::int64_t loop) const {
  return loop < share(channel).full_loops ? slice_elements_ : share(channel).rest_slice;
}

std::int64_t RingLayout::chunk_elements(const RingChunk& at) const {
  const Range elements = range(at);
  return elements.last - elements.first;
}

Bytes RingLayout::chunk_size(const RingChunk& at) const {
  return bytes(range(at));
}

std::int64_t RingLayout::slices(const RingChunk& at) const {
  return divide_up(chunk_elements(at), slice_elements(at.channel, at.loop));
}

Bytes RingLayout::slice_size(const RingChunk& at, std::int64_t slice) const {
  const Range elements = range(at);
  const std::int64_t length = slice_elements(at.channel, at.loop);
  const std::int64_t first = elements.first + slice * length;
  return bytes({first, std::min(first + length, elements.last)});
}

std::int64_t RingLayout::most_slices(int channel, std::int64_t loop) const {
  if (loop < share(channel).full_loops) return slices_per_chunk_;
  return divide_up(divide_up(share(channel).rest, ranks_), share(channel).rest_slice);
}

/// Slices of the chunks of the last, smaller loop: rest mod N chunks have ⌈rest/N⌉ elements, the others ⌊rest/N⌋.
std::int64_t RingLayout::slices_of_rest(const Share& part) const {
  const std::int64_t larger = part.rest % ranks_;
  return larger * divide_up(part.rest / ranks_ + 1, part.rest_slice) +
         (ranks_ - larger) * divide_up(part.rest / ranks_, part.rest_slice);
}

std::int64_t RingLayout::slices_sent(const RingPlace& by) const {
  if (ranks_ == 1) return 0;
  const Share& part = share(by.channel);
  std::int64_t count = part.full_loops * steps() * slices_per_chunk_;
  if (part.rest == 0) return count;
  // Each chunk of the last loop is sent twice, two once.
  count += 2 * slices_of_rest(part) - slices({by.channel, part.full_loops, by.rank}) -
           slices({by.channel, part.full_loops, (by.rank + 1) % ranks_});
  return count;
}

std::int64_t RingLayout::slices_in_all() const {
  // Every chunk crosses N − 1 links to be reduced and N − 1 to be spread.
  std::int64_t once = 0;
  for (const Share& part : shares_) once += part.full_loops * ranks_ * slices_per_chunk_ + slices_of_rest(part);
  return steps() * once;
}

std::int64_t RingLayout::slices_received(const RingPlace& by) const {
  return slices_sent({(by.rank + ranks_ - 1) % ranks_, by.channel});
}

Bytes RingLayout::chunk_total(int channel, int chunk) const {
  // Only the last loop can hold the last element, which may be short.
  const std::int64_t last = loops(channel) - 1;
  if (last < 0) return Bytes{0};
  return data_.element * (chunk_elements_ * last) + chunk_size({channel, last, chunk});
}

Bytes RingLayout::sent_by(int rank) const {
  if (ranks_ == 1) return Bytes{0};
  Bytes sent = 2 * data_.size;
  for (int channel = 0; channel < channels(); ++channel) {
    sent -= chunk_total(channel, rank) + chunk_total(channel, (rank + 1) % ranks_);
  }
  return sent;
}

}  // namespace soya
