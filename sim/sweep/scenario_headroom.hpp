// How much headroom the ports of a scenario need: by formula, in its run, and the smallest that loses nothing, found by
// simulation for the worst case of each port (sweep/worst_case.hpp) and for the scenario as it is.
// Simplifies: the worst case is that of one lossless priority, with frames of the scenario's largest size. Ports alike
// (settings of the switch, rates, delay) are one search, in which all of them have the same size.
// Source: docs/headroom.md. Validated by tests/unit/sweep/scenario_headroom_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/units.hpp"
#include "fabric/fabric_config.hpp"
#include "planning/headroom_budget.hpp"
#include "results/results.hpp"
#include "scenario/scenario.hpp"
#include "sweep/worst_case.hpp"
#include "topology/port_map.hpp"

namespace soya {

/// The smallest size that loses nothing in the scenario while all other sizes stay.
struct SmallestHere {
  std::optional<Bytes> size;  ///< 0: nothing ever enters headroom; absent: `largest` loses, too
  Bytes largest;              ///< the largest size tried, or known from the run as configured
  bool monotone{true};        ///< false: a smaller size was lossless, or a larger one was not
  std::int64_t runs{0};       ///< simulations
};

/// One lossless ingress port: its groups together, the largest of each figure.
struct PortFigures {
  std::string node, port;
  PortRef ref;
  Bytes configured, peak, needed;
  std::int64_t dropped{0};
};

/// Ports alike.
struct PortKind {
  std::vector<PortFigures> ports;
  WorstCase link;  ///< the link they receive from
  Length length;   ///< of its cable
  Duration delay;  ///< fixed, beside the cable's
  HeadroomBudget budget;
  HeadroomMode mode;                     ///< of the switch
  bool sized_by_port{false};             ///< each port has a size of its own, which can be searched
  std::optional<WorstCaseAnswer> worst;  ///< absent: stopped before, or not `can_simulate`
  std::optional<SmallestHere> here;      ///< absent: stopped before, or not sized by port
};

/// The shared pools of switches alike.
struct PoolKind {
  std::vector<std::string> nodes;
  std::vector<SwitchId> switches;
  Bytes pool;
  std::optional<Bytes> cap;            ///< of one group
  std::size_t groups{0};               ///< lossless ones of a switch
  std::optional<std::size_t> covered;  ///< how many groups at once, whichever they are, find their worst case in it
  Bytes peak, needed;                  ///< of the pool, in the run as configured
  std::size_t groups_peak{0};          ///< the most groups that held headroom at once
  std::optional<SmallestHere> here;    ///< absent: stopped before
};

struct ScenarioHeadroom {
  RunResults run;  ///< as configured
  std::vector<PortKind> kinds;
  std::vector<PoolKind> pools;
  bool complete{true};  ///< false: stopped before everything was searched

  [[nodiscard]] bool lossless() const { return run.drops.lossless == 0; }
};

struct SearchProgress {
  std::size_t ended{0};     ///< searches
  std::size_t searches{0};  ///< in all; 0 during the scenario's own run
  std::int64_t runs{0};     ///< simulations of the scenario that have ended
};

struct SearchOptions {
  int threads{1};
  std::function<bool()> stopped{};                        ///< asked from any thread
  std::function<void(const SearchProgress&)> progress{};  ///< after each simulation; one call at a time
};

/// Throws `ScenarioError` with what keeps the scenario from being built, or where it has no lossless ingress port.
[[nodiscard]] ScenarioHeadroom search_headroom(const Scenario& scenario, const SearchOptions& options);

}  // namespace soya
