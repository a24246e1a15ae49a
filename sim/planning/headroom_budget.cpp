#include "planning/headroom_budget.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "net/frame.hpp"

namespace soya {
namespace {

constexpr std::int64_t ceil_divide(std::int64_t dividend, std::int64_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

/// Bytes that `rate` carries in `span`, rounded up.
Bytes bytes_in_up(Duration span, Rate rate) {
  constexpr Int128 bit_picoseconds_per_byte = static_cast<Int128>(8) * 1'000'000'000'000;
  const Int128 bit_picoseconds = static_cast<Int128>(span.picoseconds()) * rate.bits_per_second();
  return Bytes{static_cast<std::int64_t>((bit_picoseconds + bit_picoseconds_per_byte - 1) / bit_picoseconds_per_byte)};
}

/// What `rate` carries while the other direction sends `wire` bytes, rounded up.
Bytes meanwhile(Bytes wire, Rate other, Rate rate) {
  const Int128 product = static_cast<Int128>(wire.count()) * rate.bits_per_second();
  return Bytes{static_cast<std::int64_t>((product + other.bits_per_second() - 1) / other.bits_per_second())};
}

/// The largest ratio of cell bytes to wire bytes of a frame from 64 B to `largest`; 1 where none is above 1.
Ratio worst_cell_factor(Bytes cell, Bytes largest) {
  Ratio worst{1, 1};
  // Of the frames that fill the same number of cells the smallest is the worst, and of these the one with fewest cells;
  // so it lies within one cell of the minimum.
  const std::int64_t last = std::min(largest.count(), minimum_frame.count() + cell.count());
  for (std::int64_t frame = minimum_frame.count(); frame <= last; ++frame) {
    const Ratio ratio{ceil_divide(frame, cell.count()) * cell.count(), frame + wire_gap.count()};
    if (static_cast<Int128>(ratio.numerator) * worst.denominator >
        static_cast<Int128>(worst.numerator) * ratio.denominator) {
      worst = ratio;
    }
  }
  return worst;
}

Bytes scaled_up(Bytes size, Ratio ratio) {
  const Int128 product = static_cast<Int128>(size.count()) * ratio.numerator;
  return Bytes{static_cast<std::int64_t>((product + ratio.denominator - 1) / ratio.denominator)};
}

}  // namespace

HeadroomBudget headroom_budget(const HeadroomQuery& query) {
  SOYA_CHECK(query.rate > Rate{0} && query.largest_frame >= minimum_frame, "a link has a rate, a frame at least 64 B");
  const Rate reverse = query.reverse_rate.value_or(query.rate);
  const Bytes frame = query.largest_frame;
  const Bytes wire = frame + wire_gap;

  HeadroomBudget budget{};
  budget.propagation = bytes_in_up(query.round_trip(), query.rate);
  budget.waiting = meanwhile(wire, reverse, query.rate);
  budget.pause_frame = meanwhile(pfc_frame + wire_gap, reverse, query.rate);
  budget.response = bytes_in_up(query.response, query.rate);
  budget.frame = frame;
  budget.frame_in_buffer = query.cell ? ceil_divide(frame.count(), query.cell->count()) * *query.cell : frame;
  budget.cell_factor = query.cell ? worst_cell_factor(*query.cell, frame) : Ratio{1, 1};

  const Bytes in_flight = budget.in_flight();
  budget.tight_frames = ceil_divide(in_flight.count(), wire.count());
  budget.automatic = scaled_up(in_flight, budget.cell_factor) + 2 * budget.frame_in_buffer;
  budget.tight_static = budget.tight_frames * budget.frame_in_buffer;
  budget.tight_dynamic = (budget.tight_frames + 1) * budget.frame_in_buffer;
  return budget;
}

Bytes full_rate_reserve(Rate rate, Duration round_trip) {
  return bytes_in_up(round_trip, rate);
}

}  // namespace soya
