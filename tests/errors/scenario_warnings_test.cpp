// What is odd but legal, and what a warning of it says, verbatim.
#include <doctest/doctest.h>

#include <string>

#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// 300 km at 5 us/km each way is 3 ms, 37.5 MB at 100 Gbps.
const std::string far = "topology: {nodes: {a: host, b: host}, links: [{between: [a, b], length: 300km}]}\n";

}  // namespace

TEST_CASE("odd but legal scenarios are warned of") {
  CHECK(warnings_of(two_hosts) == "workload: is empty: nothing will be sent");
  const std::string three = "topology: {parts: [{leaf_spine: {leaves: 1, spines: 1, hosts_per_leaf: 3}}]}\n";
  const std::string flow = "workload: [{flows: [{from: host1, to: host2, size: 1KB, start: 5us}]}]\n";
  CHECK(warnings_of(three + flow) == "workload: 1 host has no work: host3; check that this is meant");
  CHECK(warnings_of("topology: {parts: [{leaf_spine: {leaves: 1, spines: 1, hosts_per_leaf: 9}}]}\n" + flow) ==
        "workload: 7 hosts have no work: host3, host4, host5, host6, host7, …; check that this is meant");
  // Who counts the senders of an incast means the others to idle.
  CHECK(warnings_of(three + "workload: [{incast: {receiver: host1, senders: 1, size: 1KB}}]\n") == "");
  const std::string work = "workload: [{flows: [{from: h1, to: h2, size: 1KB, start: 5us}]}]\n";
  CHECK(warnings_of(two_hosts + work) == "");
  CHECK(warnings_of(two_hosts + work + "stop: {after: 5us}\n") ==
        "s.yaml:3:15: stop.after: the run ends at 5 us and the first flow starts at 5 us, so nothing is sent");
  CHECK(warnings_of(two_hosts + work + "stop: {after: 6us}\n") == "");
}

TEST_CASE("windows below bandwidth x delay are warned of") {
  const auto flow = [&](const std::string& keys) {
    return warnings_of(far + "workload: [{flows: [{from: a, to: b, " + keys + "}]}]\n");
  };
  CHECK(flow("size: 64KiB, messages: 129") ==
        "s.yaml:2:21: workload[0].flows.list[0]: queue_depth 128 x 64KiB is less than the 37 500 000 B that fill the "
        "path (rate x round trip); a to b cannot reach line rate; it takes nic.queue_depth 573");  // 572.2 x 65 536 B
  // No more messages than the queue takes, or a window of 38.4 MB: nothing to say.
  CHECK(flow("size: 64KiB, messages: 128") == "");
  CHECK(flow("size: 300KB, messages: 129") == "");
  CHECK(warnings_of(far + "workload: [{all_reduce: {size: 1GiB}}]\n") ==
        "s.yaml:2:25: workload[0].all_reduce: 2 channels x 4 slots x 1MiB is less than the 37 500 000 B that fill "
        "the path (rate x round trip); a to b cannot reach line rate; it takes ring.slots 18");  // 17.9 x 2 MiB
  CHECK(warnings_of(far + "workload: [{all_reduce: {size: 1GiB, ring: {channels: 9}}}]\n") == "");
}

