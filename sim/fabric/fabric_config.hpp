// What a switch is made of: its buffer, headroom, scheduler and pipeline.
// Simplifies: shared memory, output queued, one pool (docs/model.md section 3).
// Source: each default's comment. Validated by tests/unit/fabric and tests/bench_top.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "core/ids.hpp"
#include "core/units.hpp"
#include "topology/routing_config.hpp"

namespace soya {

/// Threshold = alpha × free shared (Choudhury and Hahne, 1998).
struct DynamicThreshold {
  Ratio alpha{1, 8};                         ///< 1/8: NSDI'23 (Bai et al.), appendix A
  bool operator==(const DynamicThreshold&) const = default;
};
/// Threshold = a constant.
struct StaticThreshold {
  Bytes size{0};
  bool operator==(const StaticThreshold&) const = default;
};
using Threshold = std::variant<DynamicThreshold, StaticThreshold>;

/// Where the frames stay that arrive after a PAUSE on a switch with off-chip memory.
enum class LandingPlace : std::uint8_t {
  off_chip,  ///< they are written away as they come: on-chip memory holds what the writes are behind
  on_chip,   ///< on-chip memory holds all of them, whatever the bandwidth
};

/// Off-chip memory behind the on-chip memory of `size` (docs/model.md section 3, "Deep buffers").
/// Defaults: Broadcom Jericho as in Cisco's NCS 5500 (xrdocs/ncs5500, "Understanding Packet Buffering").
struct DeepConfig {
  Bytes size{4096_MiB};                      ///< 4 GB of GDDR5
  Rate bandwidth{900'000'000'000};           ///< of reads and writes together; 900 Gbps half duplex
  Bytes threshold{200'000};                  ///< a queue longer than this goes off chip; 200 kB
  LandingPlace headroom{LandingPlace::off_chip};  ///< chassis switches keep a queue's frames in one place
  bool operator==(const DeepConfig&) const = default;
};

struct BufferConfig {
  Bytes size{32_MiB};                        ///< 32 MB class ToR at 100G, as in HPCC (SIGCOMM'19)
  Bytes reserved{4096};                      ///< per lossless priority group; HPCC's 4 KB
  Threshold threshold{DynamicThreshold{}};   ///< of a lossless priority group's shared use
  Threshold lossy_threshold{DynamicThreshold{{1, 1}}};  ///< of a lossy egress queue
  Bytes xon_offset{3072};                    ///< resume below threshold − offset; HPCC's 3 KB
  std::optional<Bytes> cell;                 ///< frames are rounded up to cells; 80–256 B on real chips
  std::optional<DeepConfig> deep;            ///< absent: all memory is on chip, as on shallow-buffer switches
  /// What is divided among all frames that wait.
  [[nodiscard]] constexpr Bytes memory() const { return deep ? deep->size : size; }
  bool operator==(const BufferConfig&) const = default;
};

/// What `size: auto` is computed with (planning/headroom_formulas.hpp); `soya` is the budget of docs/model.md section 5.
enum class HeadroomFormula : std::uint8_t {
  soya,
  sonic_msn2700,
  sonic_msn3700,
  sonic_msn4700,
  sonic_sn5600,
  cisco,
  mlx5,
  hpcc,
  dsh,
  qdt,
};

/// Every lossless priority group owns `size` bytes.
struct PerQueueHeadroom {
  static constexpr std::string_view name{"per-queue"};
  bool operator==(const PerQueueHeadroom&) const = default;
};

/// One pool for all lossless groups of a switch, smaller than the sum of what each may need at once.
struct SharedPoolHeadroom {
  static constexpr std::string_view name{"shared-pool"};
  std::optional<Bytes> pool;                 ///< absent: the sum of all groups' `size` ÷ `oversubscribe`
  Ratio oversubscribe{1, 1};                 ///< 1: nothing is saved until one says how much
  std::optional<Bytes> cap;                  ///< the most that one group may take of the pool; SONiC's PROFILE.xoff
  bool operator==(const SharedPoolHeadroom&) const = default;
};

/// All lossless priorities of a port share `size` bytes and are paused and resumed together: the link between two
/// switches carries one loop of bytes, whatever their priorities.
struct PortSharedHeadroom {
  static constexpr std::string_view name{"port-shared"};
  bool operator==(const PortSharedHeadroom&) const = default;
};

/// DSH: `size` is η, the insurance of each port. A group is paused η below the threshold and goes on into shared
/// memory; a port is paused whole at the threshold × its lossless priorities, and then uses its insurance.
/// Source: Shan et al., "Less is More: Dynamic and Shared Headroom Allocation in PFC-Enabled Datacenter Networks",
/// ICDCS'23.
struct DynamicSharedHeadroom {
  static constexpr std::string_view name{"dsh"};
  bool operator==(const DynamicSharedHeadroom&) const = default;
};

/// No headroom: what is not admitted to shared memory is lost.
struct NoHeadroom {
  static constexpr std::string_view name{"none"};
  bool operator==(const NoHeadroom&) const = default;
};

/// `name` is what a scenario calls a mode; the choices of `headroom.mode` stand in this order.
using HeadroomMode =
    std::variant<PerQueueHeadroom, SharedPoolHeadroom, PortSharedHeadroom, DynamicSharedHeadroom, NoHeadroom>;

[[nodiscard]] inline std::string_view name_of(const HeadroomMode& mode) {
  return std::visit([](const auto& one) { return one.name; }, mode);
}

/// Where the frames go that arrive between the decision to pause and its effect.
struct HeadroomConfig {
  HeadroomMode mode{PerQueueHeadroom{}};
  std::optional<Bytes> size;                 ///< absent: `auto`, what `formula` says for each port
  HeadroomFormula formula{HeadroomFormula::soya};
  bool loss_allowed{false};                  ///< `NoHeadroom` is meant
  std::vector<std::optional<Bytes>> by_port; ///< in place of `size`, by port: what a search tries, not a key of a file
  bool operator==(const HeadroomConfig&) const = default;
};

struct SchedulerConfig {
  PrioritySet strict{0b0100'0000};           ///< priority 6: CNPs, as DCQCN deployments do
  std::array<int, Priority::count> weights{1, 1, 1, 1, 1, 1, 1, 1};  ///< DWRR among the rest
};

struct SwitchConfig {
  BufferConfig buffer;
  HeadroomConfig headroom;
  SchedulerConfig scheduler;
  Duration latency{500'000};                 ///< pipeline, last byte in to first byte out; 500 ns class of shallow-buffer ASICs
  std::uint64_t ecmp_seed{0};                ///< mixed into the path hash of this switch
  RoutingConfig routing;
};

}  // namespace soya
