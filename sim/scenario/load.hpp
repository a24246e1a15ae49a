// Files to one tree: what a file extends, a topology in a file of its own, a variant and `--set` laid on top.
// Simplifies: nothing. Source: docs/scenario.md. Validated by tests/unit/scenario/load_test.cpp and tests/errors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/laid_value.hpp"
#include "scenario/read.hpp"
#include "scenario/tree.hpp"

namespace soya::reading {

class Loader {
 public:
  Loader(Sources& sources, Problems& problems, FileTexts* texts)
      : sources_{sources}, problems_{problems}, texts_{texts} {}

  /// The tree of `file` with everything it extends below it and its topology in place; nothing when that cannot be
  /// read. `from` is the place that names the file, for files named by other files.
  std::optional<Node> load(const std::string& file, const Node* named_by = nullptr, const std::string& key = {});

  /// Lays `assignment` (path=value, from the command line) over `root`.
  void set(Node& root, const std::string& assignment, std::uint32_t command_line);

  /// Lays `values`, which stand in source `source`, over `root`.
  void lay(Node& root, const std::vector<LaidValue>& values, std::uint32_t source);

  /// Puts the nodes and links of the file `topology.map` in place of that key and its options, before the topology's
  /// own. Last of all, so that whatever was laid on top chooses the map and its options.
  void expand_map(Node& root, Problems& warnings);

  /// Lays values by their key paths over `root`: those of a variant, or of a file that extends another.
  void apply_paths(Node& root, const Node& paths);

 private:
  void place_topology(Node& root);
  void assign(Node& root, const std::string& path, const Place& place, Node value);
  std::optional<std::string> read_text(const std::string& file, const Place& place, const std::string& key);

  Sources& sources_;
  Problems& problems_;
  FileTexts* texts_;
  struct Open {
    std::string shown;
    std::string canonical;
  };
  std::vector<Open> chain_;  ///< files being read, the outermost first
};

}  // namespace soya::reading
