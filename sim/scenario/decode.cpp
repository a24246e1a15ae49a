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

Scenario decode(const Node& root_node, Reading& reading) {
  Scenario out;
  const Path root_path;
  Section root{reading, &root_node, root_path, SectionId::root};
  // Both are taken out when files are loaded: here they come from a variant or the command line.
  for (const std::string_view key : {"extends", "variants"}) {
    if (root.given(key)) root.error(key, "belongs into a file; a variant or --set cannot change it");
  }
  root.read("name", out.name);
  if (out.name.find_first_of("/\\") != std::string::npos || out.name == "." || out.name == "..") {
    root.error("name", "\"" + out.name + "\" cannot name a folder; leave out / and \\");
  }
  if (out.name.empty()) root.error("name", "the name is empty");
  root.read("seed", out.seed);
  root.read("expect", out.expect);
  if (root.given("topology")) {
    out.topology = read_topology(root);
    check_topology(out.topology, root);
  } else {
    root.error("topology", "missing; expected the path of a topology file, or its keys");
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
