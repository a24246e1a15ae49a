#include "topology/map_distance.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace soya {

Length fibre_length(const Coordinates& a, const Coordinates& b, Ratio factor) {
  constexpr double earth_radius_m = 6'371'000;
  constexpr double radians = std::numbers::pi / 180;
  const auto haversine = [](double angle) { return std::pow(std::sin(angle / 2), 2); };
  const double square =
      haversine((b.latitude - a.latitude) * radians) + std::cos(a.latitude * radians) * std::cos(b.latitude * radians) *
                                                           haversine((b.longitude - a.longitude) * radians);
  const double circle = 2 * earth_radius_m * std::asin(std::sqrt(std::min(1.0, square)));
  const double route = circle * static_cast<double>(factor.numerator) / static_cast<double>(factor.denominator);
  return std::max(shortest_map_link, Length{std::llround(route) * 1000});  // metres: libraries differ in the last bits
}

}  // namespace soya
