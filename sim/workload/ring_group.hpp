// Hosts in a ring: their connections, and every rank's part of one all-reduce after another.
// Simplifies: a rank is a host; slices and clear-to-sends share one connection per neighbour pair and channel.
// Source: docs/model.md section 8; NCCL's clear-to-send is a small RDMA WRITE into the sender's memory.
// Validated by tests/unit/workload/all_reduce_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collective/ring.hpp"
#include "core/ids.hpp"
#include "core/units.hpp"
#include "workload/job.hpp"

namespace soya {

/// Who forms the ring, rank by position, and how.
struct RingMembers {
  std::string name;  ///< of the job; unique in the scenario
  std::vector<HostId> hosts;
  RingConfig ring;
  Priority priority{3};
};

/// Connection number r·channels + c goes from rank r to rank r + 1 on channel c: r posts slices on it, r + 1 posts
/// clear-to-sends. Two ranks have two connections per channel. One rank has none.
class RingGroup {
 public:
  /// `host_names` by HostId.
  RingGroup(RingMembers members, const std::vector<std::string>& host_names);

  [[nodiscard]] const std::vector<ConnectionConfig>& connections() const { return connections_; }
  [[nodiscard]] const RingMembers& members() const { return members_; }
  [[nodiscard]] int ranks() const { return static_cast<int>(members_.hosts.size()); }
  [[nodiscard]] bool has(HostId host) const;
  [[nodiscard]] int rank_of(HostId host) const;

  /// What a job may list slice by slice in the results: more are told by series, one for each collective, connection and
  /// end, or their rows alone would fill the memory: 8 192 ranks send 134 million slices for 16 MiB on one channel.
  static constexpr std::int64_t most_listed = std::int64_t{1} << 20;
  /// The job has as many slices in all.
  void expect_slices(std::int64_t slices) { by_series_ = slices > most_listed; }

  /// Starts this host's part of the next collective; its part of the one before is finished. `layout` outlives it.
  void begin(HostContext& context, const RingLayout& layout);
  void sent(HostContext& context, const Completion& completion);
  void received(HostContext& context, const Completion& completion);
  /// Ends the reductions that are due.
  void woke(HostContext& context);

  /// The rank's part of the current collective is over.
  [[nodiscard]] bool finished(int rank) const;
  /// Everything the rank has posted is complete.
  [[nodiscard]] bool quiet(int rank) const { return outstanding_[static_cast<std::size_t>(rank)] == 0; }
  /// The end of the rank's first running reduction; `Time::never()` where none runs.
  [[nodiscard]] Time next_reduction(int rank) const;
  /// Payload of slices the rank has sent or has ready to send, over all collectives.
  [[nodiscard]] Bytes sent_bytes(int rank) const;
  /// Whom the rank waits for, such as "rank 2 (host3) waits for a slice of rank 1 (host2) on channel 0, 5 of 24 here".
  [[nodiscard]] std::string waiting(int rank) const;

 private:
  class Actions;
  struct Place {
    RingRank ring;
    Time reduction_end{Time::never()};
    std::int64_t unposted{0};  ///< slices of the collectives begun; counted where they are told by series
  };

  [[nodiscard]] std::size_t index(const RingPlace& at) const;
  [[nodiscard]] Place& place(const RingPlace& at) { return places_[index(at)]; }
  [[nodiscard]] const Place& place(const RingPlace& at) const { return places_[index(at)]; }
  [[nodiscard]] RingPlace place_of(const HostContext& context, std::uint32_t connection) const;
  [[nodiscard]] std::string describe(int rank) const;
  [[nodiscard]] int next(int rank) const { return (rank + 1) % ranks(); }
  [[nodiscard]] int previous(int rank) const { return (rank + ranks() - 1) % ranks(); }

  RingMembers members_;
  std::vector<std::string> names_;  ///< by rank
  std::vector<ConnectionConfig> connections_;
  std::vector<int> rank_by_host_;          ///< by HostId up to the largest; `ranks()` for a host outside the ring
  std::vector<Place> places_;              ///< by rank, then channel
  bool by_series_{false};
  std::vector<std::int64_t> outstanding_;  ///< work requests posted and not complete, by rank
};

}  // namespace soya
