#include "suite/budgets.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace soya::bench {

Budgets read_budgets(const std::string& file) {
  std::ifstream stream{file};
  if (!stream) throw std::runtime_error{"cannot read " + file};
  try {
    return nlohmann::json::parse(stream).get<Budgets>();
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error{file + ": expected {\"case\": instructions per packet-hop, ...}: " + error.what()};
  }
}

void write_budgets(const std::string& file, std::span<const Measurement> measurements) {
  nlohmann::ordered_json budgets = nlohmann::ordered_json::object();
  for (const Measurement& m : measurements) {
    if (m.instructions_per_hop) budgets[m.name] = static_cast<std::int64_t>(std::ceil(*m.instructions_per_hop * 1.03));
  }
  std::ofstream stream{file};
  stream << budgets.dump(2) << "\n";
  stream.close();
  if (!stream) throw std::runtime_error{"cannot write " + file};
}

std::string over_budget(const Budgets& budgets, std::span<const Measurement> measurements) {
  std::string lines;
  for (const Measurement& m : measurements) {
    const auto budget = budgets.find(m.name);
    if (budget == budgets.end()) {
      lines += m.name + ": no budget\n";
    } else if (!m.instructions_per_hop) {
      lines += m.name + ": not counted\n";
    } else if (*m.instructions_per_hop > budget->second) {
      lines += fmt::format("{}: {:.1f} instructions per packet-hop, at most {:.0f} expected\n", m.name,
                           *m.instructions_per_hop, budget->second);
    }
  }
  return lines;
}

}  // namespace soya::bench
