#include "workload/permutation.hpp"

#include <boost/random/uniform_int_distribution.hpp>
#include <numeric>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "core/random.hpp"

namespace soya {

namespace {

/// To whom each host sends, by position. Sattolo's shuffle leaves one circle, so nobody sends to itself.
std::vector<std::size_t> random_circle(std::size_t hosts, RandomStream stream) {
  std::vector<std::size_t> to(hosts);
  std::iota(to.begin(), to.end(), std::size_t{0});
  for (std::size_t last = hosts - 1; last > 0; --last) {
    boost::random::uniform_int_distribution<std::size_t> before{0, last - 1};
    std::swap(to[last], to[before(stream)]);
  }
  return to;
}

std::vector<std::size_t> shifted(std::size_t hosts, std::size_t shift) {
  std::vector<std::size_t> to(hosts);
  for (std::size_t k = 0; k < hosts; ++k) to[k] = (k + shift) % hosts;
  return to;
}

}  // namespace

FlowsConfig expand_permutation(const PermutationConfig& config, std::uint64_t seed) {
  const std::size_t hosts = config.hosts.size();
  SOYA_CHECK(hosts >= 2 && (!config.shift || static_cast<std::size_t>(*config.shift) % hosts != 0),
             "nobody sends to itself");
  const std::vector<std::size_t> to =
      config.shift ? shifted(hosts, static_cast<std::size_t>(*config.shift))
                   : random_circle(hosts, RandomStreams{seed}.stream("permutation\x1f" + config.name));
  FlowsConfig flows{config.name, {}, config.where};
  flows.flows.reserve(hosts * static_cast<std::size_t>(config.flows_per_host));
  for (std::size_t k = 0; k < hosts; ++k) {
    const FlowConfig flow{.name = {},
                          .from = config.hosts[k],
                          .to = config.hosts[to[k]],
                          .size = config.size,
                          .messages = config.messages,
                          .start = config.start,
                          .priority = config.priority,
                          .operation = config.operation,
                          .where = config.where};
    flows.flows.insert(flows.flows.end(), static_cast<std::size_t>(config.flows_per_host), flow);
  }
  return flows;
}

}  // namespace soya
