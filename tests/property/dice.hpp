// Random draws for tests, the same on every machine.
// Simplifies: a remainder instead of an unbiased draw; no property depends on exact odds. Source: none.
// Validated by the tests that use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "core/random.hpp"

namespace soya::test {

class Dice {
 public:
  Dice(std::uint64_t seed, std::string_view name) : stream_{RandomStreams{seed}.stream(name)} {}

  /// A whole number of [`low`, `high`].
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(stream_() % static_cast<std::uint64_t>(high - low + 1));
  }
  int small(int low, int high) { return static_cast<int>(between(low, high)); }
  /// True in `percent` of a hundred draws.
  bool chance(int percent) { return between(0, 99) < percent; }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return choices.begin()[between(0, static_cast<std::int64_t>(choices.size()) - 1)];
  }
  template <class T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(choices.size()) - 1))];
  }
  template <class T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i) {
      std::swap(list[i - 1], list[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(i) - 1))]);
    }
  }

 private:
  RandomStream stream_;
};

}  // namespace soya::test
