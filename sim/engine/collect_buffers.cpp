// What a run leaves behind of its buffers and their headroom. Read by collect.cpp.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/state.hpp"

namespace soya {

namespace {

using TimeByShare = std::array<Duration, Headroom::shares>;

/// The share of the headroom that was unused for at least `percent` of the time.
[[nodiscard]] double unused_share(const TimeByShare& times, int percent) {
  const Duration all = std::accumulate(times.begin(), times.end(), Duration{0});
  if (all == Duration{0}) return 1;
  Duration so_far;
  for (std::size_t used = 0; used < times.size(); ++used) {
    so_far += times[used];
    if (static_cast<Int128>(so_far.picoseconds()) * 100 >= static_cast<Int128>(all.picoseconds()) * percent) {
      return static_cast<double>(Headroom::shares - 1 - used) / static_cast<double>(Headroom::shares - 1);
    }
  }
  return 0;
}

[[nodiscard]] QueueRow queue_row(const SharedBuffer& buffer, PortId port, Priority priority) {
  QueueRow row;
  row.priority = priority.value();
  row.shared_peak_bytes = buffer.shared_peak(port, priority).count();
  row.egress_peak_bytes = buffer.queue_peak(port, priority).count();
  row.dropped_frames = buffer.dropped_frames(port, priority);
  return row;
}

void add_headroom(const SharedBuffer& buffer, PortId port, Priority priority, Time now, QueueRow& row) {
  const std::size_t group = port.index() * Priority::count + priority.index();
  row.headroom_peak_bytes = buffer.headroom_peak(port, priority).count();
  row.headroom_configured_bytes = buffer.headroom_size(port, priority).count();
  row.headroom_needed_bytes = buffer.headroom_needed(port, priority).count();
  row.headroom_margin_bytes = buffer.headroom().margin(group).count();
  row.time_in_headroom_ps = buffer.headroom().time_in_headroom(group, now).picoseconds();
}

/// Priority groups and queues that are lossless or saw traffic. Fills in the buffer totals on the way.
[[nodiscard]] std::vector<QueueRow> queue_rows(const SimulationState& state, BufferTotals& totals) {
  std::vector<QueueRow> rows;
  for (std::size_t s = 0; s < state.switches.size(); ++s) {
    const SharedBuffer& buffer = state.switches[s].buffer();
    const NodeId node = state.node_of(SwitchId{s});
    for (std::size_t p = 0; p < state.switches[s].port_count(); ++p) {
      for (std::uint8_t q = 0; q < Priority::count; ++q) {
        const PortId port{p};
        const Priority priority{q};
        QueueRow row = queue_row(buffer, port, priority);
        row.lossless = state.scenario.pfc.priorities.contains(priority);
        const bool quiet = row.shared_peak_bytes == 0 && row.egress_peak_bytes == 0 && row.dropped_frames == 0;
        if (!row.lossless && quiet) continue;
        if (const DeepMemory* deep = state.switches[s].deep_memory()) {
          row.off_chip_peak_bytes = deep->off_chip_peak(p * Priority::count + q).count();
        }
        row.node = state.node_name(node);
        row.port = state.port_name(node, port);
        totals.shared_peak_bytes = std::max(totals.shared_peak_bytes, row.shared_peak_bytes);
        if (row.lossless) {
          add_headroom(buffer, port, priority, state.now, row);
          row.headroom_auto_bytes = state.headroom_auto[s][p].count();
          const std::int64_t margin = row.headroom_margin_bytes;
          totals.headroom_peak_bytes = std::max(totals.headroom_peak_bytes, row.headroom_peak_bytes);
          totals.time_in_headroom_ps_max = std::max(totals.time_in_headroom_ps_max, row.time_in_headroom_ps);
          totals.headroom_margin_bytes = std::min(totals.headroom_margin_bytes.value_or(margin), margin);
        }
        rows.push_back(row);
      }
    }
  }
  return rows;
}

[[nodiscard]] SwitchRow switch_row(const SharedBuffer& buffer, const TimeByShare& times) {
  const Headroom& headroom = buffer.headroom();
  SwitchRow row;
  row.buffer_peak_bytes = buffer.occupancy_peak().count();
  row.buffer_size_bytes = buffer.size().count();
  row.lossless_groups = static_cast<std::int64_t>(headroom.lossless_groups());
  row.headroom_bytes = headroom.carved().count();
  row.headroom_peak_bytes = headroom.total_peak().count();
  row.headroom_needed_bytes = headroom.total_needed().count();
  row.groups_in_headroom_max = static_cast<std::int64_t>(headroom.groups_peak());
  const bool has_any = headroom.carved() > Bytes{0};
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  row.headroom_unused_share_p50 = has_any ? unused_share(times, 50) : none;
  row.headroom_unused_share_p90 = has_any ? unused_share(times, 90) : none;
  row.headroom_unused_share_p99 = has_any ? unused_share(times, 99) : none;
  return row;
}

void add_deep_memory(const DeepMemory& deep, Time now, SwitchRow& row) {
  row.on_chip_size_bytes = deep.on_chip_size().count();
  row.on_chip_peak_bytes = deep.on_chip_peak().count();
  row.off_chip_peak_bytes = deep.off_chip_peak().count();
  row.off_chip_written_bytes = deep.written().count();
  row.off_chip_read_bytes = deep.read().count();
  row.off_chip_bandwidth_gbps = deep.bandwidth().gbps();
  const Duration run = now - Time{0};
  row.off_chip_busy_share = run > Duration{0} ? deep.busy_time(now).seconds() / run.seconds() : 0.0;
  row.on_chip_full_ps = deep.pressed_time(now).picoseconds();
}

void add_to_totals(const SwitchRow& row, BufferTotals& totals) {
  totals.groups_in_headroom_max = std::max(totals.groups_in_headroom_max, row.groups_in_headroom_max);
  if (row.lossless_groups > 0) {
    const double share = static_cast<double>(row.groups_in_headroom_max) / static_cast<double>(row.lossless_groups);
    totals.groups_in_headroom_share_max = std::max(totals.groups_in_headroom_share_max, share);
  }
  totals.headroom_switch_peak_bytes = std::max(totals.headroom_switch_peak_bytes, row.headroom_peak_bytes);
  totals.off_chip_peak_bytes = std::max(totals.off_chip_peak_bytes, row.off_chip_peak_bytes.value_or(0));
  // fmin knows that a switch without headroom says nothing.
  totals.headroom_unused_share_p50 = std::fmin(totals.headroom_unused_share_p50, row.headroom_unused_share_p50);
  totals.headroom_unused_share_p90 = std::fmin(totals.headroom_unused_share_p90, row.headroom_unused_share_p90);
  totals.headroom_unused_share_p99 = std::fmin(totals.headroom_unused_share_p99, row.headroom_unused_share_p99);
}

}  // namespace

void SimulationState::collect_buffers(RunResults& results) const {
  results.queues = queue_rows(*this, results.buffers);
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  BufferTotals& totals = results.buffers;
  totals.headroom_unused_share_p50 = totals.headroom_unused_share_p90 = totals.headroom_unused_share_p99 = none;
  for (std::size_t s = 0; s < switches.size(); ++s) {
    const SharedBuffer& buffer = switches[s].buffer();
    const TimeByShare times = buffer.headroom().time_by_share(now);
    SwitchRow row = switch_row(buffer, times);
    row.node = node_name(node_of(SwitchId{s}));
    row.no_path_frames = switches[s].losses().no_path;
    row.failure_frames = switches[s].losses().failure;
    if (const DeepMemory* deep = switches[s].deep_memory()) add_deep_memory(*deep, now, row);
    add_to_totals(row, totals);
    if (row.headroom_bytes > 0) {
      for (std::size_t used = 0; used < times.size(); ++used) {
        if (times[used] == Duration{0}) continue;
        results.headroom_use.push_back({row.node, static_cast<std::int64_t>(used), times[used].picoseconds()});
      }
    }
    results.switches.push_back(std::move(row));
  }
}

}  // namespace soya
