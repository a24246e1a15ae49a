// What a run is expected to take, said before it starts, and what it took beside it.
// Simplifies: the time of a packet-hop is that of a small fabric, whose state fits a cache, and half as much again for
// each fourfold of its hosts, as docs/performance.md measures; the progress of the run itself corrects it. Source: docs/performance.md. Validated by tests/unit/tools/forecast_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/run_estimate.hpp"

namespace soya::cli {

/// Of all runs of a command together.
struct Forecast {
  std::int64_t packet_hops{0};
  bool at_least{false};
  std::int64_t memory_bytes{0};  ///< at most
  double seconds{0};
};

struct Taken {
  std::int64_t packet_hops{0};
  std::int64_t memory_bytes{0};
  double seconds{0};
};

/// Wall time of a packet-hop on this machine now: a few milliseconds of an incast of 16 hosts.
[[nodiscard]] double measured_seconds_per_hop();

/// How many of several runs go on at a time, and how many times faster than one thread each of them is.
struct Pace {
  int runs_at_a_time{1};
  double speed_up{1};
};
[[nodiscard]] Forecast forecast_of(const std::vector<RunEstimate>& runs, const Pace& pace, std::int64_t memory_bytes,
                                   double seconds_per_hop);

/// "2.7 M", "8 320".
[[nodiscard]] std::string hops_text(std::int64_t packet_hops);
/// "about 2.7 M packet-hops", or at least as many.
[[nodiscard]] std::string estimate_text(const RunEstimate& estimate);
/// "soya: expects about 2.7 M packet-hops, at most 12 MiB, about 0.31 s".
[[nodiscard]] std::string forecast_line(const Forecast& expected);
/// "soya: took 2.7 M packet-hops, 11 MiB, 0.29 s; expected about 2.7 M, at most 12 MiB, 0.31 s".
[[nodiscard]] std::string taken_line(const Taken& taken, const Forecast& expected);

}  // namespace soya::cli
