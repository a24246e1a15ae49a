// A simulation built from a scenario: owns every component by value, runs to the end and collects the results.
// Two simulations share nothing and may run in two threads.
// Source: docs/architecture.md. Validated by tests/analytic, tests/property and tests/golden.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/units.hpp"
#include "results/results.hpp"
#include "scenario/scenario.hpp"

namespace soya {

/// A look at a run under way, for a progress line. All values are simulated or counted, none is wall-clock.
struct Progress {
  Time now;
  std::int64_t events{0};
  std::int64_t transfers_finished{0};
  std::int64_t transfers{0};                 ///< of the whole run, posted or to come
  std::int64_t packet_hops{0};
};

/// Called every few thousand events. Rows finished since the last call are in `finished`. Returns false to stop
/// the run (Ctrl-C): what there is then becomes an incomplete result.
class RunMonitor {
 public:
  virtual ~RunMonitor() = default;
  [[nodiscard]] virtual bool proceed(const Progress& progress) = 0;
  /// A finished transfer, for results written during the run.
  virtual void transfer_finished(const TransferRow& row) = 0;
};

/// Bytes of memory a run of `scenario` needs at most, estimated before it is built.
[[nodiscard]] std::int64_t estimated_memory_bytes(const Scenario& scenario);

/// How many threads a run may take; its results are the same with any number of them.
struct Threads {
  int count{1};
  bool at_any_cost{false};  ///< even where windows are so short that threads slow the run down, for tests
  bool by_layers{false};    ///< … and by layers where the fabric has some (topology/layer_cuts.hpp), as large ones are
};

/// Into how many parts the fabric is cut. Threads share them; a large fabric has several even with one thread.
struct PartitionsUsed {
  std::size_t parts{1};
  std::size_t threads{1};   ///< that share them: no more than parts, and no more than there are cores
  Duration lookahead{};     ///< of several: the shortest link between them, by which one may run ahead of another
  double balance{1};        ///< how many times faster at best, by the expected load of the fullest
  bool by_layers{false};    ///< they have two sides, which take turns
};

class Observer;
struct SimulationState;

class Simulation {
 public:
  /// Throws `ScenarioError` with every reason the scenario cannot be built.
  explicit Simulation(const Scenario& scenario, const Threads& threads = {});
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Odd but legal points that only the built fabric shows, such as a port's headroom below its budget.
  [[nodiscard]] const std::vector<std::string>& warnings() const;

  [[nodiscard]] PartitionsUsed partitions() const;

  /// Every fact of the run is told to `observer` (core/observer.hpp), which outlives it, in the order of events: the
  /// run then takes one thread.
  void observe(Observer& observer);

  /// Runs until the workload is done, the stop time, a stall or the monitor's veto. `monitor` may be null.
  [[nodiscard]] RunResults run(RunMonitor* monitor = nullptr);

  /// What is inside, for the engine and tests that look (engine/state.hpp).
  [[nodiscard]] SimulationState& state() { return *state_; }
  [[nodiscard]] const SimulationState& state() const { return *state_; }

 private:
  std::unique_ptr<SimulationState> state_;
};

}  // namespace soya
