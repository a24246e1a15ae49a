// A ring all-reduce packet by packet, for checking closed forms: the ring state machines of sim/collective on wires
// that carry one packet at a time, as the NIC does it: acknowledges first, one for all that has arrived on a connection
// meanwhile, then the queue pair that has waited longest. Paths between ranks are private.
#pragma once

#include <algorithm>
#include <deque>
#include <queue>
#include <vector>

#include "collective/ring.hpp"
#include "net/frame.hpp"
#include "planning/ring_time.hpp"

namespace soya::test {

class PacketRing {
 public:
  PacketRing(const RingData& data, const RingConfig& ring, const RingNetwork& network)
      : ring_{ring},
        network_{network},
        sizes_{network.frame},
        layout_{data, static_cast<int>(network.edges.size()), ring} {
    for (std::size_t rank = 0; rank < network.edges.size(); ++rank) {
      nodes_.push_back(Node{});
      nodes_.back().queue_pairs.resize(2 * static_cast<std::size_t>(ring.channels));
      nodes_.back().to_next.resize(network.edges[rank].forward.size());
      nodes_.back().to_previous.resize(network.edges[before(rank)].back.size());
      for (int channel = 0; channel < ring.channels; ++channel) {
        nodes_.back().rings.emplace_back(RingPlace{static_cast<int>(rank), channel}, ring);
      }
    }
  }

  /// When the last rank has the result.
  Duration run() {
    for (std::size_t rank = 0; rank < nodes_.size(); ++rank) {
      for (std::size_t channel = 0; channel < nodes_[rank].rings.size(); ++channel) {
        Actions actions{*this, rank, channel};
        nodes_[rank].rings[channel].begin(layout_, actions);
      }
    }
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      now_ = event.at;
      handle(event);
      // Only a slice's last packet or the end of its reduction can be the last thing of all.
      if ((event.packet.last || event.what == Happening::reduced) && all_finished()) return now_;
    }
    return Duration{-1};  // stuck
  }

 private:
  enum class Kind { slice, clear_to_send };
  struct Message {
    Kind kind{};
    std::int64_t ordinal{0};
    std::deque<FrameRun> frames{};
    std::int64_t sent_packets{0};
  };
  struct Packet {
    Kind kind{};
    bool acknowledge{false};
    bool last{false};
    bool to_next{false};
    bool wants_acknowledge{false};
    std::int64_t completes{0};  // of an acknowledge: messages
    std::size_t channel{0};
    std::int64_t ordinal{0};
    Bytes wire{};
  };
  struct Node {
    std::vector<RingRank> rings{};
    std::vector<std::deque<Message>> queue_pairs{};  // slices of each channel, then clear-to-sends of each channel
    std::deque<std::size_t> turns{};                 // queue pairs with something to send
    std::deque<Packet> acknowledges{};
    Duration wire_free{};
    bool wake_pending{false};
    std::vector<Duration> to_next{};  // when each hop's wire is free
    std::vector<Duration> to_previous{};
  };
  enum class Happening { wire_free, arrival, reduced };
  struct Event {
    Duration at{};
    std::int64_t order{0};
    Happening what{};
    std::size_t rank{0};
    Packet packet{};
    bool operator<(const Event& other) const { return at != other.at ? at > other.at : order > other.order; }
  };
  class Actions final : public RingActions {
   public:
    Actions(PacketRing& world, std::size_t rank, std::size_t channel) : world_{world}, rank_{rank}, channel_{channel} {}
    void send_slice(const RingSlice& slice) override {
      world_.post(rank_, channel_, Kind::slice, slice.ordinal, slice.size);
    }
    void send_clear_to_send(std::int64_t ordinal) override {
      world_.post(rank_, channel_, Kind::clear_to_send, ordinal, world_.ring_.clear_to_send);
    }
    void reduce() override {
      Packet packet;
      packet.channel = channel_;
      world_.schedule(world_.now_ + world_.ring_.reduce_time, Happening::reduced, rank_, packet);
    }

   private:
    PacketRing& world_;
    std::size_t rank_;
    std::size_t channel_;
  };

  [[nodiscard]] bool all_finished() const {
    return std::ranges::all_of(nodes_,
                               [](const Node& node) { return std::ranges::all_of(node.rings, &RingRank::finished); });
  }
  [[nodiscard]] std::size_t before(std::size_t rank) const {
    return (rank + network_.edges.size() - 1) % network_.edges.size();
  }
  [[nodiscard]] std::size_t after(std::size_t rank) const { return (rank + 1) % network_.edges.size(); }

  void schedule(Duration at, Happening what, std::size_t rank, const Packet& packet) {
    events_.push({at, order_++, what, rank, packet});
  }

