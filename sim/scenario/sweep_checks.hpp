// What keys and names a sweep may vary, and values of a sweep that others replace at every point or at some: they would
// have no effect, and nobody would notice.
// Simplifies: of two mappings laid one over the other, keys are not compared. Source: docs/sweeps.md.
// Validated by tests/errors/sweep_rivals_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scenario/read.hpp"
#include "scenario/sweep_levels.hpp"
#include "scenario/tree.hpp"
#include "sweep/sweep_config.hpp"

namespace soya::reading {

/// Why no axis, zip, sample or case gives the key at `path`; empty where one may.
[[nodiscard]] std::string unswept(std::string_view path);

/// Why a list of cases cannot be called so: its name is a column's, which conditions, pictures and fits name.
[[nodiscard]] std::string case_name_fault(std::string_view name);

/// Whether the key takes a value of this shape, and this word: no list is a size. Reports it where not.
[[nodiscard]] bool takes(const SweptKey& key, const Node& value, Problems& problems);

/// Reports two levels of an axis or zip that are one, as 1/8 and 0.125 are. `listed`: one by one, in no range.
void refuse_equal_levels(const Factor& factor, bool listed, std::uint32_t source, Problems& problems);

/// Values of the sweep, in the source `source`, that others replace; and `--set` and `--seed` that it replaces.
/// `seeds_listed`: where `seeds:` is a list of its own.
void refuse_rivals(const SweepConfig& sweep, const ReadOptions& options, bool seeds_listed, std::uint32_t source,
                   Problems& problems);

}  // namespace soya::reading
