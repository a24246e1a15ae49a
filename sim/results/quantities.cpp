#include "results/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace soya {

namespace {

class Collector final {
 public:
  void add(std::string name, Unit unit, double value, std::string where = {}) {
    if (std::isfinite(value)) all_.push_back({std::move(name), unit, value, std::move(where)});
  }
  void add(std::string name, Unit unit, std::int64_t value, std::string where = {}) {
    add(std::move(name), unit, static_cast<double>(value), std::move(where));
  }
  std::vector<Quantity> take() { return std::move(all_); }

 private:
  std::vector<Quantity> all_;
};

constexpr double picoseconds_per_millisecond = 1e9;
constexpr double picoseconds_per_microsecond = 1e6;

/// Rows with the same key, in the order in which keys appear.
template <class Row, class Key>
std::vector<std::pair<std::string, std::vector<const Row*>>> grouped_rows(const std::vector<Row>& rows, Key key) {
  std::vector<std::pair<std::string, std::vector<const Row*>>> groups;
  for (const Row& row : rows) {
    const std::string name = key(row);
    auto group = std::ranges::find(groups, name, &std::pair<std::string, std::vector<const Row*>>::first);
    if (group == groups.end()) group = groups.insert(groups.end(), {name, {}});
    group->second.push_back(&row);
  }
  return groups;
}

template <class Row, class Member>
double mean_of(const std::vector<const Row*>& rows, Member Row::*member) {
  double sum = 0;
  for (const Row* row : rows) sum += row->*member;
  return sum / static_cast<double>(rows.size());
}

void add_steps(const RunResults& run, Collector& to) {
  for (const auto& group : grouped_rows(run.steps, [](const StepRow& row) { return row.job; })) {
    const auto add = [&](const char* name, double StepRow::*member) {
      to.add(std::string{name} + ", job " + group.first, Unit::picoseconds,
             mean_of(group.second, member) * picoseconds_per_millisecond);
    };
    add("step time", &StepRow::step_ms);
    add("exposed communication", &StepRow::exposed_ms);
    add("communication", &StepRow::communication_ms);
    add("GPU idle", &StepRow::idle_ms);
  }
}

void add_collectives(const RunResults& run, Collector& to) {
  const auto job_of = [](const CollectiveRow& row) { return row.name.substr(0, row.name.find('/')); };
  for (const auto& [job, rows] : grouped_rows(run.collectives, job_of)) {
    to.add("time of a collective, job " + job, Unit::picoseconds,
           mean_of(rows, &CollectiveRow::time_us) * picoseconds_per_microsecond);
    to.add("busbw, job " + job, Unit::gigabytes_per_second, mean_of(rows, &CollectiveRow::busbw_GBps));
  }
}

void add_perftest(const RunResults& run, Collector& to) {
  for (const PerftestRow& row : run.perftest) {
    const std::string of = fmt::format(", {} of {} B, job {}", row.test, row.bytes, row.job);
    if (row.steady_gbps) to.add("steady rate" + of, Unit::gbps, *row.steady_gbps);
    if (row.bw_average_gbps) to.add("average rate" + of, Unit::gbps, *row.bw_average_gbps);
    if (row.t_typical_us) {
      to.add("half a round trip" + of, Unit::picoseconds, *row.t_typical_us * picoseconds_per_microsecond);
    }
  }
}

/// The smallest value that at least `share` of `sorted` do not exceed.
template <class Row>
const Row& nearest_rank(const std::vector<Row>& sorted, double share) {
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

/// The median, tails and worst of a value that every finished transfer has.
template <class Value>
void add_percentiles(const RunResults& run, const char* name, Unit unit, Value value, Collector& to) {
  std::vector<std::pair<double, const TransferRow*>> sorted;
  for (const TransferRow& row : run.transfer_rows) {
    if (row.finish_ps && row.slowdown) sorted.emplace_back(value(row), &row);
  }
  if (sorted.empty()) return;
  std::ranges::stable_sort(sorted, {}, &std::pair<double, const TransferRow*>::first);
  const auto add = [&](const char* suffix, double share) {
    const auto& [at, row] = nearest_rank(sorted, share);
    to.add(std::string{name} + suffix, unit, at, share == 1.0 ? row->flow : "");
  };
  add(" p50", 0.50);
  add(" p90", 0.90);
  add(" p99", 0.99);
  add(" max", 1.0);
}

void add_transfers(const RunResults& run, Collector& to) {
  to.add("simulated time", Unit::picoseconds, run.simulated_ps);
  add_percentiles(
      run, "transfer time", Unit::picoseconds,
      [](const TransferRow& row) { return static_cast<double>(*row.finish_ps - row.start_ps); }, to);
  add_percentiles(
      run, "slowdown", Unit::ratio, [](const TransferRow& row) { return *row.slowdown; }, to);
  to.add("rate of the fastest flow", Unit::gbps, run.transfers.goodput_gbps_max);
  to.add("transfers finished", Unit::count, run.transfers.finished);
  to.add("packets sent again", Unit::count, run.transfers.retransmitted_packets);
}

std::string name_of(const LinkRow& link) {
  return link.from + " -> " + link.to + (link.ordinal > 0 ? fmt::format("#{}", link.ordinal) : "");
}

void add_links(const RunResults& run, Collector& to) {
  if (run.links.empty()) return;
  const auto hottest = std::ranges::max_element(run.links, {}, &LinkRow::utilisation);
  to.add("hottest link", Unit::share, hottest->utilisation, name_of(*hottest));
  const auto fullest = std::ranges::max_element(run.links, {}, &LinkRow::wire_bytes);
  to.add("bytes of the fullest link", Unit::bytes, fullest->wire_bytes, name_of(*fullest));
  const auto paused = std::ranges::max_element(run.links, {}, &LinkRow::paused_ps);
  to.add("paused time, most of a link", Unit::picoseconds, paused->paused_ps,
         paused->paused_ps > 0 ? name_of(*paused) : "");
}

/// How evenly links are loaded that switches choose among.
void add_tiers(const RunResults& run, Collector& to) {
  for (const TierRow& row : run.tiers) {
    if (!row.choice || row.max_bytes == 0) continue;
    const std::string of = fmt::format(", {} to {}", row.from, row.to);
    to.add("largest / mean load" + of, Unit::ratio, row.max_to_mean);
    to.add("unused links" + of, Unit::count, row.unused_links, row.unused.empty() ? "" : row.unused.front());
  }
}

template <class Member>
void add_fullest(const RunResults& run, const char* name, Member QueueRow::*member, Collector& to) {
  if (run.queues.empty()) return;
  const auto most = std::ranges::max_element(run.queues, {}, member);
  const bool any = (*most).*member > 0;
  to.add(name, Unit::bytes, (*most).*member,
         any ? fmt::format("{}/{} p{}", most->node, most->port, most->priority) : "");
}

void add_buffers(const RunResults& run, Collector& to) {
  to.add("paused time, all links", Unit::picoseconds, run.pfc.paused_ps_total);
  to.add("paused share, most of a port", Unit::share, run.pfc.paused_share_max);
  to.add("PAUSE frames", Unit::count, run.pfc.pause_frames);
  add_fullest(run, "shared buffer peak of a group", &QueueRow::shared_peak_bytes, to);
  add_fullest(run, "headroom peak of a group", &QueueRow::headroom_peak_bytes, to);
  add_fullest(run, "egress queue peak", &QueueRow::egress_peak_bytes, to);
  if (run.buffers.headroom_margin_bytes) {
    to.add("smallest headroom margin", Unit::bytes, *run.buffers.headroom_margin_bytes);
  }
  if (!run.switches.empty()) {
    const auto fullest = std::ranges::max_element(run.switches, {}, &SwitchRow::buffer_peak_bytes);
    to.add("buffer peak of a switch", Unit::bytes, fullest->buffer_peak_bytes, fullest->node);
  }
}

void add_drops(const RunResults& run, Collector& to) {
  to.add("lossless drops", Unit::count, run.drops.lossless);
  to.add("lossy drops", Unit::count, run.drops.lossy);
  to.add("frames lost on links", Unit::count, run.drops.link);
  std::int64_t timeouts = 0;
  for (const HostRow& host : run.hosts) timeouts += host.timeouts;
  to.add("time-outs", Unit::count, timeouts);
}

}  // namespace

std::vector<Quantity> quantities_of(const RunResults& run) {
  Collector collector;
  add_steps(run, collector);
  add_collectives(run, collector);
  add_perftest(run, collector);
  add_transfers(run, collector);
  add_links(run, collector);
  add_tiers(run, collector);
  add_buffers(run, collector);
  add_drops(run, collector);
  return collector.take();
}

}  // namespace soya
