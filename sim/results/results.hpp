// What a run leaves behind, as plain data. Units are in the field names or types; times are simulated.
// Simplifies: nothing; absent measurements are std::optional or an empty vector.
// Source: docs/results.md lists every column. Validated by tests/unit/results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/units.hpp"

namespace soya {

struct DropTotals {
  std::int64_t lossless{0};                  ///< frames of lossless priorities that a buffer refused: an error
  std::int64_t lossy{0};                     ///< frames of lossy priorities that a buffer refused
  std::int64_t link{0};                      ///< frames lost on links: at random, to scripted faults, while down
};

struct PfcTotals {
  std::int64_t pause_frames{0};              ///< PFC frames sent that pause at least one priority, refreshes included
  std::int64_t resume_frames{0};             ///< PFC frames sent that only resume
  double paused_share_max{0};                ///< of simulated time, the most paused (port, priority)
  std::int64_t paused_ps_total{0};           ///< summed over (port, priority)
  std::int64_t refreshes{0};                 ///< pauses repeated, each priority of a frame counted
  std::int64_t in_flight_max{0};             ///< most PAUSE frames on one way of a link at one time
  std::int64_t expired{0};                   ///< pauses that ran out at the neighbour while they were still meant
  std::int64_t dry_ps_total{0};              ///< summed over groups: table pause
};

struct BufferTotals {
  std::int64_t shared_peak_bytes{0};         ///< highest shared use of one priority group
  std::int64_t headroom_peak_bytes{0};       ///< highest headroom use of one priority group
  std::optional<std::int64_t> headroom_margin_bytes;  ///< smallest (configured − peak); absent: no lossless groups
  std::int64_t headroom_switch_peak_bytes{0};  ///< most that all groups of one switch held at one time: of a pool, its peak
  std::int64_t time_in_headroom_ps_max{0};   ///< of one priority group
  std::int64_t groups_in_headroom_max{0};    ///< most lossless groups of one switch that held headroom at one time
  double groups_in_headroom_share_max{0};    ///< … as a share of the switch's lossless groups
  /// The share that was unused for at least 50, 90, 99 % of the run, of the switch where it is least. NaN: no headroom.
  double headroom_unused_share_p50{0}, headroom_unused_share_p90{0}, headroom_unused_share_p99{0};
  std::int64_t off_chip_peak_bytes{0};       ///< most that one switch stored off chip at one time
};

struct TransferTotals {
  std::int64_t count{0};
  std::int64_t finished{0};
  std::int64_t payload_bytes{0};             ///< of finished transfers, duplicates not counted
  std::int64_t retransmitted_packets{0};
  double goodput_gbps_max{0};                ///< of one flow: payload ÷ (last finish − first start); NaN: nothing has finished
  double slowdown_p50{0};                    ///< (finish − start) ÷ ideal, nearest rank; NaN: nothing has finished
  double slowdown_p99{0};
};

struct HostRow {
  std::string name;
  std::int64_t sent_payload_bytes{0}, received_payload_bytes{0}, sent_packets{0}, received_packets{0};
  std::int64_t retransmitted_packets{0}, timeouts{0}, naks_received{0}, rnr_naks_received{0};
  std::int64_t gaps{0}, duplicate_packets{0};
  std::int64_t completions_stalled_ps{0};
  std::int64_t pause_frames_sent{0};
};

/// One direction of a link.
struct LinkRow {
  std::string from, to;
  int ordinal{0};                            ///< among parallel links, from 0
  double rate_gbps{0};
  std::int64_t wire_bytes{0}, frames{0};
  double utilisation{0};                     ///< busy time ÷ simulated time
  std::int64_t paused_ps{0};                 ///< union over lossless priorities, as seen by the sender `from`
  std::int64_t pause_frames[8]{};            ///< PAUSE received by `from` for each priority, refreshes included
  std::int64_t lost_frames{0};
  std::int64_t pfc_bytes{0};                 ///< of PFC frames, in wire_bytes: no plan counts them
  std::int64_t plan_bytes{0};                ///< data, acknowledges and control messages by routing matrix x demand
};

/// All link directions from the nodes of one tier to those of another.
struct TierRow {
  std::string from, to;                      ///< what the nodes' names share, such as "leaf", or "tier 2"
  std::int64_t links{0};
  bool choice{false};                        ///< switches choose among some of them
  std::int64_t unused_links{0}, mean_bytes{0}, max_bytes{0};  ///< on the wire, without PFC frames
  double max_to_mean{0};                     ///< NaN: they carry nothing
  std::int64_t plan_unused_links{0}, plan_mean_bytes{0}, plan_max_bytes{0};
  double plan_max_to_mean{0};
  std::vector<std::string> unused{};         ///< the first by name, such as "leaf1 > spine2"
};

/// A priority group (ingress) of a switch port that saw traffic or is lossless.
struct QueueRow {
  std::string node, port;                    ///< port: the name of the neighbour, "#k" added among parallel links
  int priority{0};
  bool lossless{false};
  std::int64_t shared_peak_bytes{0}, headroom_peak_bytes{0}, headroom_configured_bytes{0}, headroom_auto_bytes{0};
  std::int64_t egress_peak_bytes{0};         ///< of the egress queue of the same port and priority
  std::int64_t dropped_frames{0};
  std::int64_t headroom_needed_bytes{0};     ///< peak + what was dropped for want of headroom
  std::int64_t headroom_margin_bytes{0};     ///< of the tightest bytes that the group draws on: its own, its port's, a pool's
  std::int64_t time_in_headroom_ps{0};
  std::int64_t off_chip_peak_bytes{0};       ///< of the egress queue of the same port and priority
};

/// A priority group of a switch port that has paused its neighbour.
struct PauseRow {
  std::string node, port;
  int priority{0};
  std::int64_t cycles{0};                    ///< XOFF decisions
  std::int64_t longest_ps{0};                ///< from an XOFF decision to its XON
  std::int64_t round_trip_ps{0};             ///< of the link
  std::int64_t refreshes{0}, in_flight_max{0}, expired{0};
  std::optional<std::int64_t> xon_bytes_min, xon_bytes_mean;  ///< stored when XON was due
  std::int64_t full_rate_bytes{0};           ///< what must be stored then so that the link's rate goes on: closed form
  std::int64_t restarts{0};                  ///< cycles after whose XON the sender had a frame ready
  std::int64_t dry_ps{0};                    ///< time without a frame between XON and the first that is in after it
  std::optional<std::int64_t> dry_ps_mean;   ///< of a restart
  std::optional<std::int64_t> plan_dry_ps;   ///< the same by the closed form, at the mean of the stored bytes
  double drain_gbps{0};                      ///< at which they left; NaN: nothing did
};

/// The buffer of one switch, all ports and priorities together.
struct SwitchRow {
  std::string node;
  std::int64_t buffer_peak_bytes{0};         ///< most that was stored at one time
  std::int64_t buffer_size_bytes{0};         ///< of off-chip memory where there is some
  std::int64_t lossless_groups{0};
  std::int64_t headroom_bytes{0};            ///< set aside for all of them
  std::int64_t headroom_peak_bytes{0}, headroom_needed_bytes{0};  ///< of all groups together
  std::int64_t groups_in_headroom_max{0};
  /// The share of the headroom that was unused for at least 50, 90, 99 % of the run. NaN: there is no headroom.
  double headroom_unused_share_p50{0}, headroom_unused_share_p90{0}, headroom_unused_share_p99{0};
  // Of a deep buffer; absent where all memory is on chip.
  std::optional<std::int64_t> on_chip_size_bytes{}, on_chip_peak_bytes{};
  std::optional<std::int64_t> off_chip_peak_bytes{}, off_chip_written_bytes{}, off_chip_read_bytes{};
  std::optional<double> off_chip_bandwidth_gbps{}, off_chip_busy_share{};  ///< the share of simulated time
  std::optional<std::int64_t> on_chip_full_ps{};  ///< senders were paused because on-chip memory was full
  std::int64_t no_path_frames{0};            ///< lost because no way led to their destination any more
  std::int64_t failure_frames{0};            ///< lost because they waited in the switch when it went down
};

/// An instant from which all switches route by other links than before.
struct ReconvergenceRow {
  std::int64_t time_ps{0};
  std::string what;                          ///< "without leaf1 - spine1", "with spine2 again"
  std::int64_t cut_off_hosts{0};             ///< hosts without a path to most of the others
  std::string cut_off;                       ///< their names
  std::int64_t lost_frames{0};               ///< on links and in switches, since the reconvergence before
};

/// How long a switch used one share of its headroom.
struct HeadroomUseRow {
  std::string node;
  std::int64_t used_percent{0};              ///< up to this, above the percent before; 0: nothing was used
  std::int64_t time_ps{0};
};

/// One WAN accelerator. Outbound is what it keeps for the far site, inbound what it keeps for its own.
struct AcceleratorRow {
  std::string name, partner;
  std::int64_t buffer_bytes{0};              ///< of each direction
  std::int64_t outbound_peak_bytes{0}, outbound_mean_bytes{0};
  std::int64_t inbound_peak_bytes{0}, inbound_mean_bytes{0};
  std::int64_t retransmitted_packets{0};     ///< over the long link
  std::int64_t duplicate_packets{0};         ///< … received
  std::int64_t dropped_frames{0};
  std::int64_t pausing_ps{0};                ///< time that it has asked its site to pause
  std::int64_t haul_payload_bytes{0};        ///< received over the long link, duplicates not counted
  std::optional<double> haul_goodput_gbps;   ///< … over the time from the first packet to the last
};

/// A direction of a connection at the accelerator that acknowledges it.
struct AcceleratorFlowRow {
  std::string accelerator, flow, from, to;
  std::int64_t held_peak_bytes{0};
  std::int64_t retransmitted_packets{0};      ///< over the long link
  std::int64_t redelivered_packets{0};        ///< sent again by the partner to the receiver
  std::int64_t acknowledged_bytes{0};         ///< payload, to the sender
  std::int64_t delivered_bytes{0};            ///< … that the receiver has acknowledged
  std::int64_t acknowledged_ahead_bytes{0};   ///< the most of the one and not, as far as the accelerator knew, of the other
  std::int64_t last_acknowledged_ps{0}, last_delivered_ps{0};
};

struct TransferRow {
  std::string flow, from, to;
  std::int64_t bytes{0};
  std::int64_t start_ps{0};
  std::optional<std::int64_t> finish_ps;     ///< absent: unfinished
  std::int64_t ideal_ps{0};
  std::optional<double> slowdown;
  std::optional<std::int64_t> retransmitted_packets;  ///< absent: unfinished
  std::int64_t messages{1};                  ///< a series of like messages is one row
};

struct CollectiveRow {
  std::string name;
  std::int64_t bytes{0};
  int ranks{0};
  double time_us{0}, algbw_GBps{0}, busbw_GBps{0};
};

/// One size of a perftest job. Numbers as perftest prints them, and beside them the closed form.
struct PerftestRow {
  std::string job;
  std::string test;                          ///< "write_bw", "write_lat", "read_bw", "send_bw"
  std::string client, server;
  std::int64_t bytes{0};
  std::int64_t iterations{0};                ///< of all queue pairs, as perftest prints them
  std::int64_t qps{1}, tx_depth{128}, cq_mod{1};
  std::int64_t mtu_bytes{0};
  std::optional<std::int64_t> outstanding_reads;
  std::optional<double> bw_peak_gbps;        ///< absent: more iterations than perftest looks for a peak in, or latency
  std::optional<double> bw_average_gbps, message_rate_mpps;  ///< absent: latency
  std::optional<double> steady_gbps;         ///< whole windows after the first; absent: there is none, or latency
  std::optional<double> bound_gbps;          ///< closed form of the steady state; absent: latency, or hosts that take time
  std::string bound_by;                      ///< what limits it, e.g. "the window"
  std::optional<double> t_min_us, t_max_us, t_typical_us, t_avg_us, t_stdev_us, p99_us, p99_9_us;  ///< of latency
  std::optional<double> bound_us;            ///< closed form of half a round trip; absent: bandwidth, or hosts that take time
};

struct StepRow {
  std::string job;
  int step{0};
  double forward_ms{0}, backward_ms{0}, communication_ms{0}, exposed_ms{0}, idle_ms{0}, step_ms{0}, plan_step_ms{0};
  double plan_exposed_ms{0};                 ///< terminal and sqlite only
  double condition_ms{0};                    ///< data ÷ bandwidth: the talk's condition, terminal and sqlite only
  std::int64_t sent_bytes_total{0}, sent_bytes_per_rank_min{0}, sent_bytes_per_rank_max{0};
};

/// One changed value of a time series.
struct SampleRow {
  std::int64_t time_ps{0};
  std::string series;                        ///< e.g. "leaf1/host3 utilisation_share", "leaf1/host3 p3 shared_bytes"
  double value{0};
};

struct RunResults {
  std::string name;
  std::uint64_t seed{0};
  std::string version;
  bool complete{true};                       ///< false: interrupted
  bool sound{false};
  std::vector<std::string> why_not;          ///< a line each, most important first
  std::vector<std::string> warnings;
  std::int64_t simulated_ps{0}, events{0}, packets{0}, packet_hops{0};
  std::int64_t peak_pending_events{0}, peak_packets{0};  ///< of the engine, not of the network: in no file
  std::string fingerprint;                   ///< 16 hex digits over results in event order
  DropTotals drops;
  PfcTotals pfc;
  BufferTotals buffers;
  TransferTotals transfers;
  std::vector<StepRow> steps;
  std::vector<CollectiveRow> collectives;
  std::vector<PerftestRow> perftest;
  std::vector<HostRow> hosts;
  std::vector<LinkRow> links;
  std::vector<TierRow> tiers;
  std::vector<AcceleratorRow> accelerators;
  std::vector<AcceleratorFlowRow> accelerator_flows;
  std::vector<QueueRow> queues;
  std::vector<PauseRow> pauses;
  std::vector<SwitchRow> switches;
  std::vector<ReconvergenceRow> reconvergences;
  std::vector<HeadroomUseRow> headroom_use;
  std::vector<TransferRow> transfer_rows;
  std::vector<SampleRow> samples;
  std::string effective_scenario;            ///< YAML text with every key, its value and its origin as a comment
};

}  // namespace soya
