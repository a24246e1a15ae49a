// Text kept beside the tests: what a run looked like when somebody last read it.
// UPDATE_SNAPSHOTS=1 writes the files anew; review the difference before it is committed.
// Simplifies: whole files are compared. Source: ours. Validated by every test that uses it.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace soya::test {

/// `file` is relative to tests/, such as "bench_top/snapshots/pause.txt".
inline void check_snapshot(const std::string& file, const std::string& text) {
  const std::string path = std::string(SOYA_SOURCE_DIR) + "/tests/" + file;
  if (const char* update = std::getenv("UPDATE_SNAPSHOTS"); update != nullptr && std::string(update) == "1") {
    std::ofstream out(path, std::ios::binary);
    out << text;
    REQUIRE_MESSAGE(out.flush().good(), "cannot write ", path);
    return;
  }
  std::ifstream in(path, std::ios::binary);
  REQUIRE_MESSAGE(in.good(), "no snapshot ", path, ": run with UPDATE_SNAPSHOTS=1 and review it");
  std::ostringstream stored;
  stored << in.rdbuf();
  CHECK_MESSAGE(stored.str() == text, file, " differs. Now:\n", text);
}

}  // namespace soya::test
