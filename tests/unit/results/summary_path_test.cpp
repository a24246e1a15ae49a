#include "results/summary_path.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "results/summary.hpp"
#include "support/sample_results.hpp"

using namespace soya;

namespace {

SummaryText text_of(const RunResults& run) {
  return SummaryText{summary_json(run, {})};
}

RunResults three_steps() {
  RunResults run = test::ddp_results();
  run.steps.push_back(run.steps[0]);
  run.steps[0].step_ms = 10;
  run.steps[1].step_ms = 40;
  run.steps[2].step_ms = 25;
  return run;
}

std::string fault(std::string_view path) {
  return summary_path_fault(path).value_or("");
}

}  // namespace

TEST_CASE("a number of a summary is found by its path") {
  const SummaryText text = text_of(test::starved_results());
  CHECK(text.value("sound") == 0);
  CHECK(text.value("drops.lossless") == 5);
  CHECK(text.value("why_not.count") == 2);
  CHECK(text.value("transfers.count") == 16);
  CHECK(text.value("buffers.headroom_margin_bytes") == 0);
  CHECK(text_of(test::incast_results()).value("sound") == 1);
}

TEST_CASE("what a summary does not have is absent") {
  const SummaryText text = text_of(test::incast_results());
  CHECK_FALSE(text.value("name"));
  CHECK_FALSE(text.value("drops"));
  CHECK_FALSE(text.value("drops.loss"));
  CHECK_FALSE(text.value("drops.lossless.max"));
  CHECK_FALSE(text.value(""));
  CHECK_FALSE(text.value("steps.step_ms.max"));  // no steps
  CHECK_FALSE(text.value("steps[0].step_ms"));
  CHECK(text.value("steps.count") == 0);
  CHECK(text.value("steps.step_ms.count") == 0);
  RunResults run = test::incast_results();
  run.buffers.headroom_margin_bytes.reset();
  CHECK_FALSE(text_of(run).value("buffers.headroom_margin_bytes"));
}

TEST_CASE("rows of a list are counted from either end or have a name") {
  RunResults run = three_steps();
  run.collectives.push_back({"last [\"one\"].", 2'097'152, 4, 262.0, 8.5, 12.75});
  const SummaryText text = text_of(run);
  CHECK(text.value("steps[0].step_ms") == 10);
  CHECK(text.value("steps[2].step_ms") == 25);
  CHECK(text.value("steps[-1].step_ms") == 25);
  CHECK(text.value("steps[-3].step_ms") == 10);
  CHECK_FALSE(text.value("steps[3].step_ms"));
  CHECK_FALSE(text.value("steps[-4].step_ms"));
  CHECK_FALSE(text.value("steps[0]"));
  CHECK_FALSE(text.value("steps[x].step_ms"));
  CHECK_FALSE(text.value("steps[99999999999999999999].step_ms"));
  CHECK(text.value("collectives[-1].busbw_GBps") == 12.75);
  CHECK(text.value("collectives[\"ddp/step0/bucket0\"].time_us") == 131);
  CHECK_FALSE(text.value("collectives[\"ddp/step0/bucket1\"].time_us"));
}

TEST_CASE("columns of a list have aggregates, in which rows without a value do not count") {
  const SummaryText text = text_of(three_steps());
  CHECK(text.value("steps.step_ms.max") == 40);
  CHECK(text.value("steps.step_ms.min") == 10);
  CHECK(text.value("steps.step_ms.sum") == 75);   // 10 + 40 + 25
  CHECK(text.value("steps.step_ms.mean") == 25);  // 75 / 3
  CHECK(text.value("steps.step_ms.first") == 10);
  CHECK(text.value("steps.step_ms.last") == 25);
  CHECK(text.value("steps.step_ms.count") == 3);
  CHECK_FALSE(text.value("steps.step_ms"));
  CHECK_FALSE(text.value("steps.step_ms.median"));
  // Two of three rows are bandwidth tests; the latency test has no bandwidth.
  const SummaryText perftest = text_of(test::perftest_results());
  CHECK(perftest.value("perftest.count") == 3);
  CHECK(perftest.value("perftest.bw_average_gbps.count") == 2);
  CHECK(perftest.value("perftest.bw_average_gbps.last") == 21.801);
  CHECK(perftest.value("perftest.p99_us.first") == 1.88);
}

TEST_CASE("what is no summary is told") {
  CHECK_THROWS_AS(SummaryText{""}, std::invalid_argument);
  CHECK_THROWS_AS(SummaryText{"[1]"}, std::invalid_argument);
  CHECK_THROWS_AS(SummaryText{"{\"sound\": tru"}, std::invalid_argument);
}

