#include "summary_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/quantity_text.hpp"
#include "display_width.hpp"
#include "text_table.hpp"

namespace soya::cli {

namespace {

constexpr std::size_t rows_shown = 4;
constexpr std::size_t line_width = 100;

/// The first `rows_shown` of `rows` by `before`, ties in their order.
template <class Row, class Before>
std::vector<const Row*> first_by(const std::vector<Row>& rows, Before before) {
  std::vector<const Row*> order;
  order.reserve(rows.size());
  for (const Row& row : rows) order.push_back(&row);
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(std::min(rows_shown, order.size()));
  // A row's address is its position in the vector, so this order is total and the same in every run.
  std::partial_sort(order.begin(), middle, order.end(), [&](const Row* a, const Row* b) {
    if (before(*a, *b)) return true;
    return !before(*b, *a) && a < b;
  });
  order.erase(middle, order.end());
  return order;
}

std::string percent(double share) {
  return std::isfinite(share) ? fmt::format("{:.1f} %", share * 100) : "-";
}

/// What the closed form and the talk's condition say about a job, by its first step.
std::string condition_line(const StepRow& step) {
  if (step.condition_ms <= 0) return "";
  const bool holds = step.backward_ms > step.condition_ms;
  const std::string name = printable(step.job);
  const std::string compare = condition_text(step.backward_ms, step.condition_ms);
  const std::string exposed = milliseconds(step.exposed_ms) + " ms";
  const double share = step.step_ms > 0 ? step.exposed_ms / step.step_ms : 0;
  const std::string outcome =
      step.exposed_ms <= 0 ? "nothing is exposed"
      : holds              ? "the condition holds; what follows the last gradient is exposed, " + exposed
              : fmt::format("too short to hide it; {} are exposed, {} of the first step", exposed, percent(share));
  return wrapped(fmt::format("{}: {}: {}.", name, compare, outcome), line_width, "  ", "    ");
}

std::string first_steps_of_each_job(const std::vector<StepRow>& steps) {
  std::string lines;
  for (const StepRow& step : steps) {
    const bool first =
        std::none_of(steps.data(), &step, [&](const StepRow& earlier) { return earlier.job == step.job; });
    if (first) lines += condition_line(step);
  }
  return lines;
}

/// Unfinished transfers come first; then the slowest.
bool slower(const TransferRow& a, const TransferRow& b) {
  if (a.finish_ps.has_value() != b.finish_ps.has_value()) return !a.finish_ps.has_value();
  return a.slowdown.value_or(0) > b.slowdown.value_or(0);
}

double headroom_share(const QueueRow& row) {
  if (row.headroom_configured_bytes <= 0) return 0;
  return static_cast<double>(row.headroom_peak_bytes) / static_cast<double>(row.headroom_configured_bytes);
}

bool fuller(const QueueRow& a, const QueueRow& b) {
  if (a.lossless != b.lossless) return a.lossless;
  const bool dropped = a.dropped_frames > 0;
  if (dropped != (b.dropped_frames > 0)) return dropped;
  const double share_a = headroom_share(a);
  const double share_b = headroom_share(b);
  if (share_a < share_b || share_b < share_a) return share_a > share_b;
  return a.shared_peak_bytes > b.shared_peak_bytes;
}

/// The switch whose buffer was filled to the largest share, ports and priorities together.
std::string fullest_switch(const std::vector<SwitchRow>& rows) {
  const auto share = [](const SwitchRow& row) {
    return static_cast<double>(row.buffer_peak_bytes) / static_cast<double>(row.buffer_size_bytes);
  };
  const auto fullest = std::max_element(rows.begin(), rows.end(),
                                        [&](const SwitchRow& a, const SwitchRow& b) { return share(a) < share(b); });
  if (fullest == rows.end()) return "";
  return wrapped(fmt::format("Of the whole buffer at one time: at most {} of {}, at {}.", percent(share(*fullest)),
                             exact_size_text(fullest->buffer_size_bytes), printable(fullest->node)),
                 line_width, "  ", "  ");
}

/// The switch that stored most off chip, of those where any frame went there.
std::string fullest_off_chip(const std::vector<SwitchRow>& rows) {
  const auto peak = [](const SwitchRow& row) { return row.off_chip_peak_bytes.value_or(0); };
  const auto most = std::ranges::max_element(rows, {}, peak);
  if (most == rows.end() || peak(*most) == 0) return "";
  std::string text =
      fmt::format("Off chip at one time: at most {}, at {}. Its bandwidth of {:g} Gbps was used for {} of the time.",
                  exact_size_text(peak(*most)), printable(most->node), *most->off_chip_bandwidth_gbps,
                  percent(*most->off_chip_busy_share));
  const auto full =
      std::ranges::max_element(rows, {}, [](const SwitchRow& row) { return row.on_chip_full_ps.value_or(0); });
  if (full->on_chip_full_ps.value_or(0) > 0) {
    text += fmt::format(
        " Frames came faster than they were written: senders to {} were paused for {} because its on-chip memory was "
        "full.",
        printable(full->node), time_text(Duration{*full->on_chip_full_ps}));
  }
  return wrapped(text, line_width, "  ", "  ");
}

/// The switch whose headroom was used most, of those where any was.
std::string fullest_headroom(const std::vector<SwitchRow>& rows) {
  const auto share = [](const SwitchRow& row) {
    if (row.headroom_bytes == 0) return 0.0;
    return static_cast<double>(row.headroom_peak_bytes) / static_cast<double>(row.headroom_bytes);
  };
  const auto most = std::max_element(rows.begin(), rows.end(),
                                     [&](const SwitchRow& a, const SwitchRow& b) { return share(a) < share(b); });
  if (most == rows.end() || most->headroom_peak_bytes == 0) return "";
  return wrapped(
             fmt::format("Of all headroom at one time: at most {} of {}, by {} of {} groups, at {}.",
                         percent(share(*most)), exact_size_text(most->headroom_bytes),
                         grouped(most->groups_in_headroom_max), grouped(most->lossless_groups), printable(most->node)),
             line_width, "  ", "  ") +
         fmt::format("  For 99 % of the time {} of it or more was unused.\n", percent(most->headroom_unused_share_p99));
}

std::int64_t pause_frames(const LinkRow& row) {
  std::int64_t sum = 0;
  for (const std::int64_t frames : row.pause_frames) sum += frames;
  return sum;
}

std::string link_end(const LinkRow& row) {
  return row.ordinal == 0 ? row.to : fmt::format("{}#{}", row.to, row.ordinal);
}

}  // namespace

std::string slowdown_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.2f}", value) : "-";
}

