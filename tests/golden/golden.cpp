#include "golden/golden.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/hash.hpp"
#include "results/summary.hpp"
#include "scenario/read.hpp"
#include "support/result_text.hpp"

namespace soya::test {

namespace {

const std::string golden_file = std::string{SOYA_SOURCE_DIR} + "/tests/golden/golden.txt";

struct Fingerprints {
  std::string events;
  std::string results;
  bool operator==(const Fingerprints&) const = default;
};

using Golden = std::map<std::string, Fingerprints>;

Golden read_golden() {
  Golden golden;
  std::ifstream file{golden_file};
  std::string name;
  Fingerprints one;
  while (file >> name >> one.events >> one.results) golden[name] = one;
  return golden;
}

void write_golden(const Golden& golden) {
  std::ofstream file{golden_file};
  for (const auto& [name, one] : golden) file << name << ' ' << one.events << ' ' << one.results << '\n';
}

/// The summary without what may change while the results stay.
std::string results_fingerprint(const RunResults& results) {
  auto json = nlohmann::ordered_json::parse(summary_json(results, {}));
  for (const char* key : {"fingerprint", "events", "version"}) json.erase(key);
  return fmt::format("{:016x}", hash_name(json.dump()));
}

/// The same, byte for byte, with 2, 3, 4 and 8 threads wherever the fabric can be cut, and by layers where it has some;
/// of a long run with 4, unless SOYA_ALL_THREADS asks for all.
void check_threads(const Scenario& scenario, const RunResults& one) {
  constexpr std::int64_t long_run = 2'000'000;  // events
  const std::string expected = result_text(one);
  std::size_t parts = 1;
  for (const int threads : {2, 3, 4, 8}) {
    if (one.events > long_run && threads != 4 && std::getenv("SOYA_ALL_THREADS") == nullptr) continue;
    Simulation simulation{scenario, {threads, true}};
    if (simulation.partitions().parts == parts) continue;  // no more than before
    parts = simulation.partitions().parts;
    INFO(scenario.name, " in ", parts, " parts");
    CHECK(first_difference(expected, result_text(simulation.run())) == "");
  }
  Simulation layers{scenario, {2, true, true}};
  if (!layers.partitions().by_layers) return;
  INFO(scenario.name, " in ", layers.partitions().parts, " parts by layers");
  CHECK(first_difference(expected, result_text(layers.run())) == "");
}

}  // namespace

void check_golden(const std::string& name, const RunResults& results) {
  const Fingerprints now{results.fingerprint, results_fingerprint(results)};
  Golden golden = read_golden();
  const char* update = std::getenv("UPDATE_SNAPSHOTS");
  if (update != nullptr && std::string{update} == "1") {
    golden[name] = now;
    return write_golden(golden);
  }
  INFO("scenario ", name, " of tests/golden/golden.txt");
  INFO(
      "If the change is meant: UPDATE_SNAPSHOTS=1 bin/golden rewrites the file. New events need a reason in the "
      "commit, new results a note in the model's page.");
  CHECK(now.results == golden[name].results);
  CHECK(now.events == golden[name].events);
}

RunResults run_scenario(const std::string& file, std::vector<std::string> sets, const std::string& variant) {
  const std::string path = std::string{SOYA_SOURCE_DIR} + "/scenarios/" + file;
  const Scenario scenario = read_scenario(
      path, {.sets = std::move(sets), .seed = {}, .variant = variant.empty() ? std::nullopt : std::optional{variant}});
  RunResults results = Simulation{scenario}.run();
  check_threads(scenario, results);
  return results;
}

void check_sound(const RunResults& results) {
  CHECK(results.sound);
  CHECK(results.drops.lossless == 0);
  CHECK(results.transfers.finished == results.transfers.count);
  for (const LinkRow& row : results.links) CHECK(row.utilisation <= 1.0);
}

}  // namespace soya::test