TEST_CASE("what a queue pair may have unacknowledged is a window, too") {
  const auto flow = [&](const std::string& nic, const std::string& keys) {
    return warnings_of(far + "nic: {" + nic + "}\nworkload: [{flows: [{from: a, to: b, " + keys + "}]}]\n");
  };
  // 9155 x 4096 B are 37 498 880 B, 9156 of them more than 37.5 MB.
  CHECK(flow("max_unacked: 9155", "size: 1GB") ==
        "s.yaml:3:21: workload[0].flows.list[0]: max_unacked 9155 x 4KiB is less than the 37 500 000 B that fill the "
        "path (rate x round trip); a to b cannot reach line rate; it takes nic.max_unacked 9156");
  CHECK(flow("max_unacked: 9156", "size: 1GB") == "");
  // With selective repeat the other end's reorder window is one, too.
  CHECK(
      flow("retransmission: selective-repeat, reorder_window: 9155", "size: 1GB") ==
      "s.yaml:3:21: workload[0].flows.list[0]: reorder_window 9155 x 4KiB is less than the 37 500 000 B that fill the "
      "path (rate x round trip); a to b cannot reach line rate; it takes nic.reorder_window 9156");
  CHECK(flow("reorder_window: 9155", "size: 1GB") == "");
  // 35.8 READs of 1 MiB fill the path.
  CHECK(flow("max_reads: 16", "size: 1MiB, messages: 100, operation: read") ==
        "s.yaml:3:21: workload[0].flows.list[0]: max_reads 16 x 1MiB is less than the 37 500 000 B that fill the path "
        "(rate x round trip); a to b cannot reach line rate; it takes nic.max_reads 36");
  CHECK(flow("max_reads: 36", "size: 1MiB, messages: 100, operation: read") == "");
  // At mtu 1 the 37.5 million packets that fill the path are more than 2^23 - 1.
  CHECK(warnings_of(far + "fabric: {mtu: 1}\nworkload: [{flows: [{from: a, to: b, size: 1GB}]}]\n")
            .find("cannot reach line rate; PSN order allows 8 388 607 packets: it takes a larger fabric.mtu or more "
                  "connections") != std::string::npos);
  // A flow of 9155 packets never meets the limit.
  CHECK(flow("max_unacked: 9155", "size: 37498880B") == "");
  CHECK(
      flow("max_unacked: 9155", "size: 4096B, messages: 9155, priority: 3") ==
      "s.yaml:3:21: workload[0].flows.list[0]: queue_depth 128 x 4KiB is less than the 37 500 000 B that fill the path "
      "(rate x round trip); a to b cannot reach line rate; it takes nic.queue_depth 9156");
  // Of two windows the smaller one is told: 100 x 1000 B, not 128 x 1000 B.
  CHECK(flow("max_unacked: 100", "size: 1KB, messages: 129").find("max_unacked 100 x 1KB is less") !=
        std::string::npos);
  CHECK(flow("max_unacked: 100", "size: 0B, messages: 1000") == "");
  const auto ring = [&](const std::string& nic) {
    return warnings_of(far + "nic: {" + nic + "}\nworkload: [{all_reduce: {size: 1GiB, ring: {channels: 9}}}]\n");
  };
  CHECK(ring("max_unacked: 1017") ==
        "s.yaml:3:25: workload[0].all_reduce: 9 channels x max_unacked 1017 x 4KiB is less than the 37 500 000 B that "
        "fill the path (rate x round trip); a to b cannot reach line rate; it takes nic.max_unacked 1018");
  CHECK(ring("max_unacked: 1018") == "");  // 9 x 1018 x 4096 = 37 527 552
  CHECK(
      ring("queue_depth: 3") ==
      "s.yaml:3:25: workload[0].all_reduce: 9 channels x 3 of queue_depth x 1MiB is less than the 37 500 000 B that "
      "fill the path (rate x round trip); a to b cannot reach line rate; it takes nic.queue_depth 4");  // 3.97 x 9 MiB
}

TEST_CASE("a time-out below the round trip of a pair that works is warned of") {
  const std::string flows = "workload: [{flows: [{from: a, to: b, size: 1KB}]}]\n";
  CHECK(warnings_of(far + flows) == "");  // 67.1 ms
  CHECK(warnings_of(far + flows + "nic: {timeout: 3ms}\n") == "");
  CHECK(warnings_of(far + flows + "nic: {timeout: 2999999999ps}\n") ==
        "s.yaml:2:21: workload[0].flows.list[0]: the retransmission time-out of a, 2.999999999 ms, is below the 3 ms "
        "that links and switches take from a to b and back; packets are sent again although none is lost; check "
        "nic.timeout");
  // 4.096 us x 2^9 = 2.097152 ms, of the host that sends only.
  CHECK(warnings_of(far + flows + "hosts: {b: {timeout_exponent: 9}}\n") == "");
  CHECK(warnings_of(far + flows + "hosts: {a: {timeout_exponent: 9}}\n")
            .find("time-out of a, 2.097152 ms, is below the 3 ms that links and switches take from a to b and back; "
                  "packets "
                  "are sent again although none is lost; check nic.timeout_exponent") != std::string::npos);
  // Two links of 3 m, 15 ns each, and a switch of 500 ns, there and back: 1060 ns.
  const std::string near = std::string{two_hosts} + "workload: [{all_reduce: {size: 1KB}}]\n";
  CHECK(warnings_of(near + "nic: {timeout: 1060ns}\n") == "");
  CHECK(warnings_of(near + "nic: {timeout: 1059ns}\n") ==
        "s.yaml:2:25: workload[0].all_reduce: the retransmission time-out of h1, 1.059 us, is below the 1.06 us that "
        "links and switches take from h1 to h2 and back; packets are sent again although none is lost; check "
        "nic.timeout");
}

