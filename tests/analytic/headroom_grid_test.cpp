// Simulated worst case against the formula, over rates, lengths and mtus: the tight budget never drops and one frame
// less does, in the worst phase; `auto` never drops, whatever the frames. UPDATE_SNAPSHOTS=1 renews the table in
// docs/headroom.md.
//
// The derivation is that of headroom_test.cpp. Between the decision and its effect the sender's wire carries A bytes,
// so that ceil(A / W) frames start behind the trigger frame; with a dynamic threshold the trigger is one more.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/quantity_text.hpp"
#include "net/pfc_config.hpp"
#include "support/units_io.hpp"
#include "sweep/parallel.hpp"
#include "sweep/worst_case.hpp"

using namespace soya;

namespace {

struct Cable {
  const char* text;
  Length length;
};
constexpr Cable cables[] = {{"5 m", 5_m}, {"300 m", 300_m}, {"4 km", 4_km}, {"80 km", 80_km}, {"300 km", 300_km}};

WorstCase case_of(Rate rate, Length length, Bytes mtu) {
  WorstCase what;
  what.rate = rate;
  what.one_way = propagation(length, 5_us);
  what.frame.mtu = mtu;
  what.response = response_time(PfcConfig{}, rate);
  return what;
}

/// A and n by hand: all rates of the grid carry a byte in a whole number of picoseconds.
struct ByHand {
  std::int64_t bytes;
  std::int64_t frames;
};
ByHand by_hand(const WorstCase& what) {
  const std::int64_t per_byte = 8000 / (what.rate.bits_per_second() / 1'000'000'000);
  const std::int64_t wire = what.frame.mtu.count() + 62 + 20;
  const std::int64_t span = 2 * what.one_way.picoseconds() + what.response.picoseconds();
  const std::int64_t bytes = (span + per_byte - 1) / per_byte + wire + 84;
  return {bytes, (bytes + wire - 1) / wire};
}

/// Bytes that a frame of the sender takes in the buffer.
Bytes charge_of(const WorstCase& what) {
  const std::int64_t cell = what.cell.value_or(1_B).count();
  const std::int64_t padded = (what.frame.mtu.count() + 3) / 4 * 4;
  return Bytes{(padded + 62 + cell - 1) / cell * cell};
}

struct GridRow {
  WorstCase what;
  const char* cable;
  HeadroomBudget budget;
  WorstCaseAnswer fixed;
  WorstCaseAnswer dynamic;
  bool frame_less_lost;  ///< in both
};

GridRow simulate(WorstCase what, const char* cable) {
  GridRow row{what, cable, headroom_budget(query_of(what)), {}, {}, false};
  row.fixed = smallest_lossless(what);
  const Bytes frame = what.frame.mtu + 62_B;
  const bool fixed_lost = first_loss(what, row.budget.tight_static - frame).has_value();
  what.threshold = ThresholdKind::dynamic;
  row.dynamic = smallest_lossless(what);
  row.frame_less_lost = fixed_lost && first_loss(what, row.budget.tight_dynamic - frame).has_value();
  return row;
}

std::vector<GridRow> simulated_grid() {
  std::vector<std::pair<WorstCase, const char*>> points;
  for (const Rate rate : {25_Gbps, 100_Gbps, 400_Gbps, 800_Gbps}) {
    for (const Cable& cable : cables) {
      for (const Bytes mtu : {1024_B, 4096_B}) points.emplace_back(case_of(rate, cable.length, mtu), cable.text);
    }
  }
  std::vector<GridRow> rows;
  for (const auto& [what, cable] : points) rows.push_back(simulate(what, cable));
  return rows;
}

std::string table_of(const std::vector<GridRow>& rows) {
  std::string text =
      "| rate | length | mtu | A | n | tight, static | simulated, static | tight, dynamic | simulated, dynamic | auto "
      "|\n"
      "|---|---|---|---|---|---|---|---|---|---|\n";
  for (const GridRow& row : rows) {
    text += fmt::format(
        "| {} Gbps | {} | {} B | {} | {} | {} | {} | {} | {} | {} |\n", row.what.rate.bits_per_second() / 1'000'000'000,
        row.cable, row.what.frame.mtu.count(), bytes_text(row.budget.in_flight()), grouped(row.budget.tight_frames),
        bytes_text(row.budget.tight_static), bytes_text(row.fixed.smallest), bytes_text(row.budget.tight_dynamic),
        bytes_text(row.dynamic.smallest), bytes_text(row.budget.automatic));
  }
  return text;
}

/// Holds `table` against what stands between the markers of docs/headroom.md, or writes it there.
void check_page(const std::string& table) {
  const std::string path = std::string(SOYA_SOURCE_DIR) + "/docs/headroom.md";
  const std::string begin = "<!-- grid: begin -->\n";
  const std::string end = "<!-- grid: end -->\n";
  std::ostringstream stored;
  stored << std::ifstream{path, std::ios::binary}.rdbuf();
  std::string page = stored.str();
  const std::size_t from = page.find(begin) + begin.size();
  const std::size_t to = page.find(end);
  REQUIRE_MESSAGE((page.find(begin) != std::string::npos && to != std::string::npos), "no markers in ", path);
  if (const char* update = std::getenv("UPDATE_SNAPSHOTS"); update != nullptr && std::string(update) == "1") {
    std::ofstream{path, std::ios::binary} << page.replace(from, to - from, table);
    return;
  }
  CHECK_MESSAGE(page.substr(from, to - from) == table, "docs/headroom.md differs. Now:\n", table);
}

}  // namespace

TEST_CASE("over the grid the tight budget is the smallest lossless headroom, and the page says so") {
  const std::vector<GridRow> rows = simulated_grid();
  CHECK(rows.size() == 40);
  for (const GridRow& row : rows) {
    CAPTURE(row.what.rate.gbps());
    CAPTURE(row.cable);
    CAPTURE(row.what.frame.mtu.count());
    const ByHand expected = by_hand(row.what);
    const Bytes frame = row.what.frame.mtu + 62_B;
    CHECK(row.budget.in_flight().count() == expected.bytes);
    CHECK(row.budget.tight_frames == expected.frames);
    // Lossless with n frames in every phase, and not with a byte less; with a dynamic threshold n + 1.
    CHECK(row.fixed.smallest == expected.frames * frame);
    CHECK(row.dynamic.smallest == (expected.frames + 1) * frame);
    CHECK(row.fixed.monotone);
    CHECK(row.dynamic.monotone);
    CHECK(row.frame_less_lost);
    CHECK(row.dynamic.smallest <= row.budget.automatic);
  }
  check_page(table_of(rows));
}

namespace {

/// What a sender of the `auto` test sends, in which memory.
struct Traffic {
  const char* name;
  bool vlan{false};
  IpVersion ip{IpVersion::v4};
  std::optional<Bytes> cell{};
  Operation operation{Operation::send};
  /// Size of the messages at an mtu: whole packets and what is beyond. Absent: one long message.
  struct Message {
    std::int64_t packets;
    Bytes beyond;
  };
  std::optional<Message> message{};
};

/// First, Middle, Last and Only frames of every kind; frames that fill their cells worst.
std::vector<Traffic> traffics() {
  using enum Operation;
  std::vector<Traffic> list{
      {.name = "VLAN", .vlan = true},
      {.name = "VLAN and IPv6", .vlan = true, .ip = IpVersion::v6},
      {.name = "Only packets, WRITE", .operation = write, .message = {{1, 0_B}}},
      {.name = "Only packets, WRITE with immediate", .operation = write_immediate, .message = {{1, 0_B}}},
      {.name = "half packets", .operation = write, .message = {{0, 500_B}}},
      {.name = "First and a short Last", .operation = write, .message = {{1, 5_B}}},
      {.name = "First, Middle and a short Last", .operation = write, .message = {{2, 5_B}}},
      {.name = "four full packets", .operation = write_immediate, .message = {{4, 0_B}}},
      {.name = "mixed and VLAN", .vlan = true, .operation = write, .message = {{3, 1_B}}},
  };
  for (const Bytes cell : {80_B, 144_B, 192_B, 256_B}) {
    list.push_back({.name = "Middle frames in cells", .cell = cell});
    list.push_back({.name = "mixed in cells", .cell = cell, .operation = write, .message = {{2, 5_B}}});
    // Frames of one byte to four more than two cells: the payload is padded to 4 B.
    list.push_back({.name = "wasteful in cells", .cell = cell, .message = {{0, 2 * cell - 61_B}}});
    list.push_back({.name = "smallest in cells", .cell = cell, .message = {{0, 1_B}}});
  }
  return list;
}

WorstCase case_of(const Traffic& traffic, Rate rate, Length length, Bytes mtu) {
  WorstCase what = case_of(rate, length, mtu);
  what.frame.vlan = traffic.vlan;
  what.frame.ip = traffic.ip;
  what.cell = traffic.cell;
  what.operation = traffic.operation;
  if (traffic.message) what.message = traffic.message->packets * mtu + traffic.message->beyond;
  return what;
}

/// "" where `auto` loses nothing with either threshold, else which one does.
std::string loss_with_auto(WorstCase what) {
  const Bytes automatic = headroom_budget(query_of(what)).automatic;
  std::string lost;
  for (const ThresholdKind kind : {ThresholdKind::static_, ThresholdKind::dynamic}) {
    what.threshold = kind;
    const auto found = first_loss(what, automatic);
    if (found) {
      lost += fmt::format(" {} needs {}, auto is {};", kind == ThresholdKind::static_ ? "static" : "dynamic",
                          bytes_text(found->needed), bytes_text(automatic));
    }
  }
  return lost;
}

void check_auto(const Traffic& traffic, Length length) {
  for (const Rate rate : {25_Gbps, 100_Gbps, 400_Gbps, 800_Gbps}) {
    for (const Bytes mtu : {1024_B, 4096_B}) {
      CAPTURE(traffic.name);
      CAPTURE(traffic.cell.value_or(1_B).count());
      CAPTURE(rate.gbps());
      CAPTURE(length.millimetres());
      CAPTURE(mtu.count());
      const WorstCase what = case_of(traffic, rate, length, mtu);
      CHECK(loss_with_auto(what) == "");
      // The case is a hard one. Cells of 256 B scale a budget by 256 / 84 = 3.05 for frames of 64 B; large frames need
      // a third of that.
      CHECK(first_loss(what, headroom_budget(query_of(what)).automatic / 4));
    }
  }
}

}  // namespace

TEST_CASE("automatic headroom never drops, whatever the frames, headers and cells") {
  for (const Traffic& traffic : traffics()) {
    for (const Length length : {5_m, 300_m}) check_auto(traffic, length);
    // Small messages by the hundred thousand show nothing that they do not show at 300 m.
    if (!traffic.message || traffic.message->packets > 0) check_auto(traffic, 4_km);
  }
}

TEST_CASE("automatic headroom never drops, whatever the frames, on the longest links") {
  const Traffic mixed{.name = "mixed in cells", .cell = 192_B, .operation = Operation::write, .message = {{3, 5_B}}};
  for (const Traffic& traffic : {Traffic{.name = "VLAN", .vlan = true}, mixed}) check_auto(traffic, 80_km);
  check_auto({.name = "Middle frames in cells", .cell = 144_B}, 300_km);
}

TEST_CASE("in cells the tight budget is the smallest lossless headroom, too, and small frames do not pass auto") {
  for (const Bytes cell : {16_B, 80_B, 144_B, 208_B, 256_B, 1000_B}) {
    for (const Bytes mtu : {1_B, 256_B, 1024_B, 4096_B}) {
      CAPTURE(cell.count());
      CAPTURE(mtu.count());
      WorstCase what = case_of(100_Gbps, 5_m, mtu);
      what.cell = cell;
      const Bytes charge = charge_of(what);
      const HeadroomBudget budget = headroom_budget(query_of(what));
      CHECK(smallest_lossless(what).smallest == budget.tight_frames * charge);
      what.threshold = ThresholdKind::dynamic;
      CHECK(smallest_lossless(what).smallest == (budget.tight_frames + 1) * charge);
      CHECK((budget.tight_frames + 1) * charge <= budget.automatic);
      CHECK_FALSE(first_loss(what, budget.automatic));
    }
  }
}
