// Random streams with names, all from the one seed of a scenario: a new consumer shifts no other.
// Simplifies: a stream is SplitMix64, 2^64 words from a start that the name decides; two streams overlap by chance only
// (a thousand streams of 10^9 words: 5 in 10^5). Distributions come from Boost.Random, whose results no library
// changes. Source: Steele, Lea, Flood, OOPSLA 2014. Validated by tests/unit/core/random_test.cpp against published
// words.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/hash.hpp"

namespace soya {

/// A uniform random bit generator for Boost.Random distributions, 8 bytes of state.
class RandomStream {
 public:
  using result_type = std::uint64_t;

  explicit constexpr RandomStream(std::uint64_t start) : state_{start} {}
  [[nodiscard]] static constexpr result_type min() { return 0; }
  [[nodiscard]] static constexpr result_type max() { return UINT64_MAX; }

  constexpr result_type operator()() {
    const std::uint64_t word = mix(state_);
    state_ += golden_step;
    return word;
  }

 private:
  static constexpr std::uint64_t golden_step = 0x9e3779b97f4a7c15ULL;
  std::uint64_t state_;
};

/// Hands out the streams of one seed. The same name gives the same stream from its start, so ask once per consumer.
class RandomStreams {
 public:
  explicit constexpr RandomStreams(std::uint64_t seed) : seed_{seed} {}
  [[nodiscard]] constexpr RandomStream stream(std::string_view name) const {
    return RandomStream{mix(seed_, hash_name(name))};
  }

 private:
  std::uint64_t seed_;
};

}  // namespace soya
