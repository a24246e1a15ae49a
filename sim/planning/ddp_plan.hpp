// A data-parallel training step without simulation: when each bucket's all-reduce runs and what sticks out of backward.
// Simplifies: ranks are alike and in step; nothing else is on the links.
// Source: docs/model.md section 9; the condition is JANOG55's `backward > data / bandwidth`.
// Validated by tests/unit/planning/ddp_plan_test.cpp, and by the golden DDP scenarios against the simulation.
//
// From the start of backward, with T(S) of planning/ring_time.hpp:
//
//     start_k = max(ready_k, end_{k-1})        end_k = start_k + T(size_k)
//     exposed = max(0, end_last - backward)    step = forward + max(backward, end_last) + optimiser
#pragma once

#include <vector>

#include "core/units.hpp"
#include "planning/ring_time.hpp"
#include "workload/workload_config.hpp"

namespace soya {

/// Times from the start of backward.
struct BucketPlan {
  Bytes size{};
  Duration ready{};
  Duration start{};
  Duration end{};
};

/// `backward > data / bandwidth`, the condition under which the network can hide behind backward: necessary, since all
/// data has to pass, and not sufficient, since the last bucket's whole all-reduce comes after backward's end.
struct DdpCondition {
  Bytes data{};              ///< 2(N - 1)/N x gradient bytes: what each rank sends, rounded up
  Duration communication{};  ///< data / bandwidth, without headers
  bool holds{false};
};

struct DdpPlan {
  std::vector<BucketPlan> buckets{};
  Duration communication{};  ///< first start to last end, as the simulation reports it
  Duration on_wire{};        ///< the condition's data in full packets with headers, at the same bandwidth
  Duration exposed{};
  Duration step_time{};
  DdpCondition condition{};
};

/// `network.edges` are those of `config.hosts` in ring order; of no meaning for one host.
[[nodiscard]] DdpPlan plan_ddp(const DdpConfig& config, const RingNetwork& network);

/// The condition alone. `bandwidth` is that of the slowest link between neighbouring ranks; of no meaning for one host.
[[nodiscard]] DdpCondition ddp_condition(const DdpConfig& config, Rate bandwidth);

}  // namespace soya
