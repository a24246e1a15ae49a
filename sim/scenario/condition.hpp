// Conditions on named values: topology.link_types.haul.length <= 100km and not fabric.headroom.mode == dsh.
// Comparisons are == != < <= > >=, joined by and, or, not (&& || !) and parentheses. On the left stands a name, on the
// right a quantity with its unit, a number, a ratio 1/8, a word, a "quoted text" or another name.
// Simplifies: no arithmetic. A value that is not known leaves open only what depends on it. Source: docs/sweeps.md.
// Validated by tests/unit/scenario/condition_test.cpp.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace soya {

/// What is wrong with a condition, and where in its text.
class ConditionFault : public std::runtime_error {
 public:
  ConditionFault(const std::string& message, std::size_t position) : std::runtime_error{message}, position_{position} {}
  [[nodiscard]] std::size_t position() const { return position_; }  ///< in bytes, from 0

 private:
  std::size_t position_;
};

/// A value as a condition compares it.
struct NamedValue {
  std::variant<double, std::string> value;
  std::string unit{};  ///< of a number: "bytes", "gbps", "GBps", "us", "ms", "ps", "m"; all else is a plain number
};

/// What a name stands for, before there are values.
struct NameKind {
  std::string unit;          ///< as in `NamedValue`, or "text"
  bool bare_allowed{false};  ///< a number without unit is in this unit, as where the name ends in it
  bool may_be_word{false};   ///< it may have a word instead: auto, none
};

class Condition {
 public:
  /// Nothing where the name is unknown.
  using Known = std::function<std::optional<NameKind>(std::string_view name)>;
  /// Nothing where there is no such value.
  using Lookup = std::function<std::optional<NamedValue>(std::string_view name)>;

  struct Name {
    std::string text;
    std::size_t position{0};
  };

  /// Throws `ConditionFault`.
  [[nodiscard]] static Condition parse(std::string_view text);

  [[nodiscard]] const std::string& text() const { return text_; }

  /// Names in their order, each as often as it stands there. A word on the right counts where it can only be a name:
  /// with a dot or bracket.
  [[nodiscard]] std::vector<Name> names() const;

  /// The first name that is unknown, value of another dimension, or order of words.
  [[nodiscard]] std::optional<ConditionFault> check(const Known& known) const;

  /// Nothing where that depends on a value that there is not, or on the order of words.
  [[nodiscard]] std::optional<bool> holds(const Lookup& lookup) const;

  struct Node;

 private:
  Condition(std::string text, std::shared_ptr<const Node> root);

  std::string text_;
  std::shared_ptr<const Node> root_;
};

}  // namespace soya
