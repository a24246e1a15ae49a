// Progress of the runs under way: a bar where standard error is a terminal, else a line every 10 s; and the commits
// that let finished transfers be read while a run goes on. Simplifies: time left assumes that the rest of the
// packet-hops, or of the transfers where those are unknown, takes as long as those before. Source: docs/results.md.
// Validated by tests/unit/tools/progress_test.cpp.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "engine/simulation.hpp"
#include "interrupt.hpp"
#include "results/database.hpp"

namespace soya::cli {

/// What a progress line says.
struct ProgressReport {
  std::string run;  ///< of several: which; empty for a single one
  Time now;
  std::int64_t transfers_finished{0};
  std::int64_t transfers{0};  ///< of the whole run
  std::int64_t events{0};
  double elapsed_s{0};
  std::int64_t memory_bytes{0};
  std::int64_t packet_hops{0};
  std::int64_t expected_hops{0};  ///< of the whole run; 0: unknown
};

/// "12 s", "7 min", "1.5 h".
[[nodiscard]] std::string wall_time_text(double seconds);
/// "soya: 1.234 ms simulated, 12 of 40 transfers finished, 8.2 M events/s, about 12 s left, 312 MiB".
[[nodiscard]] std::string progress_line(const ProgressReport& report);
/// The same behind a bar, for a terminal.
[[nodiscard]] std::string progress_bar(const ProgressReport& report);
/// The last line on standard error: speed and memory of everything that ran.
[[nodiscard]] std::string closing_line(std::int64_t events, std::int64_t packet_hops, double elapsed_s,
                                       std::int64_t peak_memory_bytes);

enum class ProgressStyle { none, lines, bar };

/// Shared by the monitors of all runs; any thread may call it.
class ProgressBoard final {
 public:
  using Clock = std::chrono::steady_clock;

  struct Intervals {
    Clock::duration line{std::chrono::seconds{10}};
    Clock::duration bar{std::chrono::milliseconds{200}};
    /// Half of what is promised, so that a slow stretch between two looks does not break the promise.
    Clock::duration commit{std::chrono::seconds{5}};
    /// The time it is; a test has a clock of its own.
    std::function<Clock::time_point()> now{&Clock::now};
  };

  ProgressBoard(ResultsDatabase& live, const InterruptWatch& watch, ProgressStyle style, Intervals intervals);
  ~ProgressBoard();
  ProgressBoard(const ProgressBoard&) = delete;
  ProgressBoard& operator=(const ProgressBoard&) = delete;

  /// What the board keeps about one run.
  struct Run {
    std::string variant;
    Clock::time_point started;
    std::int64_t expected_hops{0};
  };

  /// Prints and commits when it is time. False: the run shall stop.
  [[nodiscard]] bool update(const Run& run, const Progress& progress);
  void add_transfer(const std::string& variant, const TransferRow& row);
  /// Every other run stops too, because one failed.
  void stop_all() { stopping_ = true; }
  /// Removes the bar from the terminal.
  void clear();
  [[nodiscard]] double elapsed_s() const;
  [[nodiscard]] Clock::time_point now() const { return intervals_.now(); }

 private:
  [[nodiscard]] bool time_to_print(Clock::time_point now);
  void print(const ProgressReport& report);

  ResultsDatabase& live_;
  const InterruptWatch& watch_;
  ProgressStyle style_;
  Intervals intervals_;
  std::mutex mutex_;
  Clock::time_point started_{now()};
  Clock::time_point printed_{started_};
  Clock::time_point committed_{started_};
  std::atomic<bool> stopping_{false};
  bool bar_visible_{false};
};

/// The monitor of one run.
class RunProgress final : public RunMonitor {
 public:
  /// The run starts now.
  RunProgress(ProgressBoard& board, std::string variant, std::int64_t expected_hops = 0)
      : board_{board}, run_{std::move(variant), board.now(), expected_hops} {}
  bool proceed(const Progress& progress) override { return board_.update(run_, progress); }
  void transfer_finished(const TransferRow& row) override { board_.add_transfer(run_.variant, row); }

 private:
  ProgressBoard& board_;
  ProgressBoard::Run run_;
};

}  // namespace soya::cli
