// Every place where a key may stand, and the keys that a user's path may mean.
// Simplifies: a topology's keys in a file of their own are told as keys of `topology`.
// Source: scenario/keys.hpp. Validated by tests/unit/scenario/key_places_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenario/keys.hpp"

namespace soya::reading {

struct KeyPlace {
  std::string path;  ///< workload[].ddp.bucket, switches.*.latency
  SectionId section{SectionId::root};
  const Key* key{nullptr};
};

/// All of them, in the order of the format.
[[nodiscard]] std::vector<KeyPlace> key_places();

/// A declaration with the place that the reference page has it at, and where else it may stand.
struct KnownKey {
  KeyPlace place;
  std::vector<std::string> also;
  bool from_top{false};  ///< the path asked for begins at the top of a scenario
};

/// What `path` may mean, each declaration once, those from the top first. List indices do not matter, any name may
/// stand in place of *, and a path may leave out its beginning: `workload[0].ddp.bucket`, `switches.leaf1.latency`,
/// `ddp.bucket`.
[[nodiscard]] std::vector<KnownKey> find_keys(std::string_view path);

/// Keys that `unknown` may be a misspelling of, the likeliest ones; at most three.
[[nodiscard]] std::vector<std::string> near_keys(std::string_view unknown);

/// A key with its value as one line of YAML: `fabric: {headroom: {size: 64KiB}}`.
[[nodiscard]] std::string yaml_line(std::string_view path, std::string_view value);

}  // namespace soya::reading
