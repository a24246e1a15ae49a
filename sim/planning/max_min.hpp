// Max-min fair rates of flows that share links: all rise together until a link is full; its flows stay at that rate,
// the others go on (progressive filling).
// Simplifies: rates are what links allow; no window, no pause, no packet.
// Source: Bertsekas and Gallager, Data Networks, 2nd ed., 6.5.2. Validated by tests/unit/planning/max_min_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/units.hpp"
#include "planning/link_load.hpp"

namespace soya {

/// Rates of any of the flows, computed anew for each set of them. A flow at rate x takes share times x of each
/// direction of its column; a collective counts as one flow, whose column says what all its ranks together take.
class MaxMin {
 public:
  /// `rates` by LinkDirection, all above 0. `columns` outlives it.
  MaxMin(const LinkColumns& columns, std::span<const Rate> rates);

  /// By position in `active`, columns without one twice: bytes per second; infinite for a flow that crosses nothing.
  /// O(shares x log(links)).
  [[nodiscard]] const std::vector<double>& rates(std::span<const std::uint32_t> active);

 private:
  /// A direction that flows cross.
  struct Link {
    double left{0};  ///< bytes per second that are not given away
    double open{0};  ///< sum of the shares of flows whose rate is open
    std::uint32_t first{0};
    std::uint32_t count{0};
    [[nodiscard]] double level() const { return left / open; }
  };

  void gather(std::span<const std::uint32_t> active);
  void fix(std::uint32_t flow, double rate, std::span<const std::uint32_t> active);

  const LinkColumns& columns_;
  std::vector<double> capacity_;  ///< by direction, bytes per second
  std::vector<Link> links_;       ///< by direction
  std::vector<LinkDirection> used_;
  std::vector<std::uint32_t> crossing_;  ///< positions in `active`, direction by direction
  std::vector<double> rates_;
};

}  // namespace soya
