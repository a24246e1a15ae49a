#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <variant>

#include "core/quantity_text.hpp"
#include "scenario/decode.hpp"
#include "scenario/reaches.hpp"

namespace soya::reading {

namespace {

/// A size that is the value of a key, as a scenario spells it.
std::string size_text(std::int64_t bytes) {
  return format_number(bytes, Dimension::size);
}

void warn_at(Reading& reading, const Where& where, std::string message) {
  reading.warnings.add(Place{}, Diagnostic{where, std::move(message)});
}

const std::vector<HostId>* hosts_of(const JobConfig& job) {
  if (const auto* ddp = std::get_if<DdpConfig>(&job)) return &ddp->hosts;
  if (const auto* all_reduce = std::get_if<AllReduceConfig>(&job)) return &all_reduce->hosts;
  return nullptr;
}

void warn_idle_hosts(const Scenario& scenario, const Names& names, Reading& reading) {
  std::vector<bool> works(names.rank_count(), false);
  for (const JobConfig& job : scenario.jobs) {
    if (const auto* hosts = hosts_of(job)) {
      for (const HostId host : *hosts) works[host.index()] = true;
    } else if (const auto* perftest = std::get_if<PerftestConfig>(&job)) {
      works[perftest->client.index()] = works[perftest->server.index()] = true;
    } else {
      for (const FlowConfig& flow : std::get<FlowsConfig>(job).flows)
        works[flow.from.index()] = works[flow.to.index()] = true;
    }
  }
  const auto idle = std::count(works.begin(), works.end(), false);
  if (idle == 0 || reading.idle_hosts_meant) return;
  constexpr std::size_t listed = 5;
  std::string list;
  std::size_t count = 0;
  for (std::size_t i = 0; i < works.size() && count <= listed; ++i) {
    if (works[i]) continue;
    list += count == 0 ? "" : ", ";
    list += count < listed ? names.name(HostId{i}) : "…";
    ++count;
  }
  warn_at(reading, Where{{}, 0, 0, "workload"},
          std::to_string(idle) + (idle == 1 ? " host has" : " hosts have") + " no work: " + list +
              "; check that this is meant");
}

void warn_early_stop(const Scenario& scenario, Reading& reading) {
  if (!scenario.stop.after) return;
  std::optional<Time> first;
  for (const JobConfig& job : scenario.jobs) {
    const auto* flows = std::get_if<FlowsConfig>(&job);
    if (!flows) return;
    for (const FlowConfig& flow : flows->flows) first = first ? std::min(*first, flow.start) : flow.start;
  }
  if (!first || Time{0} + *scenario.stop.after > *first) return;
  warn_at(reading, scenario.where("stop.after"),
          "the run ends at " + time_text(*scenario.stop.after) + " and the first flow starts at " + time_text(*first) +
              ", so nothing is sent");
}

/// What the order of 24-bit PSNs allows, and nic.max_unacked with it.
constexpr std::int64_t most_unacked = (std::int64_t{1} << 23) - 1;

/// Payload that a sender may have under way at once, and the key that says so.
struct Window {
  std::string text;
  Int128 bytes;
  std::string_view key;
  Int128 each;  ///< what one more of `key` adds to `bytes`
};

/// What paths ask of the hosts at their ends. One pair says it for its job: the others mostly differ in their ends
/// only.
class PathCheck {
 public:
  PathCheck(const Scenario& scenario, const Names& names, Reading& reading)
      : scenario_{scenario}, names_{names}, reading_{reading}, reaches_{scenario} {}

  void flows(const FlowsConfig& job) {
    bool small = false;
    bool early = false;
    for (const FlowConfig& flow : job.flows) {
      if (!early) early = warn_early_timeout(flow.from, flow.to, flow.where, flow.operation == Operation::read);
      if (!small) small = warn_small_window(flow);
      if (small && early) return;
    }
  }

  /// Its window is what it measures; that is no mistake.
  void perftest(const PerftestConfig& job) {
    warn_early_timeout(job.client, job.server, job.where, job.test == PerftestTest::read_bw);
  }

  void ring(const std::vector<HostId>& hosts, const RingConfig& ring, const Where& where) {
    bool small = false;
    bool early = false;
    for (std::size_t rank = 0; rank < hosts.size() && hosts.size() > 1; ++rank) {
      const HostId next = hosts[(rank + 1) % hosts.size()];
      if (!early) early = warn_early_timeout(hosts[rank], next, where);
      if (!small) small = warn_small_window(ring_window(ring, hosts[rank]), hosts[rank], next, where);
    }
  }

 private:
  [[nodiscard]] const NicConfig& nic(HostId host) const { return scenario_.nics[host.index()]; }
  [[nodiscard]] std::string ends(HostId from, HostId to) const { return names_.name(from) + " to " + names_.name(to); }
  /// Accelerators pass on connections with READ.
  std::optional<Distance> distance(HostId from, HostId to, bool reads) {
    const std::optional<Distance> found = reaches_.between(names_.node(from), names_.node(to));
    return found && reads ? found->passed_on() : found;
  }

