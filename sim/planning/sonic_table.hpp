// SONiC's pg_profile_lookup.ini: headroom by port speed and cable length, as sonic-buildimage ships it.
// Simplifies: nothing; a comment that names the columns decides their order, else SONiC's own order does.
// Source: sonic-net/sonic-swss cfgmgr/buffermgr.cpp, readPgProfileLookupFile(); sonic-net/sonic-buildimage,
// device/*/*/*/pg_profile_lookup.ini. Validated by tests/unit/planning/sonic_table_test.cpp and
// tests/errors/sonic_table_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostic.hpp"
#include "core/units.hpp"

namespace soya {

struct SonicRow {
  int line{0};
  Rate speed{};
  Length cable{};
  Bytes size{};  ///< reserved for the group; with headroom where there is no shared pool of it
  Bytes xon{};
  Bytes xoff{};                           ///< headroom
  std::optional<std::int64_t> threshold;  ///< n of alpha = 2^n, or bytes of a static one
  std::optional<Bytes> xon_offset;
};

struct SonicTable {
  std::vector<SonicRow> rows;  ///< as in the file; a speed and cable that comes again replaces the first, as in SONiC
  std::vector<Diagnostic> warnings;  ///< what SONiC would read otherwise
};

/// A cable as SONiC names it: "5m", "0.5m", "80km", exactly; absent where it is no length above 0.
[[nodiscard]] std::optional<Length> sonic_cable(std::string_view text);

/// Reads `text`, the content of `file`. Throws `ScenarioError` with every line that is wrong.
[[nodiscard]] SonicTable read_sonic_table(const std::string& file, std::string_view text);

/// Threshold as alpha is a power of two from 2^-8 to 2^8; beyond that it is a number of bytes.
[[nodiscard]] constexpr bool is_dynamic_threshold(std::int64_t threshold) {
  return threshold >= -8 && threshold <= 8;
}

}  // namespace soya
