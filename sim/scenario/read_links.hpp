// Links of a scenario: their keys, and link types by name.
// Simplifies: nothing. Source: docs/scenario.md. Validated by tests/unit/scenario and tests/errors.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenario/section.hpp"
#include "topology/topology_config.hpp"

namespace soya::reading {

/// `link` holds the defaults, or its type; what is wrong with a type was said where the type is.
void read_link_keys(Section& section, LinkConfig& link);

/// As a mapping in braces with all its keys.
[[nodiscard]] std::string loss_text(const LossConfig& loss);

/// `topology.link_types`.
class LinkTypes {
 public:
  void read(Section& topology);
  /// The link type that `name` names; reports at `path` a name that no type has.
  [[nodiscard]] const LinkConfig* find(Reading& reading, const Node& name, const Path& path) const;
  /// Under `key` the name of a link type, or link keys.
  [[nodiscard]] LinkConfig read_kind(Section& section, std::string_view key) const;

 private:
  std::vector<std::pair<std::string, LinkConfig>> types_;
};

}  // namespace soya::reading
