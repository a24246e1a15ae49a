// The declaration of every key of a scenario, once: its name, kind, default with its source, allowed range and meaning.
// The parser, the suggestions for unknown keys and the effective scenario all read these tables.
// Simplifies: rules that join several keys (alpha or threshold, ends of a link) are code, beside what they protect.
// Source: docs/model.md for each default. Validated by tests/unit/scenario/keys_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/units.hpp"
#include "scenario/quantity.hpp"

namespace soya::reading {

enum class Kind : std::uint8_t {
  text,
  file,    ///< a path relative to the file that says it
  flag,    ///< true or false
  choice,  ///< one of `choices`
  integer,
  size,
  rate,
  duration,
  length,
  ratio,
  priority,
  priorities,  ///< a list of priorities, may be empty
  section,     ///< a mapping with keys of its own
  structured,  ///< a list or mapping whose form `meaning` states
};

/// The mappings of the format. `link` and `message` are keys that several mappings share.
enum class SectionId : std::uint8_t {
  root,
  topology,
  link,
  part,
  leaf_spine,
  placed_link,
  route,
  fabric,
  switch_,
  buffer,
  headroom,
  pfc,
  scheduler,
  nic,
  receive,
  workload_item,
  message,
  flows,
  flow,
  incast,
  all_reduce,
  ddp,
  model,
  tensor,
  ring,
  fault,
  link_down,
  drop,
  hold,
  stop,
  measure,
};

struct Key {
  std::string_view name;
  Kind kind{Kind::text};
  std::string_view standard{};  ///< the default as a scenario would write it; empty where there is none
  std::string_view source{};    ///< where the default comes from
  Int128 least{0};              ///< allowed range in base units, both ends included; of a ratio, `most` only
  Int128 most{0};
  std::string_view choices{};  ///< of a choice, separated by |, in the order of the enumeration
  std::string_view word{};     ///< a word that may stand instead of a value: auto, none
  bool required{false};
  bool bare{false};  ///< a size that may be a bare number of bytes
  std::string_view meaning{};
};

/// A mapping's own keys and those it shares with others.
struct SectionKeys {
  SectionId id;
  std::string_view place;  ///< its path in a scenario: topology.links[]
  std::span<const Key> own;
  std::span<const Key> shared{};

  [[nodiscard]] const Key* find(std::string_view name) const;
};

[[nodiscard]] const SectionKeys& keys_of(SectionId id);
[[nodiscard]] std::span<const SectionKeys> all_sections();

/// Dimension of a numeric kind; `none` for whole numbers.
[[nodiscard]] Dimension dimension_of(Kind kind);

/// Sentence end for an unknown key: `; did you mean "rate"?`, where it belongs, or the keys there are.
[[nodiscard]] std::string suggestion(const SectionKeys& section, std::string_view unknown);

}  // namespace soya::reading
