// Runs Graphviz: the picture comes from a program of its own, so that Soya works without it.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program.hpp"
#include "topology_drawing.hpp"

namespace soya::cli {

std::string svg_of(const Drawing& drawing) {
  std::vector<std::string> words{drawing.layout == Layout::tiers ? "dot" : "neato", "-Tsvg"};
  if (drawing.layout == Layout::map) words.emplace_back("-n");
  std::optional<ProgramEnd> end = run_program(words, drawing.dot);
  const std::string instead = "; --to dot works without it, and other programs draw that";
  if (!end) {
    throw DrawingError("cannot draw: the program " + words[0] +
                       " of Graphviz is not there; install the package graphviz" + instead);
  }
  if (end->status == 0 && !end->out.empty()) return std::move(end->out);
  const std::string said = end->notes.substr(0, end->notes.find('\n'));
  throw DrawingError(fmt::format("cannot draw: {} ended with status {}{}{}{}", words[0], end->status,
                                 said.empty() ? "" : ": ", said, instead));
}

}  // namespace soya::cli
