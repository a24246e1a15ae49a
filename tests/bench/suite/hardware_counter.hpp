// Instructions of this process in user mode, where the machine counts them for us: virtual machines mostly do not.
// Simplifies: threads are not counted. Source: perf_event_open(2). Validated by tests/cost.
#pragma once

#include <cstdint>
#include <optional>

namespace soya::bench {

class HardwareCounter final {
 public:
  /// Counts nothing yet.
  HardwareCounter();
  ~HardwareCounter();
  HardwareCounter(const HardwareCounter&) = delete;
  HardwareCounter& operator=(const HardwareCounter&) = delete;

  void start();
  /// Since the start; nothing where there is no counter.
  [[nodiscard]] std::optional<std::int64_t> stop();

 private:
  int file_{-1};
};

}  // namespace soya::bench
