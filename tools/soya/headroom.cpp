#include "headroom.hpp"

#include "exit_status.hpp"
#include "headroom_calculator.hpp"
#include "headroom_table.hpp"

namespace soya::cli {

namespace {

int headroom(const Command& self, const Parsed& parsed) {
  if (!parsed.positional.empty()) throw UsageError(usage_error(self, "a SCENARIO has no answer yet"));
  if (parsed.has("table")) return headroom_of_table(self, parsed);
  return headroom_of_link(self, parsed);
}

}  // namespace

Command headroom_command() {
  return {"headroom",
          "[SCENARIO]",
          "how much headroom a lossless port needs",
          "Of a link (--rate, --length): its budget part by part, beside other formulas.\n"
          "Of a SONiC table: each row against the budget and in the worst case simulated.\n"
          "Exit status: 0 answered, 2 bad input, 3 something here loses frames.\n",
          {{"rate", "RATE", ""},
           {"length", "LENGTH", "a link: 100Gbps, 300km"},
           {"delay", "TIME", ""},
           {"per-kilometre", "TIME", "one way: fixed (0s), of fibre (5us)"},
           {"reverse-rate", "RATE", "of the PAUSE's direction; default as --rate"},
           {"table", "FILE", "pg_profile_lookup.ini of a SONiC switch"},
           {"mtu", "SIZE", "payload of a full packet; 4096, with --table 1024"},
           {"vlan", "", ""},
           {"ipv6", "", "frames carry an 802.1Q tag; IPv6 headers"},
           {"response", "TIME", "from a PAUSE to its effect; default by rate"},
           {"cell", "SIZE", "buffer memory is handed out in cells; default none"},
           {"threads", "N", "default: one for each core; same results"},
           {"json", "", "print JSON instead"},
           help_option()},
          {"soya headroom --rate 100Gbps --length 300km", "soya headroom --table pg_profile_lookup.ini"},
          headroom};
}

}  // namespace soya::cli
