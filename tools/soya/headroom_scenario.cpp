#include "headroom_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

#include "display_width.hpp"
#include "exit_status.hpp"
#include "headroom_text.hpp"
#include "interrupt.hpp"
#include "memory.hpp"
#include "output.hpp"
#include "prepare.hpp"
#include "sweep/scenario_headroom.hpp"
#include "text_table.hpp"

namespace soya::cli {

namespace {

/// Progress of the searches: a bar where standard error is a terminal, else a line every 10 s. Any thread may call it.
class SearchBoard final {
 public:
  explicit SearchBoard(bool quiet) : quiet_{quiet}, terminal_{notes_go_to_a_terminal()} {}

  void update(const SearchProgress& progress) {
    const std::lock_guard lock{mutex_};
    progress_ = progress;
  }

  /// Prints when it is time.
  void tick() {
    if (quiet_) return;
    const std::lock_guard lock{mutex_};
    const Clock::time_point now = Clock::now();
    const Clock::duration interval =
        terminal_ ? Clock::duration{std::chrono::milliseconds{200}} : Clock::duration{std::chrono::seconds{10}};
    if (now - printed_ < interval) return;
    printed_ = now;
    if (!terminal_) return print_note("soya: " + text(now) + "\n");
    constexpr std::size_t width = 20;
    const std::size_t filled = progress_.searches == 0 ? 0 : width * progress_.ended / progress_.searches;
    const std::string bar = "[" + std::string(filled, '=') + std::string(width - filled, ' ') + "] " + text(now);
    print_note("\r\x1b[K" + shortened(bar, terminal_columns() - 1));
    visible_ = true;
  }

  /// Removes the bar and says what it took.
  void close() {
    if (visible_) print_note("\r\x1b[K");
    visible_ = false;
    if (quiet_) return;
    print_note(fmt::format("soya: {} in {:.2f} s, memory {}\n", runs_text(), seconds(Clock::now()),
                           size_text(peak_resident_memory())));
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] double seconds(Clock::time_point now) const {
    return std::chrono::duration<double>(now - started_).count();
  }
  [[nodiscard]] std::string runs_text() const {
    return fmt::format("{} run{} of the scenario", grouped(progress_.runs), progress_.runs == 1 ? "" : "s");
  }
  [[nodiscard]] std::string text(Clock::time_point now) const {
    if (progress_.searches == 0) return fmt::format("the scenario as configured, {:.0f} s", seconds(now));
    return fmt::format("{} of {} searches done, {}, {:.0f} s", progress_.ended, progress_.searches, runs_text(),
                       seconds(now));
  }

  bool quiet_;
  bool terminal_;
  bool visible_{false};
  std::mutex mutex_;
  SearchProgress progress_;
  Clock::time_point started_{Clock::now()};
  Clock::time_point printed_{started_};
};

/// One for each core unless told; fewer where the memory does not hold so many simulations. Results are the same.
int threads_of(const HeadroomOptions& options, std::int64_t need, std::optional<std::int64_t> limit) {
  const int wanted =
      options.threads > 0 ? options.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  if (!limit || need <= 0) return wanted;
  return static_cast<int>(std::clamp<std::int64_t>(*limit / need, 1, wanted));
}

/// What is searched is one scenario; the others of the file are named, not ignored.
void tell_variants(const HeadroomOptions& options, const ReadOptions& read) {
  if (read.variant || options.quiet) return;
  const std::vector<std::string> names = variant_names(options.scenario, read);
  if (names.empty()) return;
  print_message(
      fmt::format("soya: the base alone is searched; --variant NAME searches one of {}\n", fmt::join(names, ", ")));
}

}  // namespace

int headroom_of_scenario(const HeadroomOptions& options) {
  const auto limit = memory_limit(options.memory_limit);
  FileTexts texts;
  ReadOptions read = options.read;
  read.texts = &texts;
  std::vector<PlannedRun> plan;
  plan.push_back({read.variant.value_or(""), read_scenario(options.scenario, read)});
  const Scenario& scenario = plan.front().scenario;
  const std::int64_t need = estimated_need(plan, 1);
  refuse_beyond(limit, need, scenario);

  tell_variants(options, read);
  const InterruptWatch watch;
  build_first(plan, ", shown by soya check").first.reset();
  SearchBoard board{options.quiet};
  SearchOptions search;
  search.threads = threads_of(options, need, limit);
  search.stopped = [&] {
    board.tick();
    return watch.signal() != 0;
  };
  search.progress = [&board](const SearchProgress& progress) { board.update(progress); };
  const ScenarioHeadroom answer = search_headroom(scenario, search);
  board.close();
  if (watch.signal() != 0) {
    const std::string missing = headroom_missing(answer);
    print_message("soya: interrupted; " + (missing.empty() ? "nothing is missing\n" : missing));
  }
  if (options.json && !answer.run.why_not.empty()) {
    print_message("soya: " + answer.run.name + ": " + answer.run.why_not.front() + "\n");
  }
  const PortRows rows = options.all ? PortRows::each : PortRows::alike_together;
  print_answer(options.json ? headroom_json(answer) : headroom_text(answer, rows, plan.front().variant));
  if (watch.signal() != 0) return ExitStatus::signal_base + watch.signal();
  return answer.run.sound ? ExitStatus::sound : ExitStatus::not_sound;
}

}  // namespace soya::cli
