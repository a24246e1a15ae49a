// soya headroom --rate --length: the budget of one lossless priority group of a link, beside every published formula.
// Simplifies: frames are Middle packets of a long message; a scenario's auto counts the largest its jobs send.
// Source: docs/model.md section 5. Validated by tests/unit/tools/headroom_calculator_test.cpp and
// tests/cli/headroom_test.cpp.
#pragma once

#include <string>

#include "command_line.hpp"
#include "net/frame_config.hpp"
#include "planning/headroom_budget.hpp"
#include "text_bar.hpp"

namespace soya::cli {

/// A link as the options tell it.
struct HeadroomLink {
  HeadroomQuery query;
  FrameConfig frame;
  Duration delay{0};  ///< the part of `query.one_way` that is no cable
};

/// Throws `UsageError` where an option is missing or wrong.
[[nodiscard]] HeadroomLink headroom_link(const Command& self, const Parsed& parsed);

/// What is printed: at most 100 columns, every number with its unit.
[[nodiscard]] std::string calculator_text(const HeadroomLink& link, BarStyle bars);
[[nodiscard]] std::string calculator_json(const HeadroomLink& link);

/// Answers `parsed`; returns the exit status.
[[nodiscard]] int headroom_of_link(const Command& self, const Parsed& parsed);

}  // namespace soya::cli
