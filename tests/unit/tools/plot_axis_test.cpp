#include "soya/plot_axis.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace soya::cli;

namespace {

std::string labels(const PlotAxis& axis) {
  std::string text;
  for (const AxisTick& tick : axis.ticks) text += (text.empty() ? "" : "|") + tick.label;
  return text;
}

}  // namespace

TEST_CASE("a linear axis has round numbers in a unit that its title names") {
  const PlotAxis axis = linear_axis({"haul.length", "m", false, 1'000, 300'000}, true);
  CHECK(axis.title == "haul.length (km)");
  CHECK(labels(axis) == "0|50|100|150|200|250|300");
  CHECK(axis.low == 0);
  CHECK(axis.high == 300'000);
  CHECK(axis.place(150'000) == doctest::Approx(0.5));
  CHECK(axis.ticks[1].at == doctest::Approx(1.0 / 6));
}

TEST_CASE("ends are rounded or leave some room") {
  // 37 MB over steps of 10 MB: to 40 MB. Without rounded ends 4 % more than the range of 37.
  CHECK(linear_axis({"x", "bytes", false, 0, 37e6}, true).high == doctest::Approx(40e6));
  CHECK(linear_axis({"x", "bytes", false, 0, 37e6}, false).high == doctest::Approx(37e6 * 1.04));
  const PlotAxis far = linear_axis({"x", "ms", false, 1'361, 1'367}, true);
  CHECK(labels(far) == "1.361|1.362|1.363|1.364|1.365|1.366|1.367");
  CHECK(far.title == "x (s)");
  CHECK(labels(linear_axis({"x", "", false, -3, 4}, true)) == "-4|-2|0|2|4");
}

TEST_CASE("units are those people say") {
  CHECK(linear_axis({"x", "bytes", false, 0, 65'000}, true).title == "x (KB)");
  CHECK(linear_axis({"x", "bytes", true, 0, 65'536}, true).title == "x (KiB)");
  CHECK(linear_axis({"x", "ps", false, 0, 2.5e9}, true).title == "x (ms)");
  CHECK(linear_axis({"x", "gbps", false, 25, 800}, true).title == "x (Gbps)");
  CHECK(linear_axis({"x", "share", false, 0, 0.82}, true).title == "x (%)");
  CHECK(labels(linear_axis({"x", "share", false, 0, 0.82}, true)) == "0|20|40|60|80|100");
  CHECK(linear_axis({"drops.lossless", "", false, 0, 5}, true).title == "drops.lossless");
  CHECK(linear_axis({"x", "m", false, 0, 0}, true).title == "x (m)");
}

TEST_CASE("values that are all the same have an axis about them") {
  const PlotAxis zero = linear_axis({"x", "", false, 0, 0}, true);
  CHECK(zero.low == 0);
  CHECK(zero.high == 1);
  const PlotAxis seven = linear_axis({"x", "", false, 7, 7}, true);
  CHECK(seven.low < 7);
  CHECK(seven.high > 7);
  const PlotAxis log = log_axis({"x", "", false, 7, 7});
  CHECK(log.place(7) == doctest::Approx(0.5));
}

TEST_CASE("a log axis has decades with their units, or 1 2 5 where it is short") {
  const PlotAxis axis = log_axis({"length", "m", false, 5, 1e6});
  CHECK(labels(axis) == "10 m|100 m|1 km|10 km|100 km|1000 km");
  CHECK(axis.title == "length (m, km)");
  CHECK(axis.place(5) > 0);
  CHECK(axis.place(1e6) < 1);
  // Halfway between 10 and 1000 lies 100.
  CHECK(axis.place(100) == doctest::Approx((axis.place(10) + axis.place(1'000)) / 2));
  CHECK(labels(log_axis({"rate", "gbps", false, 25, 800})) == "50 Gbps|100 Gbps|200 Gbps|500 Gbps");
  CHECK(labels(log_axis({"x", "bytes", true, 1'048'576, 400 * 1'048'576.0})) == "1 MiB|4 MiB|16 MiB|64 MiB|256 MiB");
  CHECK(labels(log_axis({"x", "share", false, 0.01, 1})) == "1%|2%|5%|10%|20%|50%|100%");
}

TEST_CASE("categories lie in the middle of equal parts") {
  const PlotAxis axis = category_axis("mode", {"dsh", "per-queue"});
  CHECK(axis.place(0) == 0.25);
  CHECK(axis.place(1) == 0.75);
  CHECK(labels(axis) == "dsh|per-queue");
}

TEST_CASE("short numbers have about three digits") {
  CHECK(short_number(0) == "0");
  CHECK(short_number(0.125) == "0.125");
  CHECK(short_number(0.00012345) == "0.000123");
  CHECK(short_number(37.46) == "37.5");
  CHECK(short_number(-2) == "-2");
  CHECK(short_number(1'234.5) == "1234");
  CHECK(short_number(123'456) == "123 456");
}
