// Numbers and units: what is refused, with key, value, line and allowed range.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

struct Case {
  std::string value;
  std::string message;
};

/// Puts each value where {} stands in `text`; an empty message means it is accepted.
void check(const std::string& text, const std::string& place, const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    std::string whole = text;
    whole.replace(whole.find('@'), 1, c.value);
    CAPTURE(c.value);
    CHECK(errors_of(two_hosts + whole) == (c.message.empty() ? "" : "s.yaml:" + place + ": " + c.message));
  }
}

}  // namespace

TEST_CASE("sizes") {
  const std::string range = "; allowed: auto, or 1B to 1TiB";
  check("fabric: {headroom: {size: @}}\n", "2:27: fabric.headroom.size",
        {
            {"64KiB", ""},
            {"1Mb", ""},
            {"auto", ""},
            {"\"64KiB\"", ""},
            {"0B", "0B is out of range" + range},
            {"64", "expected a size such as 64KiB or 1MB, got \"64\""},
            {"64kib", "expected a size such as 64KiB or 1MB, got \"64kib\"" + range},
            {"64 KiB", "expected a size such as 64KiB or 1MB, got \"64 KiB\"" + range},
            {"-1", "expected a size such as 64KiB or 1MB, got \"-1\"" + range},
            {"-1KiB", "-1KiB is out of range" + range},
            {"2TiB", "2TiB is out of range" + range},
            {"1e400B", "1e400B is out of range" + range},
            {"99999999999999999999B", "99999999999999999999B is out of range" + range},
            {"0.5B", "0.5B is not a whole number of bytes"},
            {"010KiB", "\"010KiB\" has a leading zero; write 10KiB" + range},
            {"\"\"", "expected a size such as 64KiB or 1MB, got \"\"" + range},
            {"100Gbps", "expected a size such as 64KiB or 1MB, got \"100Gbps\"" + range},
        });
}

TEST_CASE("the MTU may be a bare number of bytes") {
  check("fabric: {mtu: @}\n", "2:15: fabric.mtu",
        {
            {"1024", ""},
            {"1KiB", ""},
            {"1", ""},
            {"0", "0 is out of range; allowed: 1 to 1000000 bytes"},
            {"0B", "0B is out of range; allowed: 1 to 1000000 bytes"},
            {"010", "\"010\" has a leading zero; write 10; allowed: 1 to 1000000 bytes"},
            {"1.5", "1.5 is not a whole number of bytes"},
            {"-1", "expected a size such as 64KiB or 1MB, got \"-1\"; allowed: 1 to 1000000 bytes"},
        });
}

TEST_CASE("rates") {
  const std::string range = "; allowed: 1Mbps to 100Tbps";
  check("nic: {receive: {rate: @}}\n", "2:23: nic.receive.rate",
        {
            {"100Gbps", ""},
            {"12.5GB/s", ""},
            {"1e2Gbps", ""},
            {"2.5Gbps", ""},
            {"100", "expected a rate such as 100Gbps or 12.5GB/s, got \"100\""},
            {"100gbp", "expected a rate such as 100Gbps or 12.5GB/s, got \"100gbp\"" + range},
            {"100 GBps", "expected a rate such as 100Gbps or 12.5GB/s, got \"100 GBps\"" + range},
            {"0Gbps", "0Gbps is out of range" + range},
            {"0", "expected a rate such as 100Gbps or 12.5GB/s, got \"0\""},
            {"-5Gbps", "-5Gbps is out of range" + range},
            {".nan", "expected a rate such as 100Gbps or 12.5GB/s, got \".nan\"" + range},
            {"1000000.5bps", "1000000.5bps is not a whole number of bits per second"},
        });
}

