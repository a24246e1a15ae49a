// The load of every link direction: routing matrix x demand. The matrix has a row for each direction of a link and a
// column for each flow, and holds the part of the flow's bytes that crosses; nearly all of it is empty, so it is stored
// by columns, without the zeros.
// Simplifies: a flow's shares do not change while it runs. Source: the traffic matrix problem as the textbooks state it
// (Medina et al., SIGCOMM 2002, y = A x). Validated by tests/unit/planning/link_load_test.cpp and
// tests/analytic/plan_load_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/units.hpp"
#include "planning/wire_demand.hpp"
#include "topology/port_map.hpp"

namespace soya {

/// One direction of a link: twice the link's number, and one more from its end b to its end a.
using LinkDirection = std::uint32_t;

[[nodiscard]] inline LinkDirection direction_of(const PortMap& ports, PortRef egress) {
  const LinkId link = ports.at(egress).link;
  return 2 * link.value() + (ports.ends_of(link).a == egress ? 0 : 1);
}
[[nodiscard]] inline PortRef egress_of(const PortMap& ports, LinkDirection direction) {
  const LinkPorts& ends = ports.ends_of(LinkId{direction / 2});
  return direction % 2 == 0 ? ends.a : ends.b;
}

/// How much of a column's unit crosses a direction: of a flow the part of its bytes, 1 where all do.
struct LinkShare {
  LinkDirection direction{0};
  double share{1};
  bool operator==(const LinkShare&) const = default;
};

/// Columns of shares, one after another.
class LinkColumns {
 public:
  void add(std::span<const LinkShare> column) {
    shares_.insert(shares_.end(), column.begin(), column.end());
    ends_.push_back(shares_.size());
  }
  [[nodiscard]] std::size_t count() const { return ends_.size(); }
  [[nodiscard]] std::span<const LinkShare> operator[](std::size_t column) const {
    const std::size_t first = column == 0 ? 0 : ends_[column - 1];
    return std::span{shares_}.subspan(first, ends_[column] - first);
  }
  [[nodiscard]] std::size_t shares() const { return shares_.size(); }

 private:
  std::vector<LinkShare> shares_;
  std::vector<std::size_t> ends_;
};

/// By direction, of `directions`: what flows with these routes and demands, one for each column, put on it. Exact where
/// shares are 1 and a direction carries less than 2^53 bytes, 9 PB; else rounded to the nearest byte.
[[nodiscard]] std::vector<WireLoad> link_loads(const LinkColumns& routes, std::span<const WireLoad> demands,
                                               std::size_t directions);

}  // namespace soya
