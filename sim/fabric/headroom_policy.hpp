// The interface of a headroom mode: how the bytes of headroom that a switch sets aside are divided among its priority
// groups, and who is paused with whom. docs/adding-a-headroom-policy.md walks through a new one.
// Simplifies: a frame is charged whole to one group; a policy keeps counters only and knows no time.
// Source: docs/model.md section 3. Validated by tests/unit/fabric/headroom_policies_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/ids.hpp"
#include "core/units.hpp"
#include "fabric/fabric_config.hpp"

namespace soya {

/// What ends the headroom of a group: the report of a lost frame names it.
enum class HeadroomLimit : std::uint8_t {
  group,  ///< the bytes that the group owns
  pool,   ///< the pool of the switch
  cap,    ///< what one group may take of a pool
  port,   ///< the bytes that the priorities of a port share
  none,   ///< there is no headroom
  on_chip,  ///< on-chip memory in front of off-chip memory, whatever the headroom
};

/// What a group may take at one moment.
struct HeadroomRoom {
  Bytes bytes;
  HeadroomLimit limit;  ///< of these bytes
};

/// Whose bytes may run out for a group because of others.
enum class HeadroomScope : std::uint8_t { group, port, pool };

/// Who is paused beside the group that has reached its threshold. The default is nobody.
struct PauseRule {
  /// The lossless groups of a port go off together and are on together.
  bool whole_port{false};
  /// DSH: not 0: a port takes frames into shared memory until its lossless groups hold `port_multiple` × the threshold
  /// of one; then all of them go off, and their frames go to headroom until the port is on again.
  std::int64_t port_multiple{0};
  /// By port: a group goes off this far below the threshold. Empty: at the threshold.
  std::vector<Bytes> margin{};
};

/// What a policy is made for. Groups are numbered port × 8 + priority.
struct HeadroomLayout {
  std::vector<Bytes> by_port;  ///< `size` of each port, with `auto` resolved
  PrioritySet lossless;
  [[nodiscard]] std::size_t group_count() const { return by_port.size() * Priority::count; }
  [[nodiscard]] bool is_lossless(std::size_t group) const {
    return lossless.contains(Priority{static_cast<std::uint8_t>(group % Priority::count)});
  }
  /// Of one group: its port's, and 0 of a lossy one.
  [[nodiscard]] Bytes size_of(std::size_t group) const {
    return is_lossless(group) ? by_port[group / Priority::count] : Bytes{0};
  }
};

class HeadroomPolicy {
 public:
  virtual ~HeadroomPolicy() = default;
  /// Bytes that the buffer sets aside at build.
  [[nodiscard]] virtual Bytes carved() const = 0;
  /// The most that `group` can hold while nobody else holds anything.
  [[nodiscard]] virtual Bytes size(std::size_t group) const = 0;
  /// Who draws on the same bytes.
  [[nodiscard]] virtual HeadroomScope scope() const = 0;
  /// What `group` may take now.
  [[nodiscard]] virtual HeadroomRoom room(std::size_t group) const = 0;
  /// `charge` is at most `room(group).bytes`.
  virtual void take(std::size_t group, Bytes charge) = 0;
  /// `charge` is at most what `group` has taken.
  virtual void give_back(std::size_t group, Bytes charge) = 0;
  [[nodiscard]] virtual PauseRule pause_rule() const { return {}; }
};

/// The policy of the configured mode.
[[nodiscard]] std::unique_ptr<HeadroomPolicy> make_headroom_policy(const HeadroomMode& mode,
                                                                   const HeadroomLayout& layout);

}  // namespace soya
