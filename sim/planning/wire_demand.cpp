#include "planning/wire_demand.hpp"

#include <algorithm>
#include <map>
#include <variant>

#include "workload/buckets.hpp"
#include "workload/perftest_job.hpp"

namespace soya {

namespace {

/// Wire bytes of `count` packets of a message from its packet `first` on.
[[nodiscard]] Bytes frames_on_wire(const FrameSizes& sizes, const MessageKind& kind, std::int64_t first,
                                   std::int64_t count) {
  const std::int64_t packets = sizes.packets(kind.size);
  const auto wire = [&](std::int64_t index) {
    const bool last = index == packets - 1;
    const PacketPosition position = index == 0 ? (last ? PacketPosition::only : PacketPosition::first)
                                               : (last ? PacketPosition::last : PacketPosition::middle);
    return sizes.data(kind.operation, position, last ? kind.size - index * sizes.mtu() : sizes.mtu()) + wire_gap;
  };
  const Bytes middle = sizes.data(kind.operation, PacketPosition::middle, sizes.mtu()) + wire_gap;
  const std::int64_t end = first + count;
  Bytes sum = count * middle;
  if (first == 0) sum += wire(0) - middle;
  if (end == packets && packets > 1) sum += wire(packets - 1) - middle;
  return sum;
}

/// How near to each other the packets that ask for acknowledges come.
void note_asks(Exchange& exchange, const MessageKind& kind, const FrameSizes& sizes, std::int64_t ack_every) {
  const std::int64_t packets = sizes.packets(kind.size);
  exchange.smallest_ask = frames_on_wire(sizes, kind, packets - 1, 1);
  if (packets > ack_every) {
    const std::int64_t rest = packets % ack_every == 0 ? ack_every : packets % ack_every;
    exchange.closest_asks = frames_on_wire(sizes, kind, packets - rest, rest);
  }
  // Every message asks with its last packet.
  if (!kind.alone && kind.count > 1) exchange.closest_asks = std::min(exchange.closest_asks, exchange.smallest);
}

/// What the chunks of a channel take, each sent once.
struct ChunkTable {
  std::vector<Exchange> chunks{};
  Exchange all{};
};

[[nodiscard]] Exchange chunk_exchange(const RingLayout& layout, const RingChunk& at, bool alone,
                                      const FrameSizes& sizes, const NicConfig& sender) {
  const std::int64_t slices = layout.slices(at);
  if (slices == 0) return {};
  Exchange sum;
  if (slices > 1) {
    sum += exchange_of({Operation::write_immediate, layout.slice_size(at, 0), slices - 1, false, alone}, sizes, sender);
  }
  sum += exchange_of({Operation::write_immediate, layout.slice_size(at, slices - 1), 1, false, alone}, sizes, sender);
  return sum;
}

[[nodiscard]] ChunkTable chunk_table(const RingLayout& layout, int channel, bool alone, const FrameSizes& sizes,
                                     const NicConfig& sender) {
  ChunkTable table;
  const std::int64_t loops = layout.loops(channel);
  for (int chunk = 0; chunk < layout.ranks() && loops > 0; ++chunk) {
    // All loops but the last are alike.
    Exchange one = chunk_exchange(layout, {channel, loops - 1, chunk}, alone, sizes, sender);
    if (loops > 1) one += (loops - 1) * chunk_exchange(layout, {channel, 0, chunk}, alone, sizes, sender);
    if (!alone) one.closest_asks = std::min(one.closest_asks, one.smallest);
    table.all += one;
    table.chunks.push_back(one);
  }
  return table;
}

/// Every chunk is sent twice by each rank, but for its own and the next one's, which are sent once.
[[nodiscard]] Exchange sent_by(const ChunkTable& table, std::size_t rank) {
  Exchange sent = 2 * table.all;
  for (const std::size_t skipped : {rank, (rank + 1) % table.chunks.size()}) {
    const Exchange& chunk = table.chunks[skipped];
    sent.there += -1 * chunk.there;
    sent.back += -1 * chunk.back;
    sent.messages -= chunk.messages;
    sent.payload -= chunk.payload;
    sent.frames_there -= chunk.frames_there;
    sent.frames_back -= chunk.frames_back;
  }
  return sent;
}

void add(std::vector<ConnectionTraffic>& sum, const std::vector<ConnectionTraffic>& part, std::int64_t times) {
  sum.resize(part.size());
  for (std::size_t c = 0; c < part.size(); ++c) {
    sum[c].by_a += times * part[c].by_a;
    sum[c].by_b += times * part[c].by_b;
  }
}

struct JobTraffic {
  const Senders& senders;

  [[nodiscard]] const NicConfig& nic(HostId host) const { return senders.nics[host.index()]; }

  [[nodiscard]] std::vector<ConnectionTraffic> operator()(const FlowsConfig& job) const {
    std::vector<ConnectionTraffic> traffic;
    traffic.reserve(job.flows.size());
    for (const FlowConfig& flow : job.flows) {
      traffic.push_back({exchange_of({flow.operation, flow.size, flow.messages}, senders.sizes, nic(flow.from)), {}});
    }
    return traffic;
  }

