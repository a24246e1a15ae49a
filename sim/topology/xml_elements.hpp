// An XML document as plain elements that know where they begin.
// Simplifies: no namespaces (prefixes are dropped), no document types, and comments are skipped.
// Source: XML 1.0, parsed by Boost.PropertyTree in the .cpp alone. Validated by tests/unit/topology/graphml_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "topology/foreign_graph.hpp"

namespace soya {

struct XmlElement {
  std::string name;
  std::string text;  ///< without blanks at its ends
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<XmlElement> children;
  ForeignPlace place;

  /// Null where there is none.
  [[nodiscard]] const std::string* find(std::string_view attribute_name) const;
};

/// The one outermost element. Throws `ForeignFault`.
[[nodiscard]] XmlElement parse_xml(std::string_view text);

}  // namespace soya
