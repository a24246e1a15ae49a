#include "results/summary.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "support/sample_results.hpp"

using namespace soya;
using Json = nlohmann::ordered_json;

namespace {

std::vector<std::string> keys(const Json& json) {
  std::vector<std::string> names;
  for (const auto& item : json.items()) names.push_back(item.key());
  return names;
}

}  // namespace

TEST_CASE("summary.json has the documented keys in the documented order") {
  const Json json = Json::parse(summary_json(test::ddp_results(), {}));
  CHECK(keys(json) == std::vector<std::string>{"name",         "seed",      "version", "sound",          "why_not",
                                               "simulated_ps", "events",    "packets", "packet_hops",    "fingerprint",
                                               "drops",        "pfc",       "buffers", "reconvergences", "tiers",
                                               "accelerators", "transfers", "steps",   "collectives",    "perftest"});
  CHECK(keys(json["drops"]) == std::vector<std::string>{"lossless", "lossy", "link"});
  CHECK(keys(json["pfc"]) == std::vector<std::string>{"pause_frames", "resume_frames", "paused_share_max",
                                                      "paused_ps_total", "refreshes", "in_flight_max", "expired",
                                                      "dry_ps_total"});
  CHECK(keys(json["buffers"]) ==
        std::vector<std::string>{"shared_peak_bytes", "headroom_peak_bytes", "headroom_margin_bytes",
                                 "headroom_switch_peak_bytes", "off_chip_peak_bytes", "time_in_headroom_ps_max",
                                 "groups_in_headroom_max", "groups_in_headroom_share_max", "headroom_unused_share_p50",
                                 "headroom_unused_share_p90", "headroom_unused_share_p99"});
  CHECK(keys(json["transfers"]) == std::vector<std::string>{"count", "finished", "payload_bytes",
                                                            "retransmitted_packets", "goodput_gbps_max", "slowdown_p50",
                                                            "slowdown_p99"});
  CHECK(keys(json["steps"][0]) == std::vector<std::string>{"job", "step", "forward_ms", "backward_ms",
                                                           "communication_ms", "exposed_ms", "idle_ms", "step_ms",
                                                           "plan_step_ms", "sent_bytes_total",
                                                           "sent_bytes_per_rank_min", "sent_bytes_per_rank_max"});
  CHECK(keys(json["collectives"][0]) ==
        std::vector<std::string>{"name", "bytes", "ranks", "time_us", "algbw_GBps", "busbw_GBps"});
  const Json perftest = Json::parse(summary_json(test::perftest_results(), {}))["perftest"];
  CHECK(keys(perftest[0]) ==
        std::vector<std::string>{"job",          "test",       "bytes",        "iterations",      "qps",
                                 "tx_depth",     "cq_mod",     "bw_peak_gbps", "bw_average_gbps", "message_rate_mpps",
                                 "steady_gbps",  "bound_gbps", "bound_by",     "t_min_us",        "t_max_us",
                                 "t_typical_us", "t_avg_us",   "t_stdev_us",   "p99_us",          "p99_9_us",
                                 "bound_us"});
  CHECK(perftest[0]["t_avg_us"].is_null());
  CHECK(perftest[2]["bw_average_gbps"].is_null());
}

