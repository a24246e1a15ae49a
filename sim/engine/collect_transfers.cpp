// Transfers: how long each took, against the time it would have had alone.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/paths.hpp"
#include "engine/state.hpp"

namespace soya {

namespace {

/// What one connection has carried.
struct FlowTotals {
  std::int64_t payload{0};
  Time first_start{Time::never()};
  Time last_finish;
};

/// The value at share `p` of `sorted` by nearest rank; of nothing there is none.
[[nodiscard]] double percentile(const std::vector<double>& sorted, double p) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto rank = static_cast<std::size_t>(std::ceil(p * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

}  // namespace

TransferRow SimulationState::transfer_row(const TransferRecord& record, IdealTimes& ideal) const {
  const ConnectionConfig& connection = jobs[record.job.index()].job->connections()[record.connection];
  const bool from_a = record.from == connection.a;
  TransferRow row;
  row.flow = connection.identity;
  row.from = node_name(node_of(record.from));
  row.to = node_name(node_of(from_a ? connection.b : connection.a));
  if (record.operation == Operation::read) std::swap(row.from, row.to);  // the data flow to who asks
  row.bytes = record.size.count();
  row.messages = record.messages;
  row.start_ps = record.start.picoseconds();
  row.ideal_ps = ideal.completion(record).picoseconds();
  if (record.finish == Time::never()) return row;
  row.retransmitted_packets = record.retransmitted;
  row.finish_ps = record.finish.picoseconds();
  row.slowdown = static_cast<double>((record.finish - record.start).picoseconds()) / static_cast<double>(row.ideal_ps);
  return row;
}

void SimulationState::collect_transfers(RunResults& results) const {
  std::vector<std::vector<FlowTotals>> flows;  // by JobId and connection
  for (const JobState& job : jobs) flows.emplace_back(job.job->connections().size());
  std::vector<double> slowdowns;
  TransferTotals& totals = results.transfers;
  IdealTimes ideal{*this};
  results.transfer_rows.reserve(transfers.size());
  for (const TransferRecord& record : transfers) {
    const TransferRow& row = results.transfer_rows.emplace_back(transfer_row(record, ideal));
    totals.count += record.posted;
    totals.finished += record.complete;
    totals.payload_bytes += record.payload;
    FlowTotals& flow = flows[record.job.index()][record.connection];
    flow.first_start = std::min(flow.first_start, record.start);
    if (!row.slowdown) continue;
    slowdowns.push_back(*row.slowdown);
    flow.payload += record.payload;
    flow.last_finish = std::max(flow.last_finish, record.finish);
  }
  for (const Nic& nic : nics) {
    for (const QueuePair& queue_pair : nic.queue_pairs())
      totals.retransmitted_packets += queue_pair.requester.retransmitted();
  }
  for (const std::vector<FlowTotals>& of_job : flows) {
    for (const FlowTotals& flow : of_job) {
      if (flow.last_finish <= flow.first_start) continue;
      const auto picoseconds = static_cast<double>((flow.last_finish - flow.first_start).picoseconds());
      totals.goodput_gbps_max =
          std::max(totals.goodput_gbps_max, static_cast<double>(flow.payload) * 8e3 / picoseconds);
    }
  }
  if (slowdowns.empty()) totals.goodput_gbps_max = std::numeric_limits<double>::quiet_NaN();
  std::sort(slowdowns.begin(), slowdowns.end());
  totals.slowdown_p50 = percentile(slowdowns, 0.50);
  totals.slowdown_p99 = percentile(slowdowns, 0.99);
}

}  // namespace soya
