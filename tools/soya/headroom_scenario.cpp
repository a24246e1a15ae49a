#include "headroom_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

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

/// Progress of the searches: a bar where standard error is a terminal, else a line every 10 s.
class SearchBoard final {
 public:
  explicit SearchBoard(bool quiet) : quiet_{quiet}, terminal_{notes_go_to_a_terminal()} {}

  void update(const SearchProgress& progress) {
    runs_ = progress.runs;
    const Clock::time_point now = Clock::now();
    const Clock::duration interval =
        terminal_ ? Clock::duration{std::chrono::milliseconds{200}} : Clock::duration{std::chrono::seconds{10}};
    if (quiet_ || now - printed_ < interval) return;
    printed_ = now;
    const std::string text =
        fmt::format("{} of {} searches done, {} runs of the scenario, {:.0f} s", progress.ended, progress.searches,
                    grouped(progress.runs), std::chrono::duration<double>(now - started_).count());
    if (!terminal_) return print_note("soya: " + text + "\n");
    constexpr std::size_t width = 20;
    const std::size_t filled = progress.searches == 0 ? 0 : width * progress.ended / progress.searches;
    print_note(fmt::format("\r\x1b[K[{}{}] {}", std::string(filled, '='), std::string(width - filled, ' '), text));
    visible_ = true;
  }

  /// Removes the bar and says what it took.
  void close() {
    if (visible_) print_note("\r\x1b[K");
    visible_ = false;
    if (quiet_) return;
    const double elapsed_s = std::chrono::duration<double>(Clock::now() - started_).count();
    print_note(fmt::format("soya: {} run{} of the scenario in {:.2f} s, memory {}\n", grouped(runs_),
                           runs_ == 1 ? "" : "s", elapsed_s, size_text(peak_resident_memory())));
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool quiet_;
  bool terminal_;
  bool visible_{false};
  std::int64_t runs_{0};
  Clock::time_point started_{Clock::now()};
  Clock::time_point printed_{started_};
};

int threads_of(const HeadroomOptions& options) {
  if (options.threads > 0) return options.threads;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

/// What is searched is one scenario; the others of the file are named, not ignored.
void tell_variants(const HeadroomOptions& options) {
  if (options.read.variant || options.quiet) return;
  const std::vector<std::string> names = variant_names(options.scenario, options.read);
  if (names.empty()) return;
  print_message(fmt::format("soya: the base alone is searched; --variant NAME searches one of {}\n",
                            fmt::join(names, ", ")));
}

}  // namespace

int headroom_of_scenario(const HeadroomOptions& options) {
  const auto limit = memory_limit(std::nullopt);
  std::vector<PlannedRun> plan;
  plan.push_back({options.read.variant.value_or(""), read_scenario(options.scenario, options.read)});
  const Scenario& scenario = plan.front().scenario;
  const int threads = threads_of(options);
  refuse_beyond(limit, threads * estimated_need(plan, 1), scenario);

  tell_variants(options);
  const InterruptWatch watch;
  build_first(plan, ", shown by soya check").reset();
  SearchBoard board{options.quiet};
  SearchOptions search;
  search.threads = threads;
  search.stopped = [&watch] { return watch.signal() != 0; };
  search.progress = [&board](const SearchProgress& progress) { board.update(progress); };
  const ScenarioHeadroom answer = search_headroom(scenario, search);
  board.close();
  if (watch.signal() != 0) {
    const std::string missing = headroom_missing(answer);
    print_message("soya: interrupted; " + (missing.empty() ? "nothing is missing\n" : missing));
  }
  const PortRows rows = options.all ? PortRows::each : PortRows::alike_together;
  print_answer(options.json ? headroom_json(answer) : headroom_text(answer, rows));
  if (watch.signal() != 0) return ExitStatus::signal_base + watch.signal();
  return answer.run.sound ? ExitStatus::sound : ExitStatus::not_sound;
}

}  // namespace soya::cli
