#include "property/random_headroom.hpp"

#include <algorithm>
#include <cstdint>

namespace soya::test {

HeadroomMode random_headroom_mode(Dice& dice, HeadroomSizes sizes, Bytes largest) {
  const bool starved = sizes == HeadroomSizes::starved;
  switch (dice.between(0, starved ? 5 : 4)) {
    case 0: {
      SharedPoolHeadroom pool;
      if (dice.chance(50)) pool.cap = largest;
      if (starved && dice.chance(50)) pool.pool = Bytes{std::max<std::int64_t>(1, dice.between(0, largest.count()))};
      if (starved) pool.oversubscribe = Ratio{dice.between(1, 4), 1};
      return pool;
    }
    case 1:
      return PortSharedHeadroom{};
    case 2:
      return DynamicSharedHeadroom{};
    case 5:
      return NoHeadroom{};
    default:
      return PerQueueHeadroom{};
  }
}

}  // namespace soya::test
