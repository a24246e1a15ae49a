// One case run and measured: time, counts, memory and end.
// Simplifies: time is CPU time of the process, the least and the median of a few runs in a row.
// Source: getrusage(2), perf_event_open(2), valgrind's manual (callgrind). Validated by tests/cost.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "suite/cases.hpp"

namespace soya::bench {

struct Measurement {
  std::string name;
  std::int64_t size{0};
  std::int64_t hosts{0};
  std::int64_t packet_hops{0};
  std::int64_t packets{0};
  std::int64_t events{0};
  std::int64_t peak_pending{0};
  int runs{0};
  double least_seconds{0};
  double median_seconds{0};
  double peak_memory_mb{0};  ///< of the process, 10^6 B: scenario, simulation and results
  std::optional<double> instructions_per_hop{};
  std::string counted_by{};  ///< "hardware" or "callgrind, size N"; empty where nothing counted
  double end_us{0};
  std::optional<double> expected_us{};
  bool sound{false};
  std::string why_not{};  ///< first reason, or why there is no measurement

  [[nodiscard]] double per_hop(double amount) const {
    return packet_hops == 0 ? 0 : amount / static_cast<double>(packet_hops);
  }
  /// Of the simulated end above the expected one.
  [[nodiscard]] std::optional<double> difference_percent() const {
    if (!expected_us || *expected_us <= 0) return std::nullopt;
    return (end_us / *expected_us - 1) * 100;
  }
};

/// Runs at most `most` times, and once at least; no more when they have taken `longest_seconds` together.
struct Repeats {
  int most{5};
  double longest_seconds{20};
};

/// In this process. Peak memory is the process's so far.
[[nodiscard]] Measurement measure_here(const Case& one, const Amount& amount, const Repeats& repeats);

/// In a process of its own, so that the peak is this case's. A process that dies becomes a measurement that is not
/// sound and says why.
[[nodiscard]] Measurement measure_apart(const Case& one, const Amount& amount, const Repeats& repeats);

/// What more packets cost: instructions and packet-hops of twice the size, less those of the size itself, counted by
/// valgrind while the simulation runs. What a run costs once, such as a row of the results for each link, is in
/// neither.
struct Counted {
  std::int64_t size{0};
  std::int64_t packet_hops{0};
  std::int64_t instructions{0};

  [[nodiscard]] double per_hop() const { return static_cast<double>(instructions) / static_cast<double>(packet_hops); }
};

/// Of `one` at its size for callgrind. `program` is the path of bench, which is started anew as
/// `bench --here --case NAME --size N --repeat 1 --json FILE`. Throws std::runtime_error where valgrind is missing or
/// fails.
[[nodiscard]] Counted count_with_callgrind(const std::string& program, const Case& one);

/// Callgrind counts in the function of this name, and in what it calls.
inline constexpr const char* counted_function = "soya_bench_counted_run";
/// Where valgrind's header was there, building the fabric is not even watched, which is ten times faster.
extern const bool watched_from_start;

}  // namespace soya::bench
