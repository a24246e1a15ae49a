// The headroom scenarios: the answer each header claims, by arithmetic, and two fingerprints.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "golden/golden.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// WRITE packets in the middle of a message, of 4096 B and of 1024 B.
constexpr std::int64_t frame = 4096 + 62;
constexpr std::int64_t small_frame = 1024 + 62;

const SwitchRow& leaf(const RunResults& results) {
  return *std::ranges::find_if(results.switches, [](const SwitchRow& row) { return row.node == "leaf1"; });
}

bool all_name(const RunResults& results, const std::string& limit) {
  return std::ranges::all_of(results.why_not, [&](const std::string& why) {
    return why.find(limit) != std::string::npos || why.find("more places with lossless drops") != std::string::npos;
  });
}

}  // namespace

TEST_CASE(
    "headroom-per-queue-or-pool.yaml: a quarter of the bytes as a pool is enough for ten groups at once, not eleven") {
  const std::string file = "headroom-per-queue-or-pool.yaml";
  // Nothing is on the wire back: 2 x 25 ns and the PAUSE, 84 B, and 64 x 394 B of response are 25 925 B, in which
  // ceil(25 925 / 4178) = 7 frames start.
  constexpr std::int64_t need = 7 * frame;
  // The largest frame is a WRITE's first, 4174 B: 625 + 4194 + 84 + 25 216 + 2 x 4174 at 5 m, 3750 for 625 at 30 m.
  constexpr std::int64_t of_host = 625 + 4194 + 84 + 25'216 + 2 * 4174;
  constexpr std::int64_t in_all = 31 * of_host + (of_host - 625 + 3750);
  constexpr std::int64_t pool = (in_all + 3) / 4;
  static_assert(10 * need <= pool && 11 * need > pool);

  const RunResults own = run_scenario(file, {});
  check_sound(own);
  CHECK(own.buffers.headroom_peak_bytes == need);
  CHECK(leaf(own).headroom_bytes == in_all);
  CHECK(leaf(own).groups_in_headroom_max == 30);

  const RunResults ten = run_scenario(file, {}, "pool-10");
  check_sound(ten);
  CHECK(leaf(ten).headroom_bytes == pool);
  CHECK(leaf(ten).headroom_peak_bytes == 10 * need);

  const RunResults eleven = run_scenario(file, {}, "pool-11");
  CHECK_FALSE(eleven.sound);
  CHECK(leaf(eleven).headroom_needed_bytes == 11 * need);
  CHECK(all_name(eleven, "shared headroom pool 308 518 B, needed at least 320 166 B"));

  const RunResults quarter = run_scenario(file, {}, "quarter-each-1");
  CHECK_FALSE(quarter.sound);
  CHECK(quarter.drops.lossless == 7 - 9641 / frame);

  const RunResults port = run_scenario(file, {}, "port-shared-30");
  check_sound(port);
  CHECK(leaf(port).headroom_bytes == in_all);
  const RunResults dsh = run_scenario(file, {}, "dsh-30");
  check_sound(dsh);
  CHECK(leaf(dsh).headroom_peak_bytes == 0);

  check_golden("headroom-per-queue-or-pool", own);
  check_golden("headroom-per-queue-or-pool/pool-11", eleven);
  check_golden("headroom-per-queue-or-pool/dsh-30", dsh);
}

