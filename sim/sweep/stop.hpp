// How a search is told to stop in the middle of a simulation.
// Simplifies: nothing. Source: docs/headroom.md. Validated by tests/unit/sweep/worst_case_test.cpp and
// tests/unit/sweep/scenario_headroom_test.cpp.
#pragma once

#include <functional>
#include <stdexcept>

#include "engine/simulation.hpp"

namespace soya {

/// Asked from any thread, every few thousand events; empty: never stops.
using StopQuestion = std::function<bool()>;

/// A search was told to stop.
class SearchStopped : public std::runtime_error {
 public:
  SearchStopped() : std::runtime_error{"stopped"} {}
};

/// Ends a run when told to; its results are not complete then.
class StopMonitor final : public RunMonitor {
 public:
  explicit StopMonitor(const StopQuestion& stopped) : stopped_{stopped} {}
  bool proceed(const Progress&) override { return !stopped_ || !stopped_(); }
  void transfer_finished(const TransferRow&) override {}

 private:
  const StopQuestion& stopped_;
};

}  // namespace soya
