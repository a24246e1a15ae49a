// A value that another file lays over a scenario: a sweep's, for one of its points.
// Simplifies: the value is one line of YAML. Source: docs/sweeps.md.
// Validated by tests/unit/scenario.
#pragma once

#include <string>

namespace soya {

struct LaidValue {
  std::string path;  ///< key path: fabric.headroom.size, "workload[0].ddp.bucket"
  std::string text;  ///< YAML in one line: 64KiB, [3, 4], {mode: dsh}
  int line{0};       ///< of the value in the file that says it, from 1; 0: unknown
  int column{0};
};

}  // namespace soya
