#include "soya/headroom_calculator.hpp"

#include <doctest/doctest.h>

#include "soya/display_width.hpp"
#include "soya/exit_status.hpp"
#include "soya/headroom.hpp"
#include "support/run_command.hpp"

using namespace soya;
using namespace soya::cli;
using namespace soya::literals;
using soya::test::contains;

namespace {

HeadroomLink link_of(std::vector<std::string> arguments) {
  static const Command self = headroom_command();
  return headroom_link(self, parse(self, arguments));
}

std::string refusal(const std::vector<std::string>& arguments) {
  try {
    (void)link_of(arguments);
    return {};
  } catch (const UsageError& error) {
    const std::string text = error.what();
    return text.substr(0, text.find('\n'));
  }
}

}  // namespace

TEST_CASE("the options of a link are those of a scenario") {
  const HeadroomLink plain = link_of({"--rate", "100Gbps", "--length", "300km"});
  CHECK(plain.query.one_way == 1500_us);
  CHECK(plain.query.largest_frame == Bytes{4096 + 62});
  CHECK(plain.query.response == Duration{394 * 64 * 80});  // 394 quanta of 64 B at 80 ps a byte
  CHECK_FALSE(plain.query.reverse_rate);
  CHECK_FALSE(plain.query.cell);
  const HeadroomLink other =
      link_of({"--rate=400Gbps", "--length=10m", "--per-kilometre=4.9us", "--delay=7us", "--mtu=1024", "--vlan",
               "--ipv6", "--response=1us", "--reverse-rate=100Gbps", "--cell=256B"});
  CHECK(other.query.one_way == 49_ns + 7_us);
  CHECK(other.query.largest_frame == Bytes{1024 + 62 + 4 + 20});
  CHECK(other.query.response == 1_us);
  CHECK(other.query.reverse_rate == 100_Gbps);
  CHECK(other.query.cell == 256_B);
  CHECK_FALSE(link_of({"--rate=1Gbps", "--length=1m", "--cell=none", "--reverse-rate=same"}).query.cell);
}

TEST_CASE("a link that is told too little or wrongly says what to write") {
  CHECK(refusal({}) == "soya headroom: which rate? Give --rate 100Gbps");
  CHECK(refusal({"--rate", "1Gbps"}) == "soya headroom: which length? Give --length 300km");
  CHECK(refusal({"--rate", "100", "--length", "1m"}) ==
        "soya headroom: --rate: expected a rate such as 100Gbps or 12.5GB/s, got \"100\"");
  CHECK(refusal({"--rate", "100Gbps", "--length", "-1m"}) ==
        "soya headroom: --length: -1m is out of range; allowed: 0m to 1000000km");
  CHECK(refusal({"--rate", "100Gbps", "--length", "1m", "--mtu", "0"}) ==
        "soya headroom: --mtu: 0 is out of range; allowed: 1 to 1000000 bytes");
  CHECK(refusal({"--rate", "100Gbps", "--length", "1m", "--cell", "big"}) ==
        "soya headroom: --cell: expected a size such as 64KiB or 1MB, got \"big\"; allowed: none, or 1B to 64KiB");
  // 2 x 1000 s at 100 Tbps are 25 PB.
  CHECK(refusal({"--rate", "100000Gbps", "--length", "1m", "--delay", "1000s"}) ==
        "soya headroom: the link holds more than 1 PiB both ways; give a lower --rate or a shorter --length, --delay "
        "or --response");
}

TEST_CASE("the calculator fits 100 columns and 36 lines, whatever the link") {
  for (const char* rate : {"1Mbps", "25Gbps", "100Gbps", "200Gbps", "800Gbps", "3.2Tbps"}) {
    for (const char* length : {"0m", "5m", "300km", "1000000km"}) {
      const std::string text = calculator_text(
          link_of({"--rate", rate, "--length", length, "--delay=1.234567891ms", "--cell=256B"}), BarStyle::blocks);
      std::istringstream in{text};
      std::size_t lines = 0;
      for (std::string line; std::getline(in, line); ++lines) CHECK_MESSAGE(display_width(line) <= 100, line);
      CHECK(lines <= 36);
    }
  }
  // Light that takes a nanosecond for a million kilometres, which formulas in metres know nothing of: 87 317 times
  // auto; and 200 TB to buffer.
  for (const auto& link : {std::vector<std::string>{"--rate", "1Gbps", "--length", "1e6km", "--per-kilometre", "1ps"},
                           std::vector<std::string>{"--rate", "800Gbps", "--length", "300km", "--delay", "1000s"}}) {
    std::istringstream in{calculator_text(link_of(link), BarStyle::blocks)};
    for (std::string line; std::getline(in, line);) CHECK_MESSAGE(display_width(line) <= 100, line);
  }
}

TEST_CASE("a formula below the tight size says that it loses packets") {
  const std::string text = calculator_text(link_of({"--rate=100Gbps", "--length=5m"}), BarStyle::ascii);
  // 3 x 312 B against 8 frames of 4158 B.
  CHECK(contains(text, "hpcc              936 B      936 B    2.4 %  loses packets "));
  // 33 792 B: the eight frames, not the ninth.
  CHECK(contains(text, "33 792 B   88.0 %  may lose packets  port MTU 9216 B, cell 144 B"));
  // F = 4096 + 62, and 16 of RETH, 4 of immediate: the frame counts three times, so 3 x 16 and 3 x 20 above 38 419.
  CHECK(contains(text, "auto, WRITE                    38 467 B  frames of 4 174 B: RETH\n"));
  CHECK(contains(text, "auto, WRITE with immediate     38 479 B  frames of 4 178 B: RETH and immediate\n"));
  CHECK(contains(text, "25 216 B  65.6 %  ################\n"));  // 24 columns x 0.656
}

TEST_CASE("a formula without that rate says why") {
  const std::string text = calculator_text(link_of({"--rate=200Gbps", "--length=5m"}), BarStyle::ascii);
  CHECK(contains(text, "\n  sonic-msn2700: no value; ACS-MSN2700 has ports up to 100 Gbps\n"));
  CHECK(contains(text, "\n  cisco: no value; the table has 10, 25, 40 and 100 Gbps, not 200 Gbps\n"));
}
