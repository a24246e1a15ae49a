// How a member of a row becomes a column: its type, whether it may be missing, and its value. For tables.cpp only.
// Simplifies: nothing. Source: results/tables.hpp. Validated by tests/unit/results/tables_test.cpp.
#pragma once

#include <cmath>
#include <cstdint>
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
  Column column;
  Value (*get)(const Row& row);
};

template <class Member>
struct OwnerOf;
template <class Type, class Owner>
struct OwnerOf<Type Owner::*> {
  using type = Owner;
};

/// The member that a chain of member pointers leads to: results.drops.lossless.
template <auto First, auto... Rest, class Object>
const auto& follow(const Object& object) {
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
          [](const Row& row) { return value_of(follow<First, Rest...>(row)); }};
}

}  // namespace soya::fields
