// Complaints about the file of a sweep, for tests of their text.
// Simplifies: one scenario of two hosts. Source: ours. Validated by the tests that use it.
#pragma once

#include <string>

#include "scenario/read_sweep.hpp"
#include "support/scenario_folder.hpp"
#include "sweep/points.hpp"
#include "sweep/run_point.hpp"

namespace soya::test {

/// Complaints about the sweep `keys` of a small scenario, as `soya sweep run` has them before anything runs.
inline std::string faults(const std::string& keys, const ReadOptions& options = {}) {
  const ScenarioFolder folder;
  folder.write("s.yaml",
               "topology:\n"
               "  link_types: {haul: {length: 1km}}\n"
               "  nodes: {h1: host, h2: host, s1: switch}\n"
               "  links: [{between: [h1, s1], type: haul}, {between: [h2, s1]}]\n"
               "workload: [{flows: [{from: h1, to: h2, size: 1MB}]}]\n"
               "variants: {small: {fabric.mtu: 1024}}\n");
  folder.write("w.yaml", keys);
  try {
    const SweepConfig sweep = read_sweep(folder.path("w.yaml"), options);
    check_quantities(sweep);
    const PointSpace space{sweep};
    return "";
  } catch (const ScenarioError& error) {
    return folder.shortened(error.what());
  }
}

}  // namespace soya::test
