// A list of flows: each posts its messages together on a connection of its own when its start comes.
// Simplifies: nothing waits for anything; a receiver does no work.
// Source: docs/model.md section 6. Validated by tests/unit/workload/flows_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workload/alarm.hpp"
#include "workload/job.hpp"
#include "workload/workload_config.hpp"

namespace soya {

/// Connection number = position of the flow in the list; tag = number of the message, from 0.
/// Flows that start at the same instant on one host are posted in the order of a hash of their identity.
class FlowsJob final : public Job {
 public:
  /// `identities` by position of the flow (workload/flow_identities.hpp).
  FlowsJob(const FlowsConfig& config, std::vector<std::string> identities);

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::vector<ConnectionConfig>& connections() const override { return connections_; }
  /// Senders and receivers, in the order of their ids.
  [[nodiscard]] std::vector<HostId> hosts() const override;
  [[nodiscard]] std::int64_t transfers() const override;
  void start(HostContext& context) override;
  void woke(HostContext& context) override;
  void sent(HostContext& context, const Completion& completion) override;
  void received(HostContext& context, const Completion& completion) override;
  [[nodiscard]] bool finished(HostId host) const override;
  /// Whether flows of this host start later: that comes by itself.
  [[nodiscard]] bool computing(HostId host) const override;
  [[nodiscard]] JobReport report() const override;

 private:
  struct Flow {
    Bytes size;
    std::int64_t messages;
    std::int64_t unfinished;
    Time start;
    Operation operation;
  };
  /// A host's part of `order_`.
  struct Host {
    std::size_t next{0};  ///< the next flow to start
    std::size_t end{0};
    std::size_t unfinished{0};  ///< flows of the host
    bool takes_part{false};
    Alarm alarm;
  };

  void sort_by_host();
  void post_due(HostContext& context);
  [[nodiscard]] const Host* sender(HostId host) const;

  std::string name_;
  std::vector<ConnectionConfig> connections_;
  std::vector<Flow> flows_;
  std::vector<std::uint32_t> order_;  ///< flows by sender, start, hash of the identity
  std::vector<Host> hosts_;           ///< by HostId, up to the largest
};

}  // namespace soya
