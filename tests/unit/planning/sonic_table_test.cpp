#include "planning/sonic_table.hpp"

#include <doctest/doctest.h>

using namespace soya;
using namespace soya::literals;

TEST_CASE("a table as it ships: comments, blanks, columns by position") {
  const SonicTable table = read_sonic_table("t.ini",
                                            "# PG lossless profiles.\n"
                                            "# speed cable size    xon  xoff threshold xon_offset\n"
                                            " 10000   5m    1248 2288 35776 -3 2288\n"
                                            "\n"
                                            "100000 300m 1248 2288 268736 0\n");
  CHECK(table.warnings.empty());
  REQUIRE(table.rows.size() == 2);
  const SonicRow& first = table.rows[0];
  CHECK(first.line == 3);
  CHECK(first.speed == 10_Gbps);
  CHECK(first.cable == 5_m);
  CHECK(first.size == 1248_B);
  CHECK(first.xon == 2288_B);
  CHECK(first.xoff == 35'776_B);
  CHECK(first.threshold == -3);
  CHECK(first.xon_offset == 2288_B);
  CHECK(table.rows[1].line == 5);
  CHECK_FALSE(table.rows[1].xon_offset);
}

TEST_CASE("tabs, CR LF, a byte order mark, no last line break, a comment behind a row") {
  const SonicTable table =
      read_sonic_table("t.ini",
                       "\xEF\xBB\xBF#speed\tcable\tsize\txon\txoff\tthreshold\r\n\t40000\t40m\t1\t2\t3\t0\t# "
                       "short\r\n\r\n800000 2m 4 5 6 7");
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].xoff == 3_B);
  CHECK(table.rows[0].threshold == 0);
  CHECK(table.rows[1].speed == 800_Gbps);
  CHECK(table.rows[1].threshold == 7);
}

TEST_CASE("lengths in metres and kilometres, speeds down to 100 Mbps, thresholds in bytes") {
  const SonicTable table =
      read_sonic_table("t.ini", "100 0.5m 0 1 2 36736\n1000 80km 0 1 2 -6\n400000 120000m 0 1 2\n");
  REQUIRE(table.rows.size() == 3);
  CHECK(table.rows[0].speed == Rate{100'000'000});
  CHECK(table.rows[0].cable == Length{500});
  CHECK(table.rows[0].size == 0_B);
  CHECK_FALSE(is_dynamic_threshold(*table.rows[0].threshold));
  CHECK(table.rows[1].cable == 80_km);
  CHECK(is_dynamic_threshold(*table.rows[1].threshold));
  CHECK(table.rows[2].cable == 120_km);
  CHECK_FALSE(table.rows[2].threshold);
}

TEST_CASE("a comment that names the columns decides their order, and it is said that SONiC does not look at it") {
  const SonicTable table =
      read_sonic_table("t.ini", "# cable, speed, xoff, size, xon, threshold\n300m 100000 268736 1248 2288 1 99\n");
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].speed == 100_Gbps);
  CHECK(table.rows[0].xoff == 268'736_B);
  CHECK(table.rows[0].size == 1248_B);
  CHECK(table.rows[0].xon == 2288_B);
  CHECK(table.rows[0].threshold == 1);
  CHECK(table.rows[0].xon_offset == 99_B);
  REQUIRE(table.warnings.size() == 1);
  CHECK(table.warnings[0].text() ==
        "t.ini:1:1: the columns are read as this line names them; SONiC itself reads speed cable size xon xoff "
        "threshold xon_offset, whatever it says");
}

TEST_CASE("columns that the header does not name follow in SONiC's order") {
  const SonicTable table = read_sonic_table("t.ini", "# speed cable xoff threshold\n100000 5m 40960 -3 1248 2288 7\n");
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].xoff == 40'960_B);
  CHECK(table.rows[0].threshold == -3);
  CHECK(table.rows[0].size == 1248_B);
  CHECK(table.rows[0].xon == 2288_B);
  CHECK(table.rows[0].xon_offset == 7_B);
}

TEST_CASE("a comment that speaks of speed and cable is no header") {
  CHECK(read_sonic_table("t.ini", "# speed and cable of the port decide\n100000 5m 1 2 3 0\n").rows.size() == 1);
}

TEST_CASE("of two rows for the same speed and cable the later one counts, as in SONiC") {
  const SonicTable table = read_sonic_table("t.ini", "100000 5m 1 2 30 0\n100000 40m 1 2 40 0\n100000 5m 1 2 50 0\n");
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].xoff == 50_B);
  CHECK(table.rows[0].line == 3);
  REQUIRE(table.warnings.size() == 1);
  CHECK(table.warnings[0].text() == "t.ini:3:1: the same speed and cable as in line 1: SONiC takes the later one");
}
