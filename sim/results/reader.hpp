// results.sqlite read back into the rows that were written.
// Simplifies: only a file of the same tables and columns; one of another version is refused and says what is missing.
// Source: ours; sqlite.org/c3ref. Validated by tests/unit/results/reader_test.cpp.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "results/summary.hpp"

namespace soya {

/// A file that holds no results that can be read: `what()` is "PATH: what is wrong, and what to do".
class ResultsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The base under the empty name, then its variants in the order they were written; `samples` stay empty. `file` is
/// results.sqlite. Throws `ResultsError`.
[[nodiscard]] std::vector<NamedResults> read_results(const std::filesystem::path& file);

}  // namespace soya
