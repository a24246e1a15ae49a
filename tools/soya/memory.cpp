#include "memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace soya::cli {

namespace {

std::optional<std::int64_t> number_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::int64_t number = 0;
  // "max" stands for no limit.
  if (in >> number) return number;
  return std::nullopt;
}

std::optional<std::int64_t> machine_available(const std::filesystem::path& root) {
  std::ifstream in(root / "proc/meminfo");
  std::string key;
  while (in >> key) {
    std::int64_t kibibytes = 0;
    if (key == "MemAvailable:" && in >> kibibytes) return kibibytes * 1024;
    in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

/// Path of this process's control group below the mount, such as "system.slice/job_7"; version 2 has one line "0::/…".
std::filesystem::path control_group(const std::filesystem::path& root) {
  std::ifstream in(root / "proc/self/cgroup");
  std::string line;
  while (std::getline(in, line)) {
    if (line.starts_with("0::/")) return line.substr(4);
  }
  return {};
}

}  // namespace

std::optional<std::int64_t> available_memory(const std::filesystem::path& root) {
  std::optional<std::int64_t> least = machine_available(root);
  const std::filesystem::path mount = root / "sys/fs/cgroup";
  // A limit may sit on any group above this process.
  for (std::filesystem::path group = control_group(root);; group = group.parent_path()) {
    const auto most = number_in(mount / group / "memory.max");
    const auto used = number_in(mount / group / "memory.current");
    if (most && used) {
      const std::int64_t left = std::max<std::int64_t>(0, *most - *used);
      least = least ? std::min(*least, left) : left;
    }
    if (group.empty()) return least;
  }
}

std::int64_t resident_memory() {
  std::ifstream in("/proc/self/statm");
  std::int64_t total = 0;
  std::int64_t resident = 0;
  in >> total >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

std::int64_t peak_resident_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * 1024;
}

std::optional<std::int64_t> memory_limit(std::optional<std::int64_t> given) {
  if (given) return given;
  const auto available = available_memory();
  if (!available) return std::nullopt;
  return *available / 5 * 4;
}

}  // namespace soya::cli
