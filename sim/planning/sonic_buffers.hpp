// The buffer settings of a SONiC switch as its JSON holds them: entries of BUFFER_POOL, BUFFER_PROFILE and whatever
// else a file has, without meaning. Reads a rendered buffers.json, a CONFIG_DB dump and an APPL_DB list alike.
// Simplifies: values are texts; tables are looked for up to a few levels deep. Source: sonic-net/SONiC
// doc/qos, sonic-net/sonic-utilities doc (CONFIG_DB), sonic-net/sonic-swss cfgmgr/buffermgr.cpp.
// Validated by tests/unit/planning/sonic_buffers_test.cpp and tests/errors/sonic_import_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/diagnostic.hpp"

namespace soya {

/// One entry of a table: BUFFER_POOL ingress_lossless_pool {type: ingress, …}.
struct SonicEntry {
  std::string file;
  std::string table;  ///< as CONFIG_DB names it, without _TABLE
  std::string name;
  std::vector<std::pair<std::string, std::string>> fields;

  [[nodiscard]] std::optional<std::string> field(std::string_view key) const;
  /// "BUFFER_POOL ingress_lossless_pool".
  [[nodiscard]] std::string title() const { return table + " " + name; }
};

struct SonicBuffers {
  std::vector<SonicEntry> entries;        ///< of tables named BUFFER_…, in the order of the files
  std::vector<std::string> other_tables;  ///< that hold no buffer settings: PORT, VLAN, …

  [[nodiscard]] const SonicEntry* find(std::string_view table, std::string_view name) const;
};

/// Adds what `text`, the content of `file`, holds. Throws `ScenarioError` for text that is no JSON, for a key that an
/// object has twice, and for an entry that two files give differently.
void add_sonic_json(const std::string& file, std::string_view text, SonicBuffers& buffers);

}  // namespace soya
