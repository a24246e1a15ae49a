#include "core/random.hpp"

#include <doctest/doctest.h>

#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cstdint>

namespace soya {

TEST_CASE("a stream gives the published words of SplitMix64") {
  RandomStream stream{1234567};
  CHECK(stream() == 6457827717110365317ULL);
  CHECK(stream() == 3203168211198807973ULL);
  CHECK(stream() == 9817491932198370423ULL);
  CHECK(stream() == 4593380528125082431ULL);
  CHECK(stream() == 16408922859458223821ULL);
}

TEST_CASE("a stream depends on seed and name only") {
  const RandomStreams streams{42};
  RandomStream a = streams.stream("arrivals/host7");
  RandomStream other = streams.stream("arrivals/host8");
  RandomStream again = RandomStreams{42}.stream("arrivals/host7");
  RandomStream reseeded = RandomStreams{43}.stream("arrivals/host7");
  RandomStream expected{mix(42, hash_name("arrivals/host7"))};
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t word = a();
    CHECK(word == expected());
    CHECK(word == again());
    CHECK(word != other());
    CHECK(word != reseeded());
  }
}

TEST_CASE("Boost distributions accept a stream") {
  RandomStream stream = RandomStreams{1}.stream("uniform");
  boost::random::uniform_int_distribution<int> die{1, 6};
  boost::random::uniform_real_distribution<double> unit{0.0, 1.0};
  int sum = 0;
  double mean = 0.0;
  constexpr int throws = 60'000;
  for (int i = 0; i < throws; ++i) {
    sum += die(stream);
    mean += unit(stream) / throws;
  }
  // A die: mean 3.5, deviation of the sum sqrt(35 / 12 * 60 000) = 418. The unit interval: 0.5, 0.2887 / sqrt(60 000).
  CHECK(sum > 210'000 - 4 * 419);
  CHECK(sum < 210'000 + 4 * 419);
  CHECK(mean > 0.5 - 4 * 0.0012);
  CHECK(mean < 0.5 + 4 * 0.0012);
}

}  // namespace soya
