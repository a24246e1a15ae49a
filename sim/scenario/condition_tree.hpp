// A condition as the tree that its text stands for.
// Simplifies: nothing. Source: scenario/condition.hpp. Validated by tests/unit/scenario/condition_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/condition.hpp"

namespace soya {

enum class Comparison : std::uint8_t { equal, unequal, less, at_most, more, at_least };

/// What stands on the right of a comparison.
struct Operand {
  enum class Kind : std::uint8_t {
    number,  ///< it begins with a digit: 100km, 1/8, 5
    word,    ///< a word, or beside a number the name of another
    name,    ///< it has a dot or bracket, so it is no word
    quoted
  } kind{Kind::word};
  std::string text;
  std::size_t position{0};
};

struct Condition::Node {
  enum class Kind : std::uint8_t { comparison, not_, and_, or_ } kind{Kind::comparison};
  Name left{};  ///< of a comparison
  Comparison comparison{Comparison::equal};
  Operand right{};
  std::vector<Node> children{};  ///< of not: one
};

/// Throws `ConditionFault`.
[[nodiscard]] Condition::Node parse_condition(std::string_view text);

}  // namespace soya
