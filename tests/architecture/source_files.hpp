// Reads the project's own source text for the tests of this folder: files, includes, code without comments and
// literals. Simplifies: no preprocessor; both branches of an #if count. Validated by source_files_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace soya::architecture {

/// A file of the project: `path` relative to its root with forward slashes, `text` as it is on disk.
struct SourceFile {
  std::string path;
  std::string text;
};

/// Every file with one of `extensions` under the `folders` of the project, sorted by path.
[[nodiscard]] std::vector<SourceFile> read_files(const std::vector<std::string>& folders,
                                                 const std::vector<std::string>& extensions);

/// The lines of `text` without their ends; a last line without an end counts.
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text);

/// `text` with every character of a comment, string or character literal turned into a space. Line ends stay, and so
/// do the quotes of literals.
[[nodiscard]] std::string code_of(std::string_view text);

/// One #include: `line` counts from 1, `target` is what stands between the quotes or angle brackets.
struct Include {
  std::size_t line;
  std::string target;
  bool angled;
};
[[nodiscard]] std::vector<Include> includes_of(std::string_view text);

/// A function body: its head's first line and its closing line, both from 1.
struct FunctionSpan {
  std::size_t first_line;
  std::size_t last_line;
  std::string head;
  [[nodiscard]] std::size_t lines() const { return last_line - first_line + 1; }
};
/// The outermost functions of `text`; a lambda or class inside a function belongs to it.
[[nodiscard]] std::vector<FunctionSpan> functions_of(std::string_view text);

/// The YAML blocks of a page in Markdown.
[[nodiscard]] std::vector<std::string> yaml_blocks(const std::string& page);

/// `path:line: message`, the form of every failure here.
[[nodiscard]] std::string at(const SourceFile& file, std::size_t line, std::string_view message);

/// All of `failures`, one per line; empty when there are none.
[[nodiscard]] std::string joined(const std::vector<std::string>& failures);

}  // namespace soya::architecture
