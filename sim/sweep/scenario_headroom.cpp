#include "sweep/scenario_headroom.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "engine/simulation.hpp"
#include "sweep/bisect.hpp"
#include "sweep/headroom_kinds.hpp"
#include "sweep/headroom_probe.hpp"
#include "sweep/parallel.hpp"

namespace soya {

namespace {

/// What all searches of a call share.
class Board final {
 public:
  explicit Board(const SearchOptions& options) : options_{options} {}

  [[nodiscard]] const std::function<bool()>& stopped() const { return options_.stopped; }
  void expect(std::size_t searches) {
    update([&] { progress_.searches = searches; });
  }
  void run_ended() {
    update([&] { ++progress_.runs; });
  }
  void search_ended() {
    update([&] { ++progress_.ended; });
  }

 private:
  template <class Change>
  void update(Change change) {
    const std::lock_guard lock{mutex_};
    change();
    if (options_.progress) options_.progress(progress_);
  }

  const SearchOptions& options_;
  std::mutex mutex_;
  SearchProgress progress_;
};

/// The search of one size that several places of the scenario share.
struct SizeSearch {
  std::function<void(Scenario&, Bytes)> apply;  ///< the size to a scenario
  std::vector<PortRef> watched;                 ///< where nothing may be lost
  Bytes configured;
  bool configured_is_lossless{false};
  Bytes peak;     ///< held and refused as configured: where the answer is thought to be
  Bytes largest;  ///< to be tried where `configured` loses
};

class SizeProbe final {
 public:
  SizeProbe(const Scenario& scenario, const SizeSearch& search, Board& board)
      : scenario_{scenario}, search_{search}, board_{board} {}

  /// What `bisect` asks: nothing is lost with `size`. No switch has a headroom of 0; a byte holds no frame either.
  bool holds(Bytes size) {
    if (search_.configured_is_lossless && size == search_.configured) return true;
    return outcome(size) == ProbeOutcome::lossless;
  }

  /// The largest size up to `most` with which the scenario can be built.
  Bytes largest_that_fits(Bytes most) const {
    const auto too_large = [&](std::int64_t size) { return !can_build(Bytes{size}); };
    if (!too_large(most.count())) return most;
    return Bytes{*bisect({0, most.count()}, too_large).smallest - 1};
  }

  [[nodiscard]] std::int64_t runs() const { return runs_; }

 private:
  [[nodiscard]] Scenario with(Bytes size) const {
    Scenario changed = scenario_;
    search_.apply(changed, std::max(size, Bytes{1}));
    return changed;
  }
  [[nodiscard]] bool can_build(Bytes size) const {
    try {
      const Simulation simulation{with(size)};
      return true;
    } catch (const ScenarioError&) {
      return false;
    }
  }
  ProbeOutcome outcome(Bytes size) {
    const ProbeOutcome found = probe_headroom(with(size), search_.watched, board_.stopped());
    ++runs_;
    board_.run_ended();
    return found;
  }

