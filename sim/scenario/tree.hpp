// A YAML document as a plain tree that remembers where each key and value was written.
// Simplifies: aliases and merge keys are expanded when the tree is built; tags do not exist.
// Source: YAML 1.2, chapter 3.2.1. Validated by tests/unit/scenario/tree_test.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostic.hpp"

namespace soya::reading {

/// Where a key or value stands: a source and a place in it. Line and column count from 1; 0 on the command line.
struct Place {
  std::uint32_t source{0};
  int line{0};
  int column{0};
};

enum class NodeType : std::uint8_t { null, scalar, list, map };

struct Node {
  NodeType type{NodeType::null};
  bool quoted{false};    ///< a scalar in quotes
  bool replaces{false};  ///< laid over a map, it replaces the map: a topology read from a file of its own
  Place place;
  Place key_place;   ///< of `key`
  std::string key;   ///< where the node is an entry of a map
  std::string text;  ///< of a scalar
  std::vector<Node> children;

  [[nodiscard]] const Node* find(std::string_view name) const;
  [[nodiscard]] Node* find(std::string_view name);
  [[nodiscard]] bool is_map() const { return type == NodeType::map; }
  [[nodiscard]] bool is_list() const { return type == NodeType::list; }
  [[nodiscard]] bool is_scalar() const { return type == NodeType::scalar; }
};

/// Two keys of one mapping that exclude each other.
struct Rivals {
  std::string_view one;
  std::string_view other;
};
[[nodiscard]] std::span<const Rivals> rival_keys();

/// Lays `top` over `base`: maps merge key by key, everything else replaces. A key given in `top` also takes the
/// place of its rival in `base` (a static threshold of an alpha, a model file of a parameter count).
void overlay(Node& base, Node top);

/// A key path on its way down the tree: cheap to extend, turned into text only when somebody is told.
class Path {
 public:
  Path() = default;
  /// The path it extends must outlive the longer one, so it must have a name.
  [[nodiscard]] Path key(std::string_view name) const& { return Path{this, name, 0, false}; }
  [[nodiscard]] Path item(std::size_t index) const& { return Path{this, {}, index, true}; }
  Path key(std::string_view name) const&& = delete;
  Path item(std::size_t index) const&& = delete;
  [[nodiscard]] std::string text() const;
  /// Whether it ends in an item of a list.
  [[nodiscard]] bool is_item() const { return is_item_; }

 private:
  Path(const Path* parent, std::string_view name, std::size_t index, bool is_item)
      : parent_{parent}, name_{name}, index_{index}, is_item_{is_item} {}
  const Path* parent_{nullptr};
  std::string_view name_;
  std::size_t index_{0};
  bool is_item_{false};
};

/// A key as it stands in a path: in quotes where it holds a character that paths use.
[[nodiscard]] std::string path_name(std::string_view key);

/// Everything a scenario is read from: files, and the command line as a source of its own.
class Sources {
 public:
  struct Source {
    std::string name;              ///< as the user wrote it
    std::filesystem::path folder;  ///< relative paths in this source start here
  };
  std::uint32_t add(std::string name, std::filesystem::path folder);
  [[nodiscard]] const Source& operator[](std::uint32_t source) const { return sources_[source]; }
  [[nodiscard]] Where where(const Place& place, std::string path) const;
  /// "file:line:column", or the source's name where there is no line.
  [[nodiscard]] std::string origin(const Place& place) const;

 private:
  std::vector<Source> sources_;
};

/// What is wrong with the input so far, each with the place that orders it.
class Problems {
 public:
  explicit Problems(const Sources& sources) : sources_{sources} {}
  void add(const Place& place, std::string path, std::string message);
  void add(const Place& place, Diagnostic diagnostic);
  /// Whether what is left of the input can no longer be judged.
  [[nodiscard]] bool fatal() const { return fatal_; }
  void set_fatal() { fatal_ = true; }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  /// Whether there are so few that it pays to search for what was meant: a search walks over all names.
  [[nodiscard]] bool few() const { return entries_.size() < 20; }
  /// Adds those of `other` that are not here yet, with `suffix` behind each message.
  void add_new(const Problems& other, const std::string& suffix);
  /// In file order, each once, the first `limit` of them and then how many more there are.
  [[nodiscard]] std::vector<Diagnostic> sorted(std::size_t limit) const;

 private:
  struct Entry {
    Place place;
    Diagnostic diagnostic;
  };
  const Sources& sources_;
  std::vector<Entry> entries_;
  std::size_t not_kept_{0};  ///< a broken list of a million flows need not fill memory with complaints
  bool fatal_{false};
};

}  // namespace soya::reading
