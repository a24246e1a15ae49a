#include "scenario/decode.hpp"

#include <utility>

namespace soya::reading {

namespace {

void read_stop_and_measure(Section& root, Scenario& out) {
  Section stop{root.reading(), root.given("stop"), root.at("stop"), SectionId::stop};
  stop.read("after", out.stop.after);
  stop.read("stalled_after", out.stop.stalled_after);
  Section measure{root.reading(), root.given("measure"), root.at("measure"), SectionId::measure};
  measure.read("sample", out.measure.sample);
}

}  // namespace

std::optional<std::string> name_fault(const std::string& name) {
  if (name.find_first_of("/\\") == std::string::npos && name != "." && name != "..") return std::nullopt;
  return "cannot name a folder; leave out / and \\";
}

Scenario decode(const Node& root_node, Reading& reading) {
  Scenario out;
  const Path root_path;
  Section root{reading, &root_node, root_path, SectionId::root};
  // Both are taken out when files are loaded: here they come from a variant or the command line.
  for (const std::string_view key : {"extends", "variants"}) {
    if (root.given(key)) root.error(key, "belongs into a file; a variant or --set cannot change it");
  }
  if (root.read("name", out.name)) {
    if (out.name.empty())
      root.error("name", "the name is empty");
    else if (const auto fault = name_fault(out.name))
      root.error("name", "\"" + out.name + "\" " + *fault);
  }
  root.read("seed", out.seed);
  root.read("expect", out.expect);
  if (root.given("topology")) {
    out.topology = read_topology(root);
    check_topology(out.topology, root);
  } else {
    root.error("topology", "missing; expected the path of a topology file, or its keys");
    reading.nodes_whole = reading.links_whole = false;
  }
  reading.topology_end = reading.effective.size();
  const Names names{out.topology};
  read_fabric(root, names, out);
  read_nics(root, names, out);
  read_workload(root, names, out);
  read_faults(root, names, out);
  read_stop_and_measure(root, out);
  out.effective = std::move(reading.effective);
  if (reading.errors.empty()) warn(out, names, reading);
  return out;
}

}  // namespace soya::reading
