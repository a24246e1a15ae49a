// The one-way delay of a link as its ends measure it at link start, before a workload's time zero: frames with
// timestamps, there and back, through the ports and links of the simulation.
// Simplifies: links are idle at link start, so each is measured by itself; both clocks count the same seconds and read
// every picosecond, and what their ticks blur is added once, to the result, upwards: a measured delay is never short.
// Source: peer delay of IEEE 1588-2019, 11.4 (request, response, residence time), as IEEE P802.1Qdt uses it.
// Validated by tests/analytic/link_delay_test.cpp.
#pragma once

#include <map>
#include <tuple>

#include "core/units.hpp"
#include "topology/topology_config.hpp"

namespace soya {

/// Tick of the hardware clocks that stamp frames: 8 ns at 125 MHz, the octet clock of Gigabit Ethernet (IEEE 802.3,
/// 35.2.2.1), which network chips commonly count their IEEE 1588 time with.
inline constexpr Duration timestamp_granularity{8'000};

/// One way in whole ticks: half of the round trip without the residence time, rounded up. Where the two ways differ it is
/// of neither, and twice it is still the round trip, which is all that headroom asks for.
[[nodiscard]] Duration measure_link_delay(const LinkConfig& link);

/// The same for many links, of which those alike are measured once.
class LinkDelays {
 public:
  [[nodiscard]] Duration of(const LinkConfig& link);

 private:
  std::map<std::tuple<Rate, Rate, Duration, Duration>, Duration> measured_;
};

}  // namespace soya