TEST_CASE("headroom-dsh-burst.yaml: a frame more than fits sends the first PAUSE, and DSH fits four times as many") {
  const std::string file = "headroom-dsh-burst.yaml";
  const auto pauses = [&](const std::string& variant) {
    const RunResults results = run_scenario(file, {}, variant);
    check_sound(results);
    return results.pfc.pause_frames;
  };
  CHECK(pauses("") == 0);
  CHECK(pauses("dsh-pauses") > 0);
  CHECK(pauses("static-fits") == 0);
  CHECK(pauses("static-pauses") > 0);
  CHECK(pauses("one-dsh-fits") == 0);
  CHECK(pauses("one-dsh-pauses") > 0);
  CHECK(pauses("one-static-fits") == 0);
  CHECK(pauses("one-static-pauses") > 0);
  // Held by each of 16 groups when it goes off, (shared / 16 - eta) / 2, is 15/16 of what it was sent.
  const auto frames = [](double shared, double eta) { return (shared / 16 - eta) / 2 * 16 / 15 / small_frame; };
  const double dsh = frames(16e6 - 32 * 56'840, 56'840);
  CHECK(406 == doctest::Approx(dsh).epsilon(2 / dsh));
  CHECK(99 == doctest::Approx(frames(16e6 - 32 * 7 * 56'840, 0)).epsilon(2.0 / 99));
  CHECK(434 == doctest::Approx(frames(16e6 - 32 * 56'840, 0)).epsilon(2.0 / 434));
  CHECK(406.0 / 99 == doctest::Approx(4.06).epsilon(0.02));
  CHECK(406.0 / 434 == doctest::Approx(0.94).epsilon(0.02));
  check_golden("headroom-dsh-burst", run_scenario(file, {}));
}

TEST_CASE("headroom-azure-tor.yaml: 6 MB are plenty at 5 m, enough at 300 m, and at 1 km the cap of a group is short") {
  const std::string file = "headroom-azure-tor.yaml";
  // Frames of 1086 B take six cells of 208 B. Two priorities of a sender take turns on its wire, so the PAUSE of one
  // may wait for a frame on the wire back, and what starts meanwhile is at most ceil(A / W) + 1 frames.
  const auto most = [](std::int64_t round_trip_bytes) {
    const std::int64_t sent = round_trip_bytes + (small_frame + 36) + 84 + 25'216;
    return (sent + small_frame + 19) / (small_frame + 20) + 1;
  };
  const RunResults rack = run_scenario(file, {});
  check_sound(rack);
  CHECK(rack.buffers.headroom_peak_bytes <= 6 * 208 * most(625));
  CHECK(rack.buffers.headroom_peak_bytes >= 6 * 208 * (25'216 / (small_frame + 20)));
  CHECK(leaf(rack).headroom_bytes == 6'000'000);
  CHECK(leaf(rack).lossless_groups == 64);
  CHECK(leaf(rack).groups_in_headroom_max == 59);
  CHECK(leaf(rack).headroom_unused_share_p99 >= 0.7);

  const RunResults row = run_scenario(file, {}, "cables-300m");
  check_sound(row);
  CHECK(row.buffers.headroom_peak_bytes <= 6 * 208 * most(37'500));
  CHECK(6 * 208 * most(37'500) < 96'928);

  const RunResults hall = run_scenario(file, {}, "cables-1km");
  CHECK_FALSE(hall.sound);
  CHECK(all_name(hall, "cap of a group in the shared headroom pool 96 928 B"));
  CHECK(leaf(hall).headroom_peak_bytes < 6'000'000);

  check_golden("headroom-azure-tor", rack);
  check_golden("headroom-azure-tor/cables-1km", hall);
}

TEST_CASE("two-hauls-held.yaml: 8 982 frames land behind the decision, and a byte less of headroom loses one") {
  // 300 km there and back, the PAUSE and the response at 100 Gbps; nothing on the wire back keeps the PAUSE waiting.
  const std::int64_t arriving = 2 * 1'500'000 * 25 / 2 + 84 + 394 * 64;
  const std::int64_t stored = (arriving / 4178 + 1) * 4158;
  const RunResults enough = run_scenario("two-hauls-held.yaml", {});
  check_sound(enough);
  CHECK(enough.buffers.headroom_peak_bytes == stored);
  CHECK(enough.buffers.headroom_margin_bytes == 0);
  const RunResults short_of = run_scenario("two-hauls-held.yaml", {}, "a-byte-less");
  CHECK_FALSE(short_of.sound);
  CHECK(short_of.drops.lossless >= 1);
  check_golden("two-hauls-held", enough);
  check_golden("two-hauls-held/a-byte-less", short_of);
}
