// A JSON text as a tree that points into it: nothing is copied, and a number is read when somebody asks for it, so that
// a few values of a summary cost microseconds. JSON that others wrote goes through nlohmann-json.
// Simplifies: keys are compared as they are written, escapes and all; what is between quotes is not checked.
// Source: RFC 8259. Validated by tests/unit/results/json_view_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace soya {

class JsonView;

/// A value of a `JsonView`, which must outlive it; or none.
class JsonValue {
 public:
  enum class Kind : std::uint8_t { none, object, array, string, number, boolean, null };

  JsonValue() = default;

  [[nodiscard]] Kind kind() const;
  [[nodiscard]] bool is(Kind kind) const { return this->kind() == kind; }
  [[nodiscard]] explicit operator bool() const { return view_ != nullptr; }

  /// Of a number; true is 1 and false 0. Absent for everything else.
  [[nodiscard]] std::optional<double> number() const;
  /// Of a string, without escapes; empty for everything else.
  [[nodiscard]] std::string text() const;

  [[nodiscard]] std::string_view key() const;  ///< of a member of an object
  [[nodiscard]] JsonValue member(std::string_view key) const;
  [[nodiscard]] std::size_t size() const;  ///< members or items
  /// The first member or item, and what follows this one; none at the end.
  [[nodiscard]] JsonValue first() const;
  [[nodiscard]] JsonValue next() const;

 private:
  friend class JsonView;
  JsonValue(const JsonView* view, std::uint32_t node) : view_{view}, node_{node} {}

  const JsonView* view_{nullptr};
  std::uint32_t node_{0};
};

class JsonView final {
 public:
  /// `text` must outlive it. Throws `std::invalid_argument` where it is no JSON.
  explicit JsonView(std::string_view text);

  [[nodiscard]] JsonValue root() const { return {this, 0}; }

 private:
  friend class JsonValue;

  struct Node {
    JsonValue::Kind kind{JsonValue::Kind::none};
    std::string_view key{};
    std::string_view text{};  ///< of a scalar, a string with its quotes
    std::uint32_t size{0};
    std::uint32_t next{0};  ///< 0: none, since the root follows nothing
  };

  void blanks();
  [[nodiscard]] std::string_view quoted();
  void expect(char c);
  std::uint32_t value(std::string_view key, int depth);
  void members(std::uint32_t node, char close, int depth);
  void scalar(Node& node);

  std::string_view text_;
  std::size_t at_{0};
  std::vector<Node> nodes_;
};

}  // namespace soya
