// YAML text to a tree, with every irregularity that YAML parsers let pass reported: duplicate keys, several documents,
// aliases without bound, tags. Merge keys (`<<`) are applied: explicit keys win, then the first map of a list.
// Simplifies: a key is a plain name. Source: YAML 1.2; the merge key of YAML 1.1 (yaml.org/type/merge.html).
// Validated by tests/unit/scenario/parse_test.cpp and tests/errors/scenario_file_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenario/tree.hpp"

namespace soya::reading {

/// The one document of `text`, or nothing, with a fatal problem that says why. `text` is what source `source` holds.
[[nodiscard]] std::optional<Node> parse_yaml(std::string text, std::uint32_t source, Problems& problems);

/// As above, for a value on the command line: places have no line, and problems are those of key `path`.
[[nodiscard]] std::optional<Node> parse_yaml_value(const std::string& text, std::uint32_t source,
                                                   const std::string& path, Problems& problems);

}  // namespace soya::reading
