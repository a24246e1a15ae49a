// What idle hosts cost a run: memory of a process of its own. Time is printed by the benchmarks, not checked here.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "support/temporary_folder.hpp"

using namespace soya::test;

namespace {

/// Peak memory of `soya run` in the folder, in bytes; −1 where the run is not sound.
std::int64_t peak_of_run(const TemporaryFolder& folder, const std::string& scenario) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    if (::chdir(folder.path().c_str()) == 0) ::execl(SOYA_BINARY, "soya", "run", scenario.c_str(), nullptr);
    ::_exit(99);
  }
  int status = 0;
  rusage usage{};
  REQUIRE(::wait4(child, &status, 0, &usage) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? std::int64_t{usage.ru_maxrss} * 1024 : -1;
}

}  // namespace

TEST_CASE("10 016 hosts with one flow take less than 300 MB, and no more than 30 kB each") {
  const TemporaryFolder folder;
  const auto leaf_spine = [&](const std::string& leaves) {
    return R"(name: idle
topology:
  link_types: {cable: {rate: 100Gbps, length: 20m}}
  parts: [{leaf_spine: {leaves: )" +
           leaves + R"(, spines: 32, hosts_per_leaf: 32, host_link: cable, fabric_link: cable}}]
workload:
  - flows: [{from: host1, to: host64, size: 1MiB}]
)";
  };
  write_text(folder / "small.yaml", leaf_spine("2"));
  write_text(folder / "large.yaml", leaf_spine("313"));  // 313 x 32 hosts and as many uplinks
  const std::int64_t small = peak_of_run(folder, "small.yaml");
  const std::int64_t large = peak_of_run(folder, "large.yaml");
  REQUIRE(small > 0);
  CHECK(large > small);
  CHECK(large < 300'000'000);
  CHECK(large - small < std::int64_t{311} * 32 * 30'000);
}
