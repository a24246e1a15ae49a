#include "interrupt.hpp"

#include <pthread.h>
#include <unistd.h>

#include "exit_status.hpp"

namespace soya::cli {

InterruptWatch::InterruptWatch() {
  ::sigemptyset(&watched_);
  ::sigaddset(&watched_, SIGINT);
  ::sigaddset(&watched_, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &watched_, &before_);
  thread_ = std::thread([this] { wait(); });
}

InterruptWatch::~InterruptWatch() {
  stopping_ = true;
  ::pthread_kill(thread_.native_handle(), SIGTERM);
  thread_.join();
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void InterruptWatch::wait() {
  while (true) {
    int number = 0;
    if (::sigwait(&watched_, &number) != 0) continue;
    if (stopping_) return;
    if (signal_ != 0) ::_exit(ExitStatus::signal_base + number);
    signal_ = number;
  }
}

}  // namespace soya::cli