TEST_CASE("times and lengths") {
  check("fabric: {latency: @}\n", "2:19: fabric.latency",
        {
            {"0ns", ""},
            {"5µs", ""},
            {"5", "expected a time such as 5us or 1.5ms, got \"5\""},
            {"5sec", "expected a time such as 5us or 1.5ms, got \"5sec\"; allowed: 0s to 1000s"},
            {".inf", "expected a time such as 5us or 1.5ms, got \".inf\"; allowed: 0s to 1000s"},
            {"0.5ps", "0.5ps is not a whole number of picoseconds"},
            {"2000s", "2000s is out of range; allowed: 0s to 1000s"},
        });
  check("stop: {after: @}\n", "2:15: stop.after",
        {
            {"none", ""},
            {"0s", "0s is out of range; allowed: none, or 1ps to 2592000s"},
            {"never", "expected a time such as 5us or 1.5ms, got \"never\"; allowed: none, or 1ps to 2592000s"},
        });
  const std::string links = "{between: [h1, h2], length: ";
  const auto length = [&](const std::string& value) {
    return errors_of("topology: {nodes: {h1: host, h2: host}, links: [" + links + value + "}]}\n");
  };
  CHECK(length("300km") == "");
  CHECK(length("300") == "s.yaml:1:77: topology.links[0].length: expected a length such as 3m or 300km, got \"300\"");
  CHECK(length("0.5mm") == "s.yaml:1:77: topology.links[0].length: 0.5mm is not a whole number of millimetres");
  CHECK(length("3ft") ==
        "s.yaml:1:77: topology.links[0].length: expected a length such as 3m or 300km, got \"3ft\"; allowed: 0m to "
        "1000000km");
}

TEST_CASE("whole numbers") {
  check("nic: {timeout_exponent: @}\n", "2:25: nic.timeout_exponent",
        {
            {"0", ""},
            {"31", ""},
            {"1e1", ""},
            {"0o17", ""},
            {"0x1F", ""},
            {"32", "32 is out of range; allowed: 0 to 31"},
            {"-1", "-1 is out of range; allowed: 0 to 31"},
            {"010", "\"010\" has a leading zero; write 10 or 0o10; allowed: 0 to 31"},
            {"2.5", "expected a whole number, got \"2.5\"; allowed: 0 to 31"},
            {".nan", "expected a whole number, got \".nan\"; allowed: 0 to 31"},
            {".inf", "expected a whole number, got \".inf\"; allowed: 0 to 31"},
            {"1e400", "1e400 is out of range; allowed: 0 to 31"},
            {"99999999999999999999", "99999999999999999999 is out of range; allowed: 0 to 31"},
            {"\"\"", "expected a whole number, got \"\"; allowed: 0 to 31"},
            {"100x", "expected a whole number, got \"100x\"; allowed: 0 to 31"},
            {"00", "\"00\" has a leading zero; write 0; allowed: 0 to 31"},
        });
  check("nic: {initial_psn: @}\n", "2:20: nic.initial_psn",
        {{"0xFFFFFF", ""}, {"16777215", ""}, {"0x1000000", "0x1000000 is out of range; allowed: 0 to 16777215"}});
  check("nic: {max_unacked: @}\n", "2:20: nic.max_unacked",
        {{"8388607", ""},
         {"8388608",
          "8388608 is out of range; allowed: 1 to 8388607 (beyond, the order of 24-bit packet sequence numbers is lost)"},
         {"0", "0 is out of range; allowed: 1 to 8388607"}});
  check("nic: {ack_priority: @}\n", "2:21: nic.ack_priority",
        {{"7", ""},
         {"flow", ""},
         {"8", "8 is out of range; allowed: flow, or 0 to 7"},
         {"high", "expected a priority from 0 to 7, got \"high\"; allowed: flow, or 0 to 7"}});
}

TEST_CASE("ratios") {
  const std::string range = "; allowed: above 0 up to 1024";
  check("fabric: {buffer: {alpha: @}}\n", "2:26: fabric.buffer.alpha",
        {
            {"1/8", ""},
            {"0.125", ""},
            {"2", ""},
            {"0", "0 is out of range" + range + ", parts up to a million"},
            {"-1/8", "-1/8 is out of range" + range + ", parts up to a million"},
            {"1025", "1025 is out of range" + range + ", parts up to a million"},
            {"1/2000000", "1/2000000 is out of range" + range + ", parts up to a million"},
            {"1/0", "expected a ratio such as 1/8 or 4, got \"1/0\"" + range},
            {"12%", "expected a ratio such as 1/8 or 4, got \"12%\"" + range},
            {".nan", "expected a ratio such as 1/8 or 4, got \".nan\"" + range},
        });
  check("fabric: {pfc: {refresh: @}}\n", "2:25: fabric.pfc.refresh",
        {{"1", ""}, {"3/2", "3/2 is out of range; allowed: above 0 up to 1, parts up to a million"}});
}
