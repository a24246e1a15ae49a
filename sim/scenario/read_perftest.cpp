#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "scenario/decode.hpp"
#include "scenario/key_tables.hpp"

namespace soya::reading {

namespace {

/// Beyond this size perftest signals every request, unless it is told otherwise or runs all sizes.
constexpr Bytes largest_moderated{8192};
constexpr int usual_cq_mod = 100;
/// A latency test keeps every time: 8 MB.
constexpr std::int64_t most_times = 1'000'000;

std::optional<Bytes> read_size(JobScope& scope, const Node& node, const Path& path) {
  Key key = *keys_of(SectionId::perftest).find("sizes");
  key.kind = Kind::size;
  if (!node.is_scalar()) {
    scope.reading.errors.add(node.place, path.text(), "expected a size such as 64KiB or 1MB, got " + shown(node));
    return std::nullopt;
  }
  const KeyNumber number = key_number(key, node.text);
  if (!number.value) {
    scope.reading.errors.add(node.place, path.text(), number.complaint);
    return std::nullopt;
  }
  return Bytes{static_cast<std::int64_t>(*number.value)};
}

std::vector<Bytes> all_sizes() {
  constexpr int largest_power = 23;
  std::vector<Bytes> sizes;
  for (int power = 1; power <= largest_power; ++power) sizes.emplace_back(std::int64_t{1} << power);
  return sizes;
}

std::string size_text(Bytes size) {
  return format_number(size.count(), Dimension::size);
}

std::vector<Bytes> read_sizes(JobScope& scope, Section& section, PerftestTest test) {
  const Node* node = section.given("sizes");
  if (node == nullptr) {
    const Bytes usual{is_latency(test) ? 2 : 65'536};
    section.note("sizes", size_text(usual));
    return {usual};
  }
  if (node->is_scalar() && node->text == "all") {
    section.note("sizes", "all");
    return all_sizes();
  }
  std::vector<Bytes> sizes;
  if (!node->is_list()) {
    if (const auto size = read_size(scope, *node, section.at("sizes"))) {
      sizes.push_back(*size);
      section.note("sizes", size_text(*size));
    }
    return sizes;
  }
  if (node->children.empty()) section.error("sizes", "the list of sizes is empty");
  const Path list = section.at("sizes");
  std::string noted;
  for (std::size_t i = 0; i < node->children.size(); ++i) {
    const auto size = read_size(scope, node->children[i], list.item(i));
    if (!size) continue;
    sizes.push_back(*size);
    noted += (noted.empty() ? "" : ", ") + size_text(*size);
  }
  section.note("sizes", "[" + noted + "]");
  return sizes;
}

/// A latency test has one message under way.
void read_latency(Section& section, PerftestConfig& config) {
  config.qps = 1;
  config.tx_depth = 1;
  for (const char* key : {"tx_depth", "qps", "cq_mod"}) {
    if (section.given(key) != nullptr) {
      section.error(key, std::string{"write_lat has one message under way and waits for each; leave "} + key + " out");
    }
    section.note(key, "1", "default: write_lat has one message under way");
  }
  if (config.iterations > most_times) {
    section.error("iterations", "write_lat keeps the time of each iteration; allowed: up to " +
                                    format_number(most_times, Dimension::none));
  }
}

/// What perftest makes of its -Q, or of none.
int cq_mod_of(const PerftestConfig& config, const std::optional<int>& given, Bytes size, bool all) {
  if (given) return *given;
  if (size > largest_moderated && !all) return 1;
  const std::int64_t slots = std::min<std::int64_t>(config.tx_depth, config.iterations);
  return static_cast<int>(std::min<std::int64_t>(usual_cq_mod, slots));
}

void read_bandwidth(Section& section, PerftestConfig& config, std::optional<int>& cq_mod) {
  section.read("tx_depth", config.tx_depth);
  section.read("qps", config.qps);
  section.read("cq_mod", cq_mod);
  const std::int64_t slots = std::min<std::int64_t>(config.tx_depth, config.iterations);
  if (cq_mod && *cq_mod > slots) {
    if (section.right({"tx_depth", "iterations"})) {
      section.error("cq_mod", std::to_string(*cq_mod) + " is more than the " + std::to_string(slots) +
                                  " work requests that are outstanding at most, so none would be signalled in time; "
                                  "expected at most that");
    }
    cq_mod.reset();
  }
}

void check_payload(Section& section, const PerftestConfig& config) {
  for (const PerftestSize& size : config.sizes) {
    const Int128 payload = Int128{size.message.count()} * config.iterations * config.qps;
    if (payload <= limits::payload) continue;
    return section.error("iterations", format_number(config.iterations, Dimension::none) + " messages of " +
                                           size_text(size.message) + " on " + std::to_string(config.qps) +
                                           " queue pairs are more than " +
                                           format_number(limits::payload, Dimension::size));
  }
}

}  // namespace

PerftestConfig read_perftest(JobScope& scope, const Node& node, const Path& path, const std::string& name) {
  Section section{scope.reading, &node, path, SectionId::perftest};
  PerftestConfig config;
  config.name = name;
  config.where = section.where();
  note_job_name(section, name);
  section.read("test", config.test);
  config.client = read_host(scope, section, "client");
  config.server = read_host(scope, section, "server");
  if (!config.client.is_none() && config.client == config.server) {
    section.error("server",
                  "a perftest from \"" + scope.names.name(config.server) + "\" to itself; expected another host");
  }
  scope.reading.idle_hosts_meant = true;
  const std::vector<Bytes> sizes = read_sizes(scope, section, config.test);
  std::optional<std::int64_t> iterations;
  section.read("iterations", iterations);
  config.iterations = iterations.value_or(config.test == PerftestTest::write_bw ? 5000 : 1000);
  std::optional<int> cq_mod;
  if (is_latency(config.test)) {
    read_latency(section, config);
  } else {
    read_bandwidth(section, config, cq_mod);
  }
  const Node* given = section.given("sizes");
  const bool all = given != nullptr && given->is_scalar() && given->text == "all";
  for (const Bytes size : sizes) config.sizes.push_back({size, cq_mod_of(config, cq_mod, size, all)});
  read_priority(scope, section, config.priority);
  check_payload(section, config);
  return config;
}

}  // namespace soya::reading
