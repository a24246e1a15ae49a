// What happened in a run, fact by fact: to ask for instants, and as text for snapshots.
// Simplifies: keeps every fact, so for small runs only.
// Source: core/observer.hpp. Validated by the timelines of tests/bench_top.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/observer.hpp"
#include "topology/port_map.hpp"

namespace soya::test {

/// Which facts: of one kind, at the port of `node` towards `towards`, of one priority where it is given.
struct FactFilter {
  FactKind kind{};
  std::string node{};
  std::string towards{};
  int priority{-1};
};

class Timeline final : public Observer {
 public:
  explicit Timeline(const TopologyConfig& topology) : topology_{topology}, ports_{build_ports(topology)} {}

  void observe(const Fact& fact) override { facts_.push_back(fact); }

  [[nodiscard]] const std::vector<Fact>& facts() const { return facts_; }

  [[nodiscard]] std::vector<Fact> select(const FactFilter& filter) const {
    std::vector<Fact> selected;
    for (const Fact& fact : facts_) {
      if (fact.kind != filter.kind || name(fact.node) != filter.node || peer(fact) != filter.towards) continue;
      if (filter.priority < 0 || fact.priority.value() == filter.priority) selected.push_back(fact);
    }
    return selected;
  }
  [[nodiscard]] std::vector<Time> times(const FactFilter& filter) const {
    std::vector<Time> times;
    for (const Fact& fact : select(filter)) times.push_back(fact.time);
    return times;
  }
  /// Of the first such fact at `from` or later; `Time::never()` when there is none.
  [[nodiscard]] Time first(const FactFilter& filter, Time from = Time{0}) const {
    for (const Fact& fact : select(filter)) {
      if (fact.time >= from) return fact.time;
    }
    return Time::never();
  }
  /// How long `priority` was paused in all at the egress of `node` towards `towards`, until `end`.
  [[nodiscard]] Duration paused_time(const std::string& node, const std::string& towards, int priority,
                                     Time end) const {
    const std::vector<Time> begins = times({FactKind::paused, node, towards, priority});
    const std::vector<Time> ends = times({FactKind::resumed, node, towards, priority});
    Duration total{0};
    for (std::size_t i = 0; i < begins.size(); ++i) total += (i < ends.size() ? ends[i] : end) - begins[i];
    return total;
  }

  /// One line per fact, times in ps. "a>b" is the port of a towards b as a transmitter, "a<b" as a receiver.
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const Fact& fact : facts_) text += line(fact);
    return text;
  }

 private:
  [[nodiscard]] std::string name(NodeId node) const {
    return node.is_none() ? "?" : topology_.nodes[node.index()].name;
  }
  [[nodiscard]] std::string peer(const Fact& fact) const {
    return fact.node.is_none() ? "?" : name(ports_.at({fact.node, fact.port}).peer);
  }
  [[nodiscard]] static std::string priorities(std::int64_t bits) {
    std::string list;
    for (int p = 0; p < Priority::count; ++p) {
      if (((bits >> p) & 1) != 0) list += (list.empty() ? "" : ",") + std::to_string(p);
    }
    return list;
  }
  [[nodiscard]] static std::string control(std::int64_t value) {
    const std::int64_t paused = value / 256;
    const std::int64_t resumed = value % 256 & ~paused;
    std::string text = "PFC";
    if (paused != 0) text += " pause " + priorities(paused);
    if (resumed != 0) text += " resume " + priorities(resumed);
    return text;
  }
  [[nodiscard]] static std::string what(const Fact& fact) {
    const std::string priority = fmt::format("p{}", fact.priority.value());
    switch (fact.kind) {
      case FactKind::frame_started:
        return fmt::format("frame {} {} B", priority, fact.value);
      case FactKind::control_started:
        return control(fact.value);
      case FactKind::frame_lost:
        return fmt::format("lost {} {} B", priority, fact.value);
      case FactKind::frame_dropped:
        return fmt::format("dropped {} {} B", priority, fact.value);
      case FactKind::xoff:
        return "xoff " + priority;
      case FactKind::xon:
        return "xon " + priority;
      case FactKind::paused:
        return fmt::format("paused {} for {} ps", priority, fact.value);
      case FactKind::resumed:
        return "resumed " + priority;
      case FactKind::retransmission:
        return fmt::format("goes back {} to {}", priority, fact.value);
      case FactKind::timed_out:
        return fmt::format("timed out {} retry {}", priority, fact.value);
    }
    return "?";
  }
  [[nodiscard]] std::string line(const Fact& fact) const {
    const bool receives =
        fact.kind == FactKind::xoff || fact.kind == FactKind::xon || fact.kind == FactKind::frame_dropped;
    const std::string place = name(fact.node) + (receives ? "<" : ">") + peer(fact);
    return fmt::format("{:>12} {:<6} {}\n", fact.time.picoseconds(), place, what(fact));
  }

  const TopologyConfig& topology_;
  PortMap ports_;
  std::vector<Fact> facts_;
};

}  // namespace soya::test
