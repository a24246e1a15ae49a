#include "engine/cuts.hpp"

#include <algorithm>
#include <numeric>
#include <thread>
#include <utility>
#include <variant>

#include "engine/longest_link.hpp"
#include "engine/port_setup.hpp"
#include "engine/state.hpp"
#include "topology/layer_cuts.hpp"

namespace soya {

namespace {

/// What a window must hold for every partition: it takes about 1 us to begin one, and some 50 ns to handle an event.
constexpr double least_events = 100;
/// Of one host that sends packets of 4 KiB at 100 Gbps through five links, acknowledges included.
constexpr double events_per_host_and_ns = 0.03;

void add_bytes(const FlowsConfig& job, std::vector<double>& hosts) {
  for (const FlowConfig& flow : job.flows) {
    const double bytes = static_cast<double>(flow.size.count()) * static_cast<double>(flow.messages);
    hosts[flow.from.index()] += bytes;
    hosts[flow.to.index()] += bytes;
  }
}
void add_bytes(const AllReduceConfig& job, std::vector<double>& hosts) {
  for (const HostId host : job.hosts) hosts[host.index()] += 4.0 * static_cast<double>(job.size.count()) * job.repeat;
}
void add_bytes(const DdpConfig& job, std::vector<double>& hosts) {
  double bytes = 0;
  for (const TensorConfig& tensor : job.tensors) bytes += static_cast<double>(tensor.elements * job.element.count());
  for (const HostId host : job.hosts) hosts[host.index()] += 4.0 * bytes * job.steps;
}
void add_bytes(const PerftestConfig& job, std::vector<double>& hosts) {
  for (const PerftestSize& size : job.sizes) {
    const double bytes = static_cast<double>(size.message.count()) * static_cast<double>(job.iterations) * job.qps;
    hosts[job.client.index()] += bytes;
    hosts[job.server.index()] += bytes;
  }
}

/// Ports of a part whose state stays close to a core: each takes some 2 KB with its queues, links and events.
constexpr std::size_t ports_at_hand = 768;
/// The same of parts that are cut by layers: their windows are twice as long, and hold more packets.
constexpr std::size_t ports_of_a_layer = 512;
/// … and for tests.
constexpr std::size_t few_ports = 8;
/// A window looks at every part.
constexpr std::size_t most_at_hand = 64;

[[nodiscard]] std::size_t asked_for(const Threads& threads) {
  return static_cast<std::size_t>(std::max(threads.count, 1));
}

/// How many threads run so many parts: more than cores would only wait for each other. At any cost they are two.
[[nodiscard]] std::size_t threads_taken(const Threads& threads, std::size_t parts) {
  const std::size_t cores = std::max(threads.at_any_cost ? 2U : 1U, std::thread::hardware_concurrency());
  return std::min({asked_for(threads), parts, cores});
}

struct Work {
  std::vector<double> load;  ///< by NodeId
  std::size_t hosts{0};      ///< that take part
};

/// Half of the work is at hosts and their switches, half at the other switches, evenly by ports.
Work work_of(const Scenario& scenario, const PortMap& ports) {
  std::vector<double> hosts(ports.host_count());
  for (const JobConfig& job : scenario.jobs) std::visit([&](const auto& one) { add_bytes(one, hosts); }, job);
  const double bytes = std::max(1.0, std::accumulate(hosts.begin(), hosts.end(), 0.0));
  Work work;
  work.load.resize(ports.node_count());
  double inner_ports = 0;
  std::vector<double> inner(ports.node_count());
  for (std::size_t n = 0; n < ports.node_count(); ++n) {
    const NodeId node{n};
    if (ports.is_host(node)) {
      work.load[n] = 0.5 * hosts[ports.host_at(node).index()] / bytes;
      work.hosts += work.load[n] > 0 ? 1U : 0U;
      continue;
    }
    for (const PortLink& plug : ports.ports_of(node)) inner[n] += ports.is_host(plug.peer) ? 0 : 1;
    inner_ports += inner[n];
  }
  for (std::size_t n = 0; n < ports.node_count(); ++n) work.load[n] += 0.5 * inner[n] / std::max(1.0, inner_ports);
  return work;
}

/// Parts in which a fabric runs faster even on one thread, one after another: what a window of one touches is at hand.
std::size_t parts_at_hand(const PortMap& ports) {
  std::size_t count = 0;
  for (std::size_t n = 0; n < ports.node_count(); ++n) count += ports.ports_of(NodeId{n}).size();
  return std::clamp<std::size_t>(count / ports_at_hand, 1, most_at_hand);
}

/// Events of a window as long as `lookahead`.
double events_in(const Work& work, Duration lookahead) {
  return events_per_host_and_ns * static_cast<double>(work.hosts) * static_cast<double>(lookahead.picoseconds()) / 1e3;
}

/// A monitor waits for the end of a window: some 0.1 s. So even parts between which there is no link meet now and then.
constexpr double most_events = 1 << 20;

Duration longest_window(const Work& work) {
  const double ps =
      most_events * 1e3 / (events_per_host_and_ns * static_cast<double>(std::max<std::size_t>(work.hosts, 1)));
  return Duration{std::max<std::int64_t>(1, static_cast<std::int64_t>(ps))};
}

/// Cuts for so many threads at least.
class Cutting final {
 public:
  Cutting(const Scenario& scenario, const Threads& threads, const Work& work, std::size_t large)
      : scenario_{scenario},
        threads_{threads},
        work_{work},
        // Tests cut into more parts than threads would run.
        least_{threads.at_any_cost ? asked_for(threads) : threads_taken(threads, SIZE_MAX)},
        query_{std::max(least_, large), {}, work.load},
        is_large_{large > 1} {
    if (query_.parts == 1 && !threads.by_layers) return;
    for (std::size_t l = 0; l < scenario.topology.links.size(); ++l) {
      query_.shortest.push_back(shortest_way(scenario, LinkId{l}));
      longest_ = std::max(longest_, query_.shortest.back());
    }
  }

