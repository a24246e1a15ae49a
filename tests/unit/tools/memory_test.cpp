#include "soya/memory.hpp"

#include <doctest/doctest.h>

#include "support/temporary_folder.hpp"

using namespace soya;
using namespace soya::cli;

namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  test::write_text(file, text);
}

}  // namespace

TEST_CASE("available memory is the machine's where no control group limits it") {
  const test::TemporaryFolder root;
  write(root / "proc/meminfo", "MemTotal:  9000 kB\nMemFree:  10 kB\nMemAvailable:    8000 kB\n");
  CHECK(available_memory(root.path()) == 8000 * 1024);
  write(root / "proc/self/cgroup", "0::/jobs/7\n");
  write(root / "sys/fs/cgroup/jobs/7/memory.max", "max\n");
  write(root / "sys/fs/cgroup/jobs/7/memory.current", "5000\n");
  CHECK(available_memory(root.path()) == 8000 * 1024);
}

TEST_CASE("the tightest control group above the process counts, less what it uses") {
  const test::TemporaryFolder root;
  write(root / "proc/meminfo", "MemAvailable: 8000 kB\n");
  write(root / "proc/self/cgroup", "0::/jobs/7\n");
  write(root / "sys/fs/cgroup/jobs/7/memory.max", "6000000\n");
  write(root / "sys/fs/cgroup/jobs/7/memory.current", "1000000\n");
  CHECK(available_memory(root.path()) == 5'000'000);
  write(root / "sys/fs/cgroup/jobs/memory.max", "3000000\n");
  write(root / "sys/fs/cgroup/jobs/memory.current", "2000000\n");
  CHECK(available_memory(root.path()) == 1'000'000);
  // A container sees its own limit at the root of the mount.
  write(root / "sys/fs/cgroup/memory.max", "2000\n");
  write(root / "sys/fs/cgroup/memory.current", "3000\n");
  CHECK(available_memory(root.path()) == 0);
}

TEST_CASE("a system that says nothing sets no limit, what the user says holds") {
  const test::TemporaryFolder root;
  CHECK_FALSE(available_memory(root.path()).has_value());
  CHECK(memory_limit(12'345) == 12'345);
  CHECK(resident_memory() > 0);
  CHECK(peak_resident_memory() >= resident_memory() / 2);
}
