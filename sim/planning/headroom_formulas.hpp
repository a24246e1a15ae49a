// The headroom that published formulas ask for, beside our budget: switch vendors, drivers, simulators, papers.
// Simplifies: each formula knows what its source knows. Those in metres leave out transport delay, none but ours and
// `qdt` know another reverse rate, a response time or the cells of the switch at hand. Sources: at each function.
// Validated by tests/unit/planning/headroom_formulas_test.cpp and sonic_formula_test.cpp.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.hpp"
#include "fabric/fabric_config.hpp"
#include "planning/headroom_budget.hpp"

namespace soya {

/// A term of a formula. The parts of an answer add up to its size.
struct HeadroomPart {
  std::string name;
  Bytes size;
};

/// What a formula says, or why it says nothing: a table without that rate is not guessed at.
struct FormulaAnswer {
  std::optional<Bytes> size{};
  std::vector<HeadroomPart> parts{};
  std::string reason{};  ///< of a missing size: "cisco gives no value for 200Gbps: …"
};

/// Our budget (planning/headroom_budget.hpp), `automatic`.
[[nodiscard]] FormulaAnswer soya_headroom(const HeadroomQuery& query);

/// What the formula of SONiC's Mellanox switches depends on, of one switch.
struct SonicAsic {
  HeadroomFormula formula;
  std::string_view name;  ///< of the switch, as sonic-buildimage spells it
  std::string_view chip;
  Bytes port_mtu;
  Bytes cell;
  Rate fastest;          ///< of its ports
  bool quanta_response;  ///< the peer's response by speed, as IEEE 802.3 31B.3.7 has it; else 3.8 KB
  bool tile_buffer;      ///< the tiles of Spectrum-4 hold 120 ns more

  /// Cell bytes per byte of 64 B packets: cell / 64, or 2 where two of them would fit into less than two cells.
  [[nodiscard]] constexpr Ratio cell_factor() const {
    return cell > Bytes{128} ? Ratio{cell.count(), 64} : Ratio{2, 1};
  }
};

/// The switches whose shipped tables the formula reproduces row by row: 15, 18, 21 and 24 of each.
/// Source: sonic-net/sonic-buildimage, device/mellanox, pg_profile_lookup.ini of each.
inline constexpr std::array<SonicAsic, 4> sonic_asics{{
    {HeadroomFormula::sonic_msn2700, "ACS-MSN2700", "Spectrum-1", Bytes{9100}, Bytes{96}, Rate{100'000'000'000}, false,
     false},
    {HeadroomFormula::sonic_msn3700, "ACS-MSN3700", "Spectrum-2", Bytes{9216}, Bytes{144}, Rate{200'000'000'000}, false,
     false},
    {HeadroomFormula::sonic_msn4700, "ACS-MSN4700", "Spectrum-3", Bytes{9216}, Bytes{144}, Rate{400'000'000'000}, false,
     false},
    {HeadroomFormula::sonic_sn5600, "ACS-SN5600", "Spectrum-4", Bytes{9216}, Bytes{192}, Rate{800'000'000'000}, true,
     true},
}};

/// `sonic-mellanox`: the column xoff, with 1024 B lossless frames.
/// Xoff = (1024 + (port MTU + cable both ways at 1.98e8 m/s + MAC and PHY 0.8 KB + peer response + tile) x cell
/// factor), rounded up to 1 KiB. Source: sonic-net/SONiC doc/qos/dynamically-headroom-calculation.md;
/// sonic-net/sonic-swss cfgmgr/buffer_headroom_mellanox.lua. Its code once divided the cable's bits by 8 x 1024; the
/// tables by 8 x 1000.
[[nodiscard]] FormulaAnswer sonic_headroom(const SonicAsic& asic, const HeadroomQuery& query);

/// Frame of 9216 B, PAUSE, interface, cable at 5 ns/m both ways, response, and a 2300 B no-drop frame, in bit times.
/// Source: Cisco Press, I/O Consolidation in the Data Center; its table has 10, 25, 40 and 100 Gbps.
[[nodiscard]] FormulaAnswer cisco_headroom(const HeadroomQuery& query);

/// (301 + 2.16 x metres) x max(Gbps, 40) + 2.72 x MTU, in the driver's whole numbers. MTU is that of the interface,
/// taken as the largest frame without its 18 B of Ethernet.
/// Source: torvalds/linux drivers/net/ethernet/mellanox/mlx5/core/en/port_buffer.c, calculate_xoff().
[[nodiscard]] FormulaAnswer mlx5_headroom(const HeadroomQuery& query);

/// 3 x rate x delay: no frame in it, so it loses packets on short cables.
/// Source: alibaba-edu/High-Precision-Congestion-Control simulation/scratch/third.cc.
[[nodiscard]] FormulaAnswer hpcc_headroom(const HeadroomQuery& query);

/// eta = 2 x (rate x delay + frame) + 3840 B. Source: DSH, ICDCS'23.
[[nodiscard]] FormulaAnswer dsh_headroom(const HeadroomQuery& query);

/// Our budget, with `one_way` as it was measured by timestamped frames instead of as it was configured: what IEEE
/// P802.1Qdt intends to automate. The caller measures; a clock's granularity makes it a little larger.
[[nodiscard]] FormulaAnswer qdt_headroom(const HeadroomQuery& query);

[[nodiscard]] FormulaAnswer formula_headroom(HeadroomFormula formula, const HeadroomQuery& query);

/// Every formula, in the order of the enumeration.
inline constexpr std::array<HeadroomFormula, 10> headroom_formulas{
    HeadroomFormula::soya,          HeadroomFormula::sonic_msn2700,
    HeadroomFormula::sonic_msn3700, HeadroomFormula::sonic_msn4700,
    HeadroomFormula::sonic_sn5600,  HeadroomFormula::cisco,
    HeadroomFormula::mlx5,          HeadroomFormula::hpcc,
    HeadroomFormula::dsh,           HeadroomFormula::qdt};

/// As a scenario spells it: soya, sonic-msn2700, …
[[nodiscard]] std::string_view formula_name(HeadroomFormula formula);

}  // namespace soya
