// The keys of a sweep's file, once: the reader knows no others, and editors get them as a JSON Schema.
// Simplifies: the schema cannot say which key paths there are, nor what values they take; `soya sweep run --dry-run`
// does. Source: docs/sweeps.md; JSON Schema draft-07. Validated by tests/architecture/schema_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace soya {

/// Keys of the file, in the order of docs/sweeps.md.
[[nodiscard]] std::vector<std::string_view> sweep_keys();

[[nodiscard]] std::string sweep_json_schema();

}  // namespace soya
