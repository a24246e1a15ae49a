#include "fabric/deep_memory.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <vector>

#include "support/units_io.hpp"

using namespace soya;

namespace {

/// 8 Gbps: 1 ns per byte. Frames of 100 B; a level of `level` bytes, resumed 300 B below.
DeepMemory::Setup setup(Bytes threshold, Bytes level) {
  DeepMemory::Setup setup;
  setup.deep.config.size = 1_MiB;
  setup.deep.config.bandwidth = 8_Gbps;
  setup.deep.config.threshold = threshold;
  setup.deep.landing = 500_B;
  setup.deep.prefetch = 200_B;
  setup.ports = 2;
  setup.on_chip = level + 500_B + 16 * 200_B;
  setup.xon_offset = 300_B;
  return setup;
}

constexpr Time at(std::int64_t nanoseconds) {
  return Time{nanoseconds * 1000};
}

}  // namespace

TEST_CASE("a queue is evicted by the frame with which it would hold more than the threshold") {
  DeepMemory memory{setup(250_B, 10'000_B)};
  CHECK(memory.arrived(3, 100_B, at(0)));
  CHECK(memory.arrived(3, 100_B, at(0)));
  CHECK(memory.arrived(4, 100_B, at(0)));  // another queue
  CHECK_FALSE(memory.arrived(3, 100_B, at(0)));
  // What is in front of it leaves from on-chip memory; the queue stays evicted as long as the frame is there.
  memory.left(3, 100_B);
  memory.left(3, 100_B);
  CHECK_FALSE(memory.arrived(3, 10_B, at(0)));
  CHECK(memory.on_chip() == 210_B);
  memory.check_invariants();
}

TEST_CASE("a queue is evicted, too, when it would hold more than is free below the resume level") {
  DeepMemory memory{setup(5000_B, 1000_B)};      // resumes at 700 B
  CHECK(memory.arrived(0, 200_B, at(0)));        // 200 <= 700 - 200
  CHECK(memory.arrived(1, 200_B, at(0)));        // 200 <= 700 - 400
  CHECK_FALSE(memory.arrived(0, 100_B, at(0)));  // 300 > 700 - 500
  CHECK(memory.arrived(2, 100_B, at(0)));        // 100 <= 700 - 600
  CHECK_FALSE(memory.arrived(4, 60_B, at(0)));   // 60 > 700 - 660
  memory.check_invariants();
}

TEST_CASE("writes and reads take turns by bytes while both have work") {
  DeepMemory memory{setup(0_B, 10'000_B)};
  for (int i = 0; i < 4; ++i) CHECK_FALSE(memory.arrived(0, 100_B, at(0)));
  CHECK(memory.advance(at(0)) == at(100));  // frame 0 is written
  CHECK_FALSE(memory.advance(at(50)));      // and nothing else meanwhile
  CHECK_FALSE(memory.finish(at(50)));
  CHECK_FALSE(memory.finish(at(100)));
  CHECK(memory.off_chip() == 100_B);
  CHECK(memory.on_chip() == 300_B);
  // Frame 0 comes back, then frame 1 is written.
  CHECK(memory.advance(at(100)) == at(200));
  const auto back = memory.finish(at(200));
  REQUIRE(back);
  CHECK(back->queue == 0);
  CHECK(back->position == 0);
  CHECK(memory.off_chip() == 0_B);
  CHECK(memory.advance(at(200)) == at(300));
  CHECK_FALSE(memory.finish(at(300)));
  CHECK(memory.written() == 200_B);
  CHECK(memory.read() == 100_B);
  CHECK(memory.busy_time(at(300)) == 300_ns);
  memory.check_invariants();
}

TEST_CASE("turns are by bytes: each side gets half to within a frame, whatever the sizes") {
  DeepMemory memory{setup(0_B, 100'000_B)};
  std::mt19937_64 random{3};
  std::deque<Bytes> charges;
  const auto arrive = [&](Time now) {
    charges.push_back(Bytes{static_cast<std::int64_t>(64 + random() % 137)});
    CHECK_FALSE(memory.arrived(0, charges.back(), now));
  };
  // Nothing leaves until 400 frames are off chip; from then on each frame that comes back does, and as many come.
  for (int i = 0; i < 400; ++i) arrive(at(0));
  Time now{0};
  while (const auto end = memory.advance(now)) static_cast<void>(memory.finish(now = *end));
  const Bytes written = memory.written();
  const Bytes read = memory.read();
  for (int i = 0; i < 200; ++i) arrive(now);
  memory.left(0, charges.front());
  charges.pop_front();
  for (int i = 0; i < 300; ++i) {
    now = memory.advance(now).value();
    if (memory.finish(now)) {
      memory.left(0, charges.front());
      charges.pop_front();
    }
    const Bytes lead = (memory.written() - written) - (memory.read() - read);
    CHECK(lead <= 200_B);
    CHECK(lead >= Bytes{-200});
  }
  CHECK(memory.written() - written > 10'000_B);
}

TEST_CASE("a frame is written when it has left the pipeline") {
  DeepMemory memory{setup(0_B, 10'000_B)};
  CHECK_FALSE(memory.arrived(0, 100_B, at(70)));
  CHECK(memory.advance(at(0)) == at(70));
  CHECK_FALSE(memory.finish(at(70)));
  CHECK(memory.advance(at(70)) == at(170));
}

TEST_CASE("frames come back up to two of the largest for each queue, and in turn among queues") {
  DeepMemory memory{setup(0_B, 10'000_B)};
  for (int i = 0; i < 3; ++i) {
    CHECK_FALSE(memory.arrived(0, 100_B, at(0)));
    CHECK_FALSE(memory.arrived(9, 100_B, at(0)));
  }
  std::vector<std::size_t> order;
  std::int64_t now = 0;
  while (const auto end = memory.advance(at(now))) {
    now = end->picoseconds() / 1000;
    if (const auto back = memory.finish(*end)) order.push_back(back->queue);
    memory.check_invariants();
  }
  // Two of each, and one of each stays away until a frame has left.
  CHECK(order == std::vector<std::size_t>{0, 9, 0, 9});
  CHECK(memory.off_chip() == 200_B);
  memory.left(9, 100_B);
  REQUIRE(memory.advance(at(now)));
  const auto back = memory.finish(at(now + 100));
  REQUIRE(back);
  CHECK(back->queue == 9);
  CHECK(back->position == 1);
}

TEST_CASE("pressure ends below the level, for all ports together") {
  DeepMemory memory{setup(0_B, 1000_B)};
  for (int i = 0; i < 10; ++i) CHECK_FALSE(memory.arrived(0, 100_B, at(0)));
  CHECK_FALSE(memory.above_level());
  CHECK_FALSE(memory.arrived(8, 100_B, at(0)));
  CHECK(memory.above_level());
  memory.press(PortId{1U}, at(0));
  memory.press(PortId{0U}, at(10));
  // 500 B more may land; 100 B of a lossy frame may not.
  CHECK(memory.missing(400_B, true) == 0_B);
  CHECK(memory.missing(401_B, true) == 1_B);
  CHECK(memory.missing(100_B, false) == 200_B);
  std::int64_t now = 0;
  while (!memory.relief_due()) {
    const auto end = memory.advance(at(now));
    REQUIRE(end);
    now = end->picoseconds() / 1000;
    static_cast<void>(memory.finish(*end));
  }
  // 700 B are left after four writes, with two reads between them: no third frame may come back yet.
  CHECK(now == 600);
  CHECK(memory.relieved(at(now)) == std::vector{PortId{0U}, PortId{1U}});
  CHECK(memory.pressed_time(at(now + 50)) == 600_ns);
  CHECK_FALSE(memory.pressed(PortId{0U}));
  CHECK(memory.relieved(at(now)).empty());
}

TEST_CASE("whatever comes and goes, a queue's frames come back in their order, each once") {
  std::mt19937_64 random{7};
  const auto roll = [&](std::uint64_t sides) { return static_cast<std::int64_t>(random() % sides); };
  DeepMemory memory{setup(300_B, 2000_B)};
  struct Waiting {
    Bytes charge;
    bool on_chip;
  };
  std::map<std::size_t, std::deque<Waiting>> queues;
  Time now{0};
  Time due = Time::never();
  std::int64_t back_frames = 0;
  for (int step = 0; step < 20'000; ++step) {
    now += Duration{1 + roll(40'000)};
    for (; due <= now; due = memory.advance(due).value_or(Time::never())) {
      const auto back = memory.finish(due);
      if (!back) continue;
      ++back_frames;
      std::deque<Waiting>& queue = queues[back->queue];
      REQUIRE(back->position < queue.size());
      CHECK_FALSE(queue[back->position].on_chip);
      for (std::uint32_t i = 0; i < back->position; ++i) CHECK(queue[i].on_chip);
      queue[back->position].on_chip = true;
    }
    const auto number = static_cast<std::size_t>(roll(16));
    std::deque<Waiting>& queue = queues[number];
    const Bytes charge{64 + roll(37)};
    if (roll(2) == 0 && memory.missing(charge, false) == 0_B) {
      queue.push_back({charge, memory.arrived(number, charge, now)});
    } else if (!queue.empty() && queue.front().on_chip) {
      memory.left(number, queue.front().charge);
      queue.pop_front();
    }
    if (const auto next = memory.advance(now)) due = *next;
    memory.check_invariants();
  }
  CHECK(back_frames > 1000);
}
