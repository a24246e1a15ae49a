// Families that stand by themselves: their keys, and the numbers that follow from others.
// Simplifies: nothing. Source: docs/scenario.md, topology/families_config.hpp.
// Validated by tests/unit/scenario/families_test.cpp and tests/errors/families_test.cpp.
#pragma once

#include <optional>
#include <string_view>

#include "scenario/read_links.hpp"
#include "scenario/section.hpp"
#include "topology/families_config.hpp"

namespace soya::reading {

/// The family `name`, one of those of a site, from its mapping; nothing where a number in it is wrong.
[[nodiscard]] std::optional<FamilyConfig> read_family(Reading& reading, const LinkTypes& types, std::string_view name,
                                                      const Node& node, const Path& path);

}  // namespace soya::reading
