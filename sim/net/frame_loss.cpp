#include "net/frame_loss.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"

namespace soya {

namespace {

/// What a chance of 0 comes to: more than any link carries.
constexpr std::int64_t never = std::int64_t{1} << 62;

/// Uniform in (0, 1], in steps of 2^-53.
[[nodiscard]] double uniform(RandomStream& stream) {
  return static_cast<double>((stream() >> 11) + 1) * 0x1p-53;
}

}  // namespace

FrameLoss::FrameLoss(const LossConfig& config, RandomStream stream) : config_{config}, stream_{stream} {
  const double lost = config_.packets.value;
  const double end_of_burst =
      static_cast<double>(config_.burst.denominator) / static_cast<double>(config_.burst.numerator);
  // As many bursts start as end: start x (1 - lost) = end x lost.
  start_of_burst_ = lost < 1 ? std::min(1.0, end_of_burst * lost / (1 - lost)) : 1;
  if (in_bursts() && uniform(stream_) <= lost) {
    burst_ = draw_burst();  // the link has been so for ever, and may start within one
  } else {
    draw_next();
  }
  right_bits_ = trials_before(config_.bits.value);
}

/// Trials that fail before the first that succeeds with `chance`: floor(log U / log (1 - chance)).
std::int64_t FrameLoss::trials_before(double chance) {
  if (chance <= 0) return never;
  const double trials = std::floor(std::log(uniform(stream_)) / std::log1p(-chance));
  return trials < static_cast<double>(never) ? static_cast<std::int64_t>(trials) : never;
}

std::int64_t FrameLoss::draw_burst() {
  return 1 +
         trials_before(static_cast<double>(config_.burst.denominator) / static_cast<double>(config_.burst.numerator));
}

void FrameLoss::draw_next() {
  spared_ = in_bursts() ? 1 + trials_before(start_of_burst_) : trials_before(config_.packets.value);
  burst_ = in_bursts() ? draw_burst() : 1;
}

bool FrameLoss::next_frame() {
  if (spared_ > 0) {
    --spared_;
    return false;
  }
  if (--burst_ == 0) draw_next();
  return true;
}

bool FrameLoss::next_bits(std::int64_t bits) {
  if (right_bits_ >= bits) {
    right_bits_ -= bits;
    return false;
  }
  // Bits are independent, so those behind the first wrong one need no drawing.
  right_bits_ = trials_before(config_.bits.value);
  return true;
}

}  // namespace soya
