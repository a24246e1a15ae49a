// The tables behind keys.hpp, second part: what switches are made of.
// Simplifies: see keys.hpp. `limits` are those of key_tables.hpp.
// Source: each row's own. Validated by tests/unit/scenario/keys_test.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <type_traits>
#include <variant>

#include "fabric/fabric_config.hpp"
#include "scenario/key_tables.hpp"

namespace soya::reading {

inline constexpr std::array<Key, 5> fabric_keys{{
    {.name = "mtu",
     .kind = Kind::size,
     .standard = "4096",
     .source = "the largest RoCE MTU",
     .least = 1,
     .most = limits::many,
     .bare = true,
     .meaning = "payload bytes of a full packet, as RDMA counts it: headers come on top"},
    {.name = "vlan",
     .kind = Kind::flag,
     .standard = "false",
     .source = "routed fabrics carry DSCP",
     .meaning = "frames carry an 802.1Q tag of 4 B"},
    {.name = "ip",
     .kind = Kind::choice,
     .standard = "ipv4",
     .source = "the smaller header",
     .choices = "ipv4|ipv6",
     .meaning = "IP version below UDP: 20 B or 40 B"},
    {.name = "pfc",
     .kind = Kind::section,
     .forms = one(SectionId::pfc),
     .meaning = "priority flow control of every link"},
    {.name = "routing",
     .kind = Kind::section,
     .forms = one(SectionId::routing),
     .meaning = "which ways frames take, and when that changes after failures"},
}};

inline constexpr std::array<Key, 1> one_switch_keys{{
    {.name = "routing",
     .kind = Kind::section,
     .forms = one(SectionId::switch_routing),
     .meaning = "how the switch chooses among ports that are as good"},
}};

inline constexpr std::array<Key, 5> switch_keys{{
    {.name = "buffer", .kind = Kind::section, .forms = one(SectionId::buffer), .meaning = "shared packet memory"},
    {.name = "headroom",
     .kind = Kind::section,
     .forms = one(SectionId::headroom),
     .meaning = "what a lossless priority group may use after it has sent XOFF"},
    {.name = "scheduler",
     .kind = Kind::section,
     .forms = one(SectionId::scheduler),
     .meaning = "which queue of a port sends next"},
    {.name = "latency",
     .kind = Kind::duration,
     .standard = "500ns",
     .source = "shallow-buffer switch chips",
     .most = limits::time / 2592,
     .meaning = "pipeline: last byte in to first byte out, at the earliest"},
    {.name = "ecmp_seed",
     .kind = Kind::integer,
     .standard = "0",
     .source = "any fixed number",
     .most = limits::seeds,
     .meaning = "mixed into the path choice of a switch"},
}};

inline constexpr std::array<Key, 8> buffer_keys{{
    {.name = "size",
     .kind = Kind::size,
     .standard = "32MiB",
     .source = "32 MB ToR at 100G (HPCC, SIGCOMM'19)",
     .least = 1,
     .most = limits::bytes,
     .meaning = "all packet memory of a switch"},
    {.name = "reserved",
     .kind = Kind::size,
     .standard = "4KiB",
     .source = "HPCC, SIGCOMM'19",
     .most = limits::bytes,
     .meaning = "guaranteed to each lossless priority group"},
    {.name = "alpha",
     .kind = Kind::ratio,
     .standard = "1/8",
     .source = "Bai et al., NSDI'23, appendix A",
     .most = 1024,
     .meaning = "XOFF threshold of a lossless group: alpha x free shared memory"},
    {.name = "threshold",
     .kind = Kind::size,
     .least = 1,
     .most = limits::bytes,
     .meaning = "static XOFF threshold of a lossless group, instead of alpha"},
    {.name = "lossy_alpha",
     .kind = Kind::ratio,
     .standard = "1",
     .source = "one queue may take half",
     .most = 1024,
     .meaning = "limit of a lossy egress queue: lossy_alpha x free shared memory"},
    {.name = "xon_offset",
     .kind = Kind::size,
     .standard = "3KiB",
     .source = "HPCC, SIGCOMM'19",
     .most = limits::bytes,
     .meaning = "a paused group resumes this far below the threshold"},
    {.name = "cell",
     .kind = Kind::size,
     .standard = "none",
     .source = "bytes are counted as they are",
     .least = 1,
     .most = 65'536,
     .word = "none",
     .meaning = "frames are rounded up to whole cells; 80 to 256 B on real chips"},
    {.name = "deep",
     .kind = Kind::section,
     .standard = "none",
     .source = "shallow-buffer switches",
     .word = "none",
     .forms = one(SectionId::deep),
     .meaning = "off-chip memory; size is then the on-chip memory in front of it"},
}};

inline constexpr std::array<Key, 4> deep_keys{{
    {.name = "size",
     .kind = Kind::size,
     .standard = "4GiB",
     .source = "Jericho in the NCS 5500: 4 GB (xrdocs/ncs5500)",
     .least = 1,
     .most = limits::bytes,
     .meaning = "off-chip memory: all that may wait, divided into headroom, reserved and shared"},
    {.name = "bandwidth",
     .kind = Kind::rate,
     .standard = "900Gbps",
     .source = "Jericho in the NCS 5500 (xrdocs/ncs5500)",
     .least = limits::slowest,
     .most = limits::fastest,
     .meaning = "of reads and writes together; a frame that goes off chip takes both"},
    {.name = "threshold",
     .kind = Kind::size,
     .standard = "200KB",
     .source = "Jericho in the NCS 5500 (xrdocs/ncs5500)",
     .most = limits::bytes,
     .meaning = "a queue that would hold more goes off chip until it has drained"},
    {.name = "headroom",
     .kind = Kind::choice,
     .standard = "off-chip",
     .source = "what arrives after XOFF is queued as all else",
     .choices = "off-chip|on-chip",
     .meaning = "on-chip memory kept for landing: what writes are behind, or all that arrives after XOFF"},
}};

/// The names of all alternatives of a variant, separated by |.
template <class... Modes>
consteval auto joined_names(std::type_identity<std::variant<Modes...>>) {
  std::array<char, (Modes::name.size() + ...) + sizeof...(Modes) - 1> text{};
  auto end = text.begin();
  for (const std::string_view name : {Modes::name...}) {
    if (end != text.begin()) *end++ = '|';
    end = std::copy(name.begin(), name.end(), end);
  }
  return text;
}
inline constexpr auto headroom_mode_names = joined_names(std::type_identity<HeadroomMode>{});

inline constexpr std::array<Key, 7> headroom_keys{{
    {.name = "mode",
     .kind = Kind::choice,
     .standard = "per-queue",
     .source = "what most switches do",
     .choices = {headroom_mode_names.data(), headroom_mode_names.size()},
     .meaning =
         "who owns the headroom: each group, one pool of the switch, each port, each port on top of shared memory, "
         "nobody"},
    {.name = "size",
     .kind = Kind::size,
     .standard = "auto",
     .source = "budget of each port, docs/model.md section 5",
     .least = 1,
     .most = limits::bytes,
     .word = "auto",
     .meaning = "headroom of one lossless priority group; of one port under port-shared and dsh"},
    {.name = "formula",
     .kind = Kind::choice,
     .standard = "soya",
     .source = "the budget of docs/model.md section 5, part by part",
     .choices = "soya|sonic-msn2700|sonic-msn3700|sonic-msn4700|sonic-sn5600|cisco|mlx5|hpcc|dsh|qdt",
     .meaning = "what size: auto is computed with"},
    {.name = "pool",
     .kind = Kind::size,
     .standard = "none",
     .source = "oversubscribe says how large",
     .least = 1,
     .most = limits::bytes,
     .word = "none",
     .meaning = "shared-pool: bytes of the pool, whatever oversubscribe says"},
    {.name = "oversubscribe",
     .kind = Kind::ratio,
     .standard = "1",
     .source = "nothing is saved until one says how much",
     .most = 1'000'000,
     .meaning = "shared-pool: the pool is the size of all groups divided by this"},
    {.name = "cap",
     .kind = Kind::size,
     .standard = "none",
     .source = "a group may take the whole pool",
     .least = 1,
     .most = limits::bytes,
     .word = "none",
     .meaning = "shared-pool: the most that one group takes; xoff of a SONiC buffer profile"},
    {.name = "loss_allowed",
     .kind = Kind::flag,
     .standard = "false",
     .source = "a lossless fabric",
     .meaning = "none: says that the loss of frames is meant; a run that loses one is not sound all the same"},
}};

inline constexpr std::array<Key, 4> pfc_keys{{
    {.name = "priorities",
     .kind = Kind::priorities,
     .standard = "[3]",
     .source = "RoCE deployments",
     .meaning = "list of the lossless priorities; may be empty"},
    {.name = "quanta",
     .kind = Kind::integer,
     .standard = "65535",
     .source = "the longest the 16-bit field holds",
     .least = 1,
     .most = 65'535,
     .meaning = "time of a pause in units of 512 bit times"},
    {.name = "refresh",
     .kind = Kind::ratio,
     .standard = "1/2",
     .source = "one refresh may be lost",
     .most = 1,
     .meaning = "a pause is repeated at this share of its time"},
    {.name = "response",
     .kind = Kind::duration,
     .standard = "auto",
     .source = "quanta of the port's speed, SONiC peer_response table",
     .most = limits::time / 2592,
     .word = "auto",
     .meaning = "from the last byte of a pause to its effect"},
}};

inline constexpr std::array<Key, 2> scheduler_keys{{
    {.name = "strict",
     .kind = Kind::priorities,
     .standard = "[6]",
     .source = "congestion notification packets travel in 6",
     .meaning = "list of priorities that go before all others, the highest first"},
    {.name = "weights",
     .kind = Kind::structured,
     .standard = "[1, 1, 1, 1, 1, 1, 1, 1]",
     .source = "equal shares",
     .least = 1,
     .most = 10'000,
     .forms = list_of(Kind::integer, 8),
     .meaning = "eight whole numbers, 1 to 10000: shares of priorities 0 to 7 among those not strict"},
}};

}  // namespace soya::reading
