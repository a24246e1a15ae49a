#include "progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "display_width.hpp"
#include "memory.hpp"
#include "output.hpp"
#include "text_table.hpp"

namespace soya::cli {

namespace {

constexpr double least_elapsed_for_estimate_s = 2;

/// Never all: a run that is over reports no more. Where more was sent than expected, the transfers tell.
double share_done(const ProgressReport& report) {
  static constexpr double most = 0.99;
  const auto share = [](std::int64_t part, std::int64_t whole) {
    return whole <= 0 ? 0.0 : std::min(most, static_cast<double>(part) / static_cast<double>(whole));
  };
  if (report.packet_hops < report.expected_hops) return share(report.packet_hops, report.expected_hops);
  return share(report.transfers_finished, report.transfers);
}

std::string speed_text(double per_second) {
  if (per_second >= 1e6) return fmt::format("{:.1f} M events/s", per_second * 1e-6);
  if (per_second >= 1e3) return fmt::format("{:.1f} k events/s", per_second * 1e-3);
  return fmt::format("{:.0f} events/s", per_second);
}

std::string time_left_text(const ProgressReport& report) {
  const double share = share_done(report);
  if (share < 0.005 || report.elapsed_s < least_elapsed_for_estimate_s) return "time left unknown";
  return "about " + wall_time_text(report.elapsed_s * (1 - share) / share) + " left";
}

std::string facts(const ProgressReport& report) {
  const double speed = report.elapsed_s > 0 ? static_cast<double>(report.events) / report.elapsed_s : 0;
  const std::string run = report.run.empty() ? "" : shortened(printable(report.run), 20) + ": ";
  return fmt::format("{}{} simulated, {} of {} transfers finished, {}, {}, {}", run,
                     duration_text(report.now.picoseconds()), grouped(report.transfers_finished),
                     grouped(report.transfers), speed_text(speed), time_left_text(report),
                     size_text(report.memory_bytes));
}

}  // namespace

std::string wall_time_text(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  if (seconds < 3600) return fmt::format("{:.0f} min", std::ceil(seconds / 60));
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string progress_line(const ProgressReport& report) {
  return "soya: " + facts(report);
}

std::string progress_bar(const ProgressReport& report) {
  constexpr std::size_t width = 20;
  const double share = share_done(report);
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(width));
  return fmt::format("[{}{}] {:3.0f} % {}", std::string(filled, '='), std::string(width - filled, ' '),
                     std::floor(share * 100), facts(report));
}

std::string closing_line(std::int64_t events, std::int64_t packet_hops, double elapsed_s,
                         std::int64_t peak_memory_bytes) {
  const double speed = elapsed_s > 0 ? static_cast<double>(events) / elapsed_s : 0;
  std::string text = fmt::format("soya: {} events in {:.{}f} s, {}", grouped(events), elapsed_s,
                                 elapsed_s < 100 ? 2 : 0, speed_text(speed));
  if (packet_hops > 0) {
    const double nanoseconds = elapsed_s * 1e9 / static_cast<double>(packet_hops);
    text += fmt::format(", {} ns per packet-hop", grouped(std::llround(nanoseconds)));
  }
  return text + fmt::format(", memory {}", size_text(peak_memory_bytes));
}

ProgressBoard::ProgressBoard(ResultsDatabase& live, const InterruptWatch& watch, ProgressStyle style,
                             Intervals intervals)
    : live_{live}, watch_{watch}, style_{style}, intervals_{std::move(intervals)} {}

ProgressBoard::~ProgressBoard() {
  clear();
}

bool ProgressBoard::update(const Run& run, const Progress& progress) {
  if (stopping_ || watch_.signal() != 0) return false;
  const std::lock_guard lock{mutex_};
  const Clock::time_point now = this->now();
  if (now - committed_ >= intervals_.commit) {
    live_.commit();
    // The commit itself may have waited for a reader.
    committed_ = this->now();
  }
  if (time_to_print(now)) {
    printed_ = now;
    print({run.variant, progress.now, progress.transfers_finished, progress.transfers, progress.events,
           std::chrono::duration<double>(now - run.started).count(), resident_memory(), progress.packet_hops,
           run.expected_hops});
  }
  return true;
}

void ProgressBoard::add_transfer(const std::string& variant, const TransferRow& row) {
  const std::lock_guard lock{mutex_};
  live_.add_transfer(row, variant);
}

bool ProgressBoard::time_to_print(Clock::time_point now) {
  switch (style_) {
    case ProgressStyle::none:
      return false;
    case ProgressStyle::lines:
      return now - printed_ >= intervals_.line;
    case ProgressStyle::bar:
      return now - printed_ >= intervals_.bar;
  }
  return false;
}

void ProgressBoard::print(const ProgressReport& report) {
  if (style_ == ProgressStyle::lines) return print_note(progress_line(report) + "\n");
  // The terminal may be narrower than the line; a line that wraps cannot be drawn over.
  print_note("\r\x1b[K" + shortened(progress_bar(report), terminal_columns() - 1));
  bar_visible_ = true;
}

void ProgressBoard::clear() {
  const std::lock_guard lock{mutex_};
  if (bar_visible_) print_note("\r\x1b[K");
  bar_visible_ = false;
}

double ProgressBoard::elapsed_s() const {
  return std::chrono::duration<double>(now() - started_).count();
}

}  // namespace soya::cli