  [[nodiscard]] Cuts cuts() {
    if (threads_.at_any_cost ? threads_.by_layers : is_large_) {
      // Longer links may be cut elsewhere, which lets parts run further ahead of each other.
      std::optional<Cuts> layers = by_layers();
      if (layers && (threads_.at_any_cost || 2 * layers->lookahead >= longest_)) return std::move(*layers);
    }
    return anywhere();
  }

 private:
  /// The sides of a large fabric take turns, each for twice the lookahead.
  [[nodiscard]] std::optional<Cuts> by_layers() const {
    const CutQuery query{threads_.at_any_cost ? 1 : least_, query_.shortest, query_.load};
    std::optional<Cuts> cuts = layer_cuts_of(scenario_.topology, query, threads_.at_any_cost ? few_ports : ports_of_a_layer);
    if (cuts && !pays(cuts->parts, 2 * cuts->lookahead)) cuts.reset();
    return cuts;
  }

  /// At least as many parts as threads are useful, and more where the state of a large fabric would not stay close to a
  /// core; fewer, or one, where windows as short as the links that would be cut hold too little work.
  [[nodiscard]] Cuts anywhere() {
    while (query_.parts > 1) {
      if (pays(query_.parts, longest_)) {
        Cuts cuts = cuts_of(scenario_.topology, query_);
        if (pays(cuts.parts, cuts.lookahead)) return cuts;
      }
      query_.parts = query_.parts > least_ ? std::max(least_, query_.parts / 2) : query_.parts - 1;
    }
    return cuts_of(scenario_.topology, query_);
  }

  [[nodiscard]] bool pays(std::size_t parts, Duration window) const {
    return threads_.at_any_cost || events_in(work_, window) >= least_events * static_cast<double>(parts);
  }

