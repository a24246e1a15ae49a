// How much memory this machine gives and this process takes.
// Simplifies: Linux only (/proc, control groups version 2). Source: proc(5), cgroups(7).
// Validated by tests/unit/tools/memory_test.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace soya::cli {

/// What can still be had: MemAvailable, or less where a control group (a container, a Slurm job) allows less.
/// Absent where the system does not say. `root` is "/" except in tests.
[[nodiscard]] std::optional<std::int64_t> available_memory(const std::filesystem::path& root = "/");

/// Resident memory of this process now, and its highest value so far.
[[nodiscard]] std::int64_t resident_memory();
[[nodiscard]] std::int64_t peak_resident_memory();

/// Bytes a run may take: what the user said, or 80 % of what is available. Absent: no limit is known.
[[nodiscard]] std::optional<std::int64_t> memory_limit(std::optional<std::int64_t> given);

}  // namespace soya::cli
