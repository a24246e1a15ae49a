// What the buffer settings of a SONiC switch mean in Soya's terms, each with where it comes from; and what they say
// that Soya has no word for. Simplifies: one lossless profile stands for every lossless priority group; the pool's
// memory is all there is of it. Source: SAI saibuffer.h (pool size, XOFF size, reserved, thresholds, XON offset);
// sonic-net/SONiC doc/qos (shared headroom pool); docs/model.md section 3. Validated by
// tests/unit/planning/sonic_profile_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/units.hpp"
#include "planning/sonic_buffers.hpp"
#include "planning/sonic_table.hpp"

namespace soya {

/// A value, and the settings it was made of: "BUFFER_POOL ingress_lossless_pool: size 10875072 + xoff 4194112".
template <class T>
struct Imported {
  T value{};
  std::string origin;
};

/// A switch's memory as `fabric.buffer` and `fabric.headroom` spell it.
struct SonicSwitch {
  Imported<Bytes> size;                      ///< of all packet memory
  Imported<Bytes> reserved;                  ///< of a lossless group
  std::optional<Imported<Ratio>> alpha;      ///< of a dynamic threshold
  std::optional<Imported<Bytes>> threshold;  ///< a static one
  std::optional<Imported<Bytes>> xon_offset;
  std::optional<Imported<Ratio>> lossy_alpha;
  std::optional<Imported<Bytes>> pool;      ///< shared headroom; absent: each group has its own
  std::optional<Imported<Bytes>> headroom;  ///< of one group: its cap in the pool, else its own; absent: unknown
  std::vector<std::string> unmapped;        ///< "BUFFER_POOL egress_lossy_pool size 9243812: …"
};

/// Which lossless profile counts, where there are several.
struct SonicChoice {
  std::optional<Rate> speed{};
  std::optional<Length> cable{};
};

/// A table and the file it was read from.
struct SonicTableFile {
  std::string file;
  SonicTable table;
};

/// Throws `ScenarioError` where a value that is needed is missing or no number, and where `choice` leaves none or
/// several lossless profiles, with those that there are.
[[nodiscard]] SonicSwitch sonic_switch(const SonicBuffers& buffers, const std::vector<SonicTableFile>& tables,
                                       const SonicChoice& choice);

}  // namespace soya
