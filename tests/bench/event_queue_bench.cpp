// Candidates for the event queue, measured: ns per pop and schedule. docs/event-queue.md says what came out of it.
//   event_queue_bench --benchmark_repetitions=7 --benchmark_enable_random_interleaving=true
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "candidates/adaptors.hpp"
#include "candidates/calendar.hpp"
#include "candidates/heap4.hpp"
#include "candidates/pattern.hpp"
#include "candidates/winner_tree.hpp"

namespace soya::bench {
namespace {

using Heap = Keyed<Heap4>;
using BinaryTree = Keyed<WinnerTree<2>>;
using QuaternaryTree = Keyed<WinnerTree<4>>;
using CalendarQueue = Keyed<Calendar>;

/// The number pending stays at the argument.
template <class Queue>
void steady(benchmark::State& state) {
  const std::vector<Step> steps = fabric_steps(1);
  const auto live = static_cast<std::size_t>(state.range(0));
  Fabric<Queue> fabric{live, live, steps};
  // Until every timer has been pushed once and the times have spread.
  for (std::size_t i = 0; i < 20'000 + 4 * live; ++i) fabric.step();
  for (auto _ : state) fabric.step();
}

/// The number pending goes from 50 to 20 000 and back; as many steps at the top and at the bottom as entries between.
template <class Queue>
void phased(benchmark::State& state) {
  constexpr std::size_t low = 50;
  constexpr std::size_t high = 20'000;
  const std::vector<Step> steps = fabric_steps(1);
  Fabric<Queue> fabric{low, high, steps};
  for (auto _ : state) {
    fabric.fill_to(high);
    for (std::size_t i = 0; i < high; ++i) fabric.step();
    fabric.drain_to(low);
    for (std::size_t i = 0; i < high; ++i) fabric.step();
  }
  // One round is three times `high` pops and schedules, the fill and the drain together counting once.
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(3 * high));
}

/// All increments are 100 times longer, then shorter again, every 5 000 steps.
template <class Queue>
void rate_changes(benchmark::State& state) {
  const std::vector<Step> fast = fabric_steps(1);
  const std::vector<Step> slow = fabric_steps(100);
  const auto live = static_cast<std::size_t>(state.range(0));
  Fabric<Queue> fabric{live, live, fast};
  std::size_t count = 0;
  for (auto _ : state) {
    if (++count % 5'000 == 0) fabric.follow(count % 10'000 == 0 ? fast : slow);
    fabric.step();
  }
}

/// Every entry pending ties exactly with every other, at every instant.
template <class Queue>
void lock_step(benchmark::State& state) {
  const auto count = static_cast<std::uint32_t>(state.range(0));
  Queue queue{count};
  std::uint64_t now = 0;
  const auto schedule = [&queue](std::uint32_t source, std::uint64_t at) { queue.schedule(source, at, 2); };
  for (std::uint32_t source = 0; source < count; ++source) schedule(source, 334'240);
  for (auto _ : state) {
    const Popped fired = queue.pop();
    now = fired.time;
    schedule(fired.source, now + 334'240);
  }
}

#define SOYA_BENCH_QUEUE(Queue)                                                                           \
  BENCHMARK(steady<Queue>)->Arg(64)->Arg(100)->Arg(200)->Arg(400)->Arg(1'000)->Arg(10'000)->Arg(100'000); \
  BENCHMARK(phased<Queue>)->MinTime(0.2);                                                                 \
  BENCHMARK(rate_changes<Queue>)->Arg(400)->Arg(10'000);                                                  \
  BENCHMARK(lock_step<Queue>)->Arg(100)->Arg(10'000)->Arg(100'000)

BENCHMARK(steady<Nothing>)->Arg(400);
SOYA_BENCH_QUEUE(Heap);
SOYA_BENCH_QUEUE(BinaryTree);
SOYA_BENCH_QUEUE(QuaternaryTree);
SOYA_BENCH_QUEUE(CalendarQueue);
SOYA_BENCH_QUEUE(Kept);

/// Every candidate must pop the same sources in the same order, or its time says nothing.
template <class Queue>
std::uint64_t sequence_hash() {
  const std::vector<Step> fast = fabric_steps(1);
  const std::vector<Step> slow = fabric_steps(100);
  Fabric<Queue> fabric{60, 3'000, fast};
  std::uint64_t hash = 0;
  for (int round = 0; round < 4; ++round) {
    fabric.follow(round % 2 == 0 ? fast : slow);
    fabric.fill_to(3'000);
    for (int i = 0; i < 20'000; ++i) hash = mix(hash, fabric.step());
    fabric.drain_to(60);
    for (int i = 0; i < 5'000; ++i) hash = mix(hash, fabric.step());
  }
  return hash;
}

bool candidates_agree() {
  const std::uint64_t expected = sequence_hash<Kept>();
  return sequence_hash<Heap>() == expected && sequence_hash<BinaryTree>() == expected &&
         sequence_hash<QuaternaryTree>() == expected && sequence_hash<CalendarQueue>() == expected;
}

}  // namespace
}  // namespace soya::bench

int main(int argc, char** argv) {
  if (!soya::bench::candidates_agree()) {
    std::fputs("the candidates do not pop the same sequence\n", stderr);
    return 1;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
