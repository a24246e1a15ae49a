// How long the fibre between two places of a map is taken to be.
// Simplifies: the Earth is a sphere of radius 6371 km, and every route is the same factor longer than the great circle.
// Source: the haversine formula; mean radius of IUGG's GRS 80. Validated by tests/unit/topology/map_distance_test.cpp.
#pragma once

#include "core/units.hpp"
#include "topology/topology_config.hpp"

namespace soya {

/// Maps name cities: what stands in one place there is taken to be this far apart.
inline constexpr Length shortest_map_link{100'000};

/// Great-circle length times `factor`, in whole metres, and never less than `shortest_map_link`.
[[nodiscard]] Length fibre_length(const Coordinates& a, const Coordinates& b, Ratio factor);

}  // namespace soya