TEST_CASE("a path by static routes is as long as they make it, there and back on their own") {
  // The short way is three links of 3 m, 15 ns each, and two switches of 500 ns: 1.045 us. The routes lead over two
  // links of 100 km instead of one of 3 m, and over a third switch: 1 ms + 30 ns + 1.5 us.
  const std::string fabric =
      "topology:\n"
      "  nodes: {a: host, b: host, s1: switch, s2: switch, s3: switch}\n"
      "  links: [{between: [a, s1]}, {between: [b, s2]}, {between: [s1, s2]},\n"
      "    {between: [s1, s3], length: 100km}, {between: [s3, s2], length: 100km}]\n";
  const auto with = [&](const std::string& routes, const std::string& timeout) {
    return warnings_of(fabric + "  routes: [" + routes + "]\nnic: {timeout: " + timeout +
                       "}\nworkload: [{flows: [{from: a, to: b, size: 1KB}]}]\n");
  };
  CHECK(with("", "2090ns") == "");
  CHECK(with("", "2089ns").find("below the 2.09 us that") != std::string::npos);
  const std::string there = "{at: s1, to: b, via: s3}";
  CHECK(with(there, "1002575ns") == "");
  CHECK(with(there, "1002574ns").find("is below the 1.002575 ms that links and switches take from a to b and back") !=
        std::string::npos);
  const std::string back = "{at: s2, to: a, via: s3}";
  CHECK(with(back, "1002575ns") == "");
  CHECK(with(back, "1002574ns").find("below the 1.002575 ms that") != std::string::npos);
  CHECK(with(there + ", " + back, "2003060ns") == "");
  CHECK(with(there + ", " + back, "2003059ns").find("below the 2.00306 ms that") != std::string::npos);
}

TEST_CASE("a series without end is warned of") {
  const std::string work = std::string{two_hosts} + "workload: [{flows: [{from: h1, to: h2, size: 1KB}]}]\n";
  CHECK(warnings_of(work + "measure: {sample: 1us}\n") == "");
  CHECK(
      warnings_of(work + "measure: {sample: 1ns}\n") ==
      "s.yaml:3:19: measure.sample: one sample every 1 ns makes 1 000 000 000 of them in each second that is "
      "simulated, each with a row for every port that changes; more than 1 000 000 take long and fill the disk; check "
      "that this is meant");
  CHECK(warnings_of(work + "measure: {sample: 1ns}\nstop: {after: 1ms}\n") == "");
  CHECK(
      warnings_of(work + "measure: {sample: 1us}\nstop: {after: 10s}\n") ==
      "s.yaml:3:19: measure.sample: one sample every 1 us makes 10 000 000 of them up to stop.after, 10 s, each with a "
      "row for every port that changes; more than 1 000 000 take long and fill the disk; check that this is meant");
}

