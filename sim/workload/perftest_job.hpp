// perftest between two hosts: like messages through queue pairs as fast as the send queue takes them, or one to and
// fro, one size after another. Simplifies: posting and polling take no time; no handshake between sizes; the receiver
// of SENDs always has receives. Source: linux-rdma/perftest, src/perftest_resources.c (run_iter_bw,
// run_iter_lat_write). Validated by tests/unit/workload/perftest_test.cpp and tests/analytic/perftest_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workload/job.hpp"
#include "workload/perftest_meter.hpp"
#include "workload/workload_config.hpp"

namespace soya {

/// "write_bw", as a scenario spells it.
[[nodiscard]] const char* perftest_name(PerftestTest test);

/// What its work requests are.
[[nodiscard]] Operation perftest_operation(PerftestTest test);

/// Connection number = queue pair, from the client to the server; tag = iteration.
///
/// Bandwidth: a queue pair posts while less than `tx_depth` of its requests are not known to be complete, and only a
/// signalled request makes known that it and those before it are: every `cq_mod`-th, and the last.
///
/// Latency: the client posts, the server polls its memory and posts when the message is there, and so on; each posts
/// only when its last message is acknowledged, too. The client measures from one post to the next.
class PerftestJob final : public Job {
 public:
  PerftestJob(const PerftestConfig& config, const std::vector<std::string>& host_names);

  [[nodiscard]] const std::string& name() const override { return config_.name; }
  [[nodiscard]] const std::vector<ConnectionConfig>& connections() const override { return connections_; }
  [[nodiscard]] std::vector<HostId> hosts() const override { return {config_.client, config_.server}; }
  [[nodiscard]] std::int64_t transfers() const override;
  void start(HostContext& context) override;
  void woke(HostContext& /*context*/) override {}
  void sent(HostContext& context, const Completion& completion) override;
  void received(HostContext& context, const Completion& completion) override;
  [[nodiscard]] bool finished(HostId host) const override;
  [[nodiscard]] bool computing(HostId /*host*/) const override { return false; }
  [[nodiscard]] JobReport report() const override;

 private:
  struct QueuePairState {
    std::int64_t posted{0};    ///< of the current size
    std::int64_t complete{0};  ///< known to be
  };
  /// The client's part, and of a bandwidth test all there is.
  struct Client {
    std::size_t size{0};  ///< the current one; past the last when done
    std::vector<QueuePairState> queue_pairs;
    std::optional<BandwidthMeter> bandwidth;
    std::vector<Duration> between_posts;
    std::optional<Time> last_post;
  };
  /// One end of a ping-pong.
  struct Player {
    std::int64_t posted{0};
    std::int64_t acknowledged{0};
    std::int64_t received{0};
    [[nodiscard]] bool idle() const { return acknowledged == posted; }
  };

  [[nodiscard]] const PerftestSize& size() const { return config_.sizes[client_.size]; }
  [[nodiscard]] bool signalled(std::int64_t iteration) const;
  void begin_size(HostContext& context);
  void end_size(HostContext& context);
  void fill(HostContext& context, std::uint32_t queue_pair);
  void post(HostContext& context, std::uint32_t connection, std::int64_t iteration, Bytes message);
  void serve(HostContext& context);
  void answer(HostContext& context);
  [[nodiscard]] std::int64_t iterations_done() const;

  PerftestConfig config_;
  Operation operation_;
  std::vector<ConnectionConfig> connections_;
  Client client_;
  Player client_player_;
  Player server_player_;
  std::vector<PerftestReport> reports_;
};

}  // namespace soya
