// How a scenario is cut into the partitions that threads run, and what the links between them are made of.
// Simplifies: load is a guess from bytes that jobs send. Source: docs/architecture.md, "Partitions".
// Not included outside engine/. Validated by tests/partitions/random_test.cpp.
#pragma once

#include "net/crossing.hpp"
#include "net/far_clock.hpp"
#include "net/link.hpp"
#include "scenario/scenario.hpp"
#include "topology/partition_cuts.hpp"
#include "topology/port_map.hpp"

namespace soya {

/// One direction of a link between two partitions, as the sender's partition has it.
struct alignas(64) CutLink {
  CutLink(Duration one_way, const PfcConfig& pfc, const FarClock::Setup& far, const PauseRefresher& asker)
      : sending{one_way, SourceId::none()}, clock{pfc, far, asker} {}

  Link sending;
  Crossing crossing;
  FarClock clock;  // last, as only PFC frames touch it
};

}  // namespace soya
