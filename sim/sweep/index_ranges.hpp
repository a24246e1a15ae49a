// A long list of indices, met in ascending order, as the few ranges a person reads: "3-7,12".
// Simplifies: beyond `most_ranges` only their number is kept, so that memory is flat. Source: sbatch(1), --array.
// Validated by tests/unit/sweep/merge_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace soya {

class IndexRanges final {
 public:
  explicit IndexRanges(std::size_t most_ranges) : most_{most_ranges} {}

  /// All from `first` to `last`, which come after those that were added before.
  void add(std::int64_t first, std::int64_t last) {
    if (last < first) return;
    count_ += last - first + 1;
    if (!ranges_.empty() && ranges_.back().last + 1 == first && listed_all_) {
      ranges_.back().last = last;
    } else if (ranges_.size() < most_) {
      ranges_.push_back({first, last});
    } else {
      listed_all_ = false;
      left_out_ += last - first + 1;
    }
  }

  [[nodiscard]] std::int64_t count() const { return count_; }
  /// Of `count`, those that `text` does not list.
  [[nodiscard]] std::int64_t left_out() const { return left_out_; }
  [[nodiscard]] std::string text() const {
    std::string out;
    for (const Range& range : ranges_) {
      out += (out.empty() ? "" : ",") + std::to_string(range.first);
      if (range.last > range.first) out += (range.last > range.first + 1 ? "-" : ",") + std::to_string(range.last);
    }
    return out;
  }

 private:
  struct Range {
    std::int64_t first, last;
  };

  std::size_t most_;
  std::vector<Range> ranges_;
  std::int64_t count_{0};
  std::int64_t left_out_{0};
  bool listed_all_{true};
};

}  // namespace soya
