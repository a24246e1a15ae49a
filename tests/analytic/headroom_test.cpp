// Headroom in its worst case: how many frames come after the decision to pause, and what happens with a byte less.
//
// Two senders a and b, one receiver z, one switch s. The egress to z is held, so nothing drains. a's frames take W
// bytes of wire each, back to back from 0 on, and arrive whole at k x W + tau. The frame that reaches the threshold
// arrives at t0; the PAUSE waits for the frame that z's reverse traffic has on the wire to a, takes 84 B, travels tau
// and takes effect after the response. In bytes of wire that is A = 2 x tau x R + wait + 84 + response after t0 - tau,
// and a has started a frame at t0 - tau and every W from there: floor(A / W) + 1 frames land in headroom. The wait is
// at most W.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "planning/headroom_budget.hpp"
#include "support/fabric_bench.hpp"
#include "support/timeline.hpp"

using namespace soya;
using namespace soya::test;

namespace {

constexpr Bytes frame{4158};  // payload 4096 and 62 B; SEND, so all frames are alike
constexpr std::int64_t wire = 4178;
constexpr Duration slot{wire * 80};  // at 100G
constexpr Duration response_100g{394 * 512 * 10};

/// Where in the time of one frame the reverse traffic starts: its frames begin on the wire from s to a that much after
/// a multiple of the frame time, counted like a's arrivals.
struct Reverse {
  Duration phase;
};
/// A reverse frame starts 1 ps before the trigger frame is in: the longest wait, W less 1 ps.
constexpr Reverse worst{slot - Duration{1}};

struct HeldEgress : FabricBench {
  HeldEgress(Duration one_way, Bytes headroom, const Reverse& reverse) {
    scenario.frame.mtu = 4096_B;
    nic.ack_every = 1'000'000;
    defaults.buffer.reserved = 0_B;
    defaults.buffer.threshold = StaticThreshold{64_KiB};
    defaults.headroom.size = headroom;
    add_switch("s");
    delay = one_way;
    for (const char* name : {"a", "b", "z"}) {
      host(name);
      link(name, "s");
    }
    // In a lossy class of its own, so that a's acknowledges of it are not counted with a's data.
    FlowConfig& back = flow("z", "a", 1_MB);
    back.priority = Priority{0};
    back.start = Time{0} + reverse.phase;
  }
  void send(Bytes size) {
    flow("a", "z", size);
    flow("b", "z", size);
  }
  HeldEgress& case_one(Duration release = 20_us) {
    send(1_MB);
    hold("s", "z", Time{0}, Time{0} + release);
    return *this;
  }
};

/// What model and derivation say about a link at 100G.
struct Worst {
  std::int64_t bytes;   ///< A
  std::int64_t frames;  ///< behind the trigger frame
};
Worst worst_at(Duration one_way, Duration response) {
  const std::int64_t bytes = 2 * one_way.picoseconds() / 80 + wire + 84 + response.picoseconds() / 80;
  // 1 ps short of A the wait is not quite a frame; so a frame that would start at A exactly does not.
  return {bytes, (bytes * 80 - 1) / (wire * 80) + 1};
}

}  // namespace

