#include "net/pfc_config.hpp"

#include <doctest/doctest.h>

using namespace soya;
using namespace soya::literals;

TEST_CASE("the response time of every speed of the table, and of those between") {
  // sonic-net/sonic-swss cfgmgr/buffer_headroom_mellanox.lua, peer_response; IEEE 802.3 31B.3.7 for the slow ones.
  struct Row {
    std::int64_t mbps;
    std::int64_t quanta;
  };
  for (const Row& row :
       {Row{100, 1}, Row{1'000, 2}, Row{10'000, 67}, Row{25'000, 80}, Row{40'000, 118}, Row{50'000, 147},
        Row{100'000, 394}, Row{200'000, 453}, Row{400'000, 905}, Row{800'000, 905}}) {
    CAPTURE(row.mbps);
    CHECK(response_quanta(Rate{row.mbps * 1'000'000}) == row.quanta);
  }
  CHECK(response_quanta(Rate{10'000'000}) == 1);
  CHECK(response_quanta(Rate{100'000'001}) == 2);     // the faster's of 100M and 1G
  CHECK(response_quanta(Rate{2'500'000'000}) == 67);  // of 1G and 10G
  CHECK(response_quanta(1600_Gbps) == 905);           // beyond the table
}

TEST_CASE("quanta are 512 bit times of the port's own speed, and a time that is given counts") {
  CHECK(response_time(PfcConfig{}, 1_Gbps) == 1'024_ns);  // 2 x 512 bits of 1 ns
  CHECK(response_time(PfcConfig{}, Rate{100'000'000}) == 5'120_ns);
  CHECK(response_time(PfcConfig{}, 100_Gbps) == Duration{394 * 512 * 10});
  PfcConfig given;
  given.response = 3_us;
  CHECK(response_time(given, 1_Gbps) == 3_us);
}
