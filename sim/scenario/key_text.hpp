// The declaration of a key in words: its kind, range, default and an example. The reference page, `soya explain` and
// the schema share them. Simplifies: nothing. Source: scenario/keys.hpp. Validated by
// tests/unit/scenario/key_text_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenario/keys.hpp"

namespace soya::reading {

/// What a page makes of a word of the format; plain text leaves it as it is.
using Markup = std::string (*)(std::string_view word);
[[nodiscard]] std::string plain(std::string_view word);

/// "size", "sound, unsound", "list of topology.links[]".
[[nodiscard]] std::string kind_text(const Key& key, Markup markup = plain);
/// "1B to 1TiB"; empty where there is no range to name.
[[nodiscard]] std::string range_text(const Key& key);
/// Kind, range and the word that may stand instead.
[[nodiscard]] std::string value_text(const Key& key, Markup markup = plain);

/// A kind of value that has more than one spelling, as users read of it.
struct Spelling {
  Kind kind;
  std::string_view name;
  std::string_view spellings;  ///< words of the format stand in backticks
};
[[nodiscard]] std::span<const Spelling> spellings();
/// Without backticks; empty for kinds that need no word on it.
[[nodiscard]] std::string spelling_of(Kind kind);

/// A value that the key takes, as YAML: its default, else one that is usual for the kind.
[[nodiscard]] std::string example_value(const Key& key);

}  // namespace soya::reading
