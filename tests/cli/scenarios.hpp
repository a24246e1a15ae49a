// Small scenarios for the tests of the command.
#pragma once

#include <string>

#include "support/temporary_folder.hpp"

namespace soya::test {

/// Two senders, one receiver, one switch: sound, and over in milliseconds.
inline const std::string incast_yaml = R"(name: 札幌-incast
topology:
  nodes: {h1: host, h2: host, h3: host, s1: switch}
  link_types:
    access: {rate: 100Gbps, length: 3m}
  links:
    - {between: [h1, s1], type: access}
    - {between: [h2, s1], type: access}
    - {between: [h3, s1], type: access}
workload:
  - incast: {receiver: h3, senders: 2, size: 1MiB}
)";

/// The same with a variant whose headroom and threshold are far too small.
inline const std::string variants_yaml = incast_yaml + R"(variants:
  long: {topology.link_types.access.length: 300m}
  starved: {fabric.buffer.threshold: 4KiB, fabric.headroom.size: 64B, expect: unsound}
)";

/// A transfer that takes minutes: something to interrupt.
inline const std::string long_yaml = R"(name: long
topology:
  nodes: {h1: host, h2: host, s1: switch}
  links:
    - {between: [h1, s1], rate: 100Gbps, length: 3m}
    - {between: [h2, s1], rate: 100Gbps, length: 3m}
workload:
  - flows: [{from: h1, to: h2, size: 1MiB, messages: 100000}]
)";

/// A folder with the three of them.
class ScenarioFolder final : public TemporaryFolder {
 public:
  ScenarioFolder() {
    write_text(*this / "incast.yaml", incast_yaml);
    write_text(*this / "variants.yaml", variants_yaml);
    write_text(*this / "long.yaml", long_yaml);
  }
};

}  // namespace soya::test
