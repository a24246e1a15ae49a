#include "sweep/bisect.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace soya {

namespace {

class Search final {
 public:
  Search(const BisectRange& range, const std::function<bool(std::int64_t)>& holds)
      : range_{range}, holds_{holds}, low_{range.low}, high_{range.high} {}

  BisectAnswer run() {
    if (!probe(range_.high)) return finish(std::nullopt);
    if (range_.guess && *range_.guess > low_ && *range_.guess < high_) gallop(*range_.guess);
    while (high_ - low_ > 1) narrow(low_ + (high_ - low_) / 2);
    check(low_ - (low_ - range_.low) / 2);
    check(high_ + (range_.high - high_) / 2);
    return finish(high_);
  }

 private:
  bool probe(std::int64_t value) {
    const auto known = answer_.probes.find(value);
    if (known != answer_.probes.end()) return known->second;
    return answer_.probes[value] = holds_(value);
  }

  bool narrow(std::int64_t value) {
    const bool held = probe(value);
    (held ? high_ : low_) = value;
    return held;
  }

  /// From `guess` on in the direction of the answer, in steps that double, until the answer lies between two probes.
  void gallop(std::int64_t guess) {
    const bool held = narrow(guess);
    for (std::int64_t step = 1; high_ - low_ > 1; step *= 2) {
      const std::int64_t value = held ? guess - step : guess + step;
      if (value <= low_ || value >= high_ || narrow(value) != held) return;
    }
  }

  void check(std::int64_t value) {
    if (value > range_.low) probe(value);
  }

  BisectAnswer finish(std::optional<std::int64_t> smallest) {
    for (const auto& [value, held] : answer_.probes) {
      if (held != (smallest && value >= *smallest)) answer_.monotone = false;
    }
    answer_.smallest = smallest;
    return std::move(answer_);
  }

  const BisectRange& range_;
  const std::function<bool(std::int64_t)>& holds_;
  std::int64_t low_;   ///< does not hold
  std::int64_t high_;  ///< holds
  BisectAnswer answer_;
};

}  // namespace

BisectAnswer bisect(const BisectRange& range, const std::function<bool(std::int64_t)>& holds) {
  SOYA_CHECK(range.low < range.high, "a range holds at least one value");
  return Search{range, holds}.run();
}

}  // namespace soya
