// What hosts do: the resolved form of each `workload:` item.
// Simplifies: hosts are ranks; a host has one NIC.
// Source: docs/model.md sections 8 and 9. Validated by tests/unit/workload.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "collective/ring_config.hpp"
#include "core/diagnostic.hpp"
#include "core/ids.hpp"
#include "core/operation.hpp"
#include "core/units.hpp"

namespace soya {

/// One flow: `messages` messages of `size` bytes, posted together at `start`.
/// Its identity is (source, destination, name, else ordinal among equals).
struct FlowConfig {
  std::string name;                          ///< may be empty
  HostId from;
  HostId to;
  Bytes size{0};                             ///< of one message; 0 is one packet without payload
  std::int64_t messages{1};
  Time start{0};
  Priority priority{3};
  Operation operation{Operation::write};
  Where where;
};

/// An explicit list of flows. `incast` and `permutation` items become one of these.
struct FlowsConfig {
  std::string name;
  std::vector<FlowConfig> flows;
  Where where;
};

/// `senders` each send `size` to `receiver` at `start`.
struct IncastConfig {
  std::string name;
  HostId receiver;
  std::vector<HostId> senders;
  Bytes size{0};
  std::int64_t messages{1};
  Time start{0};
  Priority priority{3};
  Operation operation{Operation::write};
  Where where;
};

/// Every host sends `size` to one other at `start` (workload/permutation.hpp).
struct PermutationConfig {
  std::string name;
  std::vector<HostId> hosts;
  std::optional<int> shift;                  ///< host k sends to host k + shift; absent: a random permutation
  int flows_per_host{1};
  Bytes size{0};
  std::int64_t messages{1};
  Time start{0};
  Priority priority{3};
  Operation operation{Operation::write};
  Where where;
};

/// One ring all-reduce after another over `hosts`, rank by position.
struct AllReduceConfig {
  std::string name;
  std::vector<HostId> hosts;
  Bytes size{0};                             ///< S: bytes each rank holds
  Bytes element{4};                          ///< chunks are whole elements
  int repeat{1};
  RingConfig ring;
  Priority priority{3};
  bool local_link{false};                    ///< ranks of one server talk inside it, where it has a local link
  Where where;
};

/// One parameter tensor, in order of definition.
struct TensorConfig {
  std::string name;
  std::int64_t elements{0};
  std::optional<Duration> backward;          ///< its own share of the backward pass; all tensors have one or none has
};

/// Data-parallel training over `hosts`, rank by position (docs/model.md section 9).
struct DdpConfig {
  std::string name;
  std::vector<HostId> hosts;
  std::vector<TensorConfig> tensors;         ///< order of definition; gradients come in reverse
  Bytes element{4};                          ///< float32
  Duration forward{0};
  Duration backward{0};                      ///< shared among tensors by bytes where they carry no time of their own
  Duration optimiser{0};
  Bytes bucket{25 * 1024 * 1024};            ///< torch DDP bucket_cap_mb = 25
  Bytes first_bucket{1024 * 1024};           ///< torch DDP first bucket: 1 MiB
  int steps{1};
  RingConfig ring;
  Priority priority{3};
  bool local_link{false};                    ///< ranks of one server talk inside it, where it has a local link
  Where where;
};

/// perftest's programs: ib_write_bw, ib_write_lat, ib_read_bw, ib_send_bw.
enum class PerftestTest { write_bw, write_lat, read_bw, send_bw };

[[nodiscard]] constexpr bool is_latency(PerftestTest test) { return test == PerftestTest::write_lat; }

struct PerftestSize {
  Bytes message{65'536};                     ///< perftest's -s
  int cq_mod{1};                             ///< one request in so many is signalled, and the last
};

/// What linux-rdma/perftest does between two hosts, one size after another.
struct PerftestConfig {
  std::string name;
  PerftestTest test{PerftestTest::write_bw};
  HostId client;                             ///< posts; of a latency test both do
  HostId server;
  std::vector<PerftestSize> sizes;
  int tx_depth{128};                         ///< at most `iterations`; 1 for latency
  std::int64_t iterations{5000};             ///< of each size and queue pair
  int qps{1};                                ///< queue pairs; 1 for latency
  Priority priority{3};
  Where where;
};

using JobConfig = std::variant<FlowsConfig, AllReduceConfig, DdpConfig, PerftestConfig>;

}  // namespace soya
