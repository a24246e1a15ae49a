// Ways to die that leave no core and wake no handler of the test framework or of a sanitizer.
#pragma once

#include <signal.h>
#include <sys/resource.h>

#include <cstdlib>

namespace soya::test {

[[noreturn]] inline void die_by(int number) {
  constexpr rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (number != SIGKILL) ::signal(number, SIG_DFL);
  ::raise(number);
  std::abort();
}

}  // namespace soya::test
