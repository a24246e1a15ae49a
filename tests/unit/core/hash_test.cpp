#include "core/hash.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>

namespace soya {

TEST_CASE("mix is the published SplitMix64 step") {
  // First and second output of the reference generator from state 1234567: the state moves on by the golden step.
  CHECK(mix(1234567) == 6457827717110365317ULL);
  CHECK(mix(1234567 + 0x9e3779b97f4a7c15ULL) == 3203168211198807973ULL);
}

TEST_CASE("hash_name is FNV-1a 64, mixed") {
  // FNV-1a 64 of the empty string is its offset basis, of "a" and "foobar" the values of its reference tests.
  CHECK(hash_name("") == mix(0xcbf29ce484222325ULL));
  CHECK(hash_name("a") == mix(0xaf63dc4c8601ec8cULL));
  CHECK(hash_name("foobar") == mix(0x85944171f73967e8ULL));
  static_assert(hash_name("leaf1/3/sent") != hash_name("leaf1/4/sent"));
  CHECK(hash_name("札幌-leaf1") != hash_name("稚内-leaf1"));
}

TEST_CASE("one bit of either word changes about half of the mixed bits, and the words' order matters") {
  int flipped = 0;
  constexpr int rounds = 64;
  for (int bit = 0; bit < rounds; ++bit) {
    flipped += std::popcount(mix(7, 11) ^ mix(7, 11 ^ (std::uint64_t{1} << bit)));
    flipped += std::popcount(mix(7, 11) ^ mix(7 ^ (std::uint64_t{1} << bit), 11));
  }
  // 128 words of 64 bits: 4096 expected with a standard deviation of about 45.
  CHECK(flipped > 4096 - 4 * 46);
  CHECK(flipped < 4096 + 4 * 46);
  CHECK(mix(7, 11) != mix(11, 7));
}

}  // namespace soya
