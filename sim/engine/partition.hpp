// A part of the fabric that one thread runs: its events, its packets, and what its hosts have posted and finished.
// Nodes belong to one partition each and stay in the vectors of the simulation (engine/state.hpp).
// Simplifies: nothing; a run with one thread has one. Source: docs/architecture.md, "Partitions". Not included outside
// engine/. Validated by tests/partitions/random_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "core/event_queue.hpp"
#include "core/ids.hpp"
#include "core/operation.hpp"
#include "core/units.hpp"
#include "net/context.hpp"
#include "nic/nic.hpp"

namespace soya {

/// One message, or a series of them.
struct TransferRecord {
  JobId job;
  std::uint32_t connection{0};
  HostId from;
  Bytes size;  ///< of a message; of the largest of a series
  Operation operation{Operation::write};
  Time start;
  Time finish{Time::never()};  ///< of the last message
  std::int64_t retransmitted{0};
  std::int64_t messages{1};
  std::int64_t posted{1};
  std::int64_t complete{0};
  std::int64_t payload{0};  ///< bytes of those that are complete
};

/// Of a message that is no transfer.
inline constexpr std::uint32_t no_record = UINT32_MAX;

struct Partition {
  explicit Partition(std::uint64_t seed) : events{seed}, context{Time{0}, events, packets, counters} {}

  EventQueue events;
  PacketPool packets;
  RunCounters counters;
  Context context;

  std::vector<TransferRecord> transfers;  ///< that its hosts post, in the order of events
  std::vector<EventKey> posted_by;        ///< by transfer; none where there is one partition
  std::int64_t transfers_finished{0};
  std::int64_t parts_unfinished{0};       ///< (job, host) pairs that are not done
  std::vector<std::uint32_t> unreported;  ///< transfers finished since the monitor was last told
  std::vector<NicCompletion> delivering;  ///< scratch of the completion hand-over

  /// Nothing is to be done, under way or held back: what may come are clocks that run out.
  [[nodiscard]] bool quiet() const { return parts_unfinished == 0 && packets.in_use() == 0 && counters.asking == 0; }
};

}  // namespace soya