TEST_CASE("headroom keys that another mode reads, and a ratio beside bytes, are warned of") {
  const auto headroom = [](const std::string& keys) {
    const std::string flow = "workload: [{flows: [{from: h1, to: h2, size: 1KB}]}]\n";
    return warnings_of(two_hosts + flow + "fabric: {headroom: {" + keys + "}}\n");
  };
  CHECK(headroom("mode: shared-pool, pool: 1MB") == "");
  CHECK(headroom("mode: shared-pool, oversubscribe: 4, cap: 40KB") == "");
  CHECK(headroom("mode: shared-pool, pool: 1MB, oversubscribe: 4") ==
        "s.yaml:3:66: fabric.headroom.oversubscribe: has no effect: pool is given in bytes, and bytes win over the "
        "ratio");
  CHECK(headroom("mode: dsh, pool: 1MB") ==
        "s.yaml:3:38: fabric.headroom.pool: has no effect: mode is dsh, and this is a key of shared-pool");
  CHECK(headroom("cap: 1MB") ==
        "s.yaml:3:26: fabric.headroom.cap: has no effect: mode is per-queue, and this is a key of shared-pool");
  CHECK(headroom("mode: none, loss_allowed: true, size: 1MB") ==
        "s.yaml:3:59: fabric.headroom.size: has no effect: mode is none, and this is a key of the other modes");
  CHECK(headroom("mode: shared-pool, pool: 1MB, size: 40KB") ==
        "s.yaml:3:57: fabric.headroom.size: has no effect: pool is given in bytes, and size counts for the ratio only");
  CHECK(headroom("mode: shared-pool, pool: 1MB, formula: hpcc") ==
        "s.yaml:3:60: fabric.headroom.formula: has no effect: pool is given in bytes, and size counts for the ratio "
        "only");
  CHECK(headroom("size: 1MB, formula: hpcc") ==
        "s.yaml:3:41: fabric.headroom.formula: has no effect: size is given, and the formula is that of size: auto");
  CHECK(headroom("loss_allowed: true") ==
        "s.yaml:3:35: fabric.headroom.loss_allowed: has no effect: mode is per-queue, and this is a key of none");
  CHECK(headroom("loss_allowed: false") == "");
}

TEST_CASE("a headroom key that one switch listens to has an effect, wherever it is given") {
  const auto headroom = [](const std::string& fabric, const std::string& s1) {
    const std::string flow = "workload: [{flows: [{from: h1, to: h2, size: 1KB}]}]\n";
    return warnings_of(two_hosts + flow + "fabric: {headroom: {" + fabric + "}}\nswitches: {s1: {headroom: {" + s1 +
                       "}}}\n");
  };
  CHECK(headroom("mode: none, loss_allowed: true, size: 1MB", "mode: per-queue") ==
        "s.yaml:3:47: fabric.headroom.loss_allowed: has no effect: mode is per-queue, and this is a key of none");
  CHECK(headroom("loss_allowed: true", "mode: none") == "");
  CHECK(headroom("cap: 40KB, oversubscribe: 4", "mode: shared-pool") == "");
  CHECK(headroom("mode: shared-pool, pool: 1MB, oversubscribe: 4", "pool: none") == "");
  CHECK(headroom("size: 1MB, formula: soya", "size: auto") == "");
  CHECK(headroom("mode: dsh", "cap: 40KB") ==
        "s.yaml:4:33: switches.s1.headroom.cap: has no effect: mode is dsh, and this is a key of shared-pool");
}

TEST_CASE("accelerators shorten the way of what they relay, not that of READ") {
  // 1.5 ms each way between them; 1 us each way at both sites: 4 us, or 3.004 ms and 37.55 MB in all.
  const std::string relayed =
      "topology: {nodes: {a: host, b: host, x: {kind: wan_accelerator, partner: y}, y: wan_accelerator}, "
      "links: [{between: [a, x], length: 200m}, {between: [x, y], length: 300km}, {between: [y, b], length: 200m}]}\n"
      "nic: {timeout: 2ms}\n";
  const auto flow = [&](const std::string& operation) {
    return warnings_of(relayed + "workload: [{flows: [{from: a, to: b, size: 64KiB, messages: 129, operation: " +
                       operation + "}]}]\n");
  };
  for (const char* operation : {"write", "write-immediate", "send"}) CHECK(flow(operation) == "");
  const std::string read = flow("read");
  CHECK(read.find("the retransmission time-out of a, 2 ms, is below the 3.004 ms that links and switches take") !=
        std::string::npos);
  CHECK(read.find("max_reads 16 x 64KiB is less than the 37 550 000 B") != std::string::npos);
  const auto perftest = [&](const std::string& test) {
    return warnings_of(relayed + "workload: [{perftest: {client: a, server: b, test: " + test + "}}]\n");
  };
  CHECK(perftest("write_bw") == "");
  CHECK(perftest("read_bw").find("is below the 3.004 ms") != std::string::npos);
}
