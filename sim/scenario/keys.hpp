// The declaration of every key of a scenario, once: its name, kind, default with its source, allowed range and meaning.
// The parser, the suggestions for unknown keys and the effective scenario all read these tables.
// Simplifies: rules that join several keys (alpha or threshold, ends of a link) are code, beside what they protect.
// Source: docs/model.md for each default. Validated by tests/unit/scenario/keys_test.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
  probability,  ///< a decimal from 0 to 1
  priority,
  priorities,  ///< a list of priorities, may be empty
  section,     ///< a mapping with keys of its own
  structured,  ///< a value in one of several `forms`
};

/// The mappings of the format. `link` and `message` are keys that several mappings share.
enum class SectionId : std::uint8_t {
  root,
  topology,
  link,
  loss,
  part,
  leaf_spine,
  fat_tree,
  clos,
  rail_optimized,
  dragonfly,
  torus,
  ring_topology,
  multi_site,
  site,
  node,
  placed_link,
  route,
  fabric,
  switch_,
  buffer,
  deep,
  headroom,
  pfc,
  routing,
  switch_routing,
  scheduler,
  nic,
  receive,
  receive_queue,
  completion_queue,
  workload_item,
  message,
  flows,
  flow,
  incast,
  permutation,
  perftest,
  all_reduce,
  ddp,
  model,
  tensor,
  ring,
  fault,
  link_down,
  drop,
  hold,
  loss_burst,
  protection,
  switch_down,
  stop,
  measure,
};

/// How the values of a form stand together.
enum class Group : std::uint8_t {
  one,
  list,
  map,       ///< of names that the scenario chooses
  variants,  ///< names, each with a mapping of key paths to values
};

/// One way to write a value that is no mere scalar.
struct Form {
  Group group{Group::one};
  Kind item{Kind::text};               ///< text, file, integer, size, choice or section
  SectionId section{SectionId::root};  ///< of an item that is a section
  std::string_view choices{};          ///< of an item that is a choice; of a section: words that may stand for it
  std::size_t count{0};                ///< how many items a list has; 0: as many as one likes
};

/// The ways to write a value, each as good as the others.
struct Forms {
  std::array<Form, 3> all{};
  std::size_t size{0};

  [[nodiscard]] constexpr const Form* begin() const { return all.data(); }
  [[nodiscard]] constexpr const Form* end() const { return all.data() + size; }
};

[[nodiscard]] constexpr Forms one(Kind item) {
  return {{{{.item = item}}}, 1};
}
[[nodiscard]] constexpr Forms one(SectionId section) {
  return {{{{.item = Kind::section, .section = section}}}, 1};
}
[[nodiscard]] constexpr Forms list_of(Kind item, std::size_t count = 0) {
  return {{{{.group = Group::list, .item = item, .count = count}}}, 1};
}
[[nodiscard]] constexpr Forms list_of(SectionId section) {
  return {{{{.group = Group::list, .item = Kind::section, .section = section}}}, 1};
}
[[nodiscard]] constexpr Forms map_of(SectionId section) {
  return {{{{.group = Group::map, .item = Kind::section, .section = section}}}, 1};
}
/// Names, each with one of `choices`, or with keys of `section`.
[[nodiscard]] constexpr Forms map_of(std::string_view choices, SectionId section) {
  return {{{{.group = Group::map, .item = Kind::section, .section = section, .choices = choices}}}, 1};
}
[[nodiscard]] constexpr Forms names_of_variants() {
  return {{{{.group = Group::variants}}}, 1};
}
[[nodiscard]] constexpr Forms operator|(Forms one, const Forms& other) {
  for (const Form& form : other) one.all.at(one.size++) = form;
  return one;
}

struct Key {
  std::string_view name;
  Kind kind{Kind::text};
  std::string_view standard{};  ///< the default as a scenario would write it; empty where there is none
  std::string_view source{};    ///< where the default comes from
  Int128 least{0};              ///< allowed range in base units, both ends included; of a ratio, `most` only
  Int128 most{0};
  std::string_view range_because{};  ///< what sets the range, where that is not plain
  std::string_view choices{};  ///< of a choice, separated by |, in the order of the enumeration
  std::string_view word{};     ///< a word that may stand instead of a value: auto, none
  bool required{false};
  bool bare{false};            ///< a size that may be a bare number of bytes
  Forms forms{};               ///< of a section or structured value
  std::string_view example{};  ///< a value in YAML, where neither the default nor the kind gives one
  std::string_view meaning{};
};

/// How many of a mapping's keys a scenario gives.
enum class Picks : std::uint8_t { any, exactly_one };

/// A mapping's own keys and those it shares with others.
struct SectionKeys {
  SectionId id;
  std::string_view place;  ///< its path in a scenario: topology.links[]
  std::span<const Key> own;
  std::span<const Key> shared{};
  Picks picks{Picks::any};

  [[nodiscard]] const Key* find(std::string_view name) const;
};

[[nodiscard]] const SectionKeys& keys_of(SectionId id);
[[nodiscard]] std::span<const SectionKeys> all_sections();

/// Whether a key without a value, as when all below it is commented out, is like a key that is not there.
[[nodiscard]] bool may_be_null(const Key& key);

/// The words of a flag or choice, in the order of the enumeration.
[[nodiscard]] std::vector<std::string_view> choices_of(const Key& key);
[[nodiscard]] std::vector<std::string_view> split_choices(std::string_view choices);

/// What our key is called here that other tools call `name`; empty where no tool does.
[[nodiscard]] std::string_view meant_by(std::string_view name);

/// Dimension of a numeric kind; `none` for whole numbers.
[[nodiscard]] Dimension dimension_of(Kind kind);

/// Sentence end for an unknown key: `; did you mean "rate"?`, where it belongs, or the keys there are.
[[nodiscard]] std::string suggestion(const SectionKeys& section, std::string_view unknown);

}  // namespace soya::reading
