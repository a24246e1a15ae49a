#include "sweep_progress.hpp"

#include <fmt/format.h>

#include "output.hpp"
#include "progress.hpp"
#include "text_table.hpp"

namespace soya::cli {

namespace {

double seconds_left(const SweepProgress& progress, double elapsed_s) {
  const auto left = static_cast<double>(progress.points - progress.done);
  if (progress.all_known && progress.hops_ended > 0) {
    return elapsed_s * static_cast<double>(progress.hops_waiting) / static_cast<double>(progress.hops_ended);
  }
  return elapsed_s * left / static_cast<double>(progress.ended);
}

}  // namespace

std::string sweep_progress_text(const SweepProgress& progress, double elapsed_s) {
  std::string text = fmt::format("soya: {} of {} points done", grouped(progress.done), grouped(progress.points));
  if (progress.ended == 0 || elapsed_s <= 0) return text;
  const double speed = static_cast<double>(progress.ended) / elapsed_s;
  text += fmt::format(", {:.{}f} points/s", speed, speed < 100 ? 1 : 0);
  if (progress.done < progress.points) text += ", about " + wall_time_text(seconds_left(progress, elapsed_s)) + " left";
  return text;
}

void SweepProgressLine::show(const SweepProgress& progress) {
  if (quiet_) return;
  const auto interval = terminal_ ? std::chrono::milliseconds{200} : std::chrono::milliseconds{10'000};
  const Clock::time_point now = Clock::now();
  if (now - printed_ < interval) return;
  printed_ = now;
  const std::string text = sweep_progress_text(progress, std::chrono::duration<double>(now - started_).count());
  if (!terminal_) return print_note(text + "\n");
  print_note("\r" + text + "\x1b[K");
  visible_ = true;
}

void SweepProgressLine::clear() {
  if (!visible_) return;
  print_note("\r\x1b[K");
  visible_ = false;
}

}  // namespace soya::cli
