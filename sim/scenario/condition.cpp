#include "scenario/condition.hpp"

#include <algorithm>
#include <cctype>
#include <compare>
#include <utility>

#include "scenario/condition_tree.hpp"
#include "scenario/unit_value.hpp"

namespace soya {

using reading::NumberFault;

namespace {

using Node = Condition::Node;

constexpr std::string_view text_unit = "text";

std::string in_quotes(std::string_view text) {
  return "\"" + std::string{text} + "\"";
}

bool orders(Comparison comparison) {
  return comparison != Comparison::equal && comparison != Comparison::unequal;
}

template <class T>
bool compare(const T& left, Comparison comparison, const T& right) {
  switch (comparison) {
    case Comparison::equal:
      return left == right;
    case Comparison::unequal:
      return left != right;
    case Comparison::less:
      return left < right;
    case Comparison::at_most:
      return left <= right;
    case Comparison::more:
      return left > right;
    case Comparison::at_least:
      return left >= right;
  }
  return false;
}

/// true and false are numbers where numbers are compared.
std::optional<double> truth(const Operand& operand) {
  if (operand.kind != Operand::Kind::word) return std::nullopt;
  if (operand.text == "true") return 1;
  return operand.text == "false" ? std::optional{0.0} : std::nullopt;
}

/// A literal in `unit`; a number without one is in `unit`, too. Whether that is allowed `check` has said.
std::optional<double> number_in(const Operand& operand, std::string_view unit) {
  if (operand.kind != Operand::Kind::number) return unit.empty() ? truth(operand) : std::nullopt;
  ParsedValue parsed = parse_in_unit(operand.text, table_unit(unit));
  if (parsed.fault == NumberFault::bare) parsed = parse_in_unit(operand.text, std::nullopt);
  return parsed.fault == NumberFault::none ? std::optional{parsed.value} : std::nullopt;
}

/// `value` in `unit`, where both are of one dimension.
std::optional<double> converted(double value, std::string_view from, std::string_view unit) {
  const auto one = table_unit(from);
  const auto other = table_unit(unit);
  if (from == unit || (!one && !other)) return value;
  if (!one || !other || one->dimension != other->dimension) return std::nullopt;
  return value * static_cast<double>(one->base_units) / static_cast<double>(other->base_units);
}

/// A word and a number are different, and neither is more.
std::optional<bool> unlike(Comparison comparison) {
  if (orders(comparison)) return std::nullopt;
  return comparison == Comparison::unequal;
}

std::optional<bool> compare_words(const std::string& left, Comparison comparison, const std::string& right) {
  return orders(comparison) ? std::nullopt : std::optional{compare(left, comparison, right)};
}

std::optional<bool> compare_values(const NamedValue& left, Comparison comparison, const NamedValue& right) {
  const auto* number = std::get_if<double>(&left.value);
  const auto* other = std::get_if<double>(&right.value);
  if (number == nullptr && other == nullptr) {
    return compare_words(std::get<std::string>(left.value), comparison, std::get<std::string>(right.value));
  }
  if (number == nullptr || other == nullptr) return unlike(comparison);
  const auto in_left = converted(*other, right.unit, left.unit);
  return in_left ? std::optional{compare(*number, comparison, *in_left)} : std::nullopt;
}

std::optional<bool> compare_with(const NamedValue& left, const Node& node) {
  const auto* number = std::get_if<double>(&left.value);
  if (number == nullptr) return compare_words(std::get<std::string>(left.value), node.comparison, node.right.text);
  const auto right = number_in(node.right, left.unit);
  return right ? std::optional{compare(*number, node.comparison, *right)} : unlike(node.comparison);
}

/// Beside a word, a word is a word, also where a value is called so: outcome == sound.
bool may_be_name(const Operand& operand, bool beside_word) {
  return operand.kind == Operand::Kind::name || (operand.kind == Operand::Kind::word && !beside_word);
}

std::optional<bool> comparison_holds(const Node& node, const Condition::Lookup& lookup) {
  const auto left = lookup(node.left.text);
  if (!left) return std::nullopt;
  if (may_be_name(node.right, std::holds_alternative<std::string>(left->value))) {
    if (const auto right = lookup(node.right.text)) return compare_values(*left, node.comparison, *right);
    if (node.right.kind == Operand::Kind::name) return std::nullopt;
  }
  return compare_with(*left, node);
}

std::optional<bool> node_holds(const Node& node, const Condition::Lookup& lookup) {
  if (node.kind == Node::Kind::comparison) return comparison_holds(node, lookup);
  if (node.kind == Node::Kind::not_) {
    const auto inner = node_holds(node.children.front(), lookup);
    return inner ? std::optional{!*inner} : std::nullopt;
  }
  // One false decides an and, one true an or, whatever else is not known.
  const bool decides = node.kind == Node::Kind::or_;
  bool open = false;
  for (const Node& child : node.children) {
    const auto holds = node_holds(child, lookup);
    if (holds == decides) return decides;
    if (!holds) open = true;
  }
  return open ? std::nullopt : std::optional{!decides};
}

template <class Visit>
void for_each_comparison(const Node& node, const Visit& visit) {
  if (node.kind == Node::Kind::comparison) visit(node);
  for (const Node& child : node.children) for_each_comparison(child, visit);
}

std::string expected(const std::optional<TableUnit>& unit) {
  return unit ? std::string{reading::described(unit->dimension)} : "a number";
}

ConditionFault not_known(std::string_view name, std::size_t position) {
  return ConditionFault{"unknown name " + in_quotes(name), position};
}

std::optional<ConditionFault> literal_fault(const NameKind& left, const Operand& operand) {
  const auto unit = table_unit(left.unit);
  const auto fault = [&](const std::string& message) { return ConditionFault{message, operand.position}; };
  const std::string wrong = "expected " + expected(unit) + ", got " + in_quotes(operand.text);
  if (operand.kind != Operand::Kind::number) {
    if (left.may_be_word || (!unit && truth(operand))) return std::nullopt;
    return fault(wrong);
  }
  const ParsedValue parsed = parse_in_unit(operand.text, unit);
  switch (parsed.fault) {
    case NumberFault::none:
      return std::nullopt;
    case NumberFault::bare:
      if (left.bare_allowed && parse_in_unit(operand.text, std::nullopt).fault == NumberFault::none) {
        return std::nullopt;
      }
      return fault(wrong);
    case NumberFault::leading_zero:
      return fault(in_quotes(operand.text) + " has a leading zero");
    case NumberFault::fraction:
      return fault(operand.text + " is not a whole number of " + std::string{reading::base_unit(unit->dimension)});
    case NumberFault::overflow:
      return fault(operand.text + " is out of range");
    case NumberFault::spelling:
      break;
  }
  return fault(wrong);
}

std::optional<ConditionFault> order_fault(const Node& node, const std::string& words) {
  if (!orders(node.comparison)) return std::nullopt;
  return ConditionFault{in_quotes(words) + " is a word, and words have no order: compare by == or !=",
                        node.left.position};
}

bool is_text(const NameKind& kind) {
  return kind.unit == text_unit;
}

std::optional<ConditionFault> names_fault(const Node& node, const NameKind& left, const NameKind& right) {
  if (is_text(left) && is_text(right)) return order_fault(node, node.left.text);
  const auto one = table_unit(left.unit);
  const auto other = table_unit(right.unit);
  const bool alike = one.has_value() == other.has_value() && (!one || one->dimension == other->dimension);
  if (alike && !is_text(left) && !is_text(right)) return std::nullopt;
  const auto measured = [](const NameKind& kind) { return kind.unit.empty() ? "plain number" : kind.unit; };
  return ConditionFault{in_quotes(node.right.text) + " (" + measured(right) + ") is not to be compared with " +
                            in_quotes(node.left.text) + " (" + measured(left) + ")",
                        node.right.position};
}

std::optional<ConditionFault> comparison_fault(const Node& node, const Condition::Known& known) {
  const auto left = known(node.left.text);
  if (!left) return not_known(node.left.text, node.left.position);
  if (may_be_name(node.right, is_text(*left))) {
    if (const auto right = known(node.right.text)) return names_fault(node, *left, *right);
    if (node.right.kind == Operand::Kind::name) return not_known(node.right.text, node.right.position);
  }
  if (is_text(*left)) return order_fault(node, node.left.text);
  if (auto fault = literal_fault(*left, node.right)) return fault;
  const bool word = node.right.kind != Operand::Kind::number && !truth(node.right);
  return word ? order_fault(node, node.right.text) : std::nullopt;
}

}  // namespace

Condition::Condition(std::string text, std::shared_ptr<const Node> root)
    : text_{std::move(text)}, root_{std::move(root)} {}

Condition Condition::parse(std::string_view text) {
  return Condition{std::string{text}, std::make_shared<const Node>(parse_condition(text))};
}

std::vector<Condition::Name> Condition::names() const {
  std::vector<Name> names;
  for_each_comparison(*root_, [&](const Node& node) {
    names.push_back(node.left);
    if (node.right.kind == Operand::Kind::name) names.push_back({node.right.text, node.right.position});
  });
  return names;
}

std::optional<ConditionFault> Condition::check(const Known& known) const {
  std::optional<ConditionFault> first;
  for_each_comparison(*root_, [&](const Node& node) {
    if (!first) first = comparison_fault(node, known);
  });
  return first;
}

std::optional<bool> Condition::holds(const Lookup& lookup) const {
  return node_holds(*root_, lookup);
}

}  // namespace soya
