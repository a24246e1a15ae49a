// Damaged files: whatever a slip of the editor makes of a scenario, reading it ends in a scenario or in messages.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/check.hpp"
#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

const char* const intact =
    "name: x\n"
    "topology:\n"
    "  link_types: &t {l: {rate: 100Gbps, length: 3m}}\n"
    "  nodes: {h1: host, h2: host, s1: switch}\n"
    "  links: [{between: [h1, s1], type: l}, {between: [h2, s1], count: 1}]\n"
    "  routes: [{at: s1, to: [h1], via: h1}, {at: s1, to: h2, via: h2}]\n"
    "fabric: {buffer: {size: 1MiB, alpha: 1/8}, pfc: {priorities: [3, 4]}}\n"
    "nic: {receive: {rate: 50Gbps}}\n"
    "workload:\n"
    "  - flows: [&f {from: h1, to: h2, size: 1MB}, {<<: *f, start: 1us}]\n"
    "  - ddp: {model: {parameters: 1e6}, backward: 1ms}\n"
    "faults: [{drop: {between: [h1, s1], data: 5}}]\n"
    "variants: {v: {fabric.buffer.size: 2MiB}}\n";

/// A fixed sequence of numbers (Knuth's MMIX generator), the same everywhere.
class Numbers {
 public:
  std::size_t below(std::size_t limit) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state_ >> 33U) % limit;
  }

 private:
  std::uint64_t state_{1};
};

std::string damaged(Numbers& numbers) {
  const std::vector<std::string> pieces{"[",    "]",  "{",   "}",   ":",    ": ",  "\n",
                                        "\"",   "'",  "*f",  "&f ", "<<: ", "~",   "-",
                                        "- ",   "#",  " ",   "\t",  "0",    "1e9", "9999999999999999999",
                                        "\xFF", "札", "|\n", "? ",  "!",    ",",   "%",
                                        "@"};
  std::string text = intact;
  for (std::size_t i = 0; i <= numbers.below(4); ++i) {
    const std::size_t at = numbers.below(text.size());
    switch (numbers.below(4)) {
      case 0:
        text.insert(at, pieces[numbers.below(pieces.size())]);
        break;
      case 1:
        text.erase(at, 1 + numbers.below(5));
        break;
      case 2:
        text.replace(at, 1, pieces[numbers.below(pieces.size())]);
        break;
      default:
        text.insert(numbers.below(text.size()), text.substr(at, numbers.below(60)));
        break;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("a file cut off at any byte ends in a scenario or in messages") {
  const ScenarioFolder folder;
  const std::string whole = intact;
  for (std::size_t length = 1; length < whole.size(); length += 3) {
    folder.write("s.yaml", whole.substr(0, length));
    CAPTURE(length);
    CHECK_NOTHROW((void)folder.errors("s.yaml"));
  }
  folder.write("s.yaml", whole);
  CHECK(folder.errors("s.yaml") == "");
}

TEST_CASE("damaged files end in a scenario that reads back, or in messages") {
  const ScenarioFolder folder;
  Numbers numbers;
  int refused = 0;
  for (int i = 0; i < 1'000; ++i) {
    const std::string text = damaged(numbers);
    folder.write("s.yaml", text);
    CAPTURE(text);
    try {
      folder.write("again.yaml", effective_yaml(folder.read("s.yaml")));
      CHECK(folder.errors("again.yaml") == "");
    } catch (const ScenarioError& error) {
      ++refused;
      for (const Diagnostic& diagnostic : error.diagnostics()) CHECK_FALSE(diagnostic.message.empty());
    }
  }
  CHECK(refused > 500);
  CHECK(refused < 1'000);
}
