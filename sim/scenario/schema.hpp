// The scenario format as a JSON Schema, for editors: written from the declaration of each key.
// Simplifies: it cannot say ranges of quantities that stand in a text, which names exist, and what code checks across
// several keys; `soya check` does. A file that extends another may leave out what is required.
// Source: JSON Schema draft-07, the latest that all releases of yaml-language-server read.
// Validated by tests/architecture/schema_test.cpp.
#pragma once

#include <string>

namespace soya {

/// What a file is: a scenario, or a topology that scenarios name.
enum class SchemaOf { scenario, topology };

[[nodiscard]] std::string json_schema(SchemaOf file);

}  // namespace soya
