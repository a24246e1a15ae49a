#include "planning/headroom_formulas.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/check.hpp"
#include "core/quantity_text.hpp"
#include "net/pfc_config.hpp"

namespace soya {

namespace {

constexpr std::int64_t gbps = 1'000'000'000;

/// Rounded down, with a remainder that the caller does not lose.
std::int64_t whole(Int128 numerator, Int128 denominator) {
  return static_cast<std::int64_t>(numerator / denominator);
}

std::int64_t whole_up(Int128 numerator, Int128 denominator) {
  return whole(numerator + denominator - 1, denominator);
}

/// "100 Gbps", "2.5 Gbps".
std::string rate_text(Rate rate) {
  return fmt::format("{:g} Gbps", rate.gbps());
}

Length cable_of(const HeadroomQuery& query) {
  constexpr std::int64_t picoseconds_per_millimetre = 5;  // 5 us/km
  return query.length.value_or(Length{query.round_trip().picoseconds() / 2 / picoseconds_per_millimetre});
}

/// An answer whose size is the sum of its parts; parts of nothing are left out.
FormulaAnswer sum_of(std::vector<HeadroomPart> parts) {
  std::erase_if(parts, [](const HeadroomPart& part) { return part.size == Bytes{0}; });
  Bytes size{0};
  for (const HeadroomPart& part : parts) size += part.size;
  return {size, std::move(parts), ""};
}

/// The same, brought up to `size` by a last part.
FormulaAnswer filled_up(std::vector<HeadroomPart> parts, std::string last, Bytes size) {
  Bytes sum{0};
  for (const HeadroomPart& part : parts) sum += part.size;
  SOYA_CHECK(size >= sum, "the parts of a formula are not more than its whole");
  parts.push_back({std::move(last), size - sum});
  return sum_of(std::move(parts));
}

FormulaAnswer none(std::string reason) {
  return {std::nullopt, {}, std::move(reason)};
}

/// Pause quanta that a peer takes to respond (IEEE 802.3 31B.3.7), of the rates that the source's table has.
std::optional<std::int64_t> quanta_in_table(Rate rate) {
  constexpr std::int64_t mbps = gbps / 1000;
  for (const std::int64_t known : {100, 1'000, 10'000, 25'000, 40'000, 50'000, 100'000, 200'000, 400'000, 800'000}) {
    if (rate == Rate{known * mbps}) return response_quanta(rate);
  }
  return std::nullopt;
}

}  // namespace

FormulaAnswer soya_headroom(const HeadroomQuery& query) {
  const HeadroomBudget budget = headroom_budget(query);
  return filled_up({{"propagation, both ways", budget.propagation},
                    {"frame that the PAUSE waits for", budget.waiting},
                    {"PAUSE frame", budget.pause_frame},
                    {"response", budget.response},
                    {"frame already started", budget.frame_in_buffer},
                    {"frame that finds the threshold passed", budget.frame_in_buffer}},
                   "cells of what is under way", budget.automatic);
}

FormulaAnswer sonic_headroom(const SonicAsic& asic, const HeadroomQuery& query) {
  if (query.rate > asic.fastest) {
    return none(fmt::format("{} has ports up to {}", asic.name, rate_text(asic.fastest)));
  }
  const auto quanta = quanta_in_table(query.rate);
  if (asic.quanta_response && !quanta) {
    return none(fmt::format("{} has no response time for {}", asic.name, rate_text(query.rate)));
  }
  // All terms as multiples of 1 / unit bytes: metres x Mbps / 792 (1.98e8 m/s, both ways), tenths of bytes.
  constexpr Int128 unit = static_cast<Int128>(792) * 10 * gbps;
  const Int128 rate = query.rate.bits_per_second();
  const Int128 cable = static_cast<Int128>(cable_of(query).millimetres()) * rate * 10;
  const Int128 mac_phy = 8192 * (unit / 10);                                                         // 0.8 KB
  const Int128 peer = asic.quanta_response ? quanta.value_or(0) * 64 * unit : 38'912 * (unit / 10);  // 3.8 KB
  const Int128 tile = asic.tile_buffer ? rate * 15 * (unit / gbps) : 0;                              // 120 ns / 8
  const Int128 sent = asic.port_mtu.count() * unit + cable + mac_phy + peer + tile;

  constexpr std::int64_t lossless_mtu = 1024;
  constexpr std::int64_t step = 1024;
  const Ratio factor = asic.cell_factor();
  const std::int64_t exact_up = lossless_mtu + whole_up(sent * factor.numerator, unit * factor.denominator);
  const Bytes xoff{whole_up(exact_up, step) * step};
  return filled_up({{"lossless frame of 1024 B", Bytes{lossless_mtu}},
                    {"frame of the port's MTU", asic.port_mtu},
                    {"cable, both ways", Bytes{whole(cable, unit)}},
                    {"MAC and PHY", Bytes{whole(mac_phy, unit)}},
                    {"response of the peer", Bytes{whole(peer, unit)}},
                    {"tile", Bytes{whole(tile, unit)}},
                    {fmt::format("cells of {} B", asic.cell.count()),
                     Bytes{whole(sent * (factor.numerator - factor.denominator), unit * factor.denominator)}}},
                   "rounding up to 1 KiB", xoff);
}

FormulaAnswer cisco_headroom(const HeadroomQuery& query) {
  struct Row {
    std::int64_t gbps;
    std::int64_t interface;  ///< bit times
    std::int64_t response;   ///< bit times
  };
  constexpr Row rows[] = {{10, 8192, 30'720}, {25, 6144, 40'960}, {40, 24'576, 60'416}, {100, 122'880, 201'728}};
  const auto row = std::ranges::find(rows, query.rate.bits_per_second(), [](const Row& r) { return r.gbps * gbps; });
  if (row == std::end(rows)) {
    return none("the table has 10, 25, 40 and 100 Gbps, not " + rate_text(query.rate));
  }
  constexpr std::int64_t maximum_frame = 9216 * 8 + 96 + 64;
  constexpr std::int64_t no_drop_frame = 2300 * 8 + 96 + 64;
  constexpr std::int64_t pause = 672;
  // Bit times of 5 ns a metre, there and back.
  const std::int64_t cable =
      whole_up(static_cast<Int128>(cable_of(query).millimetres()) * query.rate.bits_per_second(), 100 * gbps);
  const std::int64_t bits = maximum_frame + pause + row->interface + cable + row->response + no_drop_frame;
  return filled_up({{"frame of 9216 B", Bytes{maximum_frame / 8}},
                    {"PAUSE frame", Bytes{pause / 8}},
                    {"interface", Bytes{row->interface / 8}},
                    {"cable, both ways", Bytes{cable / 8}},
                    {"response", Bytes{row->response / 8}},
                    {"no-drop frame of 2300 B", Bytes{no_drop_frame / 8}}},
                   "rounding up to 1 B", Bytes{whole_up(bits, 8)});
}

FormulaAnswer mlx5_headroom(const HeadroomQuery& query) {
  const std::int64_t mbps = std::max(query.rate.bits_per_second(), 40 * gbps) / 1'000'000;
  // 2.16 B per metre and Gbps: whole numbers at each step, as the driver computes.
  const std::int64_t per_gbps_cable = whole(static_cast<Int128>(cable_of(query).millimetres()) * 216, 100'000);
  const std::int64_t sum = whole(static_cast<Int128>(301 + per_gbps_cable) * mbps, 1000);
  const std::int64_t device = 301 * mbps / 1000;
  constexpr std::int64_t ethernet = 14 + 4;
  return sum_of({{"device at 301 B per Gbps", Bytes{device}},
                 {"cable at 2.16 B per metre and Gbps", Bytes{sum - device}},
                 {"2.72 MTU", Bytes{(query.largest_frame.count() - ethernet) * 272 / 100}}});
}

FormulaAnswer hpcc_headroom(const HeadroomQuery& query) {
  // Of ways that differ the mean.
  const Bytes propagation = 3 * bytes_in(query.round_trip() / 2, query.rate);
  return {propagation,
          {{"propagation, one way, three times", propagation}},
          ""};
}

FormulaAnswer dsh_headroom(const HeadroomQuery& query) {
  const Bytes eta = Bytes{whole_up(static_cast<Int128>(query.round_trip().picoseconds()) * query.rate.bits_per_second(),
                                   static_cast<Int128>(8'000) * gbps)};
  return sum_of({{"propagation, both ways", eta}, {"two frames", 2 * query.largest_frame}, {"response", 3840_B}});
}

FormulaAnswer qdt_headroom(const HeadroomQuery& query) {
  return soya_headroom(query);
}

FormulaAnswer formula_headroom(HeadroomFormula formula, const HeadroomQuery& query) {
  switch (formula) {
    case HeadroomFormula::soya:
      return soya_headroom(query);
    case HeadroomFormula::sonic_msn2700:
      return sonic_headroom(sonic_asics[0], query);
    case HeadroomFormula::sonic_msn3700:
      return sonic_headroom(sonic_asics[1], query);
    case HeadroomFormula::sonic_msn4700:
      return sonic_headroom(sonic_asics[2], query);
    case HeadroomFormula::sonic_sn5600:
      return sonic_headroom(sonic_asics[3], query);
    case HeadroomFormula::cisco:
      return cisco_headroom(query);
    case HeadroomFormula::mlx5:
      return mlx5_headroom(query);
    case HeadroomFormula::hpcc:
      return hpcc_headroom(query);
    case HeadroomFormula::dsh:
      return dsh_headroom(query);
    case HeadroomFormula::qdt:
      return qdt_headroom(query);
  }
  return none("no such formula");
}

std::string_view formula_name(HeadroomFormula formula) {
  constexpr std::array<std::string_view, headroom_formulas.size()> names{
      "soya", "sonic-msn2700", "sonic-msn3700", "sonic-msn4700", "sonic-sn5600", "cisco", "mlx5", "hpcc", "dsh", "qdt"};
  return names[static_cast<std::size_t>(formula)];
}

}  // namespace soya
