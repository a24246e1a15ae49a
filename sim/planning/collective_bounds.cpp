#include "planning/collective_bounds.hpp"

#include "core/check.hpp"

namespace soya {

Ratio busbw_factor(Collective collective, std::int64_t ranks) {
  SOYA_CHECK(ranks >= 1, "a collective has a rank");
  if (ranks == 1) return {0, 1};
  switch (collective) {
    case Collective::all_reduce:
      return {2 * (ranks - 1), ranks};
    case Collective::all_gather:
    case Collective::reduce_scatter:
    case Collective::all_to_all:
    case Collective::gather:
    case Collective::scatter:
      return {ranks - 1, ranks};
    case Collective::broadcast:
    case Collective::reduce:
    case Collective::send_receive:
      return {1, 1};
  }
  SOYA_CHECK(false, "every collective has a factor");
  return {0, 1};
}

Bytes bytes_per_rank(Collective collective, std::int64_t ranks, Bytes size) {
  const Ratio factor = busbw_factor(collective, ranks);
  const Int128 product = static_cast<Int128>(size.count()) * factor.numerator;
  return Bytes{static_cast<std::int64_t>((product + factor.denominator - 1) / factor.denominator)};
}

Duration shortest_time(Collective collective, std::int64_t ranks, Bytes size, Rate rate) {
  return serialisation(bytes_per_rank(collective, ranks, size), rate);
}

}  // namespace soya