std::string condition_text(double backward_ms, double condition_ms) {
  return fmt::format("backward {} ms {} data / bandwidth {} ms", milliseconds(backward_ms),
                     backward_ms > condition_ms ? ">" : "<=", milliseconds(condition_ms));
}

std::string step_table(const RunResults& run) {
  if (run.steps.empty()) return "";
  TextTable table{{{"job", Align::left, 20},
                   {"step", Align::right},
                   {"step ms", Align::right},
                   {"plan", Align::right},
                   {"exposed ms", Align::right},
                   {"plan", Align::right},
                   {"communication ms", Align::right},
                   {"idle ms", Align::right}}};
  for (std::size_t i = 0; i < std::min(rows_shown, run.steps.size()); ++i) {
    const StepRow& step = run.steps[i];
    const bool planned = step.plan_step_ms > 0;
    table.add({step.job, fmt::format("{}", step.step), milliseconds(step.step_ms),
               planned ? milliseconds(step.plan_step_ms) : "-", milliseconds(step.exposed_ms),
               planned ? milliseconds(step.plan_exposed_ms) : "-", milliseconds(step.communication_ms),
               milliseconds(step.idle_ms)});
  }
  std::string text = "Step time and exposed communication: measured, and planned by the closed form\n" + table.text();
  if (run.steps.size() > rows_shown) {
    const auto [least, most] = std::minmax_element(
        run.steps.begin(), run.steps.end(), [](const StepRow& a, const StepRow& b) { return a.step_ms < b.step_ms; });
    text += fmt::format("  {} steps in all: {} to {} ms\n", run.steps.size(), milliseconds(least->step_ms),
                        milliseconds(most->step_ms));
  }
  return text + first_steps_of_each_job(run.steps);
}

