// What stops a scenario file that can be read, before time zero. Simplifies: nothing. Source: none. Validated by the
// tests that use it.
#pragma once

#include <string>

#include "engine/simulation.hpp"
#include "support/scenario_folder.hpp"

namespace soya::test {

/// What building the scenario `text`, the file s.yaml, complains about; "" when it does not.
inline std::string build_refusal(const std::string& text) {
  const ScenarioFolder folder;
  folder.write("s.yaml", text);
  try {
    const Simulation simulation{folder.read("s.yaml")};
    return {};
  } catch (const ScenarioError& error) {
    return folder.shortened(error.what());
  }
}

}  // namespace soya::test
