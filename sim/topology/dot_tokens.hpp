// The words of the DOT language, with their places.
// Simplifies: an HTML string is one word without its markup's meaning.
// Source: the DOT grammar (graphviz.org/doc/info/lang.html). Validated by tests/unit/topology/dot_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "topology/foreign_graph.hpp"

namespace soya {

enum class DotWord {
  name,  ///< an ID: a name, a number, or text in quotes
  sign,  ///< one of { } [ ] ; , = : + -- ->
  end,
};

struct DotToken {
  DotWord word{DotWord::end};
  std::string text;
  bool quoted{false};  ///< so it is no keyword
  ForeignPlace place;
};

/// The last one is `end`. Throws `ForeignFault`.
[[nodiscard]] std::vector<DotToken> dot_tokens(std::string_view text);

}  // namespace soya
