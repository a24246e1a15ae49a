// The tables behind keys.hpp, fourth part: faults, stop and measure.
// Simplifies: see keys.hpp. `limits` are those of key_tables.hpp.
// Source: each row's own. Validated by tests/unit/scenario/keys_test.cpp.
#pragma once

#include <array>

#include "scenario/key_tables.hpp"

namespace soya::reading {

inline constexpr std::array<Key, 6> fault_keys{{
    {.name = "link_down",
     .kind = Kind::section,
     .forms = one(SectionId::link_down),
     .meaning = "a link is down for a while"},
    {.name = "drop", .kind = Kind::section, .forms = one(SectionId::drop), .meaning = "one frame is lost"},
    {.name = "hold",
     .kind = Kind::section,
     .forms = one(SectionId::hold),
     .meaning = "an egress starts no data frame for a while"},
    {.name = "loss_burst",
     .kind = Kind::section,
     .forms = one(SectionId::loss_burst),
     .meaning = "all frames but PFC are lost for a while, or a number of them"},
    {.name = "protection",
     .kind = Kind::section,
     .forms = one(SectionId::protection),
     .meaning = "a link goes over to another path for a while"},
    {.name = "switch_down",
     .kind = Kind::section,
     .forms = one(SectionId::switch_down),
     .meaning = "a switch is down for a while, and loses what waits in it"},
}};

/// Which of several links between the same ends a fault is for.
inline constexpr Key parallel_link_key{.name = "link",
                                       .kind = Kind::integer,
                                       .standard = "0",
                                       .source = "the first",
                                       .most = limits::many,
                                       .meaning = "which of the parallel links, from 0"};

/// The link or egress that a fault strikes.
consteval Key between_key(std::string_view meaning) {
  return {.name = "between",
          .kind = Kind::structured,
          .required = true,
          .forms = list_of(Kind::text, 2),
          .example = "[leaf1, spine1]",
          .meaning = meaning};
}

inline constexpr std::array<Key, 4> link_down_keys{{
    between_key("[a, b]: the ends of the link"),
    parallel_link_key,
    {.name = "at",
     .kind = Kind::duration,
     .standard = "0s",
     .source = "from the start",
     .most = limits::time,
     .meaning = "when it goes down"},
    {.name = "until",
     .kind = Kind::duration,
     .standard = "never",
     .source = "for good",
     .most = limits::time,
     .word = "never",
     .meaning = "when it is up again"},
}};

inline constexpr std::array<Key, 3> switch_down_keys{{
    {.name = "switch", .kind = Kind::text, .required = true, .example = "spine1", .meaning = "name of the switch"},
    {.name = "at",
     .kind = Kind::duration,
     .standard = "0s",
     .source = "from the start",
     .most = limits::time,
     .meaning = "when it goes down, and all its links with it"},
    {.name = "until",
     .kind = Kind::duration,
     .standard = "never",
     .source = "for good",
     .most = limits::time,
     .word = "never",
     .meaning = "when it is up again, empty"},
}};

inline constexpr std::array<Key, 5> drop_keys{{
    between_key("[from, to]: the frame leaves `from` towards `to`"),
    parallel_link_key,
    {.name = "data",
     .kind = Kind::integer,
     .least = 1,
     .most = limits::many * limits::many,
     .meaning = "the nth data packet is lost, from 1"},
    {.name = "acknowledge",
     .kind = Kind::integer,
     .least = 1,
     .most = limits::many * limits::many,
     .meaning = "the nth acknowledge is lost, from 1"},
    {.name = "pause",
     .kind = Kind::integer,
     .least = 1,
     .most = limits::many * limits::many,
     .meaning = "the nth PFC frame is lost, XOFF, refresh or XON, from 1"},
}};

inline constexpr std::array<Key, 4> hold_keys{{
    between_key("[node, peer]: the egress of `node` towards `peer`"),
    parallel_link_key,
    {.name = "from",
     .kind = Kind::duration,
     .standard = "0s",
     .source = "from the start",
     .most = limits::time,
     .meaning = "when it stops starting data frames"},
    {.name = "until", .kind = Kind::duration, .most = limits::time, .required = true, .meaning = "when it goes on"},
}};

inline constexpr std::array<Key, 5> loss_burst_keys{{
    between_key("[from, to]: frames that leave `from` towards `to`"),
    parallel_link_key,
    {.name = "at",
     .kind = Kind::duration,
     .standard = "0s",
     .source = "from the start",
     .most = limits::time,
     .meaning = "from when on frames that start are lost"},
    {.name = "until", .kind = Kind::duration, .most = limits::time, .meaning = "frames that start from here on arrive"},
    {.name = "frames",
     .kind = Kind::integer,
     .least = 1,
     .most = limits::many * limits::many,
     .meaning = "so many are lost, instead of until"},
}};

inline constexpr std::array<Key, 7> protection_keys{{
    between_key("[a, b]: the ends of the link"),
    parallel_link_key,
    {.name = "at", .kind = Kind::duration, .most = limits::time, .required = true, .meaning = "when its path fails"},
    {.name = "until",
     .kind = Kind::duration,
     .standard = "never",
     .source = "for good",
     .most = limits::time,
     .word = "never",
     .meaning = "when it goes back, with another outage"},
    {.name = "length",
     .kind = Kind::length,
     .standard = "same",
     .source = "the link's own",
     .most = limits::longest,
     .word = "same",
     .meaning = "length of the other path, both ways"},
    {.name = "delay",
     .kind = Kind::duration,
     .standard = "same",
     .source = "the link's own",
     .most = limits::time / 2592,
     .word = "same",
     .meaning = "fixed delay of the other path, both ways"},
    {.name = "outage",
     .kind = Kind::duration,
     .standard = "50ms",
     .source = "ITU-T G.841: within 50 ms",
     .most = limits::time / 2592,
     .meaning = "at each change the link is down so long and loses what is on it; 0s: nothing is lost, and frames on a "
                "shorter path stay behind those on the longer"},
}};

inline constexpr std::array<Key, 2> stop_keys{{
    {.name = "after",
     .kind = Kind::duration,
     .standard = "none",
     .source = "when the workload is done",
     .least = 1,
     .most = limits::time,
     .word = "none",
     .meaning = "simulated time at which a run ends at the latest"},
    {.name = "stalled_after",
     .kind = Kind::duration,
     .standard = "auto",
     .source = "twice the longest time-out or link round trip; pause cycles sooner",
     .least = 1,
     .most = limits::time,
     .word = "auto",
     .meaning = "a run in which no data frame starts for so long is stalled; auto tells a pause cycle within 1s, or "
                "twice the longest round trip of a link with a full frame and a switch each way"},
}};

inline constexpr std::array<Key, 1> measure_keys{{
    {.name = "sample",
     .kind = Kind::duration,
     .standard = "none",
     .source = "no series",
     .least = 1,
     .most = limits::time,
     .word = "none",
     .meaning = "interval of the time series"},
}};

}  // namespace soya::reading