  /// The smaller of the windows that more messages than fit into it make a limit.
  [[nodiscard]] std::optional<Window> flow_window(const FlowConfig& flow) const {
    const NicConfig& sender = nic(flow.from);
    const NicConfig& receiver = nic(flow.to);
    const std::int64_t mtu = scenario_.frame.mtu.count();
    const std::int64_t size = flow.size.count();
    std::optional<Window> window;
    if (flow.messages > sender.queue_depth) {
      window = {"queue_depth " + std::to_string(sender.queue_depth) + " x " + size_text(size),
                static_cast<Int128>(sender.queue_depth) * size, "nic.queue_depth", size};
    }
    if (flow.operation == Operation::read && flow.messages > sender.max_reads &&
        sender.max_reads < sender.queue_depth) {
      window = {"max_reads " + std::to_string(sender.max_reads) + " x " + size_text(size),
                static_cast<Int128>(sender.max_reads) * size, "nic.max_reads", size};
    }
    const Int128 packets = static_cast<Int128>(flow.messages) * ((size + mtu - 1) / mtu);
    const Window unacked = unacked_window(1, {sender, receiver}, std::min(size, mtu));
    if (packets > window_packets({sender, receiver}) && (!window || unacked.bytes < window->bytes)) window = unacked;
    return window;
  }

  [[nodiscard]] Window ring_window(const RingConfig& ring, HostId host) const {
    const NicConfig& sender = nic(host);
    const std::int64_t slice = ring.slice.count();
    const auto requests = [&](const char* what, std::int64_t each, std::string_view key) {
      return Window{channels_text(ring.channels) + std::to_string(each) + what + size_text(slice),
                    static_cast<Int128>(ring.channels) * each * slice, key, static_cast<Int128>(ring.channels) * slice};
    };
    const std::array<Window, 3> windows{
        requests(" slots x ", ring.slots, "ring.slots"),
        requests(" of queue_depth x ", sender.queue_depth, "nic.queue_depth"),
        unacked_window(ring.channels, {sender, sender}, std::min(slice, scenario_.frame.mtu.count()))};
    return *std::min_element(windows.begin(), windows.end(),
                             [](const Window& a, const Window& b) { return a.bytes < b.bytes; });
  }

  static std::string channels_text(int channels) {
    return std::to_string(channels) + (channels == 1 ? " channel x " : " channels x ");
  }

  struct NicPair {
    const NicConfig& sender;
    const NicConfig& receiver;
    /// Whether the receiver's reorder window, not max_unacked, limits what is outstanding.
    [[nodiscard]] bool reorders() const {
      const bool selective = sender.retransmission == Retransmission::selective_repeat &&
                             receiver.retransmission == Retransmission::selective_repeat;
      return selective && receiver.reorder_window < sender.max_unacked;
    }
  };
  static std::int64_t window_packets(const NicPair& nics) {
    return nics.reorders() ? nics.receiver.reorder_window : nics.sender.max_unacked;
  }

  static Window unacked_window(int channels, const NicPair& nics, std::int64_t payload) {
    const std::int64_t packets = window_packets(nics);
    return {(channels == 1 ? "" : channels_text(channels)) + (nics.reorders() ? "reorder_window " : "max_unacked ") +
                std::to_string(packets) + " x " + size_text(payload),
            static_cast<Int128>(channels) * packets * payload,
            nics.reorders() ? "nic.reorder_window" : "nic.max_unacked", static_cast<Int128>(channels) * payload};
  }

  bool warn_small_window(const FlowConfig& flow) {
    const std::optional<Window> window = flow_window(flow);
    const bool reads = flow.operation == Operation::read;
    return window && flow.size > Bytes{0} && warn_small_window(*window, flow.from, flow.to, flow.where, reads);
  }

  bool warn_small_window(const Window& window, HostId from, HostId to, const Where& where, bool reads = false) {
    const std::optional<Distance> path = distance(from, to, reads);
    if (!path || window.bytes >= path->in_flight().count()) return false;
    const auto enough = static_cast<std::int64_t>((path->in_flight().count() + window.each - 1) / window.each);
    const bool in_packets = window.key == "nic.max_unacked" || window.key == "nic.reorder_window";
    const bool allowed = !in_packets || enough <= most_unacked;
    const std::string remedy = allowed ? "it takes " + std::string{window.key} + " " + std::to_string(enough)
                                       : "PSN order allows " + grouped(most_unacked) +
                                             " packets: it takes a larger fabric.mtu or more connections";
    warn_at(reading_, where,
            window.text + " is less than the " + bytes_text(path->in_flight()) +
                " that fill the path (rate x round trip); " + ends(from, to) + " cannot reach line rate; " + remedy);
    return true;
  }

