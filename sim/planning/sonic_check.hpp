// A SONiC table held against the budget: what each row is short of, and what is odd among rows.
// Simplifies: frames are Middle packets of one size; responses are those of each speed. Source: docs/model.md
// section 5. Validated by tests/unit/planning/sonic_check_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planning/headroom_budget.hpp"
#include "planning/headroom_formulas.hpp"
#include "planning/sonic_table.hpp"

namespace soya {

/// A row beside what its speed and cable need.
struct SonicRowCheck {
  SonicRow row;
  HeadroomQuery query;
  HeadroomBudget budget;
  std::optional<Bytes> sonic;  ///< what the formula of the table's switch gives
  bool dynamic{true};          ///< of the threshold

  [[nodiscard]] Bytes margin() const { return row.xoff - budget.automatic; }
  /// The least that a single long message per sender needs, of the row's kind of threshold.
  [[nodiscard]] Bytes tight() const { return dynamic ? budget.tight_dynamic : budget.tight_static; }
};

struct SonicTableCheck {
  std::vector<SonicRowCheck> rows;   ///< by cable, then speed
  const SonicAsic* asic{nullptr};    ///< whose formula comes nearest to the table: most rows exactly, then least off
  std::size_t exact{0};              ///< rows that it gives exactly
  std::vector<Diagnostic> warnings;  ///< the reader's among them
};

/// What is assumed of every row.
struct SonicAssumptions {
  Bytes frame;                         ///< the largest one
  std::optional<Bytes> cell{};         ///< of the switch's buffer, where it is known
  std::optional<Duration> response{};  ///< absent: by speed
};

[[nodiscard]] SonicTableCheck check_sonic_table(const std::string& file, SonicTable table,
                                                const SonicAssumptions& assumed);

/// "100 Gbps", "2 500 Mbps".
[[nodiscard]] std::string speed_text(Rate rate);
/// "0.5 m", "2 000 m", "80 km".
[[nodiscard]] std::string cable_text(Length length);

}  // namespace soya
