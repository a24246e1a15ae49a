// What each headroom mode does to the same traffic, beside arithmetic: where a pool loses its first frame, how large a
// burst DSH takes without a PAUSE, what the priorities of a port share, and how much a draining egress saves.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

constexpr Bytes frame{4158};  // payload 4096 and 62 B; SEND, so all frames are alike
constexpr std::int64_t wire = 4178;
constexpr Duration slot{wire * 80};  // at 100G

const SwitchRow& only_switch(const RunResults& results) {
  REQUIRE(results.switches.size() == 1);
  return results.switches[0];
}

/// Sixteen lossless ports: five senders behind 1 us of cable, five hosts that keep the wires back to them busy, the
/// receiver, whose egress is held, and five idle hosts.
///
/// Behind the frame that takes a group to its threshold comes what A bytes of wire still start: 2 x 1 us x 100G =
/// 25 000, the reverse frame that the PAUSE waits for, 4178, and the PAUSE, 84: 29 262, in which
/// ceil(29 262 / 4178) = 8 frames start.
struct Pool : FabricBench {
  static constexpr Bytes need = 8 * frame;
  static constexpr int ratio = 4;

  explicit Pool(int senders) {
    scenario.frame.mtu = 4096_B;
    nic.ack_every = 1'000'000;
    defaults.buffer.reserved = 0_B;
    defaults.buffer.threshold = StaticThreshold{64_KiB};
    defaults.headroom.size = need;
    defaults.headroom.mode = SharedPoolHeadroom{.pool = {}, .oversubscribe = {ratio, 1}, .cap = need};
    add_switch("s");
    const auto join = [&](const std::string& name) {
      host(name);
      link(name, "s");
    };
    for (const char* kind : {"sender", "busy", "idle"}) {
      for (int i = 1; i <= 5; ++i) join(kind + std::to_string(i));
    }
    join("receiver");
    hold("s", "receiver", Time{0}, Time{0} + 40_us);
    for (int i = 1; i <= senders; ++i) {
      const std::string number = std::to_string(i);
      flow("sender" + number, "receiver", 1_MB);
      FlowConfig& back = flow("busy" + number, "sender" + number, 1_MB);
      back.priority = Priority{0};
      // A frame starts on the wire back 1 ps before the trigger frame is in: the longest wait.
      back.start = Time{0} + slot - 1_ps;
    }
  }
};

}  // namespace

TEST_CASE("a pool of 4 : 1 covers a quarter of the groups to the byte, and with one more the pool is what is short") {
  const RunResults enough = Pool{4}.run();
  const SwitchRow& row = only_switch(enough);
  CHECK(row.lossless_groups == 16);
  CHECK(row.headroom_bytes == 16 * 8 * 4158 / 4);
  CHECK(row.groups_in_headroom_max == 16 / 4);
  CHECK(row.headroom_peak_bytes == 4 * 8 * 4158);
  CHECK(enough.drops.lossless == 0);
  CHECK(enough.sound);
  CHECK(enough.buffers.headroom_margin_bytes == 0);
  CHECK(enough.buffers.groups_in_headroom_share_max == doctest::Approx(0.25));

  const RunResults one_more = Pool{5}.run();
  CHECK_FALSE(one_more.sound);
  CHECK(one_more.drops.lossless == 5 * 8 - 4 * 8);
  CHECK(only_switch(one_more).headroom_needed_bytes == 5 * 8 * 4158);
  REQUIRE_FALSE(one_more.why_not.empty());
  for (const std::string& why : one_more.why_not) {
    CHECK(why.find("; shared headroom pool 133 056 B, needed at least 166 320 B, 33 264 B missing") !=
          std::string::npos);
    CHECK(why.find("cap") == std::string::npos);
  }
}

TEST_CASE("a cap below the need of a group is told as the cap, however much of the pool is left") {
  Pool bench{1};
  auto& pool = std::get<SharedPoolHeadroom>(bench.scenario.switches[0].headroom.mode);
  pool.cap = 7 * frame;
  const RunResults results = bench.run();
  CHECK(results.drops.lossless == 1);
  REQUIRE(results.why_not.size() == 1);
  CHECK(results.why_not[0].find("; cap of a group in the shared headroom pool 29 106 B, needed at least 33 264 B, "
                                "4 158 B missing") != std::string::npos);
}

