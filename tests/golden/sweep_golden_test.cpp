// Headroom found by search, and the law that a fit finds in it: light there and back takes 10 ns for a metre, which is
// 1.25 B of wire for each Gbps, and of 4178 B of wire a frame of mtu 4096 stores 4158.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "results/least_squares.hpp"
#include "scenario/read_sweep.hpp"
#include "support/temporary_folder.hpp"
#include "sweep/parallel.hpp"
#include "sweep/points.hpp"
#include "sweep/run_point.hpp"

using namespace soya;

namespace {

struct Answer {
  double rate_gbps{0};
  double length_m{0};
  double bytes{0};
};

/// The smallest lossless headroom of a port whose queue has its own, the egress held, by length and rate.
std::vector<Answer> answers() {
  const test::TemporaryFolder folder;
  test::write_text(folder / "w.yaml", "scenario: " SOYA_SOURCE_DIR
                                      "/scenarios/two-hauls-held.yaml\n"
                                      "set:\n"
                                      "  workload[0].incast.size: 60MB\n"
                                      "  faults[0].hold.until: 3ms\n"
                                      "axes:\n"
                                      "  topology.link_types.haul.length: [5m, 1km, 30km, 100km]\n"
                                      "zip:\n"
                                      "  topology.link_types.haul.rate: [25Gbps, 100Gbps, 400Gbps]\n"
                                      "  topology.link_types.access.rate: [25Gbps, 100Gbps, 400Gbps]\n"
                                      "search:\n"
                                      "  smallest: switches.far.headroom.size\n"
                                      "  from: 1B\n"
                                      "  to: 64MB\n"
                                      "  such_that: drops.lossless == 0\n");
  const SweepConfig sweep = read_sweep((folder / "w.yaml").string());
  const PointSpace space{sweep};
  const auto answer_of = [&](std::size_t number) {
    const Point point{0, {number / 3, number % 3, 0}};
    PointRunner runner{sweep, space, {}};
    const StoredPoint stored = runner.run(point, "", {}).value();
    Answer answer{stored.cells.at(1).number.value(), stored.cells.at(0).number.value(), 0};
    for (const auto& [name, value] : stored.extra) {
      if (name == "answer") answer.bytes = value;
    }
    return answer;
  };
  std::vector<Answer> out;
  for (const auto& answer : run_parallel<Answer>(12, {.threads = 2, .stopped = {}, .progress = {}}, answer_of)) {
    out.push_back(answer.value());
  }
  return out;
}

/// Nothing on the wire back: what is under way after the decision, in whole frames that have started.
double closed_form(const Answer& at) {
  const double bytes_per_ns = at.rate_gbps / 8;
  // Quanta of 64 B that the paused port takes to answer, by its speed.
  const double response = 64 * (at.rate_gbps == 25 ? 80 : (at.rate_gbps == 100 ? 394 : 905));
  const double arriving = 10 * at.length_m * bytes_per_ns + 84 + response;
  return (std::floor(arriving / 4178) + 1) * 4158;
}

}  // namespace

TEST_CASE("smallest headroom over rate x length: every point to the byte, and the slope of the fit within 0.2 %") {
  const std::vector<Answer> found = answers();
  LeastSquaresInput line{{"1", "rate*length"}, {}, {}};
  for (const Answer& answer : found) {
    CAPTURE(answer.rate_gbps);
    CAPTURE(answer.length_m);
    CHECK(answer.bytes == closed_form(answer));
    line.rows.push_back({1, answer.rate_gbps * answer.length_m});
    line.measured.push_back(answer.bytes);
  }
  const double fitted = least_squares(line).coefficients.at(1);
  const double slope = 2 * 5.0 / 8 * 4158 / 4178;
  CHECK(std::abs(fitted / slope - 1) < 0.002);
}
