// Dotted key paths of `--set` and variants: workload[0].ddp.backward, switches."leaf.1".latency.
// A name that holds a dot, a bracket, a blank or = stands in double quotes.
// Simplifies: nothing. Source: docs/scenario.md. Validated by tests/unit/scenario/key_path_test.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/tree.hpp"

namespace soya::reading {

/// One step down: a key, or an item of a list.
struct Step {
  std::string key;
  std::optional<std::size_t> item;
};

/// The steps of `path`; nothing, with the reason in `wrong`, when it is not a path.
[[nodiscard]] std::optional<std::vector<Step>> parse_key_path(std::string_view path, std::string& wrong);

/// Position of the first `c` outside of quotes, or npos.
[[nodiscard]] std::size_t find_unquoted(std::string_view text, char c);

/// Lays `value` over what stands at `steps`; mappings on the way that nobody has written yet are made. False, with
/// the reason in `wrong`, where the path leads nowhere.
[[nodiscard]] bool assign_at(Node& root, const std::vector<Step>& steps, const Place& place, Node value,
                             std::string& wrong);

}  // namespace soya::reading
