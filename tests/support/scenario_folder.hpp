// A temporary folder of scenario files for tests, and what reading them says.
// Simplifies: the folder's own path is cut out of messages, so that a test can state them verbatim.
// Source: none. Validated by the tests that use it.
#pragma once

#include <filesystem>
#include <string>

#include "scenario/read.hpp"
#include "support/temporary_folder.hpp"

namespace soya::test {

class ScenarioFolder {
 public:
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    write_text(folder_ / name, text);
  }

  /// Texts without this folder's path.
  [[nodiscard]] std::string shortened(std::string text) const {
    const std::string prefix = folder_.path().string() + '/';
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at))
      text.erase(at, prefix.size());
    return text;
  }

  [[nodiscard]] Scenario read(const std::string& name, const ReadOptions& options = {}) const {
    return read_scenario(path(name), options);
  }

  /// Every complaint about file `name`, one a line; "" when there is none.
  [[nodiscard]] std::string errors(const std::string& name, const ReadOptions& options = {}) const {
    try {
      (void)read(name, options);
      return {};
    } catch (const ScenarioError& error) {
      return shortened(error.what());
    }
  }

  /// Every warning about file `name`, one a line.
  [[nodiscard]] std::string warnings(const std::string& name, const ReadOptions& options = {}) const {
    std::string out;
    for (const Diagnostic& warning : read(name, options).warnings) out += (out.empty() ? "" : "\n") + warning.text();
    return shortened(out);
  }

 private:
  TemporaryFolder folder_;
};

/// Two hosts on one switch, as line 1 of a scenario.
inline const char* const two_hosts =
    "topology: {nodes: {h1: host, h2: host, s1: switch}, links: [{between: [h1, s1]}, {between: [h2, s1]}]}\n";

/// Complaints about `text` as file s.yaml.
inline std::string errors_of(const std::string& text, const ReadOptions& options = {}) {
  const ScenarioFolder folder;
  folder.write("s.yaml", text);
  return folder.errors("s.yaml", options);
}

/// Warnings about `text` as file s.yaml.
inline std::string warnings_of(const std::string& text, const ReadOptions& options = {}) {
  const ScenarioFolder folder;
  folder.write("s.yaml", text);
  return folder.warnings("s.yaml", options);
}

/// The scenario that `text` makes.
inline Scenario scenario_of(const std::string& text, const ReadOptions& options = {}) {
  const ScenarioFolder folder;
  folder.write("s.yaml", text);
  return folder.read("s.yaml", options);
}

}  // namespace soya::test
