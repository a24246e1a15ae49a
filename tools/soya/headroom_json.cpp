// The JSON of `soya headroom SCENARIO`: stable keys, no wall-clock value, units in the names.
#include <nlohmann/json.hpp>
#include <variant>

#include "headroom_text.hpp"

namespace soya::cli {

namespace {

using Json = nlohmann::ordered_json;

Json bytes_json(const std::optional<Bytes>& size) {
  return size ? Json(size->count()) : Json();
}

/// `null` where nothing was searched.
Json here_json(const std::optional<SmallestHere>& here) {
  if (!here) return Json();
  return {{"bytes", bytes_json(here->size)}, {"largest_bytes", here->largest.count()}, {"monotone", here->monotone}};
}

Json budget_json(const HeadroomBudget& budget) {
  return {{"propagation_bytes", budget.propagation.count()},
          {"waiting_bytes", budget.waiting.count()},
          {"pause_frame_bytes", budget.pause_frame.count()},
          {"response_bytes", budget.response.count()},
          {"frame_bytes", budget.frame.count()},
          {"tight_static_bytes", budget.tight_static.count()},
          {"tight_dynamic_bytes", budget.tight_dynamic.count()},
          {"auto_bytes", budget.automatic.count()}};
}

Json port_json(const PortKind& kind, const PortFigures& port) {
  return {{"node", port.node},
          {"port", port.port},
          {"rate_bps", kind.link.rate.bits_per_second()},
          {"reverse_rate_bps", kind.link.reverse_rate.value_or(kind.link.rate).bits_per_second()},
          {"length_mm", kind.length.millimetres()},
          {"one_way_ps", kind.link.one_way.picoseconds()},
          {"way_back_ps", kind.link.way_back.value_or(kind.link.one_way).picoseconds()},
          {"budget", budget_json(kind.budget)},
          {"mode", name_of(kind.mode)},
          {"configured_bytes", port.configured.count()},
          {"peak_bytes", port.peak.count()},
          {"dropped_frames", port.dropped},
          {"smallest_here", here_json(kind.here)},
          {"worst_case_too_large", !can_simulate(kind.link)},
          {"smallest_worst_case_bytes", kind.worst ? Json(kind.worst->smallest.count()) : Json()}};
}

Json pool_json(const PoolKind& pool) {
  return {{"nodes", pool.nodes},
          {"pool_bytes", pool.pool.count()},
          {"cap_bytes", bytes_json(pool.cap)},
          {"groups", pool.groups},
          {"groups_covered", pool.covered ? Json(*pool.covered) : Json()},
          {"groups_peak", pool.groups_peak},
          {"peak_bytes", pool.peak.count()},
          {"smallest_here", here_json(pool.here)}};
}

}  // namespace

std::string headroom_json(const ScenarioHeadroom& answer) {
  const RunResults& run = answer.run;
  Json json{{"name", run.name},
            {"seed", run.seed},
            {"version", run.version},
            {"complete", answer.complete},
            {"sound", run.sound},
            {"why_not", run.why_not},
            {"lossless_drops", run.drops.lossless}};
  Json ports = Json::array();
  for (const PortKind& kind : answer.kinds) {
    for (const PortFigures& port : kind.ports) ports.push_back(port_json(kind, port));
  }
  json["ports"] = std::move(ports);
  Json pools = Json::array();
  for (const PoolKind& pool : answer.pools) pools.push_back(pool_json(pool));
  json["pools"] = std::move(pools);
  return json.dump(2) + "\n";
}

}  // namespace soya::cli
