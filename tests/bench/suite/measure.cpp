#include "suite/measure.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <exception>
#include <nlohmann/json.hpp>
#include <vector>

#include "engine/simulation.hpp"
#include "suite/hardware_counter.hpp"
#include "suite/json.hpp"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define SOYA_BENCH_WATCH CALLGRIND_START_INSTRUMENTATION
#define SOYA_BENCH_REST CALLGRIND_STOP_INSTRUMENTATION
const bool soya::bench::watched_from_start = false;
#else
#define SOYA_BENCH_WATCH
#define SOYA_BENCH_REST
const bool soya::bench::watched_from_start = true;
#endif

/// `counted_function`: without a namespace, since callgrind is given its name.
extern "C" [[gnu::noinline]] void soya_bench_counted_run(soya::Simulation& simulation, soya::RunResults& results) {
  results = simulation.run();
}

namespace soya::bench {

namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double peak_memory_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024e-6;
}

double microseconds(Duration duration) {
  return static_cast<double>(duration.picoseconds()) * 1e-6;
}

Measurement failed(const Case& one, const Amount& amount, std::string why) {
  Measurement measurement;
  measurement.name = one.name;
  measurement.size = amount.size;
  measurement.why_not = std::move(why);
  return measurement;
}

/// What the child of `measure_apart` does; it never returns.
[[noreturn]] void measure_and_tell(int to, const Case& one, const Amount& amount, const Repeats& repeats) {
  std::string text;
  try {
    text = to_json(measure_here(one, amount, repeats)).dump();
  } catch (const std::exception& error) {
    text = to_json(failed(one, amount, error.what())).dump();
  }
  for (std::size_t told = 0; told < text.size();) {
    const ssize_t now = write(to, text.data() + told, text.size() - told);
    if (now <= 0) _exit(1);
    told += static_cast<std::size_t>(now);
  }
  _exit(0);
}

}  // namespace

Measurement measure_here(const Case& one, const Amount& amount, const Repeats& repeats) {
  const Scenario scenario = one.scenario(amount);
  RunResults results;
  std::vector<double> seconds;
  std::vector<std::int64_t> instructions;
  HardwareCounter counter;
  double in_all = 0;
  while (seconds.empty() || (static_cast<int>(seconds.size()) < repeats.most && in_all < repeats.longest_seconds)) {
    results = {};
    Simulation simulation{scenario};
    counter.start();
    const double before = cpu_seconds();
    SOYA_BENCH_WATCH;
    soya_bench_counted_run(simulation, results);
    SOYA_BENCH_REST;
    seconds.push_back(cpu_seconds() - before);
    if (const auto counted = counter.stop()) instructions.push_back(*counted);
    in_all += seconds.back();
  }
  Measurement measurement;
  measurement.peak_memory_mb = peak_memory_mb();  // before the expected end is computed, which is not the run's
  std::ranges::sort(seconds);
  measurement.name = one.name;
  measurement.size = amount.size;
  measurement.hosts = static_cast<std::int64_t>(scenario.nics.size());
  measurement.packet_hops = results.packet_hops;
  measurement.packets = results.packets;
  measurement.events = results.events;
  measurement.peak_pending = results.peak_pending_events;
  measurement.runs = static_cast<int>(seconds.size());
  measurement.least_seconds = seconds.front();
  measurement.median_seconds = seconds[seconds.size() / 2];
  if (!instructions.empty()) {
    measurement.instructions_per_hop =
        measurement.per_hop(static_cast<double>(*std::ranges::min_element(instructions)));
    measurement.counted_by = "hardware";
  }
  const End end = one.end(scenario, amount, results);
  measurement.end_us = microseconds(end.simulated);
  if (end.expected) measurement.expected_us = microseconds(*end.expected);
  measurement.sound = results.sound;
  if (!results.sound) measurement.why_not = results.why_not.front();
  return measurement;
}

Measurement measure_apart(const Case& one, const Amount& amount, const Repeats& repeats) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return failed(one, amount, std::string{"no pipe: "} + std::strerror(errno));
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    measure_and_tell(ends[1], one, amount, repeats);
  }
  close(ends[1]);
  std::string text;
  if (child > 0) {
    std::array<char, 4096> buffer{};
    for (ssize_t got = 0; (got = read(ends[0], buffer.data(), buffer.size())) > 0;) {
      text.append(buffer.data(), static_cast<std::size_t>(got));
    }
  }
  close(ends[0]);
  if (child < 0) return failed(one, amount, std::string{"no process: "} + std::strerror(errno));
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return failed(one, amount, std::string{"killed: "} + strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0) return failed(one, amount, "its process told nothing");
  return measurement_of(nlohmann::ordered_json::parse(text));
}

}  // namespace soya::bench
