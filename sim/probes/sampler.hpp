// A time series that stores a value only when it has changed.
// Simplifies: values are read at fixed intervals; what happens between two is not seen.
// Source: docs/results.md, table sample. Validated by tests/unit/probes/sampler_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/units.hpp"

namespace soya {

/// One stored value of series number `series`.
struct Sample {
  Time time;
  std::uint32_t series{0};
  double value{0};
};

class Sampler {
 public:
  explicit Sampler(Duration interval) : interval_{interval} {}

  [[nodiscard]] Duration interval() const { return interval_; }

  /// Records `value` of `series` at `now` if it differs from the last one recorded; a series starts at 0.
  void record(Time now, std::size_t series, double value) {
    if (series >= last_.size()) last_.resize(series + 1, 0.0);
    // Compared for identity, not nearness: an unchanged counter gives the same bits.
    if (!(last_[series] < value) && !(value < last_[series])) return;
    last_[series] = value;
    samples_.push_back({now, static_cast<std::uint32_t>(series), value});
  }

  [[nodiscard]] const std::vector<Sample>& samples() const { return samples_; }

 private:
  Duration interval_;
  std::vector<double> last_;
  std::vector<Sample> samples_;
};

}  // namespace soya
