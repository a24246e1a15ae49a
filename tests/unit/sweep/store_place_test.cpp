// A file that is no store though it was named as one, and a store that is taken away under its writer.
#include <doctest/doctest.h>

#include <filesystem>

#include "results/files.hpp"
#include "support/sample_points.hpp"
#include "support/temporary_folder.hpp"

using namespace soya;
using soya::test::sample_head;
using soya::test::sample_point;
using soya::test::TemporaryFolder;

TEST_CASE("nobody is told to delete a file that was named by mistake") {
  const TemporaryFolder folder;
  test::write_text(folder / "s.yaml", std::string(5000, 'x'));
  CHECK_THROWS_WITH_AS(StoreReader{folder / "s.yaml"},
                       doctest::Contains("s.yaml: is no store of a sweep: file is not a database"), StoreError);
}

TEST_CASE("a store that is taken away under a sweep ends it, before more is lost") {
  const TemporaryFolder folder;
  SweepStore store{folder.path(), sample_head(4)};
  store.finish(sample_point(0));
  std::filesystem::rename(folder / "sweep.sqlite", folder / "moved.sqlite");
  CHECK_THROWS_WITH_AS(store.finish(sample_point(1)),
                       doctest::Contains("it was removed, moved or replaced while the sweep ran"), MachineError);
  std::filesystem::rename(folder / "moved.sqlite", folder / "sweep.sqlite");
  store.finish(sample_point(1));
}
