// One mapping of a scenario on its way into a config struct: looks keys up in their declaration, checks kind and
// range, applies defaults, and notes every key's value and origin for the effective scenario.
// Simplifies: nothing. Source: docs/scenario.md. Validated by tests/unit/scenario and tests/errors.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/ids.hpp"
#include "core/loss_config.hpp"
#include "scenario/keys.hpp"
#include "scenario/probability.hpp"
#include "scenario/scenario.hpp"
#include "scenario/tree.hpp"

namespace soya::reading {

/// What one reading of a scenario gathers beside the scenario itself.
struct Reading {
  const Sources& sources;
  Problems errors{sources};
  Problems warnings{sources};
  std::vector<EffectiveKey> effective{};
  std::size_t topology_end{0};  ///< where in `effective` the topology's keys end
  /// Whether all nodes and links that the topology asks for could be made. Where they could not, that was told, and who
  /// misses one says nothing.
  bool nodes_whole{true};
  bool links_whole{true};
  /// An incast counts or lists its senders: the other hosts have no work on purpose.
  bool idle_hosts_meant{false};
};

/// What a key that is not given means.
enum class Absent {
  standard,  ///< its declared default
  keep,      ///< what the struct already holds: the mapping differs from another one in a few keys
};

/// How the keys appear in the effective scenario.
enum class Noted { each, on_one_line };

/// A number as a key declares it, or what is wrong with it.
struct KeyNumber {
  std::optional<Int128> value;
  std::string complaint;  ///< "expected a size such as …, got …"
};

/// `text` read as the value of `key`, whose kind is numeric: also what the command line gives in a key's place.
[[nodiscard]] KeyNumber key_number(const Key& key, std::string_view text);

class Section {
 public:
  /// Reports keys of `node` that `id` does not declare. `node` may be null: then nothing is given.
  Section(Reading& reading, const Node* node, const Path& path, SectionId id, Absent absent = Absent::standard,
          Noted noted = Noted::each);

  /// The value of `name`, where it is given and not null.
  [[nodiscard]] const Node* given(std::string_view name) const;
  [[nodiscard]] Path at(std::string_view name) const { return path_.key(name); }
  [[nodiscard]] const Path& path() const { return path_; }
  /// Place of `name`'s value, else of the mapping.
  [[nodiscard]] Place place(std::string_view name) const;
  [[nodiscard]] Place place() const { return place_; }
  [[nodiscard]] Where where(const std::string& name = {}) const;
  [[nodiscard]] Absent absent() const { return absent_; }
  [[nodiscard]] Reading& reading() { return reading_; }

  /// Reads `name` into `out`: Bytes, Rate, Duration, Length, Time, Ratio, Priority, PrioritySet, bool, integers,
  /// enumerations and text. False where `out` is unchanged because the value is wrong or missing.
  template <class T>
  bool read(std::string_view name, T& out);
  /// As above where the declared word stands for nothing.
  template <class T>
  bool read(std::string_view name, std::optional<T>& out);

  /// Whether `read` refused none of these. A rule that joins several keys says nothing of a value that is wrong by
  /// itself: it would be about a default that nobody wrote.
  [[nodiscard]] bool right(std::initializer_list<std::string_view> names) const;

  void error(std::string_view name, std::string message);
  void error(std::string message);
  /// Notes a value that `read` did not see. An empty origin is that of the value given, or the declared default's.
  void note(std::string_view name, std::string value, std::string origin = {});
  /// Ends a mapping that is noted on one line.
  void finish();

 private:
  /// The text of a scalar: given, or the default. Nothing to read: null.
  struct Text {
    std::string_view text;
    Place place;
    bool is_given{false};
  };
  [[nodiscard]] const Key& declared(std::string_view name) const;
  std::optional<Text> text_of(const Key& key);
  std::optional<Int128> number_of(const Key& key, const Text& text);
  std::optional<std::size_t> choice_of(const Key& key, const Text& text);
  std::optional<Ratio> ratio_of(const Key& key, const Text& text);
  std::optional<Probability> probability_of(const Key& key, const Text& text);
  std::optional<PrioritySet> priorities_of(const Key& key);
  void wrong(const Key& key, const Place& place, std::string_view got);
  void report(const Place& place, const Key& key, std::string message);
  template <class T>
  std::optional<T> value_of(const Key& key, const Text& text, std::string& shown);

  Reading& reading_;
  const Node* node_;
  Path path_;
  const SectionKeys& keys_;
  Place place_;
  Absent absent_;
  Noted noted_;
  std::string line_;
  std::string defaults_;
  std::vector<std::string_view> refused_;  ///< names, as declared, of values that were wrong or missing
};

/// A text as YAML: plain where that is safe, else in double quotes.
[[nodiscard]] std::string yaml_text(std::string_view text);
/// "[3, 4]".
[[nodiscard]] std::string yaml_list(PrioritySet priorities);
/// What a node is, for messages: `"64"`, nothing, a list, a mapping.
[[nodiscard]] std::string shown(const Node& node);

template <class T>
std::optional<T> Section::value_of(const Key& key, const Text& text, std::string& shown_value) {
  if constexpr (std::is_same_v<T, std::string>) {
    shown_value = yaml_text(text.text);
    return std::string{text.text};
  } else if constexpr (std::is_same_v<T, Ratio>) {
    const auto ratio = ratio_of(key, text);
    if (ratio) shown_value = format_ratio(*ratio);
    return ratio;
  } else if constexpr (std::is_same_v<T, Probability>) {
    const auto probability = probability_of(key, text);
    if (probability) shown_value = format_probability(*probability);
    return probability;
  } else if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>) {
    const auto choice = choice_of(key, text);
    if (!choice) return std::nullopt;
    shown_value = text.text;
    return static_cast<T>(*choice);
  } else {
    const auto number = number_of(key, text);
    if (!number) return std::nullopt;
    shown_value = key.bare ? format_number(*number, Dimension::none) : format_number(*number, dimension_of(key.kind));
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(*number);
    else if constexpr (std::is_same_v<T, Priority>)
      return Priority{static_cast<std::uint8_t>(*number)};
    else
      return T{static_cast<std::int64_t>(*number)};
  }
}

template <class T>
bool Section::read(std::string_view name, T& out) {
  const Key& key = declared(name);
  if constexpr (std::is_same_v<T, PrioritySet>) {
    const auto priorities = priorities_of(key);
    if (!priorities) return false;
    out = *priorities;
    note(name, yaml_list(out));
    return true;
  } else {
    const auto text = text_of(key);
    if (!text) return false;
    std::string shown_value;
    auto value = value_of<T>(key, *text, shown_value);
    if (!value) return false;
    out = std::move(*value);
    note(name, std::move(shown_value));
    return true;
  }
}

template <class T>
bool Section::read(std::string_view name, std::optional<T>& out) {
  const Key& key = declared(name);
  const auto text = text_of(key);
  if (!text) return false;
  if (text->text == key.word && !key.word.empty()) {
    out.reset();
    note(name, std::string{key.word});
    return true;
  }
  std::string shown_value;
  auto value = value_of<T>(key, *text, shown_value);
  if (!value) return false;
  out = std::move(value);
  note(name, std::move(shown_value));
  return true;
}

}  // namespace soya::reading
