// A job: what a workload item does on each of its hosts. It posts work requests and learns of completions, and
// never sees a packet. A host's part of a job reacts to that host's completions and wake-ups only, so a job's
// state is per host and hosts may run in different partitions.
// Source: docs/model.md sections 8 and 9. Validated by tests/unit/workload on an ideal network.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "core/operation.hpp"
#include "core/units.hpp"

namespace soya {

/// A reliable connection between two hosts; either end may post. Index in `Job::connections()` is its number.
struct ConnectionConfig {
  HostId a;
  HostId b;
  Priority priority{3};
  std::string identity;                      ///< unique in the scenario; ports, queue pair numbers and tie order derive from it
  std::optional<int> queue_depth{};          ///< of both send queues, instead of the NIC's
};

struct WorkRequest {
  std::uint32_t connection{0};               ///< number of the job's connection; the posting host is one of its ends
  Bytes size{0};
  Operation operation{Operation::write};
  std::uint64_t tag{0};                      ///< the job's own; comes back in both completions
  bool is_transfer{true};                    ///< listed among the transfers of the results; false for control messages
  /// Of a transfer that begins a series: how many messages this host posts on the connection in a row, this one among
  /// them. They count as so many transfers and make one row of the results, so that memory does not grow with their
  /// number.
  std::int64_t series{1};
};

/// A work request is complete: its last packet is acknowledged (`sent`), or its message is placed (`received`).
struct Completion {
  std::uint32_t connection{0};
  Bytes size{0};
  std::uint64_t tag{0};
};

/// What a job can do on one host at one instant. Implemented by the engine.
class HostContext {
 public:
  virtual ~HostContext() = default;
  [[nodiscard]] virtual Time now() const = 0;
  [[nodiscard]] virtual HostId host() const = 0;
  /// Queues a work request; its first packet leaves when the NIC's arbiter comes to it.
  virtual void post(const WorkRequest& request) = 0;
  /// Asks for `Job::woke` on this host at `at` (> now). One wake-up per job and host is pending: an earlier
  /// call is replaced. A job with several deadlines keeps them and asks for the earliest.
  virtual void wake_at(Time at) = 0;
};

/// One training step of one job, measured (docs/model.md section 9), times from the step's start on each rank.
struct StepReport {
  int step{0};                               ///< from 0
  Duration forward;                          ///< the longest over ranks, as the rows below
  Duration backward;
  Duration communication;                    ///< first all-reduce start to last all-reduce end
  Duration exposed;                          ///< max(0, last all-reduce end − backward end)
  Duration idle;                             ///< step − union of compute intervals
  Duration step_time;
  std::optional<Duration> plan_step_time;    ///< filled in by the engine from planning
  Bytes sent_total;                          ///< payload of slices, all ranks, without clear-to-send
  Bytes sent_per_rank_min;
  Bytes sent_per_rank_max;
};

/// One collective, measured from the first rank's start to the last rank's end.
struct CollectiveReport {
  std::string name;                          ///< e.g. "janog/step0/bucket3" or "all-reduce/0"
  Bytes bytes;                               ///< S
  int ranks{0};
  Time started;
  Time finished;
};

/// `messages` complete in `time`.
struct MessageSpan {
  std::int64_t messages{0};
  Duration time;
};

/// Half round trips as perftest reports them: the two longest are left out of all but `longest`.
struct HalfRoundTrips {
  double shortest_us{0};
  double longest_us{0};
  double typical_us{0};                      ///< median
  double average_us{0};
  double deviation_us{0};
  double p99_us{0};
  double p99_9_us{0};
};

/// One size of a perftest job.
struct PerftestReport {
  std::size_t size{0};                       ///< position in PerftestConfig::sizes
  MessageSpan average;                       ///< all messages: first post to last completion
  std::optional<MessageSpan> peak;           ///< the best span from a post to a completion; absent where too many to keep
  std::optional<MessageSpan> steady;         ///< whole windows after the first; absent where there is none, and of latency
  std::optional<HalfRoundTrips> latency;     ///< of a latency test
};

struct JobReport {
  std::vector<StepReport> steps;
  std::vector<CollectiveReport> collectives;
  std::vector<std::string> unfinished;       ///< what is not done, a line each: "step 1 of 2: bucket 3 of 25, rank 2 waits for …"
  std::size_t unfinished_count{0};           ///< lines there would be if a long list were not cut
  std::vector<PerftestReport> perftest{};    ///< sizes of a perftest that are complete
};

class Job {
 public:
  virtual ~Job() = default;
  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual const std::vector<ConnectionConfig>& connections() const = 0;
  /// Hosts that take part; `start` is called once on each at time zero.
  [[nodiscard]] virtual std::vector<HostId> hosts() const = 0;
  /// Transfers that it posts from its start to its end, on all hosts.
  [[nodiscard]] virtual std::int64_t transfers() const = 0;
  virtual void start(HostContext& context) = 0;
  virtual void woke(HostContext& context) = 0;
  virtual void sent(HostContext& context, const Completion& completion) = 0;
  virtual void received(HostContext& context, const Completion& completion) = 0;
  /// Whether this host's part is done.
  [[nodiscard]] virtual bool finished(HostId host) const = 0;
  /// Whether this host computes now, or waits for an instant of its own such as a flow's start: it goes on by itself,
  /// and has asked to be woken. (A stall is judged only when nobody does.)
  [[nodiscard]] virtual bool computing(HostId host) const = 0;
  [[nodiscard]] virtual JobReport report() const = 0;
};

}  // namespace soya
