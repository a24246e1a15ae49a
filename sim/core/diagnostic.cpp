#include "core/diagnostic.hpp"

#include "core/utf8.hpp"

namespace soya {

std::string Diagnostic::text() const {
  std::string out = where.file;
  if (where.line > 0) out += ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
  if (!where.path.empty()) out += (out.empty() ? "" : ": ") + where.path;
  return visible(out.empty() ? message : out + ": " + message);
}

}  // namespace soya
