// perftest: what it refuses, and that it says what to write instead.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

struct Case {
  std::string keys;     ///< after client and server
  std::string message;  ///< behind "s.yaml:2:"
};

void check(const std::string& ends, const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    CAPTURE(c.keys);
    const std::string found = errors_of(std::string{two_hosts} + "workload: [{perftest: {" + ends + c.keys + "}}]\n");
    CHECK(found == (c.message.empty() ? "" : "s.yaml:2:" + c.message));
  }
}

}  // namespace

TEST_CASE("a perftest goes between two hosts that there are") {
  check("", {
                {"client: h1", "23: workload[0].perftest.server: missing; expected the name of a host"},
                {"client: h1, server: h1",
                 "44: workload[0].perftest.server: a perftest from \"h1\" to itself; expected another host"},
            });
}

TEST_CASE("sizes of a perftest: all, one, or a list") {
  const std::string range = "; allowed: all, or 1B to 1TiB";
  check(
      "client: h1, server: h2, sizes: ",
      {
          {"all", ""},
          {"1MiB", ""},
          {"[2B, 64KiB]", ""},
          {"0B", "55: workload[0].perftest.sizes: 0B is out of range" + range},
          {"64", "55: workload[0].perftest.sizes: expected a size such as 64KiB or 1MB, got \"64\""},
          {"[]", "55: workload[0].perftest.sizes: the list of sizes is empty"},
          {"[2B, all]", "60: workload[0].perftest.sizes[1]: expected a size such as 64KiB or 1MB, got \"all\"" + range},
      });
}

TEST_CASE("a perftest's numbers, and those that a latency test has no use for") {
  check(
      "client: h1, server: h2, ",
      {
          {"tx_depth: 1024, iterations: 100000000, sizes: 64KiB", ""},
          {"depth: 16", "48: workload[0].perftest.depth: unknown key; did you mean \"tx_depth\"?"},
          {"iterations: 4", "60: workload[0].perftest.iterations: 4 is out of range; allowed: auto, or 5 to 100000000"},
          {"tx_depth: 64, cq_mod: 100",
           "70: workload[0].perftest.cq_mod: 100 is more than the 64 work requests that are outstanding at most, so "
           "none "
           "would be signalled in time; expected at most that"},
          {"test: write_lat, tx_depth: 16",
           "75: workload[0].perftest.tx_depth: write_lat has one message under way and waits for each; leave tx_depth "
           "out"},
          {"test: write_lat, iterations: 2000000",
           "77: workload[0].perftest.iterations: write_lat keeps the time of each iteration; allowed: up to 1000000"},
          {"test: write_bandwidth",
           "54: workload[0].perftest.test: expected one of write_bw, write_lat, read_bw, send_bw, got "
           "\"write_bandwidth\""},
          {"sizes: 1TiB, iterations: 100000000",
           "73: workload[0].perftest.iterations: 100000000 messages of 1TiB on 1 queue pairs are more than 1048576TiB"},
      });
}

TEST_CASE("perftests that share a host at the same time are warned of") {
  const std::string hosts =
      "topology: {nodes: {h1: host, h2: host, h3: host, h4: host, s1: switch}, links: [{between: [h1, s1]}, "
      "{between: [h2, s1]}, {between: [h3, s1]}, {between: [h4, s1]}]}\n";
  const std::string first = "workload:\n- perftest: {client: h1, server: h2}\n";
  CHECK(warnings_of(hosts + first) == "");
  CHECK(warnings_of(hosts + first + "- perftest: {client: h3, server: h4}\n") == "");
  const std::string warning =
      "workload[1].perftest: runs at the same time as perftest, and both use h2; each is slower than its closed form, "
      "which is of one alone; variants run one after another";
  CHECK(warnings_of(hosts + first + "- perftest: {client: h2, server: h3}\n") == "s.yaml:4:13: " + warning);
}
