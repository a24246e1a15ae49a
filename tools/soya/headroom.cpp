#include "headroom.hpp"

#include <fmt/format.h>

#include "exit_status.hpp"
#include "headroom_calculator.hpp"
#include "headroom_scenario.hpp"
#include "headroom_table.hpp"

namespace soya::cli {

namespace {

int headroom_of_file(const Command& self, const Parsed& parsed) {
  for (const char* name : {"rate", "length", "delay", "per-kilometre", "reverse-rate", "table", "mtu", "vlan", "ipv6",
                           "response", "cell"}) {
    if (!parsed.has(name)) continue;
    throw UsageError(usage_error(self, fmt::format("--{} beside a SCENARIO, which has its own; leave out one", name)));
  }
  HeadroomOptions options;
  options.scenario = one_scenario(self, parsed);
  options.read = read_options(self, parsed);
  options.threads = static_cast<int>(
      whole_number(self, parsed, "threads", 1, 1024, "a number of threads from 1 to 1024").value_or(0));
  options.all = parsed.has("all");
  options.json = parsed.has("json");
  options.quiet = parsed.has("quiet");
  options.memory_limit = memory_size(self, parsed);
  return headroom_of_scenario(options);
}

int headroom(const Command& self, const Parsed& parsed) {
  if (!parsed.positional.empty()) return headroom_of_file(self, parsed);
  for (const char* name : {"set", "seed", "variant", "quiet", "memory-limit", "all"}) {
    if (!parsed.has(name)) continue;
    throw UsageError(usage_error(self, fmt::format("--{} without a SCENARIO; name a YAML file", name)));
  }
  if (parsed.has("table")) return headroom_of_table(self, parsed);
  if (!parsed.has("rate") && !parsed.has("length")) {
    throw UsageError(
        usage_error(self, "of what? Name a SCENARIO, a link (--rate 100Gbps --length 300km) or a --table FILE"));
  }
  if (parsed.has("threads")) {
    throw UsageError(usage_error(self, "--threads without a SCENARIO or --table; a link is no simulation"));
  }
  return headroom_of_link(self, parsed);
}

}  // namespace

Command headroom_command() {
  return {"headroom",
          "[SCENARIO]",
          "how much headroom a lossless port needs",
          "Of a SCENARIO: in its run, and the smallest lossless size found by simulation.\n"
          "Of a link (--rate, --length) or a SONiC table: the budget, and other formulas.\n"
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
           {"response", "TIME", ""},
           {"cell", "SIZE", "time from PAUSE to effect; cell of the buffer"},
           {"set", "PATH=VALUE", ""},
           {"seed", "N", ""},
           {"variant", "NAME", "of a SCENARIO, as in soya run"},
           {"quiet", "", ""},
           {"memory-limit", "SIZE", "of a SCENARIO, too, as in soya run"},
           {"all", "", ""},
           {"json", "", ""},
           {"threads", "N", "a row for each port; JSON; default one for each core"},
           help_option()},
          {"soya headroom scenarios/incast.yaml", "soya headroom --rate 100Gbps --length 300km"},
          headroom};
}

}  // namespace soya::cli
