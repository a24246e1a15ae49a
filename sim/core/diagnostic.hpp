// Where a value came from, and what is wrong with it: the one shape of every complaint about input.
// Simplifies: nothing. A reader collects diagnostics and throws them together as one `ScenarioError`.
// Validated by tests/errors.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace soya {

/// A place in a file or on the command line. `line` and `column` count from 1; 0 where the place is not a file.
struct Where {
  std::string file;  ///< as the user wrote it, or "--set"
  int line{0};
  int column{0};
  std::string path;  ///< key path such as fabric.headroom.size or workload[0].flows[2].to; may be empty
};

/// One complaint: `file:line:column: path: message`.
struct Diagnostic {
  Where where;
  std::string message;

  /// One line, whatever the user's names hold: `visible`.
  [[nodiscard]] std::string text() const;
};

/// Bad input: every error found, in file order. `what()` is all of them, one per line.
class ScenarioError : public std::runtime_error {
 public:
  explicit ScenarioError(std::vector<Diagnostic> diagnostics)
      : std::runtime_error(join(diagnostics)), diagnostics_{std::move(diagnostics)} {}
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  static std::string join(const std::vector<Diagnostic>& diagnostics) {
    std::string out;
    for (const Diagnostic& diagnostic : diagnostics) out += (out.empty() ? "" : "\n") + diagnostic.text();
    return out;
  }
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace soya