std::string collective_table(const RunResults& run) {
  if (run.collectives.empty()) return "";
  TextTable table{{{"collective", Align::left, 32},
                   {"size S", Align::right},
                   {"ranks", Align::right},
                   {"time us", Align::right},
                   {"algbw GB/s", Align::right},
                   {"busbw GB/s", Align::right}}};
  const auto longest =
      first_by(run.collectives, [](const CollectiveRow& a, const CollectiveRow& b) { return a.time_us > b.time_us; });
  for (const CollectiveRow* row : longest) {
    table.add({row->name, exact_size_text(row->bytes), fmt::format("{}", row->ranks), milliseconds(row->time_us),
               fmt::format("{:.3f}", row->algbw_GBps), fmt::format("{:.3f}", row->busbw_GBps)});
  }
  return fmt::format("Longest of {} collectives (size S: bytes each rank holds)\n",
                     grouped(std::ssize(run.collectives))) +
         table.text();
}

std::string transfer_table(const RunResults& run) {
  if (run.transfer_rows.empty()) return "";
  TextTable table{{{"flow", Align::left, 26},
                   {"from", Align::left, 16},
                   {"to", Align::left, 16},
                   {"message", Align::right},
                   {"time", Align::right},
                   {"slowdown", Align::right}}};
  for (const TransferRow* row : first_by(run.transfer_rows, slower)) {
    table.add({row->flow, row->from, row->to, exact_size_text(row->bytes),
               row->finish_ps ? duration_text(*row->finish_ps - row->start_ps) : "unfinished",
               row->slowdown ? slowdown_text(*row->slowdown) : "-"});
  }
  return "Slowest transfers (message: one RDMA message; slowdown: time / time alone on the path)\n" + table.text();
}

std::string buffer_table(const RunResults& run) {
  if (run.queues.empty()) return "";
  TextTable table{{{"switch", Align::left, 14},
                   {"port", Align::left, 16},
                   {"prio", Align::right},
                   {"shared peak", Align::right},
                   {"headroom", Align::right},
                   {"of", Align::right},
                   {"margin B", Align::right},
                   {"drops", Align::right}}};
  for (const QueueRow* row : first_by(run.queues, fuller)) {
    table.add({row->node, row->port, fmt::format("{}", row->priority), grouped(row->shared_peak_bytes),
               row->lossless ? grouped(row->headroom_peak_bytes) : "lossy",
               row->lossless ? grouped(row->headroom_configured_bytes) : "-",
               row->lossless ? grouped(row->headroom_margin_bytes) : "-", grouped(row->dropped_frames)});
  }
  return "Fullest buffers (peaks in bytes; margin: headroom left, below zero what was missing)\n" + table.text() +
         fullest_switch(run.switches) + fullest_off_chip(run.switches) + fullest_headroom(run.switches);
}

std::string accelerator_table(const RunResults& run) {
  if (run.accelerators.empty()) return "";
  TextTable table{{{"accelerator", Align::left, 20},
                   {"held peak", Align::right},
                   {"mean", Align::right},
                   {"of", Align::right},
                   {"for its site", Align::right},
                   {"sent again", Align::right},
                   {"paused its site", Align::right},
                   {"received", Align::right}}};
  const auto fullest = first_by(run.accelerators, [](const AcceleratorRow& a, const AcceleratorRow& b) {
    return a.outbound_peak_bytes > b.outbound_peak_bytes;
  });
  for (const AcceleratorRow* row : fullest) {
    table.add({row->name, size_text(row->outbound_peak_bytes), size_text(row->outbound_mean_bytes),
               exact_size_text(row->buffer_bytes), size_text(row->inbound_peak_bytes),
               grouped(row->retransmitted_packets), duration_text(row->pausing_ps),
               row->haul_goodput_gbps ? fmt::format("{:.3f} Gbps", *row->haul_goodput_gbps) : "-"});
  }
  std::string text = "Accelerators (held for the far site, and for its own; received: payload over the long link)\n";
  text += table.text();
  const auto ahead = std::ranges::max_element(run.accelerator_flows, {}, &AcceleratorFlowRow::acknowledged_ahead_bytes);
  if (ahead == run.accelerator_flows.end()) return text;
  const std::string most =
      fmt::format("Acknowledged ahead of delivery: at most {}, of {}. A completion at a sender is no delivery.",
                  size_text(ahead->acknowledged_ahead_bytes), shortened(printable(ahead->flow), 26));
  return text + wrapped(most, line_width, "  ", "  ");
}

