// What a switch is made of: its buffer, headroom, scheduler and pipeline.
// Simplifies: shared memory, output queued, one pool (docs/model.md section 3).
// Source: each default's comment. Validated by tests/unit/fabric and tests/bench_top.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>

#include "core/ids.hpp"
#include "core/units.hpp"

namespace soya {

/// Threshold = alpha × free shared (Choudhury and Hahne, 1998).
struct DynamicThreshold {
  Ratio alpha{1, 8};                         ///< 1/8: NSDI'23 (Bai et al.), appendix A
};
/// Threshold = a constant.
struct StaticThreshold {
  Bytes size{0};
};
using Threshold = std::variant<DynamicThreshold, StaticThreshold>;

struct BufferConfig {
  Bytes size{32_MiB};                        ///< 32 MB class ToR at 100G, as in HPCC (SIGCOMM'19)
  Bytes reserved{4096};                      ///< per lossless priority group; HPCC's 4 KB
  Threshold threshold{DynamicThreshold{}};   ///< of a lossless priority group's shared use
  Threshold lossy_threshold{DynamicThreshold{{1, 1}}};  ///< of a lossy egress queue
  Bytes xon_offset{3072};                    ///< resume below threshold − offset; HPCC's 3 KB
  std::optional<Bytes> cell;                 ///< frames are rounded up to cells; 80–256 B on real chips
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

/// Headroom that belongs to one lossless priority group each, carved from the buffer at build.
struct PerQueueHeadroom {
  std::optional<Bytes> size;                 ///< absent: `auto`, the budget of docs/model.md section 5 for each port
};
using HeadroomConfig = std::variant<PerQueueHeadroom>;

struct SchedulerConfig {
  PrioritySet strict{0b0100'0000};           ///< priority 6: CNPs, as DCQCN deployments do
  std::array<int, Priority::count> weights{1, 1, 1, 1, 1, 1, 1, 1};  ///< DWRR among the rest
};

struct SwitchConfig {
  BufferConfig buffer;
  HeadroomConfig headroom{PerQueueHeadroom{}};
  SchedulerConfig scheduler;
  Duration latency{500'000};                 ///< pipeline, last byte in to first byte out; 500 ns class of shallow-buffer ASICs
  std::uint64_t ecmp_seed{0};                ///< mixed into the path hash of this switch
};

}  // namespace soya
