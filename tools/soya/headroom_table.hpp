// soya headroom --table: a SONiC pg_profile_lookup.ini, row by row against the budget and in the worst-case simulation.
// Simplifies: each row by itself, with frames of one size. Source: docs/model.md section 5.
// Validated by tests/cli/headroom_table_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "planning/sonic_check.hpp"

namespace soya::cli {

/// What is printed of a table: rows beside what the simulation lost, in the rows' order.
struct TableAnswer {
  std::string file;
  SonicTableCheck check;
  std::vector<std::optional<Bytes>> needed;  ///< of a row that loses a frame: what would have been enough then
  Bytes mtu{1024};                           ///< of SONiC's lossless traffic

  [[nodiscard]] std::size_t losing() const;
};

[[nodiscard]] std::string table_text(const TableAnswer& answer);
[[nodiscard]] std::string table_json(const TableAnswer& answer);

/// Answers `parsed`; returns the exit status.
[[nodiscard]] int headroom_of_table(const Command& self, const Parsed& parsed);

}  // namespace soya::cli
