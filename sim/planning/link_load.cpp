#include "planning/link_load.hpp"

#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

#include "core/check.hpp"

namespace soya {

namespace {

using RoutingMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, std::int64_t>;
/// Data, acknowledges and control messages side by side.
using Loads = Eigen::Matrix<double, Eigen::Dynamic, 3>;

/// Columns of the matrix at a time: where frames spread over hundreds of ways, all of it takes more than the routes.
constexpr std::size_t block = 1024;

/// Columns `first` and up, `block` at most.
[[nodiscard]] RoutingMatrix routing_matrix(const LinkColumns& routes, std::size_t first, std::size_t directions) {
  const std::size_t end = std::min(first + block, routes.count());
  std::vector<Eigen::Triplet<double, std::int64_t>> entries;
  for (std::size_t f = first; f < end; ++f) {
    for (const LinkShare& one : routes[f]) {
      entries.emplace_back(std::int64_t{one.direction}, static_cast<std::int64_t>(f - first), one.share);
    }
  }
  RoutingMatrix matrix(static_cast<Eigen::Index>(directions), static_cast<Eigen::Index>(end - first));
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

[[nodiscard]] Bytes rounded(double bytes) {
  return Bytes{std::llround(bytes)};
}

}  // namespace

std::vector<WireLoad> link_loads(const LinkColumns& routes, std::span<const WireLoad> demands, std::size_t directions) {
  SOYA_CHECK(routes.count() == demands.size(), "every flow has a route and a demand");
  Loads demand(static_cast<Eigen::Index>(demands.size()), 3);
  for (std::size_t f = 0; f < demands.size(); ++f) {
    const auto row = static_cast<Eigen::Index>(f);
    demand(row, 0) = static_cast<double>(demands[f].data.count());
    demand(row, 1) = static_cast<double>(demands[f].acknowledge.count());
    demand(row, 2) = static_cast<double>(demands[f].control.count());
  }
  Loads sums = Loads::Zero(static_cast<Eigen::Index>(directions), 3);
  for (std::size_t first = 0; first < routes.count(); first += block) {
    const RoutingMatrix matrix = routing_matrix(routes, first, directions);
    sums.noalias() += matrix * demand.middleRows(static_cast<Eigen::Index>(first), matrix.cols());
  }
  std::vector<WireLoad> loads;
  loads.reserve(directions);
  for (Eigen::Index d = 0; d < sums.rows(); ++d) {
    loads.push_back({rounded(sums(d, 0)), rounded(sums(d, 1)), rounded(sums(d, 2))});
  }
  return loads;
}

}  // namespace soya
