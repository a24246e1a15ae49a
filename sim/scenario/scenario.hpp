// A scenario: everything a run depends on, plain, validated and printable.
// `read_scenario` is the only way from YAML to here. The engine builds a Simulation from it and nothing else.
// Source: docs/scenario.md. Validated by tests/unit/scenario and tests/errors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnostic.hpp"
#include "engine/engine_config.hpp"
#include "fabric/fabric_config.hpp"
#include "net/frame_config.hpp"
#include "net/pfc_config.hpp"
#include "nic/nic_config.hpp"
#include "topology/routing_config.hpp"
#include "topology/topology_config.hpp"
#include "workload/workload_config.hpp"

namespace soya {

enum class Expectation { sound, unsound };

/// One key of the effective scenario: its full path, its value as YAML, and where the value comes from:
/// "file:line:column", "--set", or "default: <source>". A flow or link is one key with all its values on one line.
struct EffectiveKey {
  std::string path;
  std::string value;
  std::string origin;
};

struct Scenario {
  std::string name;
  std::uint64_t seed{1};
  Expectation expect{Expectation::sound};
  FrameConfig frame;
  PfcConfig pfc;
  FabricRoutingConfig routing;
  TopologyConfig topology;
  std::vector<SwitchConfig> switches;        ///< by SwitchId: the fabric's defaults with per-switch keys applied
  std::vector<NicConfig> nics;               ///< by HostId: the nic's defaults with per-host keys applied
  std::vector<JobConfig> jobs;
  std::vector<FaultConfig> faults;
  StopConfig stop;
  MeasureConfig measure;
  std::vector<EffectiveKey> effective;       ///< every key with its value and origin, in the order of the format
  std::vector<Diagnostic> warnings;          ///< odd but legal
  Where place;                               ///< of the file's mapping: where a key that it leaves out would stand

  /// Where the key `path` was given; `place` where it is a default.
  [[nodiscard]] Where where(const std::string& path) const;
  /// Where the first of `keys` was given for a switch: for itself, in its topology, or for the whole fabric;
  /// nothing where all are defaults.
  [[nodiscard]] std::optional<Where> where_of_switch(const std::string& switch_name,
                                                     const std::vector<std::string>& keys) const;
  /// Where the key `path`, which is a default, would stand.
  [[nodiscard]] Where where_of_default(std::string path) const;
};

}  // namespace soya
