// Options of soya headroom that a link and a table share, read as the keys of a scenario that they stand for.
// Simplifies: nothing. Source: docs/scenario.md. Validated by tests/unit/tools/headroom_calculator_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "command_line.hpp"
#include "core/units.hpp"
#include "net/frame_config.hpp"
#include "scenario/keys.hpp"

namespace soya::cli {

/// Option `--name`, declared as the key `key` of a scenario; absent where it is not given or the key's word is.
/// Throws `UsageError`.
[[nodiscard]] std::optional<std::int64_t> number_like(const Command& self, const Parsed& parsed,
                                                      const std::string& name, reading::SectionId section,
                                                      std::string_view key);

/// --mtu, --vlan, --ipv6.
[[nodiscard]] FrameConfig frame_options(const Command& self, const Parsed& parsed, Bytes default_mtu);
/// --cell.
[[nodiscard]] std::optional<Bytes> cell_option(const Command& self, const Parsed& parsed);
/// --response.
[[nodiscard]] std::optional<Duration> response_option(const Command& self, const Parsed& parsed);

}  // namespace soya::cli