  void post(std::size_t rank, std::size_t channel, Kind kind, std::int64_t ordinal, Bytes size) {
    const std::vector<FrameRun> runs = message_frames(sizes_, Operation::write_immediate, size);
    const std::size_t queue_pair = channel + (kind == Kind::slice ? 0 : nodes_[rank].rings.size());
    std::deque<Message>& waiting = nodes_[rank].queue_pairs[queue_pair];
    if (waiting.empty()) nodes_[rank].turns.push_back(queue_pair);
    waiting.push_back({kind, ordinal, {runs.begin(), runs.end()}, 0});
    wake(rank);
  }

  void wake(std::size_t rank) {
    Node& node = nodes_[rank];
    if (node.wake_pending) return;
    node.wake_pending = true;
    schedule(std::max(now_, node.wire_free), Happening::wire_free, rank, {});
  }

  void handle(const Event& event) {
    Actions actions{*this, event.rank, event.packet.channel};
    switch (event.what) {
      case Happening::wire_free:
        return send_next(event.rank);
      case Happening::reduced:
        return nodes_[event.rank].rings[event.packet.channel].slice_reduced(actions);
      case Happening::arrival:
        return receive(event.rank, event.packet);
    }
  }

  void send_next(std::size_t rank) {
    Node& node = nodes_[rank];
    node.wake_pending = false;
    if (!node.acknowledges.empty()) {
      const Packet packet = node.acknowledges.front();
      node.acknowledges.pop_front();
      return carry(rank, packet);
    }
    if (node.turns.empty()) return;
    const std::size_t at = node.turns.front();
    node.turns.pop_front();
    const Packet packet = next_packet(node.queue_pairs[at], at % node.rings.size());
    if (!node.queue_pairs[at].empty()) node.turns.push_back(at);
    carry(rank, packet);
  }

  Packet next_packet(std::deque<Message>& queue_pair, std::size_t channel) const {
    Message& message = queue_pair.front();
    Packet packet;
    packet.kind = message.kind;
    packet.channel = channel;
    packet.ordinal = message.ordinal;
    packet.to_next = message.kind == Kind::slice;
    packet.wire = message.frames.front().wire;
    if (--message.frames.front().count == 0) message.frames.pop_front();
    packet.last = message.frames.empty();
    packet.wants_acknowledge = packet.last || ++message.sent_packets % network_.ack_every == 0;
    if (packet.last) queue_pair.pop_front();
    return packet;
  }

  void carry(std::size_t rank, const Packet& packet) {
    Node& node = nodes_[rank];
    const std::vector<PathHop>& hops =
        packet.to_next ? network_.edges[rank].forward : network_.edges[before(rank)].back;
    std::vector<Duration>& free = packet.to_next ? node.to_next : node.to_previous;
    node.wire_free = now_ + serialisation(packet.wire, hops.front().rate);
    Duration arrival = node.wire_free + hops.front().one_way;
    for (std::size_t hop = 1; hop < hops.size(); ++hop) {
      free[hop] = std::max(arrival + hops[hop].latency_before, free[hop]) + serialisation(packet.wire, hops[hop].rate);
      arrival = free[hop] + hops[hop].one_way;
    }
    schedule(arrival, Happening::arrival, packet.to_next ? after(rank) : before(rank), packet);
    wake(rank);
  }

  void receive(std::size_t rank, const Packet& packet) {
    RingRank& ring = nodes_[rank].rings[packet.channel];
    Actions actions{*this, rank, packet.channel};
    if (packet.acknowledge) {
      for (std::int64_t k = 0; k < packet.completes && packet.kind == Kind::slice; ++k) ring.slice_sent(actions);
      return;
    }
    if (packet.wants_acknowledge) acknowledge(rank, packet);
    if (!packet.last) return;
    if (packet.kind == Kind::slice) return ring.slice_received(packet.ordinal, actions);
    ring.clear_to_send_received(packet.ordinal, actions);
  }

  void acknowledge(std::size_t rank, const Packet& packet) {
    std::deque<Packet>& owed = nodes_[rank].acknowledges;
    const auto same = std::ranges::find_if(
        owed, [&](const Packet& other) { return other.kind == packet.kind && other.channel == packet.channel; });
    if (same != owed.end()) {
      same->completes += packet.last ? 1 : 0;
      return;
    }
    Packet reply = packet;
    reply.acknowledge = true;
    reply.to_next = !packet.to_next;
    reply.wire = sizes_.acknowledge() + wire_gap;
    reply.completes = packet.last ? 1 : 0;
    owed.push_back(reply);
    wake(rank);
  }

  RingConfig ring_;
  RingNetwork network_;
  FrameSizes sizes_;
  RingLayout layout_;
  std::vector<Node> nodes_;
  std::priority_queue<Event> events_;
  std::int64_t order_{0};
  Duration now_{0};
};

}  // namespace soya::test