  bool warn_early_timeout(HostId from, HostId to, const Where& where, bool reads = false) {
    const Duration timeout = nic(from).retransmission_timeout();
    if (timeout >= reaches_.longest_round_trip()) return false;
    const std::optional<Distance> path = distance(from, to, reads);
    if (!path || timeout >= path->round_trip) return false;
    warn_at(reading_, where,
            "the retransmission time-out of " + names_.name(from) + ", " + time_text(timeout) + ", is below the " +
                time_text(path->round_trip) + " that links and switches take from " + ends(from, to) +
                " and back; packets are sent again although none is lost; check " +
                (nic(from).timeout ? "nic.timeout" : "nic.timeout_exponent"));
    return true;
  }

  const Scenario& scenario_;
  const Names& names_;
  Reading& reading_;
  Reaches reaches_;
};

void warn_of_paths(const Scenario& scenario, const Names& names, Reading& reading) {
  PathCheck check{scenario, names, reading};
  for (const JobConfig& job : scenario.jobs) {
    if (const auto* flows = std::get_if<FlowsConfig>(&job)) check.flows(*flows);
    if (const auto* all_reduce = std::get_if<AllReduceConfig>(&job))
      check.ring(all_reduce->hosts, all_reduce->ring, all_reduce->where);
    if (const auto* perftest = std::get_if<PerftestConfig>(&job)) check.perftest(*perftest);
    if (const auto* ddp = std::get_if<DdpConfig>(&job)) check.ring(ddp->hosts, ddp->ring, ddp->where);
  }
}

/// Whether two ranks that talk in a ring over `hosts` are of one server that has a link of its own.
bool has_local_pair(const TopologyConfig& topology, const Names& names, const std::vector<HostId>& hosts) {
  std::map<NodeId, std::size_t> server_of;
  for (std::size_t s = 0; s < topology.servers.size(); ++s) {
    if (!topology.servers[s].local) continue;
    for (const NodeId gpu : topology.servers[s].gpus) server_of.emplace(gpu, s);
  }
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    const auto one = server_of.find(names.node(hosts[rank]));
    const auto next = server_of.find(names.node(hosts[(rank + 1) % hosts.size()]));
    if (hosts.size() > 1 && one != server_of.end() && next != server_of.end() && one->second == next->second)
      return true;
  }
  return false;
}

void warn_idle_local_links(const Scenario& scenario, const Names& names, Reading& reading) {
  const auto check = [&](const auto& job) {
    if constexpr (requires { job.local_link; }) {
      if (!job.local_link || has_local_pair(scenario.topology, names, job.hosts)) return;
      warn_at(reading, job.where,
              "local_link: true has no effect: no two neighbours in the ring are GPUs of one server that has a link of "
              "its own (topology.nodes.*.local)");
    }
  };
  for (const JobConfig& job : scenario.jobs) std::visit(check, job);
}

/// Closed forms of a perftest are of it alone.
void warn_simultaneous_perftests(const Scenario& scenario, const Names& names, Reading& reading) {
  std::vector<const PerftestConfig*> earlier(names.host_count(), nullptr);
  for (const JobConfig& job : scenario.jobs) {
    const auto* perftest = std::get_if<PerftestConfig>(&job);
    if (!perftest) continue;
    for (const HostId host : {perftest->client, perftest->server}) {
      if (const PerftestConfig* other = earlier[host.index()]) {
        warn_at(reading, perftest->where,
                "runs at the same time as " + other->name + ", and both use " + names.name(host) +
                    "; each is slower than its closed form, which is of one alone; variants run one after another");
        break;
      }
    }
    for (const HostId host : {perftest->client, perftest->server}) earlier[host.index()] = perftest;
  }
}

/// A sample looks at every port of the fabric, and may leave a row for each.
void warn_many_samples(const Scenario& scenario, Reading& reading) {
  constexpr std::int64_t many = 1'000'000;
  if (!scenario.measure.sample) return;
  const Duration interval = *scenario.measure.sample;
  const Duration span = scenario.stop.after.value_or(1_s);
  const std::int64_t samples = span.picoseconds() / interval.picoseconds();
  if (samples <= many) return;
  const std::string until =
      scenario.stop.after ? "up to stop.after, " + time_text(span) : "in each second that is simulated";
  warn_at(reading, scenario.where("measure.sample"),
          "one sample every " + time_text(interval) + " makes " + grouped(samples) + " of them " + until +
              ", each with a row for every port that changes; more than " + grouped(many) +
              " take long and fill the disk; check that this is meant");
}

}  // namespace

void warn(const Scenario& scenario, const Names& names, Reading& reading) {
  if (scenario.jobs.empty()) {
    warn_at(reading, Where{{}, 0, 0, "workload"}, "is empty: nothing will be sent");
    return;
  }
  warn_idle_hosts(scenario, names, reading);
  warn_idle_local_links(scenario, names, reading);
  warn_early_stop(scenario, reading);
  warn_of_paths(scenario, names, reading);
  warn_simultaneous_perftests(scenario, names, reading);
  warn_many_samples(scenario, reading);
}

}  // namespace soya::reading
