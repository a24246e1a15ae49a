#include "plan_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "display_width.hpp"
#include "summary_tables.hpp"
#include "text_table.hpp"

namespace soya::cli {

namespace {

constexpr std::size_t kinds_shown = 4;
constexpr std::size_t line_width = 100;

double in_milliseconds(Duration time) {
  return static_cast<double>(time.picoseconds()) / 1e9;
}

/// Lines of a plan begin alike: within a scenario they are comments.
class Lines final {
 public:
  explicit Lines(std::string_view begin) : begin_{begin} {}
  [[nodiscard]] std::string line(const std::string& text) const {
    return wrapped(text, line_width, begin_, begin_ + "  ");
  }
  [[nodiscard]] std::string more(const std::string& text) const {
    return wrapped(text, line_width, begin_ + "  ", begin_ + "  ");
  }

 private:
  std::string begin_;
};

std::string training_lines(const TrainingPlan& plan, const Lines& lines) {
  const std::string job = printable(plan.job);
  const DdpPlan& step = plan.step;
  if (!plan.followed) {
    return lines.line(
        fmt::format("{}: {}; too many ranks for the closed form of a step", job,
                    condition_text(in_milliseconds(plan.backward), in_milliseconds(step.condition.communication))));
  }
  const std::string step_ms = milliseconds(in_milliseconds(step.step_time));
  if (step.on_wire == Duration{0})
    return lines.line(fmt::format("{}: sends nothing; a step takes {} ms", job, step_ms));
  const std::string condition =
      condition_text(in_milliseconds(plan.backward), in_milliseconds(step.condition.communication));
  return lines.line(fmt::format("{}: {}, on the wire with headers {} ms", job, condition,
                                milliseconds(in_milliseconds(step.on_wire)))) +
         lines.line(fmt::format("{}: {} ms exposed of a step of {} ms expected, alone on its links", job,
                                milliseconds(in_milliseconds(step.exposed)), step_ms));
}

std::string headroom_lines(const HeadroomPlan& plan, const Lines& lines) {
  const HeadroomBudget& budget = plan.budget;
  const auto more = static_cast<long long>(plan.ports) - 1;
  const std::string others = more == 0 ? "" : fmt::format(" and {} more port{}", grouped(more), more == 1 ? "" : "s");
  std::string parts = fmt::format("propagation {} + waiting frame {} + PAUSE {} + response {}",
                                  grouped(budget.propagation.count()), grouped(budget.waiting.count()),
                                  grouped(budget.pause_frame.count()), grouped(budget.response.count()));
  const Ratio cells = budget.cell_factor;
  if (cells.numerator != cells.denominator) {
    parts = fmt::format("{}/{} for cells x ({})", cells.numerator, cells.denominator, parts);
  }
  parts += " + 2 x frame " + grouped(budget.frame_in_buffer.count());
  const std::string automatic = plan.configured == budget.automatic
                                    ? "as the budget"
                                    : fmt::format("the budget {} B", grouped(budget.automatic.count()));
  return lines.line(fmt::format("headroom at {} port {}{}: {} B a lossless priority, {}", printable(plan.node),
                                printable(plan.port), others, grouped(plan.configured.count()), automatic)) +
         lines.more("= " + parts);
}

}  // namespace

std::string training_text(const Plan& plan, std::string_view begin) {
  std::string text;
  for (const TrainingPlan& training : plan.training) text += training_lines(training, Lines{begin});
  return text;
}

std::string headroom_plan_text(const Plan& plan, std::string_view begin, std::size_t kinds) {
  const Lines lines{begin};
  std::string text;
  const std::size_t shown = std::min(kinds, plan.headroom.size());
  for (std::size_t i = 0; i < shown; ++i) text += headroom_lines(plan.headroom[i], lines);
  if (plan.headroom.size() > shown) {
    text += lines.line(fmt::format("and {} more kinds of ports, with budgets no larger", plan.headroom.size() - shown));
  }
  return text;
}

std::string plan_text(const Plan& plan) {
  return training_text(plan, "# plan: ") + headroom_plan_text(plan, "# plan: ", kinds_shown);
}

}  // namespace soya::cli