TEST_CASE("an empty result is written in full, readable as text") {
  RunResults run;
  run.name = "empty";
  run.version = "0.1.0";
  run.sound = true;
  run.fingerprint = "0000000000000000";
  CHECK(summary_json(run, {}) == R"({
  "name": "empty",
  "seed": 0,
  "version": "0.1.0",
  "sound": true,
  "why_not": [],
  "simulated_ps": 0,
  "events": 0,
  "packets": 0,
  "packet_hops": 0,
  "fingerprint": "0000000000000000",
  "drops": {
    "lossless": 0,
    "lossy": 0,
    "link": 0
  },
  "pfc": {
    "pause_frames": 0,
    "resume_frames": 0,
    "paused_share_max": 0.0,
    "paused_ps_total": 0,
    "refreshes": 0,
    "in_flight_max": 0,
    "expired": 0,
    "dry_ps_total": 0
  },
  "buffers": {
    "shared_peak_bytes": 0,
    "headroom_peak_bytes": 0,
    "headroom_margin_bytes": null,
    "headroom_switch_peak_bytes": 0,
    "off_chip_peak_bytes": 0,
    "time_in_headroom_ps_max": 0,
    "groups_in_headroom_max": 0,
    "groups_in_headroom_share_max": 0.0,
    "headroom_unused_share_p50": 0.0,
    "headroom_unused_share_p90": 0.0,
    "headroom_unused_share_p99": 0.0
  },
  "reconvergences": [],
  "tiers": [],
  "accelerators": [],
  "transfers": {
    "count": 0,
    "finished": 0,
    "payload_bytes": 0,
    "retransmitted_packets": 0,
    "goodput_gbps_max": 0.0,
    "slowdown_p50": 0.0,
    "slowdown_p99": 0.0
  },
  "steps": [],
  "collectives": [],
  "perftest": []
}
)");
}

TEST_CASE("numbers read back to the same value, what is not finite is null, minus zero is zero") {
  RunResults run;
  run.seed = std::numeric_limits<std::uint64_t>::max();
  run.simulated_ps = std::numeric_limits<std::int64_t>::max();
  run.transfers.goodput_gbps_max = 0.1 + 0.2;
  run.transfers.slowdown_p50 = std::numeric_limits<double>::quiet_NaN();
  run.transfers.slowdown_p99 = std::numeric_limits<double>::infinity();
  run.pfc.paused_share_max = -0.0;
  const std::string text = summary_json(run, {});
  const Json json = Json::parse(text);
  CHECK(json["seed"].get<std::uint64_t>() == std::numeric_limits<std::uint64_t>::max());
  CHECK(json["simulated_ps"].get<std::int64_t>() == std::numeric_limits<std::int64_t>::max());
  // 0.1 + 0.2 is the double whose shortest decimal has 17 digits.
  CHECK(text.find("\"goodput_gbps_max\": 0.30000000000000004") != std::string::npos);
  CHECK(json["transfers"]["slowdown_p50"].is_null());
  CHECK(json["transfers"]["slowdown_p99"].is_null());
  CHECK(text.find("\"paused_share_max\": 0.0") != std::string::npos);
}

TEST_CASE("an interrupted run says so, a complete one does not mention it") {
  RunResults run = test::ddp_results();
  CHECK_FALSE(Json::parse(summary_json(run, {})).contains("incomplete"));
  run.complete = false;
  CHECK(Json::parse(summary_json(run, {}))["incomplete"] == true);
}

TEST_CASE("a result of which only a variant was cut off says so at the top, too") {
  const RunResults base = test::ddp_results();
  NamedResults variant{"slow", test::ddp_results()};
  variant.results.complete = false;
  const Json json = Json::parse(summary_json(base, std::vector{variant}));
  CHECK(json["incomplete"] == true);
  CHECK(json["variants"]["slow"]["incomplete"] == true);
  variant.results.complete = true;
  CHECK_FALSE(Json::parse(summary_json(base, std::vector{variant})).contains("incomplete"));
}

TEST_CASE("variants follow under their names, in order, with the keys of the base") {
  const std::vector<NamedResults> variants{{"札幌-pool", test::ddp_results()}, {"a", test::starved_results()}};
  const Json json = Json::parse(summary_json(test::incast_results(), variants));
  CHECK(json["name"] == "incast");
  CHECK(keys(json["variants"]) == std::vector<std::string>{"札幌-pool", "a"});
  CHECK(json["variants"]["a"]["drops"]["lossless"] == 5);
  Json base = json;
  base.erase("variants");
  CHECK(keys(base) == keys(json["variants"]["a"]));
}

TEST_CASE("bytes that are no UTF-8 become U+FFFD instead of stopping the summary") {
  RunResults run;
  run.name = "bad\xff";
  CHECK(Json::parse(summary_json(run, {}))["name"] == "bad\xef\xbf\xbd");
}
