// The identity of a point: a hash of every value that its run depends on, and of the version that runs it. Names of
// files, and who said a value, are no part of it.
// Simplifies: nothing. Source: RFC 4122, a name-based UUID by SHA-1 (version 5), without its hyphens.
// Validated by tests/unit/sweep/point_id_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "scenario/scenario.hpp"

namespace soya {

/// 32 hexadecimal digits of `text`.
[[nodiscard]] std::string text_id(std::string_view text);

/// Of a scenario under `version`; `task` is what is done with it beside one run: a search.
[[nodiscard]] std::string point_id(const Scenario& scenario, std::string_view version, std::string_view task);

}  // namespace soya
