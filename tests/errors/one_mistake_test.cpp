// One mistake, one message: a rule that joins several keys says nothing of a value that was refused for itself.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

struct Case {
  std::string text;
  std::string key;
  std::string refused;  ///< how the value is shown
};

/// One error for the text: the range of one key. A second one would be about that key's default, which nobody wrote.
void check(const std::string& before, const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const std::string found = errors_of(before + c.text);
    CHECK(found.find(": " + c.key + ": " + c.refused + " is out of range; allowed: ") != std::string::npos);
    CHECK(found.find('\n') == std::string::npos);
  }
}

}  // namespace

TEST_CASE("a link's delay that is out of range is not a link without delay") {
  const auto link = [](const std::string& keys) {
    return "topology: {nodes: {a: host, b: host}, links: [{between: [a, b], " + keys + "}]}\n";
  };
  const std::string at = "topology.links[0].";
  check("", {
                {link("length: 0m, delay: -1us"), at + "delay", "-1us"},
                {link("length: -3km"), at + "length", "-3km"},
                {link("reverse_length: 0m, reverse_delay: -1us"), at + "reverse_delay", "-1us"},
                {link("loss: {packets: 0.5, burst: -8}"), at + "loss.burst", "-8"},
            });
}

TEST_CASE("a fault whose start is out of range is not one that ends before it starts") {
  const auto fault = [](const std::string& kind, const std::string& keys) {
    return "faults: [{" + kind + ": {between: [h1, s1], " + keys + "}}]\n";
  };
  check(
      two_hosts,
      {
          {fault("link_down", "at: -1ms, until: 0s"), "faults[0].link_down.at", "-1ms"},
          {fault("hold", "from: -1ms, until: 0s"), "faults[0].hold.from", "-1ms"},
          {fault("loss_burst", "at: -1ms, until: 0s"), "faults[0].loss_burst.at", "-1ms"},
          {fault("protection", "at: -5ms, until: 1ms, length: 3km"), "faults[0].protection.at", "-5ms"},
          {fault("protection", "at: 5ms, until: 6ms, outage: -1s, length: 3km"), "faults[0].protection.outage", "-1s"},
          {"faults: [{protection: {between: [h1, s1], at: 0s, length: 3km}}, {protection: {between: [h1, s1], at: "
           "-1s, length: 3km}}]\n",
           "faults[1].protection.at", "-1s"},
      });
}

TEST_CASE("a receive buffer's limits and a perftest's depth are compared where both are right") {
  const std::string perftest = "workload: [{perftest: {client: h1, server: h2, cq_mod: 200, ";
  check(two_hosts, {
                       {"nic: {receive: {xoff: -1B, buffer: 1KiB}}\n", "nic.receive.xoff", "-1B"},
                       {"nic: {receive: {xoff: 1KiB, xon: -1B}}\n", "nic.receive.xon", "-1B"},
                       {"nic: {receive: {buffer: 0B, xoff: 3MiB}}\n", "nic.receive.buffer", "0B"},
                       {perftest + "tx_depth: 0}}]\n", "workload[0].perftest.tx_depth", "0"},
                       {perftest + "iterations: 2, tx_depth: 300}}]\n", "workload[0].perftest.iterations", "2"},
                   });
}

TEST_CASE("two mistakes are still two messages") {
  const std::string found = errors_of(std::string{two_hosts} +
                                      "faults: [{hold: {between: [h1, s1], from: 2us, until: 1us}}]\n"
                                      "nic: {receive: {xoff: 3MiB, xon: 4MiB}}\n");
  CHECK(found.find("until 1us is not after from 2us") != std::string::npos);
  CHECK(found.find("xoff 3MiB is above buffer 2MiB") != std::string::npos);
  CHECK(found.find("xon 4MiB is above xoff 3MiB") != std::string::npos);
}
