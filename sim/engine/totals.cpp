// What partitions have counted, summed up.
#include <algorithm>
#include <numeric>

#include "engine/state.hpp"

namespace soya {

RunCounters SimulationState::totals() const {
  RunCounters sum;
  for (const auto& one : partitions) sum += one->counters;
  return sum;
}

std::int64_t SimulationState::packets_in_use() const {
  std::int64_t sum = 0;
  for (const auto& one : partitions) sum += one->packets.in_use();
  return sum;
}

std::int64_t SimulationState::parts_unfinished() const {
  std::int64_t sum = 0;
  for (const auto& one : partitions) sum += one->parts_unfinished;
  return sum;
}

std::int64_t SimulationState::events_handled() const {
  std::uint64_t sum = script.popped();
  for (const auto& one : partitions) sum += one->events.popped();
  return static_cast<std::int64_t>(sum);
}

std::uint64_t SimulationState::fingerprint() const {
  std::uint64_t sum = script.fingerprint();
  for (const auto& one : partitions) sum += one->events.fingerprint();
  return sum;
}

bool SimulationState::is_over() const {
  return std::ranges::all_of(partitions, [](const auto& one) { return one->quiet(); }) &&
         std::ranges::all_of(mail, [](const Mailbox& box) { return box.empty(); });
}

/// One after another as they were posted, whichever partition they are of.
void SimulationState::gather_transfers() {
  if (partitions.size() == 1) {
    transfers = std::move(partitions.front()->transfers);
    return;
  }
  struct Posted {
    EventKey by;
    const TransferRecord* record;
  };
  std::vector<Posted> all;
  for (const auto& one : partitions) {
    for (std::size_t i = 0; i < one->transfers.size(); ++i) all.push_back({one->posted_by[i], &one->transfers[i]});
  }
  // Those of one event are of one partition, and stay in their order.
  std::ranges::stable_sort(all, {}, &Posted::by);
  transfers.reserve(all.size());
  for (const Posted& one : all) transfers.push_back(*one.record);
}

}  // namespace soya
