// What stops a small fabric before time zero. Simplifies: nothing. Source: none. Validated by the tests that use it.
#pragma once

#include <string>

#include "support/fabric_bench.hpp"

namespace soya::test {

/// What building `scenario` complains about; "" when it does not.
inline std::string refusal(const Scenario& scenario) {
  try {
    const Simulation simulation{scenario};
    return {};
  } catch (const ScenarioError& error) {
    return error.what();
  }
}

/// Two hosts on one switch. Links of 100 Gbps and 1 us, no response time, SEND at mtu 4096:
/// auto = 2 x 1 us (25 000 B) + 4178 + 84 + 2 x 4158 = 37 578 B for each port.
struct TwoHostsBench : FabricBench {
  void build() {
    hosts("h", 2);
    add_switch("s1");
    link("h1", "s1");
    link("h2", "s1");
    flow("h1", "h2", 4096_B);
  }
};

}  // namespace soya::test
