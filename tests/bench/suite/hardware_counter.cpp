#include "suite/hardware_counter.hpp"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace soya::bench {

HardwareCounter::HardwareCounter() {
  perf_event_attr what{};
  what.type = PERF_TYPE_HARDWARE;
  what.size = sizeof what;
  what.config = PERF_COUNT_HW_INSTRUCTIONS;
  what.disabled = 1;
  what.exclude_kernel = 1;
  what.exclude_hv = 1;
  file_ = static_cast<int>(syscall(SYS_perf_event_open, &what, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

HardwareCounter::~HardwareCounter() {
  if (file_ >= 0) close(file_);
}

void HardwareCounter::start() {
  if (file_ < 0) return;
  ioctl(file_, PERF_EVENT_IOC_RESET, 0);
  ioctl(file_, PERF_EVENT_IOC_ENABLE, 0);
}

std::optional<std::int64_t> HardwareCounter::stop() {
  if (file_ < 0) return std::nullopt;
  ioctl(file_, PERF_EVENT_IOC_DISABLE, 0);
  std::int64_t count = 0;
  if (read(file_, &count, sizeof count) != static_cast<ssize_t>(sizeof count) || count == 0) return std::nullopt;
  return count;
}

}  // namespace soya::bench
