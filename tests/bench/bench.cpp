// The benchmark suite: what one packet crossing one link costs, in whole runs, and when the runs end. One command
// prints the table of docs/performance.md; `bench --help` says how to run a part of it. Each case runs in a process of
// its own. Times are CPU time of one thread: run it alone, and compare ratios within one run.
#include <algorithm>
#include <boost/program_options.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "suite/budgets.hpp"
#include "suite/json.hpp"
#include "suite/measure.hpp"
#include "suite/table.hpp"

using namespace soya;
using namespace soya::bench;

namespace {

namespace po = boost::program_options;

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

po::options_description described_options() {
  po::options_description options{
      "bench: cost of a packet-hop, and end times beside their closed forms;\n"
      "docs/performance.md says what the columns mean"};
  auto add = options.add_options();
  add("help,h", "this text");
  add("list", "the cases, what their size counts, and the size of the table");
  add("case", po::value<std::vector<std::string>>()->value_name("NAME"), "this case; again for another; default: all");
  add("size", po::value<std::int64_t>()->value_name("N"), "size of the one case that is named");
  add("scale", po::value<double>()->default_value(1)->value_name("X"), "sizes times X");
  add("repeat", po::value<int>()->default_value(5)->value_name("N"),
      "runs of each case, fewer where they take over 20 s");
  add("instructions", "count instructions where the machine did not: again under valgrind, at smaller sizes");
  add("budgets", po::value<std::string>()->value_name("FILE"),
      "the cases of FILE, counted under valgrind: status 1 where one takes more instructions than FILE allows");
  add("set-budgets", po::value<std::string>()->value_name("FILE"),
      "write FILE anew: what the cases take, and 3 % more");
  add("markdown", "the table as Markdown");
  add("json", po::value<std::string>()->value_name("FILE"), "write the measurements to FILE, too");
  add("here", "in this process, for a debugger or a profiler: peak memory is then that of all cases so far");
  return options;
}

std::vector<const Case*> chosen_cases(const po::variables_map& given) {
  std::vector<std::string> names;
  if (given.count("case") != 0) names = given["case"].as<std::vector<std::string>>();
  if (names.empty() && given.count("budgets") != 0) {
    for (const auto& [name, budget] : read_budgets(given["budgets"].as<std::string>())) names.push_back(name);
  }
  std::vector<const Case*> chosen;
  if (names.empty()) {
    for (const Case& one : all_cases()) chosen.push_back(&one);
  }
  for (const std::string& name : names) {
    chosen.push_back(find_case(name));
    if (chosen.back() == nullptr) throw UsageError{"no case is called " + name + ": bench --list says which there are"};
  }
  return chosen;
}

Amount amount_of(const Case& one, const po::variables_map& given) {
  if (given.count("size") != 0) return {given["size"].as<std::int64_t>(), one.ack_every};
  const double size = std::round(static_cast<double>(one.full) * given["scale"].as<double>());
  return {std::max<std::int64_t>(1, static_cast<std::int64_t>(size)), one.ack_every};
}

void check(const po::variables_map& given, std::size_t cases) {
  if (given.count("size") != 0 && cases != 1) throw UsageError{"--size is that of one case: name it with --case"};
  if (given.count("size") != 0 && given["size"].as<std::int64_t>() < 1) throw UsageError{"--size: at least 1"};
  if (!(given["scale"].as<double>() > 0)) throw UsageError{"--scale: more than 0"};
  if (given["repeat"].as<int>() < 1) throw UsageError{"--repeat: at least 1"};
}

void list_cases() {
  for (const Case& one : all_cases()) {
    std::printf("%-24s %10lld %s\n", std::string{one.name}.c_str(), static_cast<long long>(one.full),
                std::string{one.unit}.c_str());
  }
}

void write_json(const std::string& file, const std::vector<Measurement>& measurements) {
  nlohmann::ordered_json cases = nlohmann::ordered_json::array();
  for (const Measurement& m : measurements) cases.push_back(to_json(m));
  std::ofstream stream{file};
  stream << nlohmann::ordered_json{{"cases", cases}}.dump(2) << "\n";
  stream.close();
  if (!stream) throw std::runtime_error{"cannot write " + file};
}

void count_instructions(Measurement& measurement, const Case& one) {
  const Counted counted = count_with_callgrind(std::filesystem::read_symlink("/proc/self/exe"), one);
  measurement.instructions_per_hop = counted.per_hop();
  measurement.counted_by = "callgrind, sizes " + std::to_string(counted.size) + " and twice that";
}

std::vector<Measurement> measure_all(const std::vector<const Case*>& cases, const po::variables_map& given) {
  const bool judged = given.count("budgets") != 0 || given.count("set-budgets") != 0;
  std::vector<Measurement> measurements;
  for (const Case* one : cases) {
    std::fprintf(stderr, "%s\n", std::string{one->name}.c_str());
    const Repeats repeats{given["repeat"].as<int>()};
    const Amount amount = amount_of(*one, given);
    measurements.push_back(given.count("here") != 0 ? measure_here(*one, amount, repeats)
                                                    : measure_apart(*one, amount, repeats));
    Measurement& measured = measurements.back();
    // Budgets are those of callgrind, which counts the same on every machine.
    if (judged || (given.count("instructions") != 0 && !measured.instructions_per_hop))
      count_instructions(measured, *one);
  }
  return measurements;
}

int run(const po::variables_map& given) {
  const std::vector<const Case*> cases = chosen_cases(given);
  check(given, cases.size());
  const std::vector<Measurement> measurements = measure_all(cases, given);
  std::fputs(table_of(measurements, given.count("markdown") != 0 ? TableStyle::markdown : TableStyle::plain).c_str(),
             stdout);
  if (given.count("json") != 0) write_json(given["json"].as<std::string>(), measurements);
  if (given.count("set-budgets") != 0) write_budgets(given["set-budgets"].as<std::string>(), measurements);
  if (given.count("budgets") == 0) return 0;
  const std::string over = over_budget(read_budgets(given["budgets"].as<std::string>()), measurements);
  std::fputs(over.c_str(), stderr);
  return over.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const po::options_description options = described_options();
    po::variables_map given;
    po::store(po::command_line_parser(argc, argv).options(options).positional({}).run(), given);
    if (given.count("help") != 0) {
      std::ostringstream text;
      text << options;
      std::fputs(text.str().c_str(), stdout);
      return 0;
    }
    if (given.count("list") != 0) {
      list_cases();
      return 0;
    }
    return run(given);
  } catch (const po::too_many_positional_options_error&) {
    std::fputs("bench: a case is named with --case NAME\n", stderr);
    return 2;
  } catch (const po::error& error) {
    std::fprintf(stderr, "bench: %s\n", error.what());
    return 2;
  } catch (const UsageError& error) {
    std::fprintf(stderr, "bench: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench: %s\n", error.what());
    return 1;
  }
}
