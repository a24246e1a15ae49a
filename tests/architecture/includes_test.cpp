// Who may include whom: docs/architecture.md, read from the #include lines under sim/ and tools/.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "architecture/source_files.hpp"

namespace soya::architecture {
namespace {

using Names = std::vector<std::string_view>;

/// What a folder may include beside itself. `headers` are single headers of folders it may otherwise not include;
/// a trailing * stands for any rest.
struct Arrow {
  std::string_view folder;
  Names folders;
  Names headers;
};

constexpr std::string_view config_headers = "*_config.hpp";

const std::vector<Arrow>& arrows() {
  static const std::vector<Arrow> list{
      {"core", {}, {}},
      {"net", {"core"}, {}},
      {"topology", {"core"}, {}},
      {"collective", {"core"}, {}},
      {"results", {"core"}, {}},
      {"transport", {"core", "net"}, {}},
      {"nic", {"core", "net", "transport"}, {}},
      {"wan", {"core", "net", "transport"}, {}},
      {"fabric", {"core", "net"}, {"topology/rout*"}},  // its tables only
      {"workload", {"core", "collective"}, {}},
      {"probes", {"core", "net"}, {}},
      {"planning", {"core", "net", "topology", "collective", "workload"}, {config_headers}},
      // It expands what a workload item stands for: the layers of a model file, the flows of an incast.
      {"scenario",
       {"core", "topology"},
       {config_headers, "workload/model_table.hpp", "workload/incast.hpp", "workload/permutation.hpp",
        "transport/rnr_timer.hpp"}},
      {"engine",
       {"core", "net", "topology", "collective", "results", "transport", "nic", "wan", "fabric", "workload", "probes",
        "planning", "scenario"},
       {}},
      {"sweep",
       {"core", "net", "topology", "collective", "results", "transport", "nic", "wan", "fabric", "workload", "probes",
        "planning", "scenario", "engine"},
       {}},
      {"tools",
       {"core", "net", "topology", "collective", "results", "transport", "nic", "wan", "fabric", "workload", "probes",
        "planning", "scenario", "engine", "sweep"},
       {}},
  };
  return list;
}

/// A library's headers and the only folders whose .cpp files include them. No header of ours does: they cost every
/// file that includes it seconds of compiling.
struct Home {
  std::string_view prefix;
  Names folders;
};

const std::vector<Home>& homes() {
  static const std::vector<Home> list{
      {"yaml-cpp/", {"scenario"}},
      {"boost/graph", {"topology"}},
      {"boost/property_map", {"topology"}},
      {"Eigen/", {"planning", "results"}},
      {"nlohmann/", {"results", "planning", "scenario", "sweep", "tools"}},
      {"sqlite3", {"results", "sweep"}},
      {"boost/program_options", {"tools"}},
  };
  return list;
}

template <class Range, class Value>
[[nodiscard]] bool contains(const Range& range, const Value& value) {
  return std::ranges::find(range, value) != range.end();
}

/// `sim/core/units.hpp` is of core, `core/units.hpp` too, `tools/soya/main.cpp` of tools; empty when there is no
/// folder.
[[nodiscard]] std::string_view folder_of(std::string_view path) {
  if (path.starts_with("sim/")) path.remove_prefix(4);
  const std::size_t slash = path.find('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

/// `pattern` holds at most one *, first or last.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view header) {
  if (pattern.starts_with('*')) return header.ends_with(pattern.substr(1));
  if (pattern.ends_with('*')) return header.starts_with(pattern.substr(0, pattern.size() - 1));
  return header == pattern;
}

/// Why `file` may not include `include`, a header of ours; empty when it may.
[[nodiscard]] std::string forbidden_arrow(const SourceFile& file, const Include& include) {
  const std::string_view from = folder_of(file.path);
  const std::string_view to = folder_of(include.target);
  const auto arrow = std::ranges::find(arrows(), from, &Arrow::folder);
  if (arrow == arrows().end()) return at(file, 1, "this folder is not in docs/architecture.md");
  const bool config = file.path.ends_with("_config.hpp");
  if (config && to != "core" && !include.target.ends_with("_config.hpp")) {
    return at(file, include.line, "a config header includes core and config headers only, not " + include.target);
  }
  if (to.empty() || to == from || contains(arrow->folders, to)) return {};
  if (from == "tools" && to == "soya") return {};
  const auto allows = [&](std::string_view pattern) { return matches(pattern, include.target); };
  if (std::ranges::any_of(arrow->headers, allows)) return {};
  return at(file, include.line, std::string(from) + " may not include " + include.target);
}

/// Why `file` may not include `include`, a header of a library; empty when it may.
[[nodiscard]] std::string forbidden_library(const SourceFile& file, const Include& include) {
  for (const Home& home : homes()) {
    if (!include.target.starts_with(home.prefix)) continue;
    if (!contains(home.folders, folder_of(file.path))) {
      return at(file, include.line, include.target + " has its home in another folder");
    }
    if (file.path.ends_with(".hpp")) {
      return at(file, include.line, include.target + " in a header: every file that includes it compiles for seconds");
    }
  }
  return {};
}

[[nodiscard]] std::vector<std::string> forbidden_in(const std::vector<SourceFile>& files) {
  std::vector<std::string> failures;
  for (const SourceFile& file : files) {
    for (const Include& include : includes_of(file.text)) {
      std::string failure = include.angled ? std::string{} : forbidden_arrow(file, include);
      if (failure.empty()) failure = forbidden_library(file, include);
      if (!failure.empty()) failures.push_back(std::move(failure));
    }
  }
  return failures;
}

[[nodiscard]] std::string verdict(std::string path, std::string text) {
  return joined(forbidden_in({{std::move(path), std::move(text)}}));
}

TEST_CASE("a forbidden include is told with file and line") {
  CHECK(verdict("sim/core/a.hpp", "// a\n#include \"net/link.hpp\"\n") ==
        "sim/core/a.hpp:2: core may not include net/link.hpp");
  CHECK(verdict("sim/transport/a.cpp", "#include \"nic/nic.hpp\"\n") != "");
  CHECK(verdict("sim/fabric/a.cpp", "#include \"topology/graph.hpp\"\n") != "");
  CHECK(verdict("sim/scenario/a.cpp", "#include \"engine/simulation.hpp\"\n") != "");
  CHECK(verdict("sim/scenario/a.cpp", "#include \"workload/job.hpp\"\n") != "");
  CHECK(verdict("sim/planning/a.cpp", "#include \"fabric/switch.hpp\"\n") != "");
  CHECK(verdict("sim/engine/a.cpp", "#include \"sweep/sweep.hpp\"\n") != "");
  CHECK(verdict("sim/nic/nic_config.hpp", "#include \"net/link.hpp\"\n") ==
        "sim/nic/nic_config.hpp:1: a config header includes core and config headers only, not net/link.hpp");
  CHECK(verdict("sim/extras/a.cpp", "#include \"core/units.hpp\"\n") ==
        "sim/extras/a.cpp:1: this folder is not in docs/architecture.md");
}

TEST_CASE("an allowed include is not a failure") {
  CHECK(verdict("sim/net/a.cpp", "#include \"net/link.hpp\"\n#include \"core/units.hpp\"\n") == "");
  CHECK(verdict("sim/fabric/a.cpp", "#include \"topology/routing.hpp\"\n") == "");
  CHECK(verdict("sim/scenario/a.cpp", "#include \"engine/engine_config.hpp\"\n") == "");
  CHECK(verdict("sim/planning/a.cpp", "#include \"fabric/fabric_config.hpp\"\n") == "");
  CHECK(verdict("sim/engine/engine_config.hpp", "#include \"net/pfc_config.hpp\"\n") == "");
  CHECK(verdict("tools/soya/run.cpp", "#include \"engine/simulation.hpp\"\n#include \"soya/options.hpp\"\n") == "");
}

TEST_CASE("a heavy library has one home and stays out of headers") {
  CHECK(verdict("sim/net/a.cpp", "#include <boost/graph/adjacency_list.hpp>\n") ==
        "sim/net/a.cpp:1: boost/graph/adjacency_list.hpp has its home in another folder");
  CHECK(verdict("sim/topology/a.hpp", "#include <boost/graph/adjacency_list.hpp>\n") != "");
  CHECK(verdict("sim/topology/a.cpp", "#include <boost/graph/adjacency_list.hpp>\n") == "");
  CHECK(verdict("sim/results/a.hpp", "#include <sqlite3.h>\n") != "");
  CHECK(verdict("sim/results/a.cpp", "#include <sqlite3.h>\n#include <nlohmann/json.hpp>\n") == "");
  CHECK(verdict("sim/engine/a.cpp", "#include <yaml-cpp/yaml.h>\n") != "");
}

TEST_CASE("every include under sim and tools follows docs/architecture.md") {
  const auto files = read_files({"sim", "tools"}, {".hpp", ".cpp"});
  REQUIRE(files.size() > 10);
  CHECK(joined(forbidden_in(files)) == "");
}

}  // namespace
}  // namespace soya::architecture
