#include "results/summary.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace soya {

namespace {

using Json = nlohmann::ordered_json;

// Minus zero reads as a different number and means none; nlohmann-json prints what is not finite as null.
double plain(double value) {
  return value == 0 ? 0 : value;
}

Json steps_json(const std::vector<StepRow>& steps) {
  Json rows = Json::array();
  for (const StepRow& step : steps) {
    rows.push_back({{"job", step.job},
                    {"step", step.step},
                    {"forward_ms", plain(step.forward_ms)},
                    {"backward_ms", plain(step.backward_ms)},
                    {"communication_ms", plain(step.communication_ms)},
                    {"exposed_ms", plain(step.exposed_ms)},
                    {"idle_ms", plain(step.idle_ms)},
                    {"step_ms", plain(step.step_ms)},
                    {"plan_step_ms", plain(step.plan_step_ms)},
                    {"sent_bytes_total", step.sent_bytes_total},
                    {"sent_bytes_per_rank_min", step.sent_bytes_per_rank_min},
                    {"sent_bytes_per_rank_max", step.sent_bytes_per_rank_max}});
  }
  return rows;
}

Json collectives_json(const std::vector<CollectiveRow>& collectives) {
  Json rows = Json::array();
  for (const CollectiveRow& row : collectives) {
    rows.push_back({{"name", row.name},
                    {"bytes", row.bytes},
                    {"ranks", row.ranks},
                    {"time_us", plain(row.time_us)},
                    {"algbw_GBps", plain(row.algbw_GBps)},
                    {"busbw_GBps", plain(row.busbw_GBps)}});
  }
  return rows;
}

Json optional_json(const std::optional<double>& value) {
  return value ? Json(plain(*value)) : Json(nullptr);
}

Json perftest_json(const std::vector<PerftestRow>& tests) {
  Json rows = Json::array();
  for (const PerftestRow& row : tests) {
    rows.push_back({{"job", row.job},
                    {"test", row.test},
                    {"bytes", row.bytes},
                    {"iterations", row.iterations},
                    {"qps", row.qps},
                    {"tx_depth", row.tx_depth},
                    {"cq_mod", row.cq_mod},
                    {"bw_peak_gbps", optional_json(row.bw_peak_gbps)},
                    {"bw_average_gbps", optional_json(row.bw_average_gbps)},
                    {"message_rate_mpps", optional_json(row.message_rate_mpps)},
                    {"steady_gbps", optional_json(row.steady_gbps)},
                    {"bound_gbps", optional_json(row.bound_gbps)},
                    {"bound_by", row.bound_by},
                    {"t_min_us", optional_json(row.t_min_us)},
                    {"t_max_us", optional_json(row.t_max_us)},
                    {"t_typical_us", optional_json(row.t_typical_us)},
                    {"t_avg_us", optional_json(row.t_avg_us)},
                    {"t_stdev_us", optional_json(row.t_stdev_us)},
                    {"p99_us", optional_json(row.p99_us)},
                    {"p99_9_us", optional_json(row.p99_9_us)},
                    {"bound_us", optional_json(row.bound_us)}});
  }
  return rows;
}

Json accelerators_json(const std::vector<AcceleratorRow>& accelerators) {
  Json rows = Json::array();
  for (const AcceleratorRow& row : accelerators) {
    rows.push_back({{"name", row.name},
                    {"partner", row.partner},
                    {"buffer_bytes", row.buffer_bytes},
                    {"outbound_peak_bytes", row.outbound_peak_bytes},
                    {"outbound_mean_bytes", row.outbound_mean_bytes},
                    {"inbound_peak_bytes", row.inbound_peak_bytes},
                    {"inbound_mean_bytes", row.inbound_mean_bytes},
                    {"retransmitted_packets", row.retransmitted_packets},
                    {"duplicate_packets", row.duplicate_packets},
                    {"dropped_frames", row.dropped_frames},
                    {"pausing_ps", row.pausing_ps},
                    {"haul_payload_bytes", row.haul_payload_bytes},
                    {"haul_goodput_gbps", nullptr}});
    if (row.haul_goodput_gbps) rows.back()["haul_goodput_gbps"] = plain(*row.haul_goodput_gbps);
  }
  return rows;
}

Json reconvergences_json(const std::vector<ReconvergenceRow>& reconvergences) {
  Json rows = Json::array();
  for (const ReconvergenceRow& row : reconvergences) {
    rows.push_back({{"time_ps", row.time_ps},
                    {"what", row.what},
                    {"cut_off_hosts", row.cut_off_hosts},
                    {"cut_off", row.cut_off},
                    {"lost_frames", row.lost_frames}});
  }
  return rows;
}

Json tiers_json(const std::vector<TierRow>& tiers) {
  Json rows = Json::array();
  for (const TierRow& row : tiers) {
    rows.push_back({{"from", row.from},
                    {"to", row.to},
                    {"links", row.links},
                    {"choice", row.choice},
                    {"unused_links", row.unused_links},
                    {"mean_bytes", row.mean_bytes},
                    {"max_bytes", row.max_bytes},
                    {"max_to_mean", plain(row.max_to_mean)},
                    {"plan_unused_links", row.plan_unused_links},
                    {"plan_mean_bytes", row.plan_mean_bytes},
                    {"plan_max_bytes", row.plan_max_bytes},
                    {"plan_max_to_mean", plain(row.plan_max_to_mean)},
                    {"unused", row.unused}});
  }
  return rows;
}

Json transfers_json(const TransferTotals& transfers) {
  return {{"count", transfers.count},
          {"finished", transfers.finished},
          {"payload_bytes", transfers.payload_bytes},
          {"retransmitted_packets", transfers.retransmitted_packets},
          {"goodput_gbps_max", plain(transfers.goodput_gbps_max)},
          {"slowdown_p50", plain(transfers.slowdown_p50)},
          {"slowdown_p99", plain(transfers.slowdown_p99)}};
}

Json run_json(const RunResults& run, bool complete) {
  Json json;
  json["name"] = run.name;
  json["seed"] = run.seed;
  json["version"] = run.version;
  json["sound"] = run.sound;
  json["why_not"] = run.why_not;
  if (!complete) json["incomplete"] = true;
  json["simulated_ps"] = run.simulated_ps;
  json["events"] = run.events;
  json["packets"] = run.packets;
  json["packet_hops"] = run.packet_hops;
  json["fingerprint"] = run.fingerprint;
  json["drops"] = {{"lossless", run.drops.lossless}, {"lossy", run.drops.lossy}, {"link", run.drops.link}};
  json["pfc"] = {{"pause_frames", run.pfc.pause_frames},
                 {"resume_frames", run.pfc.resume_frames},
                 {"paused_share_max", plain(run.pfc.paused_share_max)},
                 {"paused_ps_total", run.pfc.paused_ps_total},
                 {"refreshes", run.pfc.refreshes},
                 {"in_flight_max", run.pfc.in_flight_max},
                 {"expired", run.pfc.expired},
                 {"dry_ps_total", run.pfc.dry_ps_total}};
  json["buffers"] = {{"shared_peak_bytes", run.buffers.shared_peak_bytes},
                     {"headroom_peak_bytes", run.buffers.headroom_peak_bytes},
                     {"headroom_margin_bytes", nullptr},
                     {"headroom_switch_peak_bytes", run.buffers.headroom_switch_peak_bytes},
                     {"off_chip_peak_bytes", run.buffers.off_chip_peak_bytes},
                     {"time_in_headroom_ps_max", run.buffers.time_in_headroom_ps_max},
                     {"groups_in_headroom_max", run.buffers.groups_in_headroom_max},
                     {"groups_in_headroom_share_max", plain(run.buffers.groups_in_headroom_share_max)},
                     {"headroom_unused_share_p50", plain(run.buffers.headroom_unused_share_p50)},
                     {"headroom_unused_share_p90", plain(run.buffers.headroom_unused_share_p90)},
                     {"headroom_unused_share_p99", plain(run.buffers.headroom_unused_share_p99)}};
  if (run.buffers.headroom_margin_bytes) json["buffers"]["headroom_margin_bytes"] = *run.buffers.headroom_margin_bytes;
  json["reconvergences"] = reconvergences_json(run.reconvergences);
  json["tiers"] = tiers_json(run.tiers);
  json["accelerators"] = accelerators_json(run.accelerators);
  json["transfers"] = transfers_json(run.transfers);
  json["steps"] = steps_json(run.steps);
  json["collectives"] = collectives_json(run.collectives);
  json["perftest"] = perftest_json(run.perftest);
  return json;
}

}  // namespace

std::string summary_line(const RunResults& run) {
  return run_json(run, run.complete).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string summary_json(const RunResults& base, std::span<const NamedResults> variants) {
  // Whoever reads the top level alone learns of a variant that was cut off.
  const bool complete = base.complete && std::ranges::all_of(variants, [](const NamedResults& variant) {
                          return variant.results.complete;
                        });
  Json json = run_json(base, complete);
  for (const NamedResults& variant : variants) {
    json["variants"][variant.name] = run_json(variant.results, variant.results.complete);
  }
  // A name with bytes that are no UTF-8 must not stop the summary: they become U+FFFD.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace soya
