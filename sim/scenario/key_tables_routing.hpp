// The tables behind keys.hpp, fifth part: which ways frames take.
// Simplifies: see keys.hpp. `limits` are those of key_tables.hpp.
// Source: each row's own. Validated by tests/unit/scenario/keys_test.cpp.
#pragma once

#include <array>

#include "scenario/key_tables.hpp"

namespace soya::reading {

inline constexpr std::array<Key, 4> routing_keys{{
    {.name = "policy",
     .kind = Kind::choice,
     .standard = "ecmp",
     .source = "RFC 2992, what most switches do",
     .choices = "ecmp|spray|flowlet|adaptive|weighted",
     .meaning = "who chooses among ports that are as good: the flow's hash; each frame; a flow after a pause; the "
                "shortest queue for each frame; the hash, by the rate of the ways"},
    {.name = "spray",
     .kind = Kind::choice,
     .standard = "round-robin",
     .source = "the most even",
     .choices = "round-robin|random",
     .meaning = "spray: the order in which frames use the ports"},
    {.name = "flowlet_gap",
     .kind = Kind::duration,
     .standard = "500us",
     .source = "CONGA, SIGCOMM'14",
     .least = 1,
     .most = limits::time,
     .meaning = "flowlet: a flow that has sent nothing for so long may take another way"},
    {.name = "flowlet",
     .kind = Kind::choice,
     .standard = "random",
     .source = "LetFlow, NSDI'17",
     .choices = "random|least-queued",
     .meaning = "flowlet: where a flow goes that may take another way"},
}};

inline constexpr std::array<Key, 3> fabric_routing_keys{{
    {.name = "hash_seeds",
     .kind = Kind::choice,
     .standard = "per-switch",
     .source = "tiers that choose alike leave paths idle",
     .choices = "per-switch|same",
     .meaning = "what the hash of a flow starts from: the switch's name, or the same at all of them"},
    {.name = "order",
     .kind = Kind::choice,
     .standard = "shortest",
     .source = "what routing protocols do",
     .choices = "shortest|up-down",
     .meaning = "which ports are as good: all that lead one link closer, or those that go up the tiers and then down, "
                "which cannot deadlock"},
    {.name = "reconvergence",
     .kind = Kind::duration,
     .standard = "150ms",
     .source = "BFD of 3 x 50 ms (RFC 5880, RFC 7419)",
     .most = limits::time / 2592,
     .word = "never",
     .meaning = "from a failure or repair of a link or switch until all switches route by it"},
}};

}  // namespace soya::reading
