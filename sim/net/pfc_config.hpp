// Priority flow control as both ends of a link know it.
// Simplifies: one set of lossless priorities for the fabric; the response time is a constant per speed.
// Source: IEEE 802.1Qbb; response quanta as SONiC's peer_response table (facts cited in docs/model.md).
// Validated by tests/bench_top/pause_test.cpp.
#pragma once

#include <optional>

#include "core/ids.hpp"
#include "core/units.hpp"

namespace soya {

struct PfcConfig {
  PrioritySet priorities{0b0000'1000};       ///< lossless priorities; [3] as RoCE deployments use it
  int quanta{65'535};                        ///< time field of a PAUSE: the longest the 16-bit field holds
  Ratio refresh{1, 2};                       ///< a PAUSE is repeated at this share of its time
  std::optional<Duration> response;          ///< overrides the response time of the port's speed
};

/// Response time of a PFC receiver in quanta of 512 bit times, by port speed:
/// 100M 1, 1G 2, 10G 67, 25G 80, 40G 118, 50G 147, 100G 394, 200G 453, 400G 905, 800G 905 (SONiC peer_response table).
/// A speed between two rows takes the faster row's quanta; above 800G 905.
[[nodiscard]] constexpr std::int64_t response_quanta(Rate rate) {
  struct Row { std::int64_t mbps; std::int64_t quanta; };
  constexpr Row rows[] = {{100, 1},      {1'000, 2},     {10'000, 67},   {25'000, 80},   {40'000, 118},
                          {50'000, 147}, {100'000, 394}, {200'000, 453}, {400'000, 905}, {800'000, 905}};
  for (const Row& row : rows) {
    if (rate.bits_per_second() <= row.mbps * 1'000'000) return row.quanta;
  }
  return 905;
}

/// Duration of `quanta` pause quanta (512 bit times each) at `rate`.
[[nodiscard]] constexpr Duration quanta_time(std::int64_t quanta, Rate rate) {
  return serialisation(Bytes{quanta * 64}, rate);
}

/// How long the port at `rate` goes on sending after the last byte of a PAUSE has arrived.
[[nodiscard]] constexpr Duration response_time(const PfcConfig& pfc, Rate rate) {
  return pfc.response ? *pfc.response : quanta_time(response_quanta(rate), rate);
}

}  // namespace soya
