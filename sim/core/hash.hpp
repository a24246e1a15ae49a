// Hashes of names and words: 64 bits, the same on every machine, compiler and run.
// Simplifies: not cryptographic. Two names of one scenario may collide; the event queue and the build check that.
// Source: FNV-1a 64 (Fowler, Noll, Vo) and the SplitMix64 step (Steele, Lea, Flood, OOPSLA 2014; constants by
// Stafford). Validated by tests/unit/core/hash_test.cpp.
#pragma once

#include <cstdint>
#include <string_view>

namespace soya {

/// What one step of SplitMix64 adds.
inline constexpr std::uint64_t mix_increment = 0x9e3779b97f4a7c15ULL;

/// All of a step but its increment and its last shift, which leaves the first 31 bits as they are.
[[nodiscard]] constexpr std::uint64_t mix_rounds(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ULL;
  return (word ^ (word >> 27)) * 0x94d049bb133111ebULL;
}

/// One step of SplitMix64. A bijection: distinct words stay distinct.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t word) {
  word = mix_rounds(word + mix_increment);
  return word ^ (word >> 31);
}

/// Mixes two words; their order matters. For a fixed `a` a bijection of `b`.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  return mix(mix(a) + b);
}

/// Hash of a name's bytes, so of its UTF-8 form.
[[nodiscard]] constexpr std::uint64_t hash_name(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char letter : name) {
    hash ^= static_cast<std::uint8_t>(letter);
    hash *= 0x100000001b3ULL;
  }
  // FNV alone leaves the high bits of short names alike.
  return mix(hash);
}

}  // namespace soya
