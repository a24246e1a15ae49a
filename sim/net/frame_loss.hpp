// Which frames a link loses at random: each by itself, in bursts, or for a wrong bit.
// Simplifies: bursts are Gilbert's: all frames are lost in the bad state and none in the good one. Wrong bits are
// independent. Drawn by skips, a random number per loss and not per frame.
// Source: Gilbert, "Capacity of a Burst-Noise Channel", Bell System Technical Journal 39, 1960; docs/model.md
// section 2. Validated by tests/unit/net/frame_loss_test.cpp.
#pragma once

#include <cstdint>

#include "core/loss_config.hpp"
#include "core/random.hpp"
#include "core/units.hpp"

namespace soya {

class FrameLoss {
 public:
  /// `config` loses something.
  FrameLoss(const LossConfig& config, RandomStream stream);

  /// Whether the next frame, of `wire` bytes with preamble and gap, is lost.
  [[nodiscard]] bool strikes(Bytes wire) {
    // Both processes go on with every frame: which of them took it tells nothing about the other.
    const bool whole = next_frame();
    return next_bits(8 * wire.count()) || whole;
  }
  [[nodiscard]] bool spares_control() const { return !config_.control; }

 private:
  bool next_frame();
  bool next_bits(std::int64_t bits);
  [[nodiscard]] bool in_bursts() const { return !(config_.burst == Ratio{1, 1}); }
  void draw_next();
  [[nodiscard]] std::int64_t draw_burst();
  [[nodiscard]] std::int64_t trials_before(double chance);

  LossConfig config_;
  RandomStream stream_;
  double start_of_burst_{0};    ///< chance that a frame that is spared is followed by a burst
  std::int64_t spared_{0};      ///< frames until the next one is lost
  std::int64_t burst_{0};       ///< frames of this burst still to be lost
  std::int64_t right_bits_{0};  ///< until the next wrong one
};

}  // namespace soya
