// Random sites behind pairs of accelerators, with losses on every link and buffers down to the smallest.
// Simplifies: two sites of at most three hosts. Source: none. Validated by tests/property/accelerator_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "property/dice.hpp"
#include "support/fabric_bench.hpp"

namespace soya::test {

class RandomSites : public FabricBench {
 public:
  explicit RandomSites(std::uint64_t seed) : dice_{seed, "accelerators"} {
    scenario.seed = seed;
    scenario.frame.mtu = Bytes{dice_.one_of({256, 1024, 4096})};
    nic.timeout = 20_ms;  // a small buffer makes READs wait: a time-out below that asks for all of them again and again
    nic.retry_count = 1000;  // flows of a lossy priority that time out together lock each other out of a full buffer
    nic.queue_depth = dice_.small(1, 20);
    nic.initial_psn = static_cast<std::uint32_t>(dice_.one_of({0, 0xFF'FFF0}));
    if (dice_.chance(50)) nic.retransmission = Retransmission::selective_repeat;
    if (dice_.chance(30))
      nic.receive_queue = ReceiveQueue{dice_.small(1, 4), Duration{dice_.between(0, 20) * 1'000'000}};
    nic.rnr_timer = 10_us;
    // In a priority of their own acknowledges are never paused with the other direction's data.
    nic.ack_priority = Priority{2};
    defaults.buffer.size = 8_MiB;
    build();
    traffic();
    losses();
  }
  [[nodiscard]] std::int64_t payload() const { return payload_; }

 private:
  void build() {
    for (const std::string site : {"a", "b"}) {
      const auto count = dice_.small(1, 3);
      hosts(site, count);
      if (count > 1 || dice_.chance(50)) add_switch("s" + site);
    }
    accelerators("x", "y", Bytes{dice_.one_of({50'000, 60'000, 100'000, 400'000, 8'000'000})});
    delay = Duration{dice_.between(1, 1000) * 1000};
    for (const auto& [site, accelerator] : {std::pair{"a", "x"}, std::pair{"b", "y"}}) {
      const bool switched = has("s" + std::string{site});
      if (switched) link("s" + std::string{site}, accelerator);
      for (int i = 1; has(site + std::to_string(i)); ++i) {
        link(site + std::to_string(i), switched ? "s" + std::string{site} : accelerator);
      }
    }
    delay = Duration{dice_.between(1, 400) * 1'000'000};
    rate = Rate{dice_.one_of<std::int64_t>({25, 100, 400}) * 1'000'000'000};
    link("x", "y");
  }
  [[nodiscard]] bool has(const std::string& name) const {
    return std::ranges::any_of(scenario.topology.nodes, [&](const NodeConfig& one) { return one.name == name; });
  }
  void traffic() {
    for (std::int64_t i = dice_.between(1, 6); i > 0; --i) {
      const bool forward = dice_.chance(67);
      FlowConfig& one =
          flow(any_host(forward ? "a" : "b"), any_host(forward ? "b" : "a"), Bytes{dice_.between(0, 100'000)});
      one.operation = dice_.one_of({Operation::write, Operation::send, Operation::read});  // READs are passed on
      one.messages = dice_.between(1, 30);
      one.priority = Priority{static_cast<std::uint8_t>(dice_.one_of({3, 3, 5}))};  // 5 is lossy
      payload_ += one.messages * one.size.count();
    }
  }
  [[nodiscard]] std::string any_host(const std::string& site) {
    int count = 0;
    while (has(site + std::to_string(count + 1))) ++count;
    return site + std::to_string(dice_.between(1, count));
  }
  void losses() {
    for (std::size_t l = 0; l < scenario.topology.links.size(); ++l) {
      const LinkConfig& config = scenario.topology.links[l];
      for (std::int64_t i = dice_.between(0, 6); i > 0; --i) {
        const NodeId from = dice_.chance(50) ? config.a : config.b;
        const DropKind kind = dice_.chance(50) ? DropKind::data : DropKind::acknowledge;
        scenario.faults.emplace_back(DropFault{LinkId{l}, from, kind, dice_.between(1, 120), {}});
      }
    }
  }

  Dice dice_;
  std::int64_t payload_{0};
};

}  // namespace soya::test
