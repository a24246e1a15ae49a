// What a run leaves behind of its pauses: by priority group, beside the closed form. Read by collect.cpp.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/headroom_auto.hpp"
#include "engine/state.hpp"
#include "planning/pause_cycle.hpp"

namespace soya {

namespace {

[[nodiscard]] ResumeQuery resume_query(const SimulationState& state, PortRef ref) {
  const HeadroomQuery link =
      headroom_query_of(state.scenario, state.routing->ports(), ref, largest_frame(state.scenario));
  return {.rate = link.rate,
          .reverse_rate = link.reverse_rate.value_or(link.rate),
          .one_way = link.one_way,
          .way_back = link.way_back.value_or(link.one_way),
          .response = link.response,
          .frame = link.largest_frame};
}

/// What was stored when XON was due, what was dry after it, and what the closed form says of the same.
void add_restarts(const PauseBook& book, const ResumeQuery& query, PauseRow& row) {
  row.full_rate_bytes = stored_for_full_rate(query).count();
  row.drain_gbps = std::numeric_limits<double>::quiet_NaN();
  if (book.xons == 0) return;
  row.xon_bytes_min = book.stored_min.count();
  row.xon_bytes_mean = book.stored_sum.count() / book.xons;
  row.restarts = book.restarts;
  row.dry_ps = book.dry.picoseconds();
  if (book.restarts == 0) return;
  row.dry_ps_mean = row.dry_ps / book.restarts;
  Duration drained{0};
  if (book.drained > Bytes{0} && book.drain_time > Duration{0}) {
    const auto picoseconds = static_cast<double>(book.drain_time.picoseconds());
    const auto bytes = static_cast<double>(book.drained.count());
    row.drain_gbps = 8e3 * bytes / picoseconds;
    drained = Duration{std::llround(static_cast<double>(*row.xon_bytes_mean) * picoseconds / bytes)};
  }
  row.plan_dry_ps = idle_per_cycle(query, drained).picoseconds();
}

}  // namespace

void SimulationState::collect_pauses(RunResults& results) const {
  const PortMap& map = routing->ports();
  for (std::size_t s = 0; s < switches.size(); ++s) {
    const NodeId node = node_of(SwitchId{s});
    for (std::size_t p = 0; p < switches[s].port_count(); ++p) {
      const PortRef ref{node, PortId{p}};
      const PortLink& plug = map.at(ref);
      for (std::uint8_t q = 0; q < Priority::count; ++q) {
        const PauseBook* book = switches[s].pause_books().book(ref.port, Priority{q});
        if (book == nullptr) continue;
        const PauseRefresher& asking = switches[s].port(ref.port).pause_refresher;
        PauseRow row;
        row.node = node_name(node);
        row.port = port_name(node, ref.port);
        row.priority = q;
        row.cycles = book->cycles;
        const bool open = asking.asking().contains(Priority{q});
        row.longest_ps = std::max(book->longest, open ? now - book->since : Duration{0}).picoseconds();
        row.round_trip_ps = scenario.topology.links[plug.link.index()].round_trip().picoseconds();
        row.refreshes = asking.refreshes()[q];
        row.in_flight_max = asking.most_in_flight();
        row.expired = expired_while_meant({plug.peer, plug.peer_port}, Priority{q});
        add_restarts(*book, resume_query(*this, ref), row);
        results.pfc.dry_ps_total += row.dry_ps;
        results.pauses.push_back(std::move(row));
      }
    }
  }
}

}  // namespace soya
