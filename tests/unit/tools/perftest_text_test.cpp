#include "soya/perftest_text.hpp"

#include <doctest/doctest.h>

#include "support/sample_results.hpp"

using namespace soya;
using namespace soya::cli;

TEST_CASE("a bandwidth test as perftest prints it: a block of each cq_mod, more digits below 0.1 Gbps") {
  const std::vector<std::string> sections = perftest_sections(test::perftest_results());
  REQUIRE(sections.size() == 4);
  CHECK(sections[0] == R"(perftest: write_bw from 札幌-host1 to 稚内-host1
---------------------------------------------------------------------------------------
                    RDMA_Write BW Test
 Number of qps   : 1            Transport type : IB
 Connection type : RC           Using SRQ      : OFF
 TX depth        : 128
 CQ Moderation   : 100
 Mtu             : 4096[B]
 Link type       : Ethernet
---------------------------------------------------------------------------------------
 #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
 2          5000           0.000611            0.000533            0.033000
---------------------------------------------------------------------------------------
---------------------------------------------------------------------------------------
                    RDMA_Write BW Test
 Number of qps   : 1            Transport type : IB
 Connection type : RC           Using SRQ      : OFF
 TX depth        : 128
 CQ Moderation   : 1
 Mtu             : 4096[B]
 Link type       : Ethernet
---------------------------------------------------------------------------------------
 #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
 65536      5000             0.00               21.80                0.041583
---------------------------------------------------------------------------------------
)");
  CHECK(sections[1] ==
        "Steady goodput beside its closed form (whole windows after the first; - where there is none)\n"
        "  message  steady Gbps  closed form  limited by\n"
        "      2 B     0.000533     0.000533  the window\n"
        "   64 KiB        22.33        22.33  the window\n");
}

TEST_CASE("a latency test as perftest prints it") {
  const std::vector<std::string> sections = perftest_sections(test::perftest_results());
  CHECK(sections[2] == R"(latency: write_lat from a to b
---------------------------------------------------------------------------------------
                    RDMA_Write Latency Test
 Number of qps   : 1            Transport type : IB
 Connection type : RC           Using SRQ      : OFF
 TX depth        : 1
 Mtu             : 4096[B]
 Link type       : Ethernet
---------------------------------------------------------------------------------------
 #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]
 2       1000          1.76           6.12         1.79               1.80           0.06            1.88                  6.12
---------------------------------------------------------------------------------------
)");
  CHECK(sections[3] ==
        "Half a round trip beside its closed form (- where there is none)\n"
        "  message  t_typical us  closed form us\n"
        "      2 B         1.790           1.750\n");
}

TEST_CASE("a run of nothing but perftest has its own table instead of the slowest transfers") {
  RunResults run = test::perftest_results();
  CHECK(only_perftest(run));  // 5000 + 5000 + twice 1000
  ++run.transfers.count;
  CHECK_FALSE(only_perftest(run));
  CHECK_FALSE(only_perftest(test::incast_results()));
  CHECK(perftest_sections(test::incast_results()).empty());
}
