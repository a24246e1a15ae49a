#include "workload/incast.hpp"

namespace soya {

FlowsConfig expand_incast(const IncastConfig& config) {
  FlowsConfig flows{config.name, {}, config.where};
  flows.flows.reserve(config.senders.size());
  for (const HostId sender : config.senders) {
    flows.flows.push_back({.name = {},
                           .from = sender,
                           .to = config.receiver,
                           .size = config.size,
                           .messages = config.messages,
                           .start = config.start,
                           .priority = config.priority,
                           .operation = config.operation,
                           .where = config.where});
  }
  return flows;
}

}  // namespace soya
