// How a member of a row becomes a column and back: its type, whether it may be missing, and its value.
// For tables.cpp only.
// Simplifies: nothing. Source: results/tables.hpp. Validated by tests/unit/results/tables_test.cpp.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "results/tables.hpp"

namespace soya::fields {

inline Value value_of(std::int64_t number) {
  return number;
}
inline Value value_of(int number) {
  return std::int64_t{number};
}
inline Value value_of(bool flag) {
  return std::int64_t{flag ? 1 : 0};
}
inline Value value_of(double number) {
  return std::isfinite(number) ? Value{number} : Value{};
}
inline Value value_of(const std::string& text) {
  return text;
}
// SQLite's integers are signed: a seed above 2^63 fits only as text.
inline Value value_of(std::uint64_t number) {
  return std::to_string(number);
}
inline Value value_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}
template <class T>
inline Value value_of(const std::optional<T>& value) {
  return value ? value_of(*value) : Value{};
}

/// The inverse of `value_of`, for rows that are read back. False: the value is none that `value_of` makes.
inline bool assign(std::int64_t& number, const Value& value) {
  const auto* found = std::get_if<std::int64_t>(&value);
  if (found) number = *found;
  return found != nullptr;
}
inline bool assign(int& number, const Value& value) {
  const auto* found = std::get_if<std::int64_t>(&value);
  if (found) number = static_cast<int>(*found);
  return found != nullptr;
}
inline bool assign(bool& flag, const Value& value) {
  const auto* found = std::get_if<std::int64_t>(&value);
  if (found) flag = *found != 0;
  return found != nullptr;
}
inline bool assign(double& number, const Value& value) {
  const auto* found = std::get_if<double>(&value);
  number = found ? *found : std::numeric_limits<double>::quiet_NaN();
  return found || std::holds_alternative<std::monostate>(value);
}
inline bool assign(std::string& text, const Value& value) {
  const auto* found = std::get_if<std::string>(&value);
  if (found) text = *found;
  return found != nullptr;
}
inline bool assign(std::uint64_t& number, const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (!text) return false;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  return error == std::errc{} && end == text->data() + text->size();
}
inline bool assign(std::vector<std::string>& lines, const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (!text) return false;
  lines.clear();
  for (std::size_t from = 0; from < text->size();) {
    const std::size_t end = std::min(text->find('\n', from), text->size());
    lines.push_back(text->substr(from, end - from));
    from = end + 1;
  }
  return true;
}
template <class T>
inline bool assign(std::optional<T>& member, const Value& value) {
  member.reset();
  return std::holds_alternative<std::monostate>(value) || assign(member.emplace(), value);
}

template <class T>
constexpr ColumnType type_of() {
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::optional<double>>) return ColumnType::real;
  if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::optional<std::int64_t>> ||
                std::is_same_v<T, int> || std::is_same_v<T, bool>) {
    return ColumnType::integer;
  }
  return ColumnType::text;
}

template <class Row>
struct Field {
  TableColumn column;
  Value (*get)(const Row& row);
  /// The inverse of `get`; false where the value is of another type than the column's.
  bool (*set)(Row& row, const Value& value);
};

template <class Member>
struct OwnerOf;
template <class Type, class Owner>
struct OwnerOf<Type Owner::*> {
  using type = Owner;
};

/// The member that a chain of member pointers leads to: results.drops.lossless.
template <auto First, auto... Rest, class Object>
auto& follow(Object& object) {
  if constexpr (sizeof...(Rest) == 0) {
    return object.*First;
  } else {
    return follow<Rest...>(object.*First);
  }
}

template <auto First, auto... Rest, class Row = typename OwnerOf<decltype(First)>::type>
Field<Row> field(const char* name, const char* meaning) {
  using Type = std::remove_cvref_t<decltype(follow<First, Rest...>(std::declval<const Row&>()))>;
  const bool nullable = type_of<Type>() == ColumnType::real || std::is_same_v<Type, std::optional<std::int64_t>>;
  return {{name, type_of<Type>(), nullable, meaning},
          [](const Row& row) { return value_of(follow<First, Rest...>(row)); },
          [](Row& row, const Value& value) { return assign(follow<First, Rest...>(row), value); }};
}

}  // namespace soya::fields