  const Scenario& scenario_;
  const SizeSearch& search_;
  Board& board_;
  std::int64_t runs_{0};
};

SmallestHere search_here(const Scenario& scenario, const SizeSearch& search, Board& board) {
  SizeProbe probe{scenario, search, board};
  SmallestHere here;
  here.largest = search.configured_is_lossless ? search.configured
                                               : probe.largest_that_fits(std::max(search.configured, search.largest));
  if (probe.holds(Bytes{0})) {
    here.size = Bytes{0};
  } else if (here.largest > Bytes{0}) {
    const BisectRange range{0, here.largest.count(), std::min(search.peak.count(), here.largest.count() - 1)};
    const BisectAnswer found = bisect(range, [&](std::int64_t size) { return probe.holds(Bytes{size}); });
    if (found.smallest) here.size = Bytes{*found.smallest};
    here.monotone = found.monotone;
  }
  here.runs = probe.runs();
  return here;
}

/// The size of each port of `kind` in the places of `scenario`.
SizeSearch search_of(const PortKind& kind, const PortMap& ports) {
  SizeSearch search;
  search.configured = kind.ports.front().configured;
  search.configured_is_lossless = true;
  for (const PortFigures& port : kind.ports) {
    search.watched.push_back(port.ref);
    search.configured_is_lossless = search.configured_is_lossless && port.dropped == 0;
    search.peak = std::max(search.peak, port.needed);
  }
  search.largest = std::max(kind.budget.automatic, 2 * search.peak);
  search.apply = [&kind, &ports](Scenario& scenario, Bytes size) {
    for (const PortFigures& port : kind.ports) {
      HeadroomConfig& headroom = scenario.switches[ports.switch_at(port.ref.node).index()].headroom;
      headroom.by_port.resize(ports.ports_of(port.ref.node).size());
      headroom.by_port[port.ref.port.index()] = size;
    }
  };
  return search;
}

SizeSearch search_of(const PoolKind& pool, const std::vector<PortKind>& kinds, const PortMap& ports) {
  SizeSearch search;
  search.configured = pool.pool;
  search.configured_is_lossless = true;
  search.peak = pool.needed;
  Bytes budgets;
  for (const PortKind& kind : kinds) {
    for (const PortFigures& port : kind.ports) {
      const SwitchId at = ports.switch_at(port.ref.node);
      if (std::find(pool.switches.begin(), pool.switches.end(), at) == pool.switches.end()) continue;
      search.watched.push_back(port.ref);
      search.configured_is_lossless = search.configured_is_lossless && port.dropped == 0;
      budgets += kind.budget.automatic;
    }
  }
  search.largest = std::max(budgets, 2 * search.peak);
  search.apply = [&pool](Scenario& scenario, Bytes size) {
    for (const SwitchId at : pool.switches) {
      std::get<SharedPoolHeadroom>(scenario.switches[at.index()].headroom.mode).pool = size;
    }
  };
  return search;
}

}  // namespace

ScenarioHeadroom search_headroom(const Scenario& scenario, const SearchOptions& options) {
  Board board{options};
  ScenarioHeadroom answer;
  const PortMap ports = build_ports(scenario.topology);
  if (scenario.pfc.priorities.empty() || ports.switch_count() == 0) {
    throw ScenarioError(
        {{scenario.where("fabric.pfc.priorities"), "no switch port is lossless, so none has headroom"}});
  }
  StopMonitor monitor{options.stopped};
  answer.run = Simulation{scenario}.run(&monitor);
  board.run_ended();
  answer.kinds = port_kinds(scenario, ports, answer.run);
  answer.pools = pool_kinds(scenario, ports, answer.run);
  answer.complete = answer.run.complete;
  if (!answer.complete) return answer;

  std::vector<std::function<void()>> searches;
  // The quick ones first: what is stopped has them.
  for (PortKind& kind : answer.kinds) {
    if (!can_simulate(kind.link)) continue;
    searches.emplace_back([&] { kind.worst = smallest_lossless(kind.link, options.stopped); });
  }
  for (PoolKind& pool : answer.pools) {
    searches.emplace_back([&] { pool.here = search_here(scenario, search_of(pool, answer.kinds, ports), board); });
  }
  for (PortKind& kind : answer.kinds) {
    if (!kind.sized_by_port) continue;
    searches.emplace_back([&] { kind.here = search_here(scenario, search_of(kind, ports), board); });
  }
  board.expect(searches.size());
  ParallelOptions parallel;
  parallel.threads = options.threads;
  parallel.stopped = options.stopped;
  const auto ended = run_parallel<bool>(searches.size(), parallel, [&](std::size_t index) {
    try {
      searches[index]();
    } catch (const SearchStopped&) {
      return false;
    }
    board.search_ended();
    return true;
  });
  answer.complete = std::all_of(ended.begin(), ended.end(), [](const auto& one) { return one.value_or(false); });
  for (PoolKind& pool : answer.pools) pool.covered = groups_covered(answer.kinds, ports, pool);
  return answer;
}

}  // namespace soya