std::string tier_table(const RunResults& run) {
  const auto ratio = [](double value) { return std::isfinite(value) ? fmt::format("{:.2f}", value) : "-"; };
  TextTable table{{{"from", Align::left, 16},
                   {"to", Align::left, 16},
                   {"links"},
                   {"mean load"},
                   {"largest"},
                   {"largest / mean"},
                   {"planned"},
                   {"unused"}}};
  std::string idle;
  std::size_t rows = 0;
  for (const TierRow& row : run.tiers) {
    if (!row.choice || row.max_bytes == 0 || rows == rows_shown) continue;
    ++rows;
    table.add({row.from, row.to, grouped(row.links), size_text(row.mean_bytes), size_text(row.max_bytes),
               ratio(row.max_to_mean), ratio(row.plan_max_to_mean), grouped(row.unused_links)});
    if (row.unused_links == 0) continue;
    constexpr std::size_t named = 4;
    std::string names;
    for (std::size_t i = 0; i < std::min(named, row.unused.size()); ++i) names += (i == 0 ? "" : ", ") + row.unused[i];
    if (row.unused_links > static_cast<std::int64_t>(named)) names += ", …";
    idle += wrapped(printable(fmt::format("{} of {} links from {} to {} carry nothing: {}", grouped(row.unused_links),
                                          grouped(row.links), row.from, row.to, names)),
                    line_width, "  ", "    ");
  }
  return rows == 0 ? "" : "Links that switches choose among, by tiers\n" + table.text() + idle;
}

std::string paused_table(const RunResults& run) {
  if (run.links.empty()) return "";
  TextTable table{{{"from", Align::left, 26},
                   {"to", Align::left, 26},
                   {"paused", Align::right},
                   {"of the run", Align::right},
                   {"PAUSE frames", Align::right}}};
  bool any = false;
  const auto most_paused =
      first_by(run.links, [](const LinkRow& a, const LinkRow& b) { return a.paused_ps > b.paused_ps; });
  for (const LinkRow* row : most_paused) {
    if (row->paused_ps <= 0) continue;
    any = true;
    const double share = static_cast<double>(row->paused_ps) / static_cast<double>(run.simulated_ps);
    table.add({row->from, link_end(*row), duration_text(row->paused_ps), percent(share), grouped(pause_frames(*row))});
  }
  if (!any) return "No link was paused.\n";
  return "Most paused links\n" + table.text();
}

std::string long_pause_table(const RunResults& run) {
  // 10 km of fibre there and back.
  constexpr std::int64_t long_round_trip = 100'000'000;
  std::vector<PauseRow> rows;
  for (const PauseRow& row : run.pauses) {
    if (row.round_trip_ps >= long_round_trip) rows.push_back(row);
  }
  if (rows.empty()) return "";
  TextTable table{{{"switch", Align::left, 10},
                   {"port", Align::left, 12},
                   {"cycles", Align::right},
                   {"longest", Align::right},
                   {"in flight", Align::right},
                   {"XON at B", Align::right},
                   {"full rate B", Align::right},
                   {"dry/cycle", Align::right},
                   {"formula", Align::right}}};
  const auto time = [](const std::optional<std::int64_t>& ps) { return ps ? duration_text(*ps) : "-"; };
  for (const PauseRow* row : first_by(rows, [](const PauseRow&a, const PauseRow&b) { return a.dry_ps > b.dry_ps; })) {
    table.add({row->node, row->port, grouped(row->cycles), duration_text(row->longest_ps), grouped(row->in_flight_max),
               row->xon_bytes_mean ? grouped(*row->xon_bytes_mean) : "-", grouped(row->full_rate_bytes),
               time(row->dry_ps_mean), time(row->plan_dry_ps)});
  }
  std::int64_t refreshes = 0;
  std::int64_t expired = 0;
  for (const PauseRow& row : rows) {
    refreshes += row.refreshes;
    expired += row.expired;
  }
  const std::string kept = fmt::format("{} refreshes; {}", grouped(refreshes),
                                       expired == 0   ? "every pause was refreshed in time"
                                       : expired == 1 ? "1 pause ran out while it was meant"
                                                      : grouped(expired) + " pauses ran out while they were meant");
  return "Pauses over long links (bytes stored at XON, and what full rate takes; dry: nothing stored)\n" +
         table.text() + wrapped(kept + ".", line_width, "  ", "  ");
}

}  // namespace soya::cli