TEST_CASE("every number of a summary is a quantity, with no list of them to keep") {
  const auto json = nlohmann::ordered_json::parse(summary_json(test::perftest_results(), {}));
  for (const auto& [key, value] : json.items()) {
    if (value.is_number() || value.is_boolean()) CHECK(fault(key) == "");
    if (!value.is_object()) continue;
    for (const auto& item : value.items()) CHECK(fault(key + "." + item.key()) == "");
  }
  CHECK(fault("steps.step_ms.max") == "");
  CHECK(fault("steps[17].step_ms") == "");
  CHECK(fault("collectives[\"a.b\"].time_us") == "");
  CHECK(fault("why_not.count") == "");
  CHECK(fault("tiers[0].choice") == "");
  CHECK(fault("accelerators.haul_goodput_gbps.min") == "");
  CHECK(fault("incomplete") == "");
}

TEST_CASE("a path that no summary has is told with the nearest that it may have") {
  CHECK(fault("drops.losless") == "unknown quantity \"drops.losless\"; did you mean \"drops.lossless\"?");
  CHECK(fault("lossless") == "unknown quantity \"lossless\"; did you mean \"drops.lossless\"?");
  CHECK(fault("steps.step.max") == "");  // the step's number
  CHECK(fault("steps.stepms.max") == "unknown quantity \"steps.stepms.max\"; did you mean \"steps.step_ms.max\"?");
  CHECK(fault("weather") ==
        "unknown quantity \"weather\"; there are sound, simulated_ps, drops.lossless, "
        "buffers.headroom_peak_bytes, transfers.slowdown_p99, steps.step_ms.max, collectives[0].time_us and all other "
        "numbers of summary.json, which `soya run SCENARIO --json` prints");
  CHECK(fault("drops.everything")
            .starts_with("unknown quantity \"drops.everything\"; there are drops.lossless, drops.lossy, drops.link"));
  CHECK(fault("steps.step_ms") ==
        "\"steps.step_ms\" is a list; say which of it you mean, as \"steps.step_ms.max\" (max, min, mean, sum, first, "
        "last, count), or the row, as \"steps[0].step_ms\"");
  CHECK(fault("steps.step_ms.median") ==
        "unknown aggregate \"median\" in \"steps.step_ms.median\"; there are max, min, mean, sum, first, last, count");
  CHECK(fault("steps") == "\"steps\" is a list; \"steps.count\" is how many rows it has");
  CHECK(fault("name") == "\"name\" is a text, not a number");
  CHECK(fault("drops") == "\"drops\" is a group; say which number of it, as \"drops.lossless\"");
  CHECK(fault("steps[0]") == "\"steps[0]\" is a group; say which number of it, as \"steps[0].step\"");
  CHECK(fault("steps[\"ddp\"].step_ms").starts_with("unknown quantity"));  // steps have no names
  CHECK(fault("drops..lossless").starts_with("unknown quantity"));
  CHECK(fault("").starts_with("unknown quantity \"\""));
}

TEST_CASE("the unit of a quantity is in its name") {
  CHECK(unit_of_quantity("buffers.headroom_peak_bytes") == "bytes");
  CHECK(unit_of_quantity("steps.sent_bytes_total.max") == "bytes");
  CHECK(unit_of_quantity("collectives[0].bytes") == "bytes");
  CHECK(unit_of_quantity("pfc.paused_ps_total") == "ps");
  CHECK(unit_of_quantity("perftest[0].t_min_us") == "us");
  CHECK(unit_of_quantity("steps.step_ms.max") == "ms");
  CHECK(unit_of_quantity("transfers.goodput_gbps_max") == "gbps");
  CHECK(unit_of_quantity("collectives[-1].busbw_GBps") == "GBps");
  CHECK(unit_of_quantity("buffers.groups_in_headroom_share_max") == "share");
  CHECK(unit_of_quantity("plan.headroom_budget_bytes") == "bytes");
  CHECK(unit_of_quantity("steps.step_ms.count") == "");
  CHECK(unit_of_quantity("drops.lossless") == "");
  CHECK(unit_of_quantity("buffers.groups_in_headroom_max") == "");
  CHECK(unit_of_quantity("transfers.slowdown_p50") == "");
  CHECK(unit_of_quantity("steps[0].step") == "");
  CHECK(unit_of_quantity("") == "");
}
