// The name somebody meant: the nearest by edit distance, where it is near enough to be a slip of the keyboard.
// Simplifies: distance counts bytes, so a wrong letter of 札幌 costs up to three.
// Source: optimal string alignment distance (insert, delete, replace, swap neighbours).
// Validated by tests/unit/core/suggest_test.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace soya {

[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `name`, the first among equals; none beyond a third of its length (at least one, at most
/// three changes).
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view name,
                                                      std::span<const std::string_view> candidates);

}  // namespace soya
