// Files that a scenario names: where a relative path leads, and what keeps one from being read.
// Simplifies: nothing. Source: none. Validated by tests/errors/scenario_file_test.cpp.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace soya::reading {

/// A relative path starts at the folder of the source that says it; shown as short as that allows.
[[nodiscard]] std::string resolve(const std::string& file, const std::filesystem::path& folder);

/// Why `file` cannot be read: "no such file", "is a directory", …; nothing where it can.
[[nodiscard]] std::optional<std::string> input_fault(const std::string& file);

/// "cannot be read (Is a directory)".
[[nodiscard]] std::string unreadable(const std::string& reason);

}  // namespace soya::reading
