#include "sweep/headroom_probe.hpp"

#include <algorithm>
#include <memory>

#include "core/observer.hpp"
#include "engine/simulation.hpp"

namespace soya {

namespace {

class LossWatch final : public Observer, public RunMonitor {
 public:
  LossWatch(const Scenario& scenario, const std::vector<PortRef>& watched, const std::function<bool()>& stopped)
      : lossless_{scenario.pfc.priorities}, watched_{watched}, stopped_{stopped} {}

  void observe(const Fact& fact) override {
    if (fact.kind != FactKind::frame_dropped || lost_ || !lossless_.contains(fact.priority)) return;
    lost_ = std::find(watched_.begin(), watched_.end(), PortRef{fact.node, fact.port}) != watched_.end();
  }
  bool proceed(const Progress&) override { return !lost_ && !stopped(); }
  void transfer_finished(const TransferRow&) override {}

  [[nodiscard]] bool lost() const { return lost_; }
  [[nodiscard]] bool stopped() const { return stopped_ && stopped_(); }

 private:
  PrioritySet lossless_;
  const std::vector<PortRef>& watched_;
  const std::function<bool()>& stopped_;
  bool lost_{false};
};

}  // namespace

ProbeOutcome probe_headroom(const Scenario& scenario, const std::vector<PortRef>& watched,
                            const std::function<bool()>& stopped) {
  LossWatch watch{scenario, watched, stopped};
  if (watch.stopped()) throw SearchStopped{};
  std::unique_ptr<Simulation> simulation;
  try {
    simulation = std::make_unique<Simulation>(scenario);
  } catch (const ScenarioError&) {
    return ProbeOutcome::cannot_build;
  }
  simulation->observe(watch);
  const RunResults results = simulation->run(&watch);
  if (watch.lost()) return ProbeOutcome::lost;
  if (!results.complete) throw SearchStopped{};
  return ProbeOutcome::lossless;
}

}  // namespace soya