namespace {

/// Four senders that fill five priorities of one receiver for a while: groups pause and resume again and again, and
/// what is lost is sent again.
RunResults pool_of(Bytes bytes) {
  FabricBench bench;
  bench.scenario.frame.mtu = 1024_B;
  bench.scenario.pfc.priorities = PrioritySet{0b0011'1110};
  bench.defaults.buffer.reserved = 0_B;
  bench.defaults.buffer.threshold = StaticThreshold{100'000_B};
  bench.defaults.headroom.mode = SharedPoolHeadroom{.pool = bytes, .oversubscribe = {1, 1}, .cap = {}};
  bench.add_switch("s");
  bench.host("receiver");
  bench.link("receiver", "s");
  for (int i = 1; i <= 4; ++i) {
    const std::string name = "sender" + std::to_string(i);
    bench.host(name);
    bench.link(name, "s");
    for (std::uint8_t q = 1; q <= 5; ++q) bench.flow(name, "receiver", 256_KiB).priority = Priority{q};
  }
  return bench.run();
}

}  // namespace

TEST_CASE("what a run needs at least after losses is not above what is enough, however long it goes on") {
  const RunResults ample = pool_of(8_MB);
  const Bytes enough{only_switch(ample).headroom_peak_bytes};
  REQUIRE(enough > 4 * 1086_B);
  CHECK(pool_of(enough).sound);
  CHECK_FALSE(pool_of(enough - 1_B).sound);
  for (const int part : {2, 4, 16}) {
    const SwitchRow row = only_switch(pool_of(Bytes{enough.count() / part}));
    CHECK(row.headroom_needed_bytes > enough.count() / part);
    CHECK(row.headroom_needed_bytes <= enough.count());
  }
}

TEST_CASE("the time in headroom is from the first frame behind the threshold to the release of the last") {
  // The egress is held until 40 us and then sends one frame of 334.24 ns after another: those of sender1 alone.
  Pool bench{1};
  bench.scenario.stop.after = 45_us;
  const RunResults results = bench.run();
  const QueueRow& row = *queue_of(results, "s", "sender1", 3);
  // ceil(65 536 / 4158) = 16 frames reach the threshold; the 17th arrives at 17 x 334.24 + 1000 ns. With frames
  // released at 40 us + k x 334.24 ns, headroom first, the eighth leaves at k = 7.
  const Duration in = Duration{17 * slot.picoseconds()} + 1_us;
  CHECK(row.time_in_headroom_ps == (40_us + 7 * slot - in).picoseconds());
  std::int64_t used = 0;
  std::int64_t all = 0;
  for (const HeadroomUseRow& use : results.headroom_use) {
    all += use.time_ps;
    used += use.used_percent > 0 ? use.time_ps : 0;
    // At most 8 of 128 frames: 25 % of a pool of 32 frames.
    CHECK(use.used_percent <= 25);
  }
  CHECK(all == results.simulated_ps);
  CHECK(used == row.time_in_headroom_ps);
  // In headroom for more than half of 45 us, at 8 of 32 frames for most of it.
  CHECK(results.buffers.headroom_unused_share_p99 == doctest::Approx(0.75));
  CHECK(results.buffers.headroom_unused_share_p50 == doctest::Approx(0.75));
  CHECK(results.buffers.time_in_headroom_ps_max == row.time_in_headroom_ps);
  CHECK(results.buffers.headroom_switch_peak_bytes == 8 * 4158);
}

namespace {

/// DSH's own setting: 32 ports of 100G, 16 MB, eta 56 840 B, alpha 1/16; a 16 : 1 incast bursts into an idle switch.
struct Burst : FabricBench {
  static constexpr std::int64_t eta = 56'840;
  static constexpr std::int64_t buffer = 16'000'000;

  Burst(HeadroomMode mode, PrioritySet lossless, Bytes of_each) {
    scenario.frame.mtu = 1024_B;
    scenario.pfc.priorities = lossless;
    nic.ack_every = 1'000'000;
    defaults.buffer.size = Bytes{buffer};
    defaults.buffer.reserved = 0_B;
    defaults.buffer.threshold = DynamicThreshold{{1, 16}};
    defaults.headroom.size = Bytes{eta};
    defaults.headroom.mode = mode;
    add_switch("s");
    hosts("h", 32);
    for (int h = 1; h <= 32; ++h) link("h" + std::to_string(h), "s");
    for (int h = 1; h <= 16; ++h) flow("h" + std::to_string(h), "h32", of_each);
  }
};

constexpr PrioritySet seven{0b0111'1111};
constexpr PrioritySet one{0b0000'1000};

/// The largest burst of each sender, in frames, that causes no PAUSE.
std::int64_t absorbed_frames(const HeadroomMode& mode, PrioritySet lossless) {
  std::int64_t fits = 1;
  std::int64_t pauses = 2000;
  while (fits + 1 < pauses) {
    const std::int64_t middle = (fits + pauses) / 2;
    const RunResults results = Burst{mode, lossless, middle * 1024_B}.run();
    CHECK(results.drops.lossless == 0);
    (results.pfc.pause_frames == 0 ? fits : pauses) = middle;
  }
  return fits;
}

/// By arithmetic: 16 groups hold q each when q reaches alpha x (shared - 16 q) - margin, and 15/16 of what arrives is
/// still there.
double expected_frames(std::int64_t shared, std::int64_t margin) {
  const double held = (static_cast<double>(shared) / 16 - static_cast<double>(margin)) / 2;
  return held * 16 / 15 / (1024 + 62);
}

}  // namespace

TEST_CASE("dsh takes four times the burst of static headroom with seven lossless priorities, and none more with one") {
  using B = Burst;
  const std::int64_t insured = B::buffer - 32 * B::eta;
  struct Case {
    PrioritySet lossless;
    std::int64_t static_shared;
    double ratio;
  };
  for (const Case& c : {Case{seven, B::buffer - 32 * 7 * B::eta, 4.06}, Case{one, insured, 0.94}}) {
    const double by_static = expected_frames(c.static_shared, 0);
    const double by_dsh = expected_frames(insured, B::eta);
    CHECK(by_dsh / by_static == doctest::Approx(c.ratio).epsilon(0.005));
    const std::int64_t of_static = absorbed_frames(PerQueueHeadroom{}, c.lossless);
    const std::int64_t of_dsh = absorbed_frames(DynamicSharedHeadroom{}, c.lossless);
    // Whole frames, and one of each sender on its way.
    CHECK(static_cast<double>(of_static) == doctest::Approx(by_static).epsilon(2 / by_static));
    CHECK(static_cast<double>(of_dsh) == doctest::Approx(by_dsh).epsilon(2 / by_dsh));
    CHECK(static_cast<double>(of_dsh) / static_cast<double>(of_static) == doctest::Approx(c.ratio).epsilon(0.02));
  }
}

namespace {

/// Two senders of priorities 3 and 4 each through one port, both held behind it.
struct TwoPriorities : FabricBench {
  TwoPriorities(HeadroomMode mode, Bytes size, Bytes buffer = 32_MiB) {
    scenario.pfc.priorities = PrioritySet{0b0001'1000};
    nic.ack_every = 1'000'000;
    defaults.buffer.size = buffer;
    defaults.buffer.reserved = 4096_B;
    defaults.buffer.threshold = StaticThreshold{64_KiB};
    defaults.headroom.size = size;
    defaults.headroom.mode = mode;
    add_switch("s");
  }
  RunResults held() {
    for (const char* name : {"a", "z"}) {
      host(name);
      link(name, "s");
    }
    for (const Priority priority : {Priority{3}, Priority{4}}) flow("a", "z", 1_MB).priority = priority;
    hold("s", "z", Time{0}, Time{0} + 60_us);
    return run();
  }
};

}  // namespace

TEST_CASE("priorities of a port share its budget, never spend it twice, and one budget is enough for both") {
  // A = 25 000 + 4178 + 84 = 29 262 B, and two frames: 37 578 B.
  const RunResults enough = TwoPriorities{PortSharedHeadroom{}, 37'578_B}.held();
  CHECK(enough.sound);
  CHECK(enough.drops.lossless == 0);
  CHECK(only_switch(enough).headroom_bytes == 2 * 37'578);
  CHECK(queue_of(enough, "s", "a", 3)->headroom_peak_bytes > 0);
  CHECK(queue_of(enough, "s", "a", 4)->headroom_peak_bytes > 0);
  CHECK(only_switch(enough).headroom_peak_bytes <= 37'578);

  // 10 000 B hold two frames of either.
  const RunResults starved = TwoPriorities{PortSharedHeadroom{}, 10'000_B}.held();
  CHECK_FALSE(starved.sound);
  CHECK(only_switch(starved).headroom_peak_bytes == 2 * 4158);
  REQUIRE_FALSE(starved.why_not.empty());
  CHECK(starved.why_not[0].find("; headroom of the port 10 000 B, needed at least ") != std::string::npos);
  CHECK(starved.buffers.headroom_margin_bytes.value_or(0) < 0);
}

TEST_CASE("two lossless priorities take twice the headroom of one, or the switch is refused with both numbers") {
  // 32 ports x 37 500 B of headroom and 4096 B reserved in 2 MiB: one priority leaves 766 080 B of shared.
  const auto build = [](PrioritySet lossless) {
    TwoPriorities bench{PerQueueHeadroom{}, 37'500_B, 2_MiB};
    bench.scenario.pfc.priorities = lossless;
    bench.hosts("h", 32);
    for (int h = 1; h <= 32; ++h) bench.link("h" + std::to_string(h), "s");
    bench.flow("h1", "h2", 4096_B);
    return bench.run();
  };
  const SwitchRow row = only_switch(build(one));
  CHECK(row.buffer_size_bytes - row.headroom_bytes - 32 * 4096 == 766'080);
  std::string refusal;
  try {
    (void)build(PrioritySet{0b0001'1000});
  } catch (const ScenarioError& error) {
    refusal = error.what();
  }
  CHECK(refusal.find("headroom 2 400 000 + reserved 262 144 > buffer 2 097 152") != std::string::npos);
}

TEST_CASE("a draining egress leaves (1 - 1/k) of the loop in headroom in the first pause") {
  for (const int senders : {2, 4, 8}) {
    CAPTURE(senders);
    FabricBench bench;
    bench.nic.ack_every = 1'000'000;
    bench.delay = 20_us;
    bench.defaults.buffer.reserved = 0_B;
    bench.defaults.buffer.threshold = StaticThreshold{256_KiB};
    bench.add_switch("s");
    bench.hosts("h", senders + 1);
    for (int h = 1; h <= senders + 1; ++h) bench.link("h" + std::to_string(h), "s");
    for (int h = 1; h <= senders; ++h) bench.flow("h" + std::to_string(h), "h" + std::to_string(senders + 1), 2_MB);
    bench.scenario.stop.after = Duration{(20_us + 160_us).picoseconds()};
    const RunResults results = bench.run();
    // Nothing on the way back: 2 x 20 us at 100G and the PAUSE, 500 084 B of wire, as frames in a buffer.
    const double loop = 500'084.0 * 4158 / 4178;
    const double expected = loop * (1 - 1.0 / senders);
    for (int h = 1; h <= senders; ++h) {
      const auto peak = static_cast<double>(queue_of(results, "s", "h" + std::to_string(h), 3)->headroom_peak_bytes);
      CHECK(std::abs(peak - expected) <= 2 * 4158);
    }
    CHECK(results.drops.lossless == 0);
  }
}

TEST_CASE("in later pauses of an incast up to the whole loop lands in headroom, and no more") {
  for (const int senders : {3, 5, 9}) {
    CAPTURE(senders);
    FabricBench bench;
    bench.scenario.frame.mtu = 1024_B;
    bench.nic.ack_every = 1'000'000;
    bench.delay = 1500_ns;
    bench.defaults.buffer.reserved = 0_B;
    bench.defaults.buffer.threshold = StaticThreshold{128_KiB};
    bench.add_switch("s");
    bench.hosts("h", senders + 1);
    for (int h = 1; h <= senders + 1; ++h) bench.link("h" + std::to_string(h), "s");
    for (int h = 1; h <= senders; ++h) bench.flow("h" + std::to_string(h), "h" + std::to_string(senders + 1), 8_MB);
    bench.scenario.stop.after = 2_ms;
    const RunResults results = bench.run();
    // Nothing on the way back: 2 x 1.5 us at 100G and the PAUSE, 37 584 B of wire; the sender starts
    // ceil(37 584 / 1106) = 34 frames in it. (1 - 1/k) of these are 23, 28 and 31.
    const Bytes loop = 34 * 1086_B;
    Bytes most{0};
    for (int h = 1; h <= senders; ++h) {
      most = std::max(most, Bytes{queue_of(results, "s", "h" + std::to_string(h), 3)->headroom_peak_bytes});
    }
    CHECK(most == loop);
    CHECK(results.drops.lossless == 0);
  }
}
