// The rate of a map's edge, as Topology Zoo writes it: LinkSpeedRaw, or LinkSpeed and LinkSpeedUnits.
// Simplifies: a LinkSpeed that is a range, such as 155-622, is no rate.
// Source: Topology Zoo's GraphML. Validated by tests/errors/map_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace soya::reading {

/// The number that the whole of `text` is.
[[nodiscard]] std::optional<double> decimal(std::string_view text);

/// As a scenario spells it: `raw` in bit/s, else `speed` in `units`, which are K, M, G or T; none where neither is one.
[[nodiscard]] std::optional<std::string> map_rate(std::string_view raw, std::string_view speed, std::string_view units);

}  // namespace soya::reading
