#include "sweep/isolation.hpp"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <thread>

#include "core/check.hpp"
#include "results/files.hpp"

namespace soya {

namespace {

constexpr std::size_t most_words = 400;
constexpr std::size_t cache_line = 64;
constexpr int status_of_signal = 128;

}  // namespace

/// What two processes share. They share no lock: a process may die while it holds one.
struct alignas(cache_line) RunningBoard::Page {
  /// An item that a thread is at: 0 is none, else one more than the item.
  struct alignas(cache_line) Slot {
    std::atomic<std::int64_t> item_and_one{0};
    std::atomic<bool> given_up{false};
    std::atomic<std::size_t> words{0};  ///< bytes of `text` that count
    std::array<char, most_words> text{};

    [[nodiscard]] bool holds(std::int64_t item) const { return item_and_one.load() == item + 1; }
  };
  static_assert(std::atomic<std::int64_t>::is_always_lock_free && std::atomic<std::size_t>::is_always_lock_free &&
                std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

  std::atomic<int> stop{0};

  /// The slots follow the page.
  [[nodiscard]] Slot* slots() { return reinterpret_cast<Slot*>(this + 1); }
};

RunningBoard::RunningBoard(std::size_t most)
    : most_{std::max<std::size_t>(most, 1)}, bytes_{sizeof(Page) + most_ * sizeof(Page::Slot)} {
  void* memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw ProcessError("cannot share memory between processes: " + system_reason(errno));
  page_ = new (memory) Page;
  for (std::size_t i = 0; i < most_; ++i) new (page_->slots() + i) Page::Slot;
}

RunningBoard::~RunningBoard() {
  ::munmap(page_, bytes_);
}

std::size_t RunningBoard::start(std::int64_t item) {
  for (std::size_t i = 0; i < most_; ++i) {
    std::int64_t none = 0;
    Page::Slot& slot = page_->slots()[i];
    if (slot.item_and_one.compare_exchange_strong(none, item + 1)) {
      slot.given_up = false;
      slot.words = 0;
      return i;
    }
  }
  SOYA_CHECK(false, "more items under way than the board was made for");
  return most_;
}

void RunningBoard::end(std::size_t slot) {
  SOYA_CHECK(slot < most_, "no such slot");
  page_->slots()[slot].item_and_one = 0;
}

void RunningBoard::give_up(std::size_t slot, std::string_view why) {
  SOYA_CHECK(slot < most_, "no such slot");
  const std::size_t length = std::min(why.size(), most_words);
  std::copy_n(why.begin(), length, page_->slots()[slot].text.begin());
  page_->slots()[slot].words = length;
  page_->slots()[slot].given_up = true;
  ::signal(SIGABRT, SIG_DFL);
  std::abort();
}

std::vector<std::int64_t> RunningBoard::under_way() const {
  std::vector<std::int64_t> items;
  for (std::size_t i = 0; i < most_; ++i) {
    const std::int64_t item_and_one = page_->slots()[i].item_and_one;
    if (item_and_one != 0) items.push_back(item_and_one - 1);
  }
  std::sort(items.begin(), items.end());
  return items;
}

std::vector<std::int64_t> RunningBoard::gave_up() const {
  std::vector<std::int64_t> items;
  for (std::size_t i = 0; i < most_; ++i) {
    const Page::Slot& slot = page_->slots()[i];
    if (slot.item_and_one != 0 && slot.given_up) items.push_back(slot.item_and_one - 1);
  }
  std::sort(items.begin(), items.end());
  return items;
}

std::string RunningBoard::last_words(std::int64_t item) const {
  for (std::size_t i = 0; i < most_; ++i) {
    const Page::Slot& slot = page_->slots()[i];
    if (slot.holds(item)) return {slot.text.data(), std::min(slot.words.load(), most_words)};
  }
  return {};
}

void RunningBoard::clear() {
  for (std::size_t i = 0; i < most_; ++i) {
    page_->slots()[i].item_and_one = 0;
    page_->slots()[i].given_up = false;
    page_->slots()[i].words = 0;
  }
}

int RunningBoard::stop_signal() const {
  return page_->stop.load(std::memory_order_relaxed);
}

void RunningBoard::request_stop(int signal) {
  page_->stop = signal;
}

namespace {

/// A thread that has been joined may be listed for a moment more.
bool is_single_threaded() {
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::error_code unknown;
    const std::filesystem::directory_iterator threads{"/proc/self/task", unknown};
    if (unknown || std::distance(threads, std::filesystem::directory_iterator{}) == 1) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  return false;
}

/// While it lives SIGINT, SIGTERM and SIGCHLD wait until `wait_for` looks.
class SignalsHeld final {
 public:
  SignalsHeld() {
    ::sigemptyset(&held_);
    for (const int number : {SIGINT, SIGTERM, SIGCHLD}) ::sigaddset(&held_, number);
    ::pthread_sigmask(SIG_BLOCK, &held_, &before_);
    // Whoever started this process may have left it ignored, and then no child's end would be told.
    struct sigaction plain {};
    plain.sa_handler = SIG_DFL;
    ::sigaction(SIGCHLD, &plain, &child_before_);
  }
  ~SignalsHeld() {
    ::sigaction(SIGCHLD, &child_before_, nullptr);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

  /// Waits for the end of `child`.
  [[nodiscard]] ChildEnd wait_for(pid_t child, RunningBoard& board) const {
    int at_once = 0;  // the signal that asked for it
    while (true) {
      int status = 0;
      const pid_t ended = ::waitpid(child, &status, WNOHANG);
      if (ended < 0 && errno != EINTR) throw ProcessError("cannot wait for a process: " + system_reason(errno));
      if (ended == child && at_once != 0) return {status_of_signal + at_once, std::nullopt};
      if (ended == child && WIFSIGNALED(status)) return {0, WTERMSIG(status)};
      if (ended == child) return {WEXITSTATUS(status), std::nullopt};
      const int number = ::sigwaitinfo(&held_, nullptr);
      if (number != SIGINT && number != SIGTERM) continue;
      if (board.stop_signal() == 0) {
        board.request_stop(number);
      } else {
        at_once = number;
        ::kill(child, SIGKILL);
      }
    }
  }

  /// Takes note of a signal that came while no child ran.
  void look(RunningBoard& board) const {
    sigset_t asks = held_;
    ::sigdelset(&asks, SIGCHLD);
    constexpr timespec no_time{};
    const int number = ::sigtimedwait(&asks, nullptr, &no_time);
    if (number > 0 && board.stop_signal() == 0) board.request_stop(number);
  }

  /// In a child, which the parent tells through the board.
  void release_in_child() const {
    ::signal(SIGINT, SIG_IGN);
    ::signal(SIGTERM, SIG_IGN);
    ::sigaction(SIGCHLD, &child_before_, nullptr);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t held_{};
  sigset_t before_{};
  struct sigaction child_before_ {};
};

[[noreturn]] void live_as_child(pid_t parent, const SignalsHeld& signals, const std::function<int()>& work) noexcept {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(status_of_signal + SIGKILL);  // it died before the line above
  signals.release_in_child();
  const int status = work();  // an exception ends in std::terminate: this function is noexcept
  std::fflush(nullptr);
  ::_exit(status);
}

ChildEnd run_in_child(RunningBoard& board, const SignalsHeld& signals, const std::function<int()>& work) {
  SOYA_CHECK(is_single_threaded(), "a process with threads must not fork");
  std::fflush(nullptr);  // or both processes write it
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw ProcessError("cannot start a process: " + system_reason(errno));
  if (child == 0) live_as_child(parent, signals, work);
  return signals.wait_for(child, board);
}

std::string deaths_text(int first, int alone, const std::string& words) {
  const std::string text = first == alone ? "ended by " + signal_text(first) + ", twice"
                                          : "ended by " + signal_text(first) + ", then alone by " + signal_text(alone);
  return words.empty() ? text : text + ": " + words;
}

/// The processes of one call of `supervise`.
class Supervisor final {
 public:
  Supervisor(RunningBoard& board, const SupervisedWork& work) : board_{board}, work_{work} {}

  int run() {
    while (!stopping() && work_.any_left()) {
      board_.clear();
      const ChildEnd end = run_in_child(board_, signals_, work_.run_all);
      if (!end.signal) return end.exit_status;
      if (stopping()) break;
      if (const auto status = retry_suspects(*end.signal)) return *status;
    }
    return board_.stop_signal() == 0 ? 0 : status_of_signal + board_.stop_signal();
  }

 private:
  bool stopping() {
    signals_.look(board_);
    return board_.stop_signal() != 0;
  }

  /// The exit status with which all ends, if it does.
  std::optional<int> retry_suspects(int signal) {
    std::vector<std::int64_t> suspects = board_.gave_up();
    if (suspects.empty()) suspects = board_.under_way();
    if (suspects.empty()) {
      throw ProcessError("the process that runs the points ended by " + signal_text(signal) +
                         " while no point was under way");
    }
    for (const std::int64_t item : suspects) {
      if (stopping()) return std::nullopt;
      if (!work_.left(item)) continue;  // it had ended, but for taking its name off the board
      if (const auto status = retry(item, signal)) return status;
    }
    return std::nullopt;
  }

  std::optional<int> retry(std::int64_t item, int signal) {
    board_.clear();
    const ChildEnd end = run_in_child(board_, signals_, [&] { return work_.run_one(item); });
    if (!end.signal && end.exit_status != 0) return end.exit_status;
    if (stopping()) return std::nullopt;
    // It may have died behind its last item, too.
    if (end.signal && work_.left(item)) {
      work_.record_crash(item, deaths_text(signal, *end.signal, board_.last_words(item)));
    }
    SOYA_CHECK(!work_.left(item), "an item that was run alone has no result");
    return std::nullopt;
  }

  SignalsHeld signals_;
  RunningBoard& board_;
  const SupervisedWork& work_;
};

}  // namespace

ChildEnd run_in_child(RunningBoard& board, const std::function<int()>& work) {
  const SignalsHeld signals;
  return run_in_child(board, signals, work);
}

std::string signal_text(int signal) {
  const char* meaning = ::sigdescr_np(signal);
  return "signal " + std::to_string(signal) + (meaning == nullptr ? "" : " (" + std::string{meaning} + ")");
}

int supervise(RunningBoard& board, const SupervisedWork& work) {
  return Supervisor{board, work}.run();
}

}  // namespace soya
