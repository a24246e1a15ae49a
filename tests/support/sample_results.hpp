// Hand-made results for the tests of writers and of the terminal summary.
#pragma once

#include "results/results.hpp"

namespace soya::test {

/// A data-parallel job whose last bucket sticks out.
inline RunResults ddp_results() {
  RunResults run;
  run.name = "janog55-ddp";
  run.seed = 1;
  run.version = "0.1.0";
  run.sound = true;
  run.simulated_ps = 2'724'200'000'000;
  run.events = 61'000'000;
  run.packets = 9'000'000;
  run.packet_hops = 36'012'345;
  run.fingerprint = "00c0ffee00c0ffee";
  run.transfers = {45'776, 45'776, 48'000'000'000, 0, 97.9, 1.02, 1.31};
  run.pfc = {0, 0, 0, 0};
  run.buffers = {262'144, 0, 37'422};
  for (int step = 0; step < 2; ++step) {
    StepRow row;
    row.job = "ddp";
    row.step = step;
    row.forward_ms = 450;
    row.backward_ms = 900;
    row.communication_ms = 888.5;
    row.exposed_ms = 12.1;
    row.idle_ms = 12.1;
    row.step_ms = 1362.1;
    row.plan_step_ms = 1361.9;
    row.plan_exposed_ms = 11.9;
    row.condition_ms = 480;
    row.sent_bytes_total = 24'000'000'000;
    row.sent_bytes_per_rank_min = 6'000'000'000;
    row.sent_bytes_per_rank_max = 6'000'000'000;
    run.steps.push_back(row);
  }
  run.collectives.push_back({"ddp/step0/bucket0", 1'048'576, 4, 131.0, 8.0, 12.0});
  run.hosts.push_back({"server1-a", 12'000'000'000, 12'000'000'000, 2'250'000, 2'250'000, 0, 0, 0, 0});
  run.links.push_back({"server1-a", "leaf1", 0, 100, 12'300'000'000, 3'000'000, 0.36, 0, {}, 0});
  run.switches.push_back({"leaf1", 524'288, 33'554'432});
  run.switches.push_back({"leaf2", 524'288, 67'108'864});
  run.queues.push_back({"leaf1", "server1-a", 3, true, 262'144, 0, 37'422, 37'422, 131'072, 0, 0, 37'422, 0});
  run.transfer_rows.push_back(
      {"ddp/ring0", "server1-a", "server1-b", 1'048'576, 1'350'000'000'000, 1'350'112'000'000, 86'000'000, 1.302, 0});
  run.effective_scenario = "name: janog55-ddp\n";
  return run;
}

/// A port that pauses its neighbour over 300 km.
inline PauseRow long_pause() {
  PauseRow row;
  row.node = "wakkanai";
  row.port = "sapporo";
  row.priority = 3;
  row.cycles = 2;
  row.longest_ps = 4'705'683'160;
  row.round_trip_ps = 3'000'000'000;
  row.refreshes = 54;
  row.in_flight_max = 9;
  row.xon_bytes_min = 6'997'914;
  row.xon_bytes_mean = 6'997'914;
  row.full_rate_bytes = 37'353'126;
  row.restarts = 2;
  row.dry_ps = 4'713'881'600;
  row.dry_ps_mean = 2'356'940'800;
  row.plan_dry_ps = 2'356'942'080;
  row.drain_gbps = 86.74;
  return row;
}

/// A lossless incast of 16 senders; names of two columns per character.
inline RunResults incast_results() {
  RunResults run;
  run.name = "incast";
  run.seed = 7;
  run.version = "0.1.0";
  run.sound = true;
  run.simulated_ps = 1'369'100'000;
  run.events = 24'000;
  run.packets = 8'192;
  run.packet_hops = 16'384;
  run.fingerprint = "0123456789abcdef";
  run.transfers = {16, 16, 16 * 1'048'576, 0, 6.4, 15.2, 15.9};
  run.pfc = {64, 16, 0.82, 9'000'000'000};
  run.buffers = {1'402'880, 37'422, 0, 299'376, 1'000'000, 2, 2.0 / 17, 1, 0.99, 0.98};
  for (int i = 1; i <= 16; ++i) {
    const std::string host = "札幌-host" + std::to_string(i);
    const std::int64_t finish = 1'350'000'000 + i * 1'000'000;
    run.hosts.push_back({host, 1'048'576, 0, 256, 4, 0, 0, 0, 0});
    LinkRow link{host, "札幌-leaf1", 0, 100, 1'070'000, 256, 0.06, 1'100'000'000 + i, {}, 0};
    link.pause_frames[3] = 4;
    run.links.push_back(link);
    run.queues.push_back({"札幌-leaf1", host, 3, true, 87'000, 20'790 + i, 37'422, 37'422, 0, 0, 20'790 + i,
                          37'422 - 20'790 - i, 1'000'000});
    run.transfer_rows.push_back({"incast/" + host, host, "稚内-host1", 1'048'576, 0, finish, 86'000'000,
                                 static_cast<double>(finish) / 86e6, 0});
  }
  run.switches.push_back({"札幌-leaf1", 1'700'000, 4'194'304, 16, 16 * 37'422, 299'376, 299'376, 14, 0.97, 0.8, 0.55});
  run.headroom_use = {{"札幌-leaf1", 0, 1'000'000'000}, {"札幌-leaf1", 50, 369'100'000}};
  run.reconvergences = {{150'000'000'000, "without link 札幌-leaf1 - 札幌-spine1", 0, "", 12}};
  run.effective_scenario = "name: incast\n";
  return run;
}

/// An accelerator that has sent 1 MiB, and the connection that it came from.
inline AcceleratorRow accelerator() {
  AcceleratorRow row;
  row.name = "acc1";
  row.partner = "acc2";
  row.buffer_bytes = 67'108'864;
  row.outbound_peak_bytes = 1'064'448;
  row.outbound_mean_bytes = 532'224;
  return row;
}
inline AcceleratorFlowRow accelerator_flow() {
  AcceleratorFlowRow row;
  row.accelerator = "acc1";
  row.flow = "h1>h2/0";
  row.from = "h1";
  row.to = "h2";
  row.held_peak_bytes = 1'064'448;
  row.acknowledged_bytes = row.delivered_bytes = row.acknowledged_ahead_bytes = 1'048'576;
  return row;
}

/// Two sizes of a bandwidth test and one of a latency test.
inline RunResults perftest_results() {
  RunResults run;
  run.name = "perftest";
  run.seed = 1;
  run.version = "0.1.0";
  run.sound = true;
  run.simulated_ps = 120'000'000'000;
  run.fingerprint = "00facade00facade";
  run.transfers = {12'000, 12'000, 655'368'000, 0, 22.33, 4.1, 4.2};
  PerftestRow row;
  row.job = "perftest";
  row.test = "write_bw";
  row.client = "札幌-host1";
  row.server = "稚内-host1";
  row.bytes = 2;
  row.iterations = 5000;
  row.cq_mod = 100;
  row.mtu_bytes = 4096;
  row.bw_peak_gbps = 0.000611;
  row.bw_average_gbps = 0.000533;
  row.message_rate_mpps = 0.033;
  row.steady_gbps = 0.000533;
  row.bound_gbps = 0.000533;
  row.bound_by = "the window";
  run.perftest.push_back(row);
  row.bytes = 65'536;
  row.cq_mod = 1;
  row.bw_peak_gbps.reset();
  row.bw_average_gbps = 21.801;
  row.message_rate_mpps = 0.041583;
  row.steady_gbps = 22.331;
  row.bound_gbps = 22.3309;
  run.perftest.push_back(row);
  PerftestRow latency;
  latency.job = "latency";
  latency.test = "write_lat";
  latency.client = "a";
  latency.server = "b";
  latency.bytes = 2;
  latency.iterations = 1000;
  latency.tx_depth = 1;
  latency.mtu_bytes = 4096;
  latency.t_min_us = 1.76;
  latency.t_max_us = 6.12;
  latency.t_typical_us = 1.79;
  latency.t_avg_us = 1.8;
  latency.t_stdev_us = 0.06;
  latency.p99_us = 1.88;
  latency.p99_9_us = 6.12;
  latency.bound_us = 1.75;
  latency.bound_by = "half a round trip";
  run.perftest.push_back(latency);
  return run;
}

/// The same incast with too little headroom: frames dropped, a transfer unfinished.
inline RunResults starved_results() {
  RunResults run = incast_results();
  run.sound = false;
  run.why_not = {
      "lossless drop: 札幌-leaf1, port 札幌-host3, priority 3, first at 21.4 us: 5 frames (20 790 B) found 2 048 B of "
      "headroom full; 22 838 B would have been needed",
      "1 of 16 transfers is unfinished: incast/札幌-host3, 524 288 of 1 048 576 B acknowledged"};
  run.drops.lossless = 5;
  run.transfers.finished = 15;
  run.transfer_rows[2].finish_ps.reset();
  run.transfer_rows[2].slowdown.reset();
  run.queues[2].dropped_frames = 5;
  run.queues[2].headroom_configured_bytes = 2'048;
  run.queues[2].headroom_peak_bytes = 2'048;
  run.queues[2].headroom_needed_bytes = 22'838;
  run.queues[2].headroom_margin_bytes = 2'048 - 22'838;
  return run;
}

}  // namespace soya::test
