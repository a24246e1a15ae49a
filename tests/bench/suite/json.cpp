#include "suite/json.hpp"

#include <nlohmann/json.hpp>

namespace soya::bench {

nlohmann::ordered_json to_json(const Measurement& m) {
  nlohmann::ordered_json json{
      {"case", m.name},
      {"size", m.size},
      {"hosts", m.hosts},
      {"runs", m.runs},
      {"packet_hops", m.packet_hops},
      {"packets", m.packets},
      {"events", m.events},
      {"seconds_least", m.least_seconds},
      {"seconds_median", m.median_seconds},
      {"ns_per_packet_hop", m.per_hop(m.least_seconds * 1e9)},
      {"events_per_packet_hop", m.per_hop(static_cast<double>(m.events))},
      {"instructions_per_packet_hop", nullptr},
      {"instructions_counted_by", m.counted_by},
      {"peak_pending_events", m.peak_pending},
      {"peak_memory_mb", m.peak_memory_mb},
      {"end_us", m.end_us},
      {"expected_end_us", nullptr},
      {"sound", m.sound},
      {"why_not", m.why_not},
  };
  if (m.instructions_per_hop) json["instructions_per_packet_hop"] = *m.instructions_per_hop;
  if (m.expected_us) json["expected_end_us"] = *m.expected_us;
  return json;
}

Measurement measurement_of(const nlohmann::ordered_json& json) {
  Measurement m;
  m.name = json.at("case");
  m.size = json.at("size");
  m.hosts = json.at("hosts");
  m.runs = json.at("runs");
  m.packet_hops = json.at("packet_hops");
  m.packets = json.at("packets");
  m.events = json.at("events");
  m.least_seconds = json.at("seconds_least");
  m.median_seconds = json.at("seconds_median");
  if (!json.at("instructions_per_packet_hop").is_null()) m.instructions_per_hop = json["instructions_per_packet_hop"];
  m.counted_by = json.at("instructions_counted_by");
  m.peak_pending = json.at("peak_pending_events");
  m.peak_memory_mb = json.at("peak_memory_mb");
  m.end_us = json.at("end_us");
  if (!json.at("expected_end_us").is_null()) m.expected_us = json["expected_end_us"];
  m.sound = json.at("sound");
  m.why_not = json.at("why_not");
  return m;
}

}  // namespace soya::bench