TEST_CASE("headroom of 3 x rate x delay loses frames on 5 m of cable, and the run says where, when and how much") {
  // 312 B x 3 = 936 B is less than a frame.
  HeldEgress bench{25_ns, 936_B, worst};
  const RunResults results = bench.case_one().run();
  CHECK_FALSE(results.sound);
  CHECK(results.drops.lossless > 0);
  REQUIRE_FALSE(results.why_not.empty());
  // ceil(65 536 / 4158) = 16 frames reach the threshold; the 17th arrives at 17 x 334.24 + 25 ns = 5707.08 ns.
  CHECK(results.why_not[0].starts_with("lossless drop at s port a priority 3: first at 5.70708 us, "));
  CHECK(results.why_not[0].ends_with("headroom 936 B, needed at least 8 316 B, 7 380 B missing"));
  const QueueRow& row = *queue_of(results, "s", "a", 3);
  CHECK(row.headroom_configured_bytes == 936);
  CHECK(row.headroom_needed_bytes == 8316);
  // No full frame fits; the message's last one does, 1 000 000 - 244 x 4096 = 576 B of payload and 62 B around it.
  CHECK(row.headroom_peak_bytes <= 576 + 62);
  // Said before the run, too: the budget is 4887 + 2 x 4158.
  CHECK(row.headroom_auto_bytes == 13'203);
  CHECK(std::any_of(results.warnings.begin(), results.warnings.end(), [](const std::string& warning) {
    return warning.find("936 B") != std::string::npos && warning.find("13 203 B") != std::string::npos;
  }));
}

TEST_CASE("at 5 m two frames of headroom are enough with a static threshold, and a byte less is not") {
  CHECK(worst_at(25_ns, 0_ps).bytes == 4887);
  CHECK(worst_at(25_ns, 0_ps).frames == 2);
  for (const std::int64_t headroom : {4158, 8315, 8316, 13'203}) {
    CAPTURE(headroom);
    HeldEgress bench{25_ns, Bytes{headroom}, worst};
    const RunResults results = bench.case_one().run();
    const QueueRow& row = *queue_of(results, "s", "a", 3);
    CHECK(row.headroom_needed_bytes == 8316);
    CHECK((row.headroom_peak_bytes == 8316) == (headroom >= 8316));
    CHECK((results.drops.lossless == 0) == (headroom >= 8316));
    CHECK(results.sound == (headroom >= 8316));
  }
}

TEST_CASE("a PAUSE that waits less lets fewer frames through") {
  // Before the hold ends there is one off period. Reverse frames start on the wire `phase` after multiples of the frame
  // time, the trigger arrives at a multiple (both later by the cable): the PAUSE waits for what is left, `phase`.
  std::int64_t least = INT64_MAX;
  for (int i = 0; i < 16; ++i) {
    CAPTURE(i);
    const Duration phase = (2 * i + 1) * slot / 32;
    HeldEgress bench{25_ns, 8316_B, {phase}};
    bench.scenario.stop.after = 15_us;
    const RunResults results = bench.case_one().run();
    CHECK(results.drops.lossless == 0);
    const Duration effect = 2 * 25_ns + phase + Duration{84 * 80};
    const std::int64_t frames = effect.picoseconds() / slot.picoseconds() + 1;
    CHECK(queue_of(results, "s", "a", 3)->headroom_peak_bytes == frames * frame.count());
    least = std::min(least, frames);
  }
  CHECK(least == 1);
}

TEST_CASE("with the response time of 100G eight frames are enough, and a byte less is not") {
  CHECK(worst_at(25_ns, response_100g).bytes == 4887 + 64 * 394);
  CHECK(worst_at(25_ns, response_100g).frames * frame.count() == 33'264);
  for (const std::int64_t headroom : {33'263, 33'264}) {
    CAPTURE(headroom);
    HeldEgress bench{25_ns, Bytes{headroom}, worst};
    bench.scenario.pfc.response = std::nullopt;
    const RunResults results = bench.case_one().run();
    CHECK(queue_of(results, "s", "a", 3)->headroom_needed_bytes == 33'264);
    CHECK((results.drops.lossless == 0) == (headroom == 33'264));
  }
}

TEST_CASE("300 km at 100G need 8983 frames, and a byte less is not enough") {
  const Worst expected = worst_at(1500_us, response_100g);
  CHECK(expected.frames == 8983);
  CHECK(expected.frames * frame.count() == 37'351'314);
  for (const std::int64_t missing : {0, 1}) {
    CAPTURE(missing);
    HeldEgress bench{25_ns, Bytes{37'351'314 - missing}, worst};
    bench.scenario.pfc.response = std::nullopt;
    bench.scenario.topology.links.at(0).delay = 1500_us;
    bench.scenario.switches.at(0).buffer.size = 256_MiB;
    bench.scenario.stop.after = 10_ms;
    // a's frames arrive at k slots + 1500 us, reverse frames start on the wire at their phase + 25 ns + k slots: the
    // phase that makes the latter 1 ps before the former.
    const std::int64_t shift = (1500_us - 25_ns).picoseconds() - 1;
    std::get<FlowsConfig>(bench.scenario.jobs.at(0)).flows.at(0).start = Time{shift % slot.picoseconds()};
    std::get<FlowsConfig>(bench.scenario.jobs.at(0)).flows.at(0).size = 30_MB;
    bench.send(40_MB);
    bench.hold("s", "z", Time{0}, Time{0} + 20_ms);
    const RunResults results = bench.run();
    const QueueRow& row = *queue_of(results, "s", "a", 3);
    CHECK(row.headroom_needed_bytes == 37'351'314);
    CHECK(results.drops.lossless == missing);
  }
}

TEST_CASE("frames behind the trigger are counted right at every length, up to the next frame") {
  // Lengths around those at which one more frame gets under way. The budget counts as the simulation does.
  for (const std::int64_t nanoseconds : {0, 25, 100, 163, 164, 165, 331, 332, 500, 1500, 20'000}) {
    for (const Duration response : {0_ps, response_100g}) {
      CAPTURE(nanoseconds);
      CAPTURE(response.picoseconds());
      const Duration one_way{nanoseconds * 1000 + 1};  // a link without any delay is no link
      HeldEgress bench{one_way, 1_MB, worst};
      bench.scenario.pfc.response = response;
      bench.defaults.buffer.size = 32_MiB;
      bench.case_one(100_us);
      const RunResults results = bench.run();
      const std::int64_t frames = worst_at(one_way, response).frames;
      CHECK(queue_of(results, "s", "a", 3)->headroom_peak_bytes == frames * frame.count());
      HeadroomQuery query;
      query.rate = 100_Gbps;
      query.one_way = one_way;
      query.largest_frame = frame;
      query.response = response;
      const HeadroomBudget budget = headroom_budget(query);
      CHECK(budget.tight_frames == frames);
      CHECK((frames + 1) * frame <= budget.automatic);
    }
  }
}

namespace {

/// Dynamic threshold, two groups that start `offset` apart: either's admission lowers the other's threshold.
struct Groups : HeldEgress {
  Groups(Bytes headroom, Duration response, const Reverse& reverse, Duration offset)
      : HeldEgress{25_ns, headroom, reverse} {
    scenario.pfc.response = response;
    BufferConfig& buffer = scenario.switches.at(0).buffer;
    buffer.threshold = DynamicThreshold{{1, 1}};
    buffer.size = Bytes{256 * 1024} + 3 * headroom;
    send(200'000_B);
    std::get<FlowsConfig>(scenario.jobs.at(0)).flows.at(2).start = Time{0} + offset;
    hold("s", "z", Time{0}, Time{0} + 20_us);
  }
};

struct Extremes {
  std::int64_t needed{0};
  std::int64_t drops{0};
};
Extremes over_phases(Bytes headroom, Duration response) {
  constexpr int steps = 12;
  Extremes extremes;
  for (int i = 0; i < steps; ++i) {
    for (int j = 0; j < steps; ++j) {
      const Reverse reverse{i * slot / steps + Duration{slot.picoseconds() / steps - 1}};
      const RunResults results = Groups{headroom, response, reverse, j * slot / steps}.run();
      for (const char* port : {"a", "b"}) {
        extremes.needed = std::max(extremes.needed, queue_of(results, "s", port, 3)->headroom_needed_bytes);
      }
      extremes.drops += results.drops.lossless;
    }
  }
  return extremes;
}

}  // namespace

TEST_CASE("a dynamic threshold and several groups cost one frame more, and a byte less is not enough") {
  // The other group's admission lowers the threshold below what a holds, so a's next frame lands in headroom and is
  // the trigger; behind it come two frames without response time and eight with that of 100G.
  struct Row {
    Duration response;
    std::int64_t needed;
  };
  for (const Row& row : {Row{0_ps, 12'474}, Row{response_100g, 37'422}}) {
    CAPTURE(row.needed);
    const Extremes enough = over_phases(Bytes{row.needed}, row.response);
    CHECK(enough.needed == row.needed);
    CHECK(enough.drops == 0);
    CHECK(over_phases(Bytes{row.needed - 1}, row.response).drops > 0);
  }
}

namespace {

/// WRITEs of two sizes, so that First, Middle, Last and Only frames mix, acknowledged, with reverse traffic of the same
/// class, at a rate and length, with `auto` headroom and the response time of the rate.
struct Automatic : FabricBench {
  Automatic(Rate line, Length length, Bytes mtu, Duration phase) {
    scenario.frame.mtu = mtu;
    scenario.pfc.response = std::nullopt;
    operation = Operation::write;
    rate = line;
    delay = propagation(length, 5_us);
    nic.queue_depth = 100'000;  // so that no window holds a back
    defaults.buffer.size = 256_MiB;
    defaults.buffer.threshold = StaticThreshold{64_KiB};
    add_switch("s");
    for (const char* name : {"a", "b", "z"}) {
      host(name);
      link(name, "s");
    }
    // Until the hold ends a can send the threshold, what is on the wire, and more.
    const Bytes loop = bytes_in(2 * delay + 10_us, line);
    flow("a", "z", 3 * mtu + 5_B).messages = 1 + (200'000_B + loop).count() / (3 * mtu.count());
    flow("b", "z", 200'000_B + loop);
    flow("z", "a", 200'000_B + loop).start = Time{0} + phase;
    hold("s", "z", Time{0}, Time{0} + 4 * delay + serialisation(64_KiB, line) + 20_us);
  }
};

}  // namespace

TEST_CASE("automatic headroom never drops, whatever the rate, length, mtu and phase") {
  for (const Rate rate : {25_Gbps, 100_Gbps, 200_Gbps, 400_Gbps}) {
    for (const Length length : {5_m, 300_m, 4_km}) {
      for (const Bytes mtu : {1024_B, 4096_B}) {
        for (int quarter = 0; quarter < 4; ++quarter) {
          CAPTURE(rate.gbps());
          CAPTURE(length.millimetres());
          CAPTURE(mtu.count());
          CAPTURE(quarter);
          const Duration phase = serialisation(mtu + 82_B, rate) * quarter / 4 + 1_ps;
          const RunResults results = Automatic{rate, length, mtu, phase}.run();
          CHECK(results.drops.lossless == 0);
          CHECK(results.sound);
          const QueueRow& row = *queue_of(results, "s", "a", 3);
          CHECK(row.headroom_configured_bytes == row.headroom_auto_bytes);
          CHECK(row.headroom_peak_bytes <= row.headroom_auto_bytes);
          // The case is a hard one: nearly all of it is used, up to the frames that the budget adds.
          CHECK(row.headroom_peak_bytes > row.headroom_auto_bytes / 2 - 2 * mtu.count());
          CHECK(results.buffers.headroom_margin_bytes.value_or(0) >= 0);
        }
      }
    }
  }
}
