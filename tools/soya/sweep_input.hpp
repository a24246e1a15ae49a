// The store that a command reads, and questions that it cannot answer.
// Simplifies: nothing. Source: docs/sweeps.md. Validated by tests/unit/tools/sweep_picture_test.cpp.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "command_line.hpp"
#include "sweep/store_reader.hpp"
#include "sweep/sweep_table.hpp"

namespace soya::cli {

/// The one operand: a folder with a sweep.sqlite, or that file. Throws `UsageError`.
[[nodiscard]] std::filesystem::path store_file(const Command& self, const Parsed& parsed);

/// An option that must be given and not be empty.
[[nodiscard]] std::string needed_value(const Command& self, const Parsed& parsed, const std::string& option,
                                       const std::string& what);

/// Points of `reader`, without what no table asks for.
[[nodiscard]] PointSource points_of(StoreReader& reader);

/// Runs `answer`; a `TableError` becomes a `UsageError` of this command.
void answer_from_table(const Command& self, const std::function<void()>& answer);

}  // namespace soya::cli
