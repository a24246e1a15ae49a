// A graph as another program drew it: nodes and edges with whatever attributes its file gives them.
// Simplifies: undirected; what attributes mean is the reader's business (scenario/map_file.cpp), groups are no nodes.
// Source: GraphML 1.0 and the DOT language, which both say this much. Validated by tests/unit/topology/graphml_test.cpp
// and dot_test.cpp.
#pragma once

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace soya {

/// Line and column in the file, from 1; 0 where there is no one place.
struct ForeignPlace {
  int line{0};
  int column{0};
};

/// What keeps a file from being a graph.
class ForeignFault final : public std::runtime_error {
 public:
  ForeignFault(const ForeignPlace& place, const std::string& message) : std::runtime_error(message), place_{place} {}
  [[nodiscard]] const ForeignPlace& place() const { return place_; }

 private:
  ForeignPlace place_;
};

/// Names of attributes in lower case: one tool writes Latitude, the other latitude.
using ForeignAttributes = std::map<std::string, std::string, std::less<>>;

struct ForeignNode {
  std::string id;  ///< what edges know it by; unique, unlike its label
  ForeignAttributes attributes;
  ForeignPlace place;
};

struct ForeignEdge {
  std::size_t from{0};  ///< an index of `nodes`; equal to `to` of a loop
  std::size_t to{0};
  ForeignAttributes attributes;
  ForeignPlace place;
};

struct ForeignGraph {
  std::string name;         ///< may be empty
  bool labels_name{false};  ///< ids are mere numbers in this format, and people know a node by its label
  std::vector<ForeignNode> nodes;
  std::vector<ForeignEdge> edges;  ///< parallel ones each by itself
};

/// The value of attribute `name`, or empty.
[[nodiscard]] std::string_view attribute(const ForeignAttributes& attributes, std::string_view name);

/// ASCII letters in lower case.
[[nodiscard]] std::string lower(std::string_view text);

/// `text` without a byte order mark. Throws `ForeignFault` where it is no UTF-8 text.
[[nodiscard]] std::string_view checked_text(std::string_view text);

}  // namespace soya
