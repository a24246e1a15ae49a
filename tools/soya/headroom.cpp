#include "headroom.hpp"

#include "exit_status.hpp"
#include "headroom_calculator.hpp"

namespace soya::cli {

namespace {

int headroom(const Command& self, const Parsed& parsed) {
  if (!parsed.positional.empty()) throw UsageError(usage_error(self, "a SCENARIO has no answer yet"));
  return headroom_of_link(self, parsed);
}

}  // namespace

Command headroom_command() {
  return {
      "headroom",
      "[SCENARIO]",
      "how much headroom a lossless port needs",
      "Of a link (--rate, --length): the budget part by part, beside published formulas.\n"
      "Exit status: 0 answered, 2 bad input.\n",
      {{"rate", "RATE", "of the sender that is to be paused: 100Gbps"},
       {"length", "LENGTH", "of the cable: 300km"},
       {"mtu", "SIZE", "payload of a full packet; default 4096"},
       {"delay", "TIME", ""},
       {"per-kilometre", "TIME", "one way: fixed (0s), of fibre (5us)"},
       {"response", "TIME", "from a PAUSE to its effect; default by rate"},
       {"reverse-rate", "RATE", "of the PAUSE's direction; default as --rate"},
       {"cell", "SIZE", "buffer memory is handed out in cells; default none"},
       {"vlan", "", ""},
       {"ipv6", "", "frames carry an 802.1Q tag; IPv6 headers"},
       {"json", "", "print JSON instead"},
       help_option()},
      {"soya headroom --rate 100Gbps --length 300km", "soya headroom --rate 400Gbps --length 30m --mtu 1024 --json"},
      headroom};
}

}  // namespace soya::cli
