#include "planning/landing.hpp"

#include <algorithm>

namespace soya {

namespace {

[[nodiscard]] Bytes arrived_by(Duration time, const std::vector<LandingPort>& ports) {
  Bytes sum;
  for (const LandingPort& port : ports) sum += std::min(bytes_in(time, port.rate) + Bytes{1}, port.budget);
  return sum;
}

}  // namespace

Bytes landing_off_chip(const LandingQuery& query) {
  if (query.ports.empty()) return Bytes{0};
  // Arrivals are concave and writes convex in time: the difference is largest where one of them bends.
  std::vector<Duration> bends{query.latency};
  for (const LandingPort& port : query.ports) bends.push_back(serialisation(port.budget, port.rate));
  Bytes most;
  for (const Duration time : bends) {
    const Duration writing = std::max(time - query.latency, Duration{0});
    most = std::max(most, arrived_by(time, query.ports) - bytes_in(writing, query.bandwidth) / 2);
  }
  return most + (static_cast<std::int64_t>(query.ports.size()) + 5) * query.largest_frame;
}

Bytes landing_on_chip(const LandingQuery& query) {
  Bytes sum;
  for (const LandingPort& port : query.ports) sum += port.budget;
  return sum;
}

}  // namespace soya
