// The text of a file of another program: a SONiC table, a configuration dump.
// Simplifies: at most 64 MiB. Source: none. Validated by tests/cli/headroom_table_test.cpp.
#pragma once

#include <string>

namespace soya::cli {

/// Throws `ScenarioError` where `file` cannot be read or holds nothing.
[[nodiscard]] std::string read_foreign_file(const std::string& file);

}  // namespace soya::cli
