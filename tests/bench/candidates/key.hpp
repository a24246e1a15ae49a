// The key every candidate of the event queue benchmark orders by: time, then phase, 18 bits of mix and 43 of
// identity, then 8 more of those: sources of a benchmark are too few to be alike in all.
#pragma once

#include <cstdint>

namespace soya::bench {

struct Key {
  std::uint64_t time{0};
  std::uint64_t order{0};
  std::uint32_t source{0};
  std::uint32_t rest{0};
};

__extension__ using Word128 = unsigned __int128;

[[nodiscard]] inline bool before(const Key& a, const Key& b) {
  const Word128 left = (static_cast<Word128>(a.time) << 64) | a.order;
  const Word128 right = (static_cast<Word128>(b.time) << 64) | b.order;
  if (left == right) [[unlikely]]
    return a.rest < b.rest;
  return left < right;
}

}  // namespace soya::bench
