// The ideal time of a transfer is the time it takes when it is alone: sizes, hops, rates, latencies and operations.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

struct Path {
  const char* name;
  std::vector<Rate> rates;  ///< hop by hop; a switch between two hops
  Duration latency;         ///< of each switch
};

/// Hosts "a" and "z" with a chain of switches between them.
struct Chain : FabricBench {
  explicit Chain(const Path& path) {
    defaults.latency = path.latency;
    host("a");
    std::string previous = "a";
    for (std::size_t hop = 0; hop < path.rates.size(); ++hop) {
      const bool last = hop + 1 == path.rates.size();
      const std::string next = last ? "z" : "s" + std::to_string(hop + 1);
      if (last) {
        host(next);
      } else {
        add_switch(next);
      }
      rate = path.rates[hop];
      delay = Duration{(static_cast<std::int64_t>(hop) + 1) * 100'000};  // 100, 200, 300 ns …
      link(previous, next);
      previous = next;
    }
  }
};

const std::vector<Path> paths = {
    {"cable", {100_Gbps}, 0_ps},
    {"one switch", {100_Gbps, 100_Gbps}, 500_ns},
    {"two tiers", {100_Gbps, 400_Gbps, 400_Gbps, 100_Gbps}, 500_ns},
    {"slower at the end", {400_Gbps, 400_Gbps, 100_Gbps}, 500_ns},
    {"slow in the middle", {400_Gbps, 25_Gbps, 800_Gbps}, 0_ps},
    {"slower and slower", {800_Gbps, 400_Gbps, 100_Gbps, 25_Gbps}, 2_us},
};

}  // namespace

TEST_CASE("alone, a transfer takes exactly its ideal time") {
  for (const Path& path : paths) {
    for (const Operation operation : {Operation::write, Operation::send, Operation::write_immediate}) {
      for (const std::int64_t size : {0, 1, 4095, 4096, 4097, 8192, 100'000, 1'048'576}) {
        CAPTURE(path.name);
        CAPTURE(size);
        CAPTURE(static_cast<int>(operation));
        Chain bench{path};
        bench.operation = operation;
        bench.flow("a", "z", Bytes{size});
        const RunResults results = bench.run();
        CHECK(results.sound);
        const TransferRow& row = results.transfer_rows.at(0);
        CHECK(row.finish_ps.value() - row.start_ps == row.ideal_ps);
        CHECK(row.slowdown == 1.0);
      }
    }
  }
}

TEST_CASE("the ideal time of two known transfers, by hand") {
  // One switch of 500 ns, 100 ns and 200 ns of cable, 2 full packets of a WRITE: 4178 + 16 and 4178 B. The second
  // packet is whole at the switch before the first, which is larger, has left it: both leave back to back.
  Chain bench{paths[1]};
  bench.operation = Operation::write;
  bench.flow("a", "z", 8192_B);
  const Duration out = Duration{4194 * 80} + 100_ns + 500_ns + Duration{(4194 + 4178) * 80} + 200_ns;
  const Duration back = 2 * Duration{86 * 80} + 200_ns + 500_ns + 100_ns;
  CHECK(bench.run().transfer_rows.at(0).ideal_ps == (out + back).picoseconds());

  // 400G, 25G, 800G without latency: the middle wire carries both packets back to back.
  Chain slow{paths[4]};
  slow.operation = Operation::write;
  slow.flow("a", "z", 8192_B);
  const Duration there =
      Duration{4194 * 20} + 100_ns + Duration{(4194 + 4178) * 320} + 200_ns + Duration{4178 * 10} + 300_ns;
  const Duration home = Duration{86 * (10 + 320 + 20)} + 600_ns;
  CHECK(slow.run().transfer_rows.at(0).ideal_ps == (there + home).picoseconds());
}

TEST_CASE("at rates that do not divide evenly the ideal time is a lower bound within a picosecond per hop and packet") {
  for (const std::int64_t size : {1, 4096, 8192, 100'000}) {
    CAPTURE(size);
    Chain bench{{"300G", {300_Gbps, 300_Gbps, 300_Gbps}, 500_ns}};
    bench.flow("a", "z", Bytes{size});
    const TransferRow row = bench.run().transfer_rows.at(0);
    const std::int64_t excess = row.finish_ps.value() - row.ideal_ps;
    CHECK(excess >= 0);
    CHECK(excess <= 3 * (size / 4096 + 2) + 3);
  }
}

TEST_CASE("two messages on one connection are each measured from when they were posted") {
  // Both are posted at 0: the second waits for the first message's wire time.
  Chain bench{paths[0]};
  bench.flow("a", "z", 4096_B).messages = 2;
  const RunResults results = bench.run();
  const Duration alone{results.transfer_rows.at(0).ideal_ps};
  CHECK(alone == Duration{4178 * 80} + 100_ns + Duration{86 * 80} + 100_ns);
  CHECK(results.transfer_rows.at(0).finish_ps == alone.picoseconds());
  CHECK(results.transfer_rows.at(1).finish_ps == (alone + Duration{4178 * 80}).picoseconds());
  CHECK(results.transfer_rows.at(1).start_ps == 0);
}
