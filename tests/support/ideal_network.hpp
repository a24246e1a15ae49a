// A network for testing jobs alone: every message arrives, in order, after serialisation and a constant latency, and
// is acknowledged one latency later. Connections do not share anything, so closed forms hold exactly.
// Simplifies: everything. No packets, no headers, no queues between connections.
// Source: docs/model.md sections 8 and 9 with an ideal fabric. Validated by tests/unit/workload/ideal_network_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "core/hash.hpp"
#include "workload/job.hpp"

namespace soya::test {

struct IdealLink {
  Duration latency{0};
  std::optional<Rate> rate{};  ///< of each direction of each connection; absent: serialisation takes no time
  Duration jitter{0};          ///< each message takes up to this much longer, drawn from `seed`; order is kept
  std::uint64_t seed{0};       ///< also decides the order of what happens at one instant
};

/// A message and its fate.
struct IdealMessage {
  WorkRequest request;
  HostId from;
  HostId to;
  Time posted;
  Time arrived;
};

class IdealNetwork {
 public:
  IdealNetwork(Job& job, const IdealLink& link) : job_{job}, link_{link} {}

  /// Runs until nothing is left to happen or until `until`, what comes later is left undone.
  void run(Time until = Time::never()) {
    for (const HostId host : job_.hosts()) {
      Context context{*this, host};
      job_.start(context);
    }
    while (!events_.empty() && events_.top().at <= until) {
      const Event event = events_.top();
      events_.pop();
      now_ = event.at;
      happen(event);
    }
  }

  [[nodiscard]] Time now() const { return now_; }
  /// In the order in which they were posted.
  [[nodiscard]] const std::vector<IdealMessage>& messages() const { return messages_; }
  [[nodiscard]] bool all_finished() const {
    const std::vector<HostId> hosts = job_.hosts();
    return std::all_of(hosts.begin(), hosts.end(), [&](HostId host) { return job_.finished(host); });
  }

 private:
  enum class Kind { arrival, acknowledge, wake };
  struct Event {
    Time at;
    std::uint64_t tie;  ///< the same for all events of one origin, which keep their order
    std::uint64_t sequence;
    Kind kind;
    std::size_t index;  ///< of the message or host
  };
  struct Later {
    bool operator()(const Event& a, const Event& b) const {
      if (a.at != b.at) return a.at > b.at;
      return a.tie != b.tie ? a.tie > b.tie : a.sequence > b.sequence;
    }
  };
  struct Direction {
    Time free;
    Time last_arrival;
  };

  class Context final : public HostContext {
   public:
    Context(IdealNetwork& network, HostId host) : network_{network}, host_{host} {}
    [[nodiscard]] Time now() const override { return network_.now_; }
    [[nodiscard]] HostId host() const override { return host_; }
    void post(const WorkRequest& request) override { network_.post(host_, request); }
    void wake_at(Time at) override {
      SOYA_CHECK(at > network_.now_, "a wake-up lies ahead");
      network_.wakes_[host_] = at;
      network_.schedule(at, Kind::wake, host_.index(), host_.index());
    }

   private:
    IdealNetwork& network_;
    HostId host_;
  };

  void schedule(Time at, Kind kind, std::uint64_t origin, std::size_t index) {
    const std::uint64_t tie = mix(mix(link_.seed, static_cast<std::uint64_t>(kind)), origin);
    events_.push({at, tie, sequence_++, kind, index});
  }

  void post(HostId from, const WorkRequest& request) {
    const ConnectionConfig& connection = job_.connections().at(request.connection);
    SOYA_CHECK(from == connection.a || from == connection.b, "a host posts on its own connections");
    const std::uint64_t origin = 2 * std::uint64_t{request.connection} + (from == connection.a ? 0 : 1);
    Direction& direction = directions_[origin];
    direction.free = std::max(direction.free, now_);
    if (link_.rate) direction.free += serialisation(request.size, *link_.rate);
    Duration latency = link_.latency;
    if (link_.jitter > Duration{0}) {
      const std::uint64_t draw = mix(link_.seed, sequence_) % static_cast<std::uint64_t>(link_.jitter.picoseconds());
      latency += Duration{static_cast<std::int64_t>(draw)};
    }
    direction.last_arrival = std::max(direction.last_arrival, direction.free + latency);
    messages_.push_back(
        {request, from, from == connection.a ? connection.b : connection.a, now_, direction.last_arrival});
    schedule(direction.last_arrival, Kind::arrival, origin, messages_.size() - 1);
    schedule(direction.last_arrival + link_.latency, Kind::acknowledge, origin, messages_.size() - 1);
  }

  void happen(const Event& event) {
    if (event.kind == Kind::wake) {
      const HostId host{event.index};
      if (wakes_[host] != now_) return;
      wakes_[host] = Time::never();
      Context context{*this, host};
      return job_.woke(context);
    }
    const IdealMessage message = messages_[event.index];
    const Completion completion{message.request.connection, message.request.size, message.request.tag};
    if (event.kind == Kind::acknowledge) {
      Context context{*this, message.from};
      job_.sent(context, completion);
    } else if (notifies_receiver(message.request.operation)) {
      Context context{*this, message.to};
      job_.received(context, completion);
    }
  }

  Job& job_;
  IdealLink link_;
  Time now_{0};
  std::uint64_t sequence_{0};
  std::priority_queue<Event, std::vector<Event>, Later> events_;
  std::vector<IdealMessage> messages_;
  std::map<std::uint64_t, Direction> directions_;
  std::map<HostId, Time> wakes_;
};

}  // namespace soya::test
