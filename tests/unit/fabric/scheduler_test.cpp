#include "fabric/scheduler.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <random>
#include <string>

namespace soya {
namespace {

constexpr PrioritySet no_strict{0};

/// A port whose queues never run empty and whose frames have one size for each priority.
struct Backlogged {
  Scheduler scheduler;
  HeadBytes frame{};
  std::array<std::int64_t, Priority::count> sent{};

  Backlogged(const SchedulerConfig& config, Bytes quantum) : scheduler{config, quantum} {}

  /// The priorities of the next `frames` frames, as digits.
  std::string send(int frames, PrioritySet eligible) {
    std::string order;
    for (int i = 0; i < frames; ++i) {
      const Priority chosen = scheduler.pick(eligible, frame);
      REQUIRE(eligible.contains(chosen));
      sent[chosen.index()] += frame[chosen.index()];
      order += static_cast<char>('0' + chosen.value());
    }
    return order;
  }
};

SchedulerConfig weighted(std::array<int, Priority::count> weights, PrioritySet strict = no_strict) {
  return {.strict = strict, .weights = weights};
}

}  // namespace

TEST_CASE("equal weights share bytes, not frames") {
  Backlogged port{weighted({1, 1, 1, 1, 1, 1, 1, 1}), 1000_B};
  port.frame = {1000, 250};
  // A round is 1000 B each: one frame of the first, four of the second.
  CHECK(port.send(15, PrioritySet{0b11}) == "011110111101111");
  CHECK(port.sent[0] == 3000);
  CHECK(port.sent[1] == 3000);
}

TEST_CASE("what a turn leaves over counts in the next") {
  Backlogged port{weighted({1, 1, 1, 1, 1, 1, 1, 1}), 1500_B};
  port.frame = {1000, 600};
  // Turns of 0: 1500 sends 1, keeps 500; 2000 sends 2, keeps 0. Turns of 1: 1500 sends 2, keeps 300; 1800 sends 3.
  CHECK(port.send(16, PrioritySet{0b11}) == "0110011101100111");
  CHECK(port.sent[0] == 6000);
  CHECK(port.sent[1] == 6000);
}

TEST_CASE("weights 1:3 share one to three") {
  Backlogged port{weighted({1, 1, 1, 3, 1, 1, 1, 1}), 1000_B};
  port.frame = {1000, 0, 0, 1000};
  CHECK(port.send(12, PrioritySet{0b1001}) == "033303330333");
}

TEST_CASE("strict priorities go first, the highest number before the others") {
  Backlogged port{weighted({1, 1, 1, 1, 1, 1, 1, 1}, PrioritySet{0b0110'0000}), 1000_B};
  port.frame = {1000, 1000, 0, 0, 0, 1000, 1000, 1000};
  CHECK(port.send(3, PrioritySet{0b0110'0011}) == "666");
  CHECK(port.send(2, PrioritySet{0b0010'0011}) == "55");
  CHECK(port.send(4, PrioritySet{0b0000'0011}) == "0101");
  // Priority 7 is not strict here: it takes turns.
  CHECK(port.send(4, PrioritySet{0b1000'0011}) == "7017");
  CHECK(port.send(1, PrioritySet{0b1100'0011}) == "6");
}

TEST_CASE("a queue alone is served without earning or spending") {
  Backlogged port{weighted({1, 1, 1, 1, 1, 1, 1, 1}), 1000_B};
  port.frame = {1000, 0, 0, 1000};
  CHECK(port.send(5, PrioritySet{0b1000}) == "33333");
  CHECK(port.scheduler.deficit(Priority{3}) == 0_B);
  CHECK(port.send(4, PrioritySet{0b1001}) == "0303");
}

TEST_CASE("a paused queue keeps what its turn left and earns nothing meanwhile") {
  Backlogged port{weighted({3, 1, 1, 1, 1, 1, 1, 1}), 1000_B};
  port.frame = {1000, 1000, 1000};
  CHECK(port.send(1, PrioritySet{0b111}) == "0");  // 3000 earned, 2000 left
  CHECK(port.send(8, PrioritySet{0b110}) == "12121212");
  CHECK(port.scheduler.deficit(Priority{0}) == 2000_B);
  // The 2000 it kept, then a turn of 3000, then turns as ever.
  CHECK(port.send(14, PrioritySet{0b111}) == "00000120001200");
}

TEST_CASE("pauses in the middle of every turn do not add up") {
  Backlogged port{weighted({3, 1, 1, 1, 1, 1, 1, 1}), 1000_B};
  port.frame = {1000, 1000, 1000};
  for (int i = 0; i < 300; ++i) {
    REQUIRE(port.send(1, PrioritySet{0b111}) == "0");
    REQUIRE(port.send(2, PrioritySet{0b110}) == "12");
    // Never more than one credit less the frame just sent.
    REQUIRE(port.scheduler.deficit(Priority{0}) <= 2000_B);
  }
}

TEST_CASE("a queue that empties forfeits what it had left and its turn") {
  Backlogged port{weighted({3, 1, 1, 1, 1, 1, 1, 1}), 1000_B};
  port.frame = {1000, 1000};
  CHECK(port.send(1, PrioritySet{0b11}) == "0");
  CHECK(port.scheduler.deficit(Priority{0}) == 2000_B);
  port.scheduler.emptied(Priority{0});
  CHECK(port.scheduler.deficit(Priority{0}) == 0_B);
  // It has a frame again at once: the turn is the other's, then a full turn of three.
  CHECK(port.send(5, PrioritySet{0b11}) == "10001");
  // A queue that empties outside its turn changes nobody's turn.
  port.scheduler.emptied(Priority{0});
  CHECK(port.send(4, PrioritySet{0b11}) == "0001");
}

TEST_CASE("a frame beyond the quantum waits for several turns and is sent") {
  Backlogged port{weighted({1, 1, 1, 1, 1, 1, 1, 1}), 500_B};
  port.frame = {1000, 500};
  CHECK(port.send(6, PrioritySet{0b11}) == "101101");
}

TEST_CASE("under random frame sizes bytes per weight differ by less than two quanta at any moment") {
  // After k turns a queue has sent k x weight x quantum less a deficit below one frame, and turns differ by at most
  // one: per weight the difference is below quantum + largest frame = 2 quanta.
  constexpr std::int64_t quantum = 4178;
  constexpr std::array<int, Priority::count> weights{1, 2, 5, 1, 1, 1, 1, 1};
  std::mt19937_64 random{7};
  Backlogged port{weighted(weights), Bytes{quantum}};
  const auto new_frame = [&] { return static_cast<std::uint32_t>(84 + random() % (quantum - 83)); };
  port.frame = {new_frame(), new_frame(), new_frame()};
  for (int i = 0; i < 20'000; ++i) {
    const std::string chosen = port.send(1, PrioritySet{0b111});
    port.frame[static_cast<std::size_t>(chosen[0] - '0')] = new_frame();
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        // |sent a / weight a - sent b / weight b| < 2 quanta, multiplied out.
        const std::int64_t difference = port.sent[a] * weights[b] - port.sent[b] * weights[a];
        REQUIRE(std::abs(difference) < 2 * quantum * weights[a] * weights[b]);
      }
    }
  }
}

TEST_CASE("a weight below 1 among the queues that take turns is a defect of the caller") {
  CHECK_THROWS_AS(Scheduler(weighted({0, 1, 1, 1, 1, 1, 1, 1}), 1000_B), InternalError);
  CHECK_THROWS_AS(Scheduler(weighted({1, 1, 1, 1, 1, 1, 1, 1}), 0_B), InternalError);
  Scheduler strict{weighted({0, 1, 1, 1, 1, 1, 1, 1}, PrioritySet{1}), 1000_B};
  CHECK(strict.pick(PrioritySet{0b11}, {64, 64}) == Priority{0});
}

}  // namespace soya
