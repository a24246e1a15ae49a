// Losses at random: how many, in what bursts, and what does not change them.
#include "net/frame_loss.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace soya;

namespace {

constexpr Bytes wire{1082};

FrameLoss loss_of(const LossConfig& config, std::uint64_t seed) {
  return FrameLoss{config, RandomStreams{seed}.stream("loss")};
}

std::vector<bool> fates(const LossConfig& config, std::uint64_t seed, std::int64_t frames) {
  FrameLoss loss = loss_of(config, seed);
  std::vector<bool> lost;
  for (std::int64_t i = 0; i < frames; ++i) lost.push_back(loss.strikes(wire));
  return lost;
}

std::int64_t count(const std::vector<bool>& lost) {
  return std::count(lost.begin(), lost.end(), true);
}

/// Of `frames` independent trials with chance p: n p and its standard deviation.
void check_binomial(std::int64_t lost, std::int64_t frames, double p) {
  const double n = static_cast<double>(frames);
  CHECK(std::abs(static_cast<double>(lost) - n * p) < 4 * std::sqrt(n * p * (1 - p)));
}

}  // namespace

TEST_CASE("packets are lost as often as their chance says, each by itself") {
  constexpr std::int64_t frames = 1'000'000;
  for (const double p : {1e-4, 0.01, 0.3, 0.9}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      CAPTURE(p);
      CAPTURE(seed);
      const std::vector<bool> lost = fates({.packets = {p}}, seed, frames);
      check_binomial(count(lost), frames, p);
      // Two in a row as often as independence says: n p^2.
      std::int64_t pairs = 0;
      for (std::size_t i = 1; i < lost.size(); ++i) pairs += lost[i - 1] && lost[i] ? 1 : 0;
      const double expected = static_cast<double>(frames) * p * p;
      CHECK(std::abs(static_cast<double>(pairs) - expected) < 4 * std::sqrt(3 * expected) + 4);
    }
  }
}

TEST_CASE("a bit error ratio loses a frame with 1 - (1 - p)^(8 n)") {
  constexpr std::int64_t frames = 1'000'000;
  // 8656 bits: 1 - (1 - 1e-6)^8656 = 0.8618 %, and 1e-12 of them 8.656e-9.
  for (const double p : {1e-6, 1e-5, 1e-3}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      CAPTURE(p);
      CAPTURE(seed);
      check_binomial(count(fates({.bits = {p}}, seed, frames)), frames, -std::expm1(8656 * std::log1p(-p)));
    }
  }
  CHECK(count(fates({.bits = {1e-15}}, 1, frames)) == 0);  // 9 in 10^6 runs of this length lose one
}

TEST_CASE("a frame of twice the bits is lost twice as often") {
  constexpr std::int64_t frames = 1'000'000;
  FrameLoss loss = loss_of({.bits = {1e-7}}, 3);
  std::int64_t lost[2] = {0, 0};
  for (std::int64_t i = 0; i < 2 * frames; ++i) {
    const bool large = i % 2 == 1;
    if (loss.strikes(large ? 8200_B : 4100_B)) ++lost[large ? 1 : 0];
  }
  check_binomial(lost[0], frames, -std::expm1(4100 * 8 * std::log1p(-1e-7)));
  check_binomial(lost[1], frames, -std::expm1(8200 * 8 * std::log1p(-1e-7)));
}

TEST_CASE("bursts are as long as they are said to be, and lose the same share") {
  constexpr std::int64_t frames = 2'000'000;
  for (const std::int64_t mean : {2, 8, 50}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      CAPTURE(mean);
      CAPTURE(seed);
      const double p = 0.01;
      const std::vector<bool> lost = fates({.packets = {p}, .burst = Ratio{mean, 1}}, seed, frames);
      std::int64_t bursts = lost[0] ? 1 : 0;
      for (std::size_t i = 1; i < lost.size(); ++i) bursts += lost[i] && !lost[i - 1] ? 1 : 0;
      const double k = static_cast<double>(bursts);
      const double length = static_cast<double>(count(lost)) / k;
      // A geometric length of mean B has variance B (B - 1); its mean over k bursts has that over k.
      const double b = static_cast<double>(mean);
      CHECK(std::abs(length - b) < 4 * std::sqrt(b * (b - 1) / k));
      // n p / B bursts of a sum with variance k (B (B - 1) + B^2) at most: their number varies, too.
      const double expected = static_cast<double>(frames) * p;
      CHECK(std::abs(static_cast<double>(count(lost)) - expected) < 4 * std::sqrt(expected / b * (2 * b * b - b)));
    }
  }
}

TEST_CASE("the first frame is lost as often as any other") {
  for (const Ratio burst : {Ratio{1, 1}, Ratio{8, 1}}) {
    std::int64_t lost = 0;
    constexpr std::int64_t links = 20'000;
    for (std::int64_t seed = 0; seed < links; ++seed) {
      lost += loss_of({.packets = {0.1}, .burst = burst}, static_cast<std::uint64_t>(seed)).strikes(wire) ? 1 : 0;
    }
    check_binomial(lost, links, 0.1);
  }
}

TEST_CASE("at chance 1 everything is lost, and the same seed loses the same frames") {
  CHECK(count(fates({.packets = {1}}, 1, 1000)) == 1000);
  CHECK(count(fates({.bits = {1}}, 1, 1000)) == 1000);
  const LossConfig config{.packets = {0.05}, .bits = {1e-6}, .burst = Ratio{3, 1}};
  CHECK(fates(config, 7, 10'000) == fates(config, 7, 10'000));
  CHECK(fates(config, 7, 10'000) != fates(config, 8, 10'000));
}
