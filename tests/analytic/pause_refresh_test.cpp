// A pause that runs out before it can be repeated, and the quanta with which it cannot.
//
// An egress to z is held; a sends towards it, and z sends to a all the while. Bytes of wire at 100 Gbps: the PAUSE for a
// starts when a frame to a has left, at 0, and the next frame to a starts at 84. A pause of 64 quanta lasts 64 x 64 =
// 4096 and is due again at 2048, but the wire is free again at 84 + 4178 = 4262 only: a is free for 166, starts a frame
// of 4178, and does so every 4262. With 131 quanta a pause lasts 8384, is due at 4192 and repeated at 4262.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

RunResults held(int quanta) {
  FabricBench bench;
  bench.scenario.frame.mtu = 4096_B;
  bench.scenario.pfc.quanta = quanta;
  bench.nic.ack_every = 1'000'000;
  bench.defaults.buffer.reserved = 0_B;
  bench.defaults.buffer.threshold = StaticThreshold{64_KiB};
  bench.delay = 25_ns;
  bench.add_switch("s");
  for (const char* name : {"a", "z"}) {
    bench.host(name);
    bench.link(name, "s");
  }
  bench.flow("a", "z", 1_MB);
  bench.flow("z", "a", 1_MB).priority = Priority{0};
  bench.hold("s", "z", Time{0}, Time{0} + 50_us);
  return bench.run();
}

}  // namespace

TEST_CASE("a pause that runs out before its repeat lets frames through at each, and the quanta of the warning do not") {
  const RunResults leaky = held(64);
  CHECK(leaky.warnings == std::vector<std::string>{
                              "fabric.pfc.quanta: a PAUSE of 64 quanta from s to a lasts 327.68 ns and is repeated "
                              "after 163.84 ns, but the repeat may wait 334.24 ns for a frame of its own direction; so "
                              "at 1 more port: frames slip through meanwhile; try fabric.pfc.quanta=131"});
  // Shared memory is full after 16 frames, 5.4 us; in the 44 us until the release a sends about one frame every
  // 340.96 ns. Headroom of 4887 + 2 x 4158 = 13 203 B holds three.
  CHECK_FALSE(leaky.sound);
  CHECK(leaky.drops.lossless > 44'000 / 341 - 10);
  const RunResults tight = held(131);
  CHECK(tight.warnings == std::vector<std::string>{});
  CHECK(tight.sound);
  CHECK(tight.drops.lossless == 0);
  CHECK(queue_of(tight, "s", "a", 3)->headroom_peak_bytes <= 13'203);
}
