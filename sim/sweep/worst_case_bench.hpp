// The fabric and the traffic of sweep/worst_case.hpp: hosts a (the sender), b (another group's) and z (the receiver) on
// one switch s, and when each frame starts so that it comes at its phase.
// Simplifies: links of b and z are of no length. Source: docs/model.md section 5.
// Validated by tests/analytic/headroom_grid_test.cpp and tests/unit/sweep/worst_case_test.cpp.
#pragma once

#include "core/units.hpp"
#include "net/frame.hpp"
#include "scenario/scenario.hpp"
#include "sweep/worst_case.hpp"

namespace soya {

class WorstCaseBench final {
 public:
  /// Name of the sender, hence of the port behind which headroom is tested.
  static constexpr const char* sender = "a";

  explicit WorstCaseBench(const WorstCase& what);

  /// When the frame that reaches the threshold is in.
  [[nodiscard]] Time trigger() const { return trigger_; }
  /// Time on the wire of that frame.
  [[nodiscard]] Duration trigger_time() const;
  /// Time on the wire of the frame that the PAUSE waits for.
  [[nodiscard]] Duration reverse_time() const;

  [[nodiscard]] Scenario scenario(Bytes headroom, const WorstCasePhase& phase) const;

 private:
  /// The frame at `index` of all that the sender sends.
  [[nodiscard]] Bytes frame_at(std::int64_t index) const;
  [[nodiscard]] Bytes in_cells(Bytes frame) const;
  void add_fabric(Scenario& scenario) const;
  [[nodiscard]] SwitchConfig switch_config(Bytes headroom) const;
  [[nodiscard]] std::vector<FlowConfig> sender_flows() const;
  void add_reverse(Scenario& scenario, Duration before) const;
  [[nodiscard]] FlowConfig other_flow(Duration before) const;

  WorstCase what_;
  FrameSizes sizes_;
  Rate reverse_rate_;
  Bytes reverse_frame_;
  Bytes other_frame_;
  Bytes trigger_frame_;
  Bytes held_;  ///< by the sender's group when only the trigger is missing
  Time start_;  ///< of the sender
  Time trigger_;
};

}  // namespace soya