  [[nodiscard]] std::vector<ConnectionTraffic> operator()(const PerftestConfig& job) const {
    ConnectionTraffic one;
    const bool alone = is_latency(job.test);
    for (const PerftestSize& size : job.sizes) {
      const MessageKind kind{perftest_operation(job.test), size.message, job.iterations, false, alone};
      one.by_a += exchange_of(kind, senders.sizes, nic(job.client));
      if (alone) one.by_b += exchange_of(kind, senders.sizes, nic(job.server));
    }
    return std::vector<ConnectionTraffic>(static_cast<std::size_t>(job.qps), one);
  }

  [[nodiscard]] std::vector<ConnectionTraffic> operator()(const AllReduceConfig& job) const {
    std::vector<ConnectionTraffic> sum;
    add(sum, ring_traffic({job.size, job.element}, job.hosts, job.ring, senders), job.repeat);
    return sum;
  }

  [[nodiscard]] std::vector<ConnectionTraffic> operator()(const DdpConfig& job) const {
    // Without gradients the connections are there all the same.
    std::vector<ConnectionTraffic> sum = ring_traffic({Bytes{0}, job.element}, job.hosts, job.ring, senders);
    // Buckets of one size are alike: a model of a million tensors has few sizes.
    std::map<Bytes, std::int64_t> sizes;
    for (const Bucket& bucket : make_buckets(job)) ++sizes[bucket.size];
    for (const auto& [size, count] : sizes) {
      add(sum, ring_traffic({size, job.element}, job.hosts, job.ring, senders), count * job.steps);
    }
    return sum;
  }
};

}  // namespace

Exchange& Exchange::operator+=(const Exchange& other) {
  there += other.there;
  back += other.back;
  messages += other.messages;
  payload += other.payload;
  smallest = std::min(smallest, other.smallest);
  closest_asks = std::min(closest_asks, other.closest_asks);
  smallest_ask = std::min(smallest_ask, other.smallest_ask);
  frames_there += other.frames_there;
  frames_back += other.frames_back;
  return *this;
}

Exchange operator*(std::int64_t n, Exchange a) {
  a.there = n * a.there;
  a.back = n * a.back;
  a.messages *= n;
  a.payload = n * a.payload;
  a.frames_there *= n;
  a.frames_back *= n;
  return a;
}

Exchange exchange_of(const MessageKind& messages, const FrameSizes& sizes, const NicConfig& sender) {
  Exchange one;
  const std::int64_t packets = sizes.packets(messages.size);
  const Bytes wire = sizes.message_on_wire(messages.operation, messages.size);
  one.messages = 1;
  one.payload = messages.size;
  one.smallest = wire;
  if (messages.operation == Operation::read) {
    // A READ asks for as many responses at once as its window holds; they are its acknowledges.
    const std::int64_t requests = (packets + sender.max_unacked - 1) / sender.max_unacked;
    one.there.control = requests * (sizes.read_request() + wire_gap);
    one.back.data = wire;
    one.frames_there = requests;
    one.frames_back = packets;
  } else {
    (messages.control ? one.there.control : one.there.data) = wire;
    const std::int64_t asks = (packets + sender.ack_every - 1) / sender.ack_every;
    one.back.acknowledge = asks * (sizes.acknowledge() + wire_gap);
    one.frames_there = packets;
    one.frames_back = asks;
    note_asks(one, messages, sizes, sender.ack_every);
  }
  return messages.count * one;
}

std::vector<ConnectionTraffic> ring_traffic(const RingData& data, std::span<const HostId> hosts, const RingConfig& ring,
                                            const Senders& senders) {
  const std::size_t ranks = hosts.size();
  if (ranks < 2) return {};
  const RingLayout layout{data, static_cast<int>(ranks), ring};
  const auto channels = static_cast<std::size_t>(ring.channels);
  const bool alone = ring.slots == 1;
  // Hosts differ in how often they ask, if at all.
  std::map<int, std::vector<ChunkTable>> tables;
  std::vector<ConnectionTraffic> traffic(ranks * channels);
  for (std::size_t r = 0; r < ranks; ++r) {
    const NicConfig& sender = senders.nics[hosts[r].index()];
    const NicConfig& receiver = senders.nics[hosts[(r + 1) % ranks].index()];
    std::vector<ChunkTable>& table = tables[sender.ack_every];
    for (std::size_t c = table.size(); c < channels; ++c) {
      table.push_back(chunk_table(layout, static_cast<int>(c), alone, senders.sizes, sender));
    }
    for (std::size_t c = 0; c < channels; ++c) {
      if (table[c].chunks.empty()) continue;
      ConnectionTraffic& one = traffic[r * channels + c];
      one.by_a = sent_by(table[c], r);
      one.by_b = exchange_of({Operation::write_immediate, ring.clear_to_send, one.by_a.messages, true, alone},
                             senders.sizes, receiver);
      // The next clear-to-send follows a slice, which the one before has let go.
      if (alone) one.by_b.closest_asks = one.by_a.smallest;
    }
  }
  return traffic;
}

std::vector<ConnectionTraffic> job_traffic(const JobConfig& job, const Senders& senders) {
  return std::visit(JobTraffic{senders}, job);
}

}  // namespace soya
