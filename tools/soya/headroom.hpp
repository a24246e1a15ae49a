// soya headroom: the headroom question, of a link, of a SONiC table, of a scenario; picks who answers.
// Simplifies: nothing. Source: docs/model.md section 5. Validated by tests/cli/headroom_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "command_line.hpp"
#include "scenario/read.hpp"

namespace soya::cli {

/// `soya headroom SCENARIO`.
struct HeadroomOptions {
  std::string scenario;
  ReadOptions read;
  int threads{0};   ///< 0: one for each core
  bool all{false};  ///< a row for each port, however many
  bool json{false};
  bool quiet{false};
  std::optional<std::int64_t> memory_limit{};  ///< bytes
};

[[nodiscard]] Command headroom_command();

}  // namespace soya::cli
