// The tables behind keys.hpp, first part: the top level and the topology.
// Simplifies: see keys.hpp. Ranges are wide: what is odd but possible is a warning elsewhere, not an error here.
// Source: each row's own. Validated by tests/unit/scenario/keys_test.cpp.
#pragma once

#include <array>

#include "scenario/keys.hpp"

namespace soya::reading {

namespace limits {
inline constexpr Int128 bytes = Int128{1} << 40;                       // 1 TiB
inline constexpr Int128 time = Int128{2'592'000} * 1'000'000'000'000;  // 30 days of picoseconds
inline constexpr Int128 slowest = 1'000'000;                           // 1 Mbps: a byte then takes 8 µs
inline constexpr Int128 fastest = Int128{100} * 1'000'000'000'000;     // 100 Tbps
inline constexpr Int128 metres = 1'000;                                // in millimetres
inline constexpr Int128 longest = Int128{1'000'000'000} * metres;      // a million kilometres
inline constexpr Int128 elements = Int128{1'000'000} * 1'000'000'000;  // of a model
inline constexpr Int128 payload = Int128{1} << 60;                     // 1 EiB, of all messages of a flow
inline constexpr Int128 many = 1'000'000;
inline constexpr Int128 packets = (Int128{1} << 23) - 1;  // PSN order needs fewer than 2^23 outstanding
inline constexpr Int128 seeds = (Int128{1} << 64) - 1;
}  // namespace limits

inline constexpr std::array<Key, 14> root_keys{{
    {.name = "name", .kind = Kind::text, .meaning = "name of the scenario and of its result folder"},
    {.name = "seed",
     .kind = Kind::integer,
     .standard = "1",
     .source = "any fixed number",
     .most = limits::seeds,
     .meaning = "root of every random stream and of the paths flows take"},
    {.name = "expect",
     .kind = Kind::choice,
     .standard = "sound",
     .source = "a lossless fabric",
     .choices = "sound|unsound",
     .meaning = "the verdict this scenario is meant to have"},
    {.name = "topology",
     .kind = Kind::section,
     .required = true,
     .meaning = "the fabric: a mapping, or the path of a file"},
    {.name = "fabric", .kind = Kind::section, .meaning = "frames, PFC, and the defaults of every switch"},
    {.name = "switches",
     .kind = Kind::structured,
     .standard = "{}",
     .source = "all switches alike",
     .meaning = "mapping of switch names to keys that differ from fabric"},
    {.name = "nic", .kind = Kind::section, .meaning = "the NIC of every host"},
    {.name = "hosts",
     .kind = Kind::structured,
     .standard = "{}",
     .source = "all hosts alike",
     .meaning = "mapping of host names to keys that differ from nic"},
    {.name = "workload",
     .kind = Kind::structured,
     .standard = "[]",
     .source = "an idle fabric",
     .meaning = "list of items, each exactly one of ddp, all_reduce, flows, incast"},
    {.name = "faults",
     .kind = Kind::structured,
     .standard = "[]",
     .source = "nothing goes wrong",
     .meaning = "list of items, each exactly one of link_down, drop, hold"},
    {.name = "stop", .kind = Kind::section, .meaning = "when a run ends"},
    {.name = "measure", .kind = Kind::section, .meaning = "what a run samples"},
    {.name = "extends",
     .kind = Kind::file,
     .meaning = "a scenario this one is laid over: mappings merge, the rest replaces"},
    {.name = "variants",
     .kind = Kind::structured,
     .standard = "{}",
     .source = "one run",
     .meaning = "mapping of names to mappings of key paths to values, each a run beside this one"},
}};

inline constexpr std::array<Key, 7> topology_keys{{
    {.name = "name", .kind = Kind::text, .standard = "topology", .source = "any name", .meaning = "name of the fabric"},
    {.name = "link_types",
     .kind = Kind::structured,
     .standard = "{}",
     .source = "links describe themselves",
     .meaning = "mapping of names to link keys, so that all links of a kind change together"},
    {.name = "parts",
     .kind = Kind::structured,
     .standard = "[]",
     .source = "no family",
     .meaning = "list of families that generate nodes and links: leaf_spine"},
    {.name = "nodes",
     .kind = Kind::structured,
     .standard = "{}",
     .source = "families make nodes",
     .meaning = "mapping of node names to host or switch"},
    {.name = "links",
     .kind = Kind::structured,
     .standard = "[]",
     .source = "families make links",
     .meaning = "list of links between two nodes"},
    {.name = "routes",
     .kind = Kind::structured,
     .standard = "[]",
     .source = "shortest paths",
     .meaning = "list of static routes, each in place of the shortest path"},
    {.name = "switches",
     .kind = Kind::structured,
     .standard = "{}",
     .source = "all switches alike",
     .meaning = "mapping of switch names to keys that differ from fabric; the scenario's own switches come on top"},
}};

inline constexpr std::array<Key, 5> link_keys{{
    {.name = "rate",
     .kind = Kind::rate,
     .standard = "100Gbps",
     .source = "the 100G class of today's RoCE fabrics",
     .least = limits::slowest,
     .most = limits::fastest,
     .meaning = "bits per second from the first end to the second"},
    {.name = "reverse_rate",
     .kind = Kind::rate,
     .standard = "same",
     .source = "links are symmetric",
     .least = limits::slowest,
     .most = limits::fastest,
     .word = "same",
     .meaning = "rate of the other direction"},
    {.name = "length",
     .kind = Kind::length,
     .standard = "3m",
     .source = "a cable within a rack",
     .most = limits::longest,
     .meaning = "length of the cable"},
    {.name = "per_kilometre",
     .kind = Kind::duration,
     .standard = "5us",
     .source = "light in glass, index 1.5; 4.9 to 5.13 us/km in the field",
     .least = 1,
     .most = 1'000'000'000,
     .meaning = "propagation time of a kilometre"},
    {.name = "delay",
     .kind = Kind::duration,
     .standard = "0s",
     .source = "no transport equipment",
     .most = limits::time / 2592,
     .meaning = "fixed delay each way, on top of the propagation"},
}};

inline constexpr std::array<Key, 1> part_keys{{
    {.name = "leaf_spine", .kind = Kind::section, .meaning = "a two-tier Clos: every leaf has links to every spine"},
}};

inline constexpr std::array<Key, 7> leaf_spine_keys{{
    {.name = "prefix",
     .kind = Kind::text,
     .standard = "\"\"",
     .source = "one family needs none",
     .meaning = "put before host1, leaf1, spine1"},
    {.name = "leaves",
     .kind = Kind::integer,
     .standard = "2",
     .source = "the smallest with a choice",
     .least = 1,
     .most = 100'000,
     .meaning = "number of leaf switches"},
    {.name = "spines",
     .kind = Kind::integer,
     .standard = "2",
     .source = "the smallest with a choice",
     .least = 1,
     .most = 100'000,
     .meaning = "number of spine switches"},
    {.name = "hosts_per_leaf",
     .kind = Kind::integer,
     .standard = "2",
     .source = "the smallest with a neighbour",
     .least = 1,
     .most = 100'000,
     .meaning = "hosts on each leaf"},
    {.name = "links_per_pair",
     .kind = Kind::integer,
     .standard = "1",
     .source = "one cable",
     .least = 1,
     .most = 10'000,
     .meaning = "parallel links between each leaf and spine"},
    {.name = "host_link", .kind = Kind::structured, .meaning = "name of a link type, or link keys"},
    {.name = "fabric_link", .kind = Kind::structured, .meaning = "name of a link type, or link keys"},
}};

inline constexpr std::array<Key, 3> placed_link_keys{{
    {.name = "between", .kind = Kind::structured, .required = true, .meaning = "[a, b]: names of the two ends"},
    {.name = "type", .kind = Kind::text, .meaning = "name of a link type; keys given beside it differ from the type"},
    {.name = "count",
     .kind = Kind::integer,
     .standard = "1",
     .source = "one cable",
     .least = 1,
     .most = 100'000,
     .meaning = "parallel links"},
}};

inline constexpr std::array<Key, 3> route_keys{{
    {.name = "at", .kind = Kind::text, .required = true, .meaning = "switch that the route is set at"},
    {.name = "to",
     .kind = Kind::structured,
     .required = true,
     .meaning = "one host, a list of hosts, or all (hosts that are not plugged into `at`)"},
    {.name = "via",
     .kind = Kind::text,
     .required = true,
     .meaning = "neighbour of `at` that gets the frames; parallel links to it share them"},
}};

}  // namespace soya::reading
