// Points as a sweep stores them, made by hand.
#pragma once

#include <string>
#include <vector>

#include "sweep/stored_point.hpp"
#include "sweep/sweep_table.hpp"

namespace soya::test {

inline Cell number_cell(const std::string& text, double number) {
  return {text, number};
}
inline Cell word_cell(const std::string& text) {
  return {text, std::nullopt};
}

/// A sweep of haul length, haul rate, headroom mode and seed, with a search for the smallest headroom.
inline StoreHead headroom_head() {
  StoreHead head;
  head.version = "0.1.0";
  head.name = "headroom";
  head.columns = {{"topology.link_types.haul.length", "m"},
                  {"topology.link_types.haul.rate", "gbps"},
                  {"fabric.headroom.mode", ""},
                  {"seed", ""}};
  head.points = 8;
  head.answer = {"fabric.headroom.size", "bytes"};
  return head;
}

struct HeadroomPoint {
  double length_m;
  double rate_gbps;
  std::string mode;
  int seed{1};
};

/// A sound point with `drops.lossless` 0, a peak of 2 bytes for a metre, and two steps of 10 and 30 ms.
inline StoredPoint headroom_point(std::int64_t number, const HeadroomPoint& of) {
  StoredPoint point;
  point.point = number;
  point.id = std::string(32, 'a');
  const auto metres = static_cast<long long>(of.length_m);
  point.cells = {number_cell(std::to_string(metres) + "m", of.length_m),
                 number_cell(std::to_string(static_cast<int>(of.rate_gbps)) + "Gbps", of.rate_gbps), word_cell(of.mode),
                 number_cell(std::to_string(of.seed), of.seed)};
  point.effective = "name: x\n";
  point.summary =
      "{\"sound\":true,\"drops\":{\"lossless\":0},\"buffers\":{\"headroom_peak_bytes\":" + std::to_string(2 * metres) +
      ",\"headroom_margin_bytes\":null},\"steps\":[{\"step_ms\":10},{\"step_ms\":30}]}";
  return point;
}

inline PointSource source_of(std::vector<StoredPoint> points) {
  return [points = std::move(points)](const std::function<void(const StoredPoint&)>& visit) {
    for (const StoredPoint& point : points) visit(point);
  };
}

/// What `TableError` says of `action`; empty where there is none.
template <class Action>
std::string table_error(const Action& action) {
  try {
    action();
  } catch (const TableError& error) {
    return error.what();
  }
  return "";
}

}  // namespace soya::test
