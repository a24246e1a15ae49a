#include "soya/plan_text.hpp"

#include <doctest/doctest.h>

using namespace soya;
using namespace soya::cli;

namespace {

constexpr std::int64_t ms = 1'000'000'000;

TrainingPlan training() {
  TrainingPlan plan{"ddp", Duration{900 * ms}, {}};
  plan.step.condition.communication = Duration{480 * ms};
  plan.step.on_wire = Duration{489'609 * ms / 1000};
  plan.step.exposed = Duration{12'254 * ms / 1000};
  plan.step.step_time = Duration{1'362'254 * ms / 1000};
  return plan;
}

HeadroomPlan headroom(std::size_t ports) {
  HeadroomPlan plan{"leaf1", "host1", ports, Bytes{38'229}, {}};
  plan.budget.propagation = Bytes{375};
  plan.budget.waiting = Bytes{4198};
  plan.budget.pause_frame = Bytes{84};
  plan.budget.response = Bytes{25'216};
  plan.budget.frame = Bytes{4178};
  plan.budget.frame_in_buffer = Bytes{4178};
  plan.budget.automatic = Bytes{375 + 4198 + 84 + 25'216 + 2 * 4178};
  return plan;
}

}  // namespace

TEST_CASE(
    "the talk's condition, the wire's time and what is expected, then each kind of port with the budget's parts") {
  CHECK(plan_text({{training()}, {headroom(4)}}) ==
        "# plan: ddp: backward 900.000 ms > data / bandwidth 480.000 ms, on the wire with headers 489.609 ms\n"
        "# plan: ddp: 12.254 ms exposed of a step of 1 362.254 ms expected, alone on its links\n"
        "# plan: headroom at leaf1 port host1 and 3 more ports: 38 229 B a lossless priority, as the budget\n"
        "# plan:   = propagation 375 + waiting frame 4 198 + PAUSE 84 + response 25 216 + 2 x frame 4 178\n");
}

TEST_CASE("one rank sends nothing, one port has no others, cells are a factor") {
  TrainingPlan alone = training();
  alone.step.on_wire = Duration{0};
  HeadroomPlan cells = headroom(1);
  cells.budget.cell_factor = {208, 84};
  cells.budget.frame_in_buffer = 4368_B;  // 21 cells of 208 B
  CHECK(plan_text({{alone}, {cells}}) ==
        "# plan: ddp: sends nothing; a step takes 1 362.254 ms\n"
        "# plan: headroom at leaf1 port host1: 38 229 B a lossless priority, as the budget\n"
        "# plan:   = 208/84 for cells x (propagation 375 + waiting frame 4 198 + PAUSE 84 + response 25 216)\n"
        "# plan:   + 2 x frame 4 368\n");
}

TEST_CASE("a name cannot end the comment, and many kinds of ports are cut") {
  TrainingPlan odd = training();
  odd.job = "a\nb: c";
  odd.step.on_wire = Duration{0};
  CHECK(plan_text({{odd}, {}}) == "# plan: a?b: c: sends nothing; a step takes 1 362.254 ms\n");
  const std::string text = plan_text({{}, std::vector<HeadroomPlan>(7, headroom(2))});
  CHECK(text.find("and 1 more port:") != std::string::npos);
  CHECK(text.ends_with("# plan: and 3 more kinds of ports, with budgets no larger\n"));
  CHECK(plan_text({}).empty());
}
