// What holds at the end of every run that delivers all: each byte once, and nothing left anywhere.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "engine/simulation.hpp"
#include "engine/state.hpp"

namespace soya::test {

inline const std::vector<FlowConfig>& flows_of(const Scenario& scenario) {
  return std::get<FlowsConfig>(scenario.jobs.front()).flows;
}

inline std::int64_t posted_messages(const Scenario& scenario) {
  std::int64_t count = 0;
  for (const FlowConfig& flow : flows_of(scenario)) count += flow.messages;
  return count;
}

/// Bytes that each host is sent. Those of a READ go to who asks.
inline std::vector<std::int64_t> posted_to(const Scenario& scenario) {
  std::vector<std::int64_t> bytes(scenario.nics.size());
  for (const FlowConfig& flow : flows_of(scenario)) {
    const HostId to = flow.operation == Operation::read ? flow.from : flow.to;
    bytes[to.index()] += flow.messages * flow.size.count();
  }
  return bytes;
}

inline void check_delivered_once(const Scenario& scenario, const RunResults& results) {
  CHECK(results.transfers.count == posted_messages(scenario));
  CHECK(results.transfers.finished == posted_messages(scenario));
  const std::vector<std::int64_t> posted = posted_to(scenario);
  for (std::size_t h = 0; h < posted.size(); ++h) CHECK(results.hosts[h].received_payload_bytes == posted[h]);
  CHECK(results.transfers.payload_bytes == std::accumulate(posted.begin(), posted.end(), std::int64_t{0}));
}

inline void check_empty(const SimulationState& state) {
  CHECK(state.packets_in_use() == 0);
  CHECK(state.totals().asking == 0);
  for (const Nic& nic : state.nics) CHECK(nic.receive_occupancy() == Bytes{0});
  for (const Switch& one : state.switches) {
    one.buffer().check_invariants();
    CHECK(one.buffer().occupancy() == Bytes{0});
    CHECK(one.buffer().free_shared() == one.buffer().shared_size());
    if (one.deep_memory() == nullptr) continue;
    one.deep_memory()->check_invariants();
    CHECK(one.deep_memory()->on_chip() == Bytes{0});
    CHECK(one.deep_memory()->off_chip() == Bytes{0});
    // What a switch lost with itself was written and never read.
    if (one.losses().failure == 0) CHECK(one.deep_memory()->written() == one.deep_memory()->read());
  }
}

}  // namespace soya::test
