#include "topology/foreign_graph.hpp"

#include <algorithm>

#include "core/utf8.hpp"

namespace soya {

std::string_view attribute(const ForeignAttributes& attributes, std::string_view name) {
  const auto found = attributes.find(name);
  return found == attributes.end() ? std::string_view{} : std::string_view{found->second};
}

std::string lower(std::string_view text) {
  std::string out{text};
  std::ranges::transform(out, out.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

std::string_view checked_text(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  ForeignPlace place{1, 1};
  for (std::size_t at = 0; at < text.size(); ++place.column) {
    const char c = text[at];
    const std::size_t length = utf8_length(text.substr(at, 4));
    if (length == 0) throw ForeignFault(place, "not UTF-8; save the file as UTF-8");
    if (is_control(c) && c != '\t' && c != '\n' && c != '\r') {
      throw ForeignFault(place, "holds a control character; this is not a text file");
    }
    at += length;
    if (c == '\n') place = {place.line + 1, 0};
  }
  return text;
}

}  // namespace soya
