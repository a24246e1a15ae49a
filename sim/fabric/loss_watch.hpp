// When the first loss of a switch begins to show: until then the switch does what it would do had the frame been
// stored. A lost frame leaves a gap in its queue. What is ahead of the gap leaves as ever; then the frames behind it
// move up, and the sender learns of the loss. Simplifies: watches one switch; a loss elsewhere may show earlier.
// Source: docs/model.md section 3. Validated by tests/unit/fabric/loss_watch_test.cpp and
// shared_buffer_reference_test.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace soya {

class LossWatch final {
 public:
  /// There is a gap that does not show yet.
  [[nodiscard]] bool watching() const { return !gaps_.empty(); }
  [[nodiscard]] bool shows() const { return shows_; }

  /// A frame is lost on its way to `queue`, which holds `ahead` bytes.
  void lost(std::size_t queue, std::int64_t ahead) {
    const auto known = [queue](const Gap& gap) { return gap.queue == queue; };
    if (shows_ || std::ranges::any_of(gaps_, known)) return;
    gaps_.push_back({queue, ahead});
    left(queue, 0);
  }

  /// `bytes` have left `queue`.
  void left(std::size_t queue, std::int64_t bytes) {
    for (Gap& gap : gaps_) {
      if (gap.queue != queue) continue;
      gap.ahead -= bytes;
      shows_ = shows_ || gap.ahead <= 0;
    }
    if (shows_) gaps_.clear();
  }

 private:
  struct Gap {
    std::size_t queue;
    std::int64_t ahead;
  };
  std::vector<Gap> gaps_;  ///< the first of each queue
  bool shows_{false};
};

}  // namespace soya
