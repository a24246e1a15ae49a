// Work in a process of its own, so that an item that crashes takes nothing with it: neither the items that have ended
// nor those to come.
// Simplifies: Linux only; items that were under way when a process died are run again one after another, not side by
// side. Source: fork(2), prctl(2) PR_SET_PDEATHSIG, sigwaitinfo(2); docs/sweeps.md.
// Validated by tests/unit/sweep/isolation_test.cpp and tests/unit/sweep/supervise_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace soya {

/// A process could not be started, or ended while it worked on no item.
class ProcessError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a process is at, in memory that its parent sees, too: it stays when the process dies. Any thread may write.
class RunningBoard final {
 public:
  /// For at most `most` items at a time. Throws `ProcessError` where there is no memory.
  explicit RunningBoard(std::size_t most);
  ~RunningBoard();
  RunningBoard(const RunningBoard&) = delete;
  RunningBoard& operator=(const RunningBoard&) = delete;

  /// Notes that `item` has begun; what it returns is for `end` and `give_up`.
  [[nodiscard]] std::size_t start(std::int64_t item);
  /// The item's result is where it stays.
  void end(std::size_t slot);
  /// Ends the process because this item shows a defect; `why`, of which 400 bytes count, becomes part of the record.
  [[noreturn]] void give_up(std::size_t slot, std::string_view why);

  /// Items that have begun and not ended, in ascending order.
  [[nodiscard]] std::vector<std::int64_t> under_way() const;
  /// Those of them that have given up, if any: the others have nothing to do with the process's end.
  [[nodiscard]] std::vector<std::int64_t> gave_up() const;
  /// What `give_up` was told about `item`; empty where it was not.
  [[nodiscard]] std::string last_words(std::int64_t item) const;
  /// Nothing is under way; a request to stop stays.
  void clear();

  /// The signal with which the user asked to stop, or 0. The work looks at it and ends by itself.
  [[nodiscard]] int stop_signal() const;
  void request_stop(int signal);

 private:
  struct Page;
  Page* page_;
  std::size_t most_;
  std::size_t bytes_;
};

/// `start` and `end` of one item. Where an exception leaves the item, it has ended, too.
class UnderWay final {
 public:
  UnderWay(RunningBoard& board, std::int64_t item) : board_{board}, slot_{board.start(item)} {}
  ~UnderWay() { board_.end(slot_); }
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;
  [[noreturn]] void give_up(std::string_view why) { board_.give_up(slot_, why); }

 private:
  RunningBoard& board_;
  std::size_t slot_;
};

struct ChildEnd {
  int exit_status{0};           ///< what the work returned; 128 + the signal where the user stopped it at once
  std::optional<int> signal{};  ///< that killed the process
};

/// Runs `work` in a child process and waits for its end. The child dies with this process. SIGINT and SIGTERM are
/// ignored in it, whoever sends them (a terminal and Slurm tell every process): here the first one is put on the board,
/// and a second one kills the child. An exception that leaves `work` ends the child by SIGABRT. No other thread of this
/// process may exist, and no open database or lock may be used on both sides. Throws `ProcessError`.
[[nodiscard]] ChildEnd run_in_child(RunningBoard& board, const std::function<int()>& work);

/// "signal 11 (Segmentation fault)".
[[nodiscard]] std::string signal_text(int signal);

/// Items that processes work on. `left` and `record_crash` are called here, the others in a child.
struct SupervisedWork {
  std::function<bool()> any_left;               ///< is there an item without a result?
  std::function<bool(std::int64_t item)> left;  ///< has this one none?
  std::function<int()> run_all;                 ///< all that are left, on all threads; the exit status
  std::function<int(std::int64_t item)> run_one;
  /// The item has killed two processes: what happened, such as "ended by signal 11 (Segmentation fault), twice".
  std::function<void(std::int64_t item, const std::string& what)> record_crash;
};

/// Runs `run_all` until nothing is left. Where it dies, each item that was under way is run alone, and is recorded
/// where that dies, too; then the rest goes on. Returns the first exit status other than 0, at once; 128 + the signal
/// when the user stopped it; 0 when nothing is left. Throws `ProcessError` where a process dies with no item under way.
[[nodiscard]] int supervise(RunningBoard& board, const SupervisedWork& work);

}  // namespace soya