  const Scenario& scenario_;
  const Threads& threads_;
  const Work& work_;
  std::size_t least_;
  CutQuery query_;
  bool is_large_;
  Duration longest_{0};
};

}  // namespace

void SimulationState::make_partitions(const Threads& given) {
  threads = given;
  const Work work = work_of(scenario, routing->ports());
  cuts = Cutting{scenario, threads, work, parts_at_hand(routing->ports())}.cuts();
  longest_window = soya::longest_window(work);
  partitions.clear();
  for (std::size_t p = 0; p < cuts.parts; ++p) partitions.push_back(std::make_unique<Partition>(scenario.seed));
  members = threads_taken(threads, cuts.parts);
  is_large = parts_at_hand(routing->ports()) > 1;
  mail = std::vector<Mailbox>(cuts.parts * members);
  reach.assign(cuts.parts, Duration{INT64_MAX});
  if (cuts.parts == 1) return;
  for (std::size_t l = 0; l < scenario.topology.links.size(); ++l) {
    const LinkPorts& ends = routing->ports().ends_of(LinkId{l});
    const std::uint32_t a = cuts.part[ends.a.node.index()];
    const std::uint32_t b = cuts.part[ends.b.node.index()];
    if (a == b) continue;
    const Duration shortest = shortest_way(scenario, LinkId{l});
    reach[a] = std::min(reach[a], shortest);
    reach[b] = std::min(reach[b], shortest);
  }
}

/// Connects `from` to the port at the other end of its link.
void SimulationState::connect(PortRef from) {
  const PortLink& plug = routing->ports().at(from);
  const PortRef to{plug.peer, plug.peer_port};
  const std::size_t sender = cuts.part[from.node.index()];
  const std::size_t receiver = cuts.part[to.node.index()];
  Port& port = port_at(from);
  Port& far = port_at(to);
  if (sender == receiver) return port.connect(far);
  const FarClock::Setup setup{scenario.seed, hash_name(port_source_name(*this, to, arrival_name)),
                              hash_name(port_source_name(*this, to, pause_clock_name)), far.rate()};
  const LinkConfig& link = scenario.topology.links[plug.link.index()];
  cut_links.push_back(
      std::make_unique<CutLink>(link.one_way_from(from.node), scenario.pfc, setup, port.pause_refresher));
  CutLink& cut = *cut_links.back();
  cut.crossing = {&mail_from(member_of(sender), receiver), &far.incoming, &cut.clock, Time{0}};
  cut.sending.cut(cut.crossing);
  far.incoming.name_sender(from.node, from.port);
  port.connect(cut.sending, cut.clock);
}

Link& SimulationState::link_towards(PortRef ref) {
  const PortLink& plug = routing->ports().at(ref);
  return port_at({plug.peer, plug.peer_port}).outgoing();
}

bool SimulationState::is_down_towards(PortRef ref) const {
  const PortLink& plug = routing->ports().at(ref);
  return port_at({plug.peer, plug.peer_port}).outgoing().is_down();
}

std::int64_t SimulationState::lost_towards(PortRef ref) const {
  const PortLink& plug = routing->ports().at(ref);
  const Link& sending = port_at({plug.peer, plug.peer_port}).outgoing();
  const Link& incoming = port_at(ref).incoming;
  return incoming.lost() + (&sending == &incoming ? 0 : sending.lost());
}

std::int64_t SimulationState::expired_while_meant(PortRef ref, Priority priority) const {
  const PortLink& plug = routing->ports().at(ref);
  const FarClock* image = port_at({plug.peer, plug.peer_port}).pause_refresher.far();
  const PauseClock& clock = image == nullptr ? port_at(ref).pause_clock : image->clock();
  return clock.expired_while_meant()[priority.index()];
}

void SimulationState::take_down(PortRef ref) {
  const PortLink& plug = routing->ports().at(ref);
  Context& context = home_of(ref.node).context;
  Port& port = port_at(ref);
  Port& far = port_at({plug.peer, plug.peer_port});
  Link& sending = far.outgoing();
  const bool was_up = !sending.is_down();
  sending.down(context);
  port.incoming.lose_in_flight(context);
  if (FarClock* image = far.pause_refresher.far()) image->link_lost(context.key(), was_up);
  if (was_up) port.link_lost(context);
}

}  // namespace soya
