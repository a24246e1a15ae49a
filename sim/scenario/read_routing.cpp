#include "scenario/decode.hpp"

namespace soya::reading {

namespace {

void read_choice(Section& section, RoutingConfig& routing) {
  section.read("policy", routing.policy);
  section.read("spray", routing.spray);
  section.read("flowlet_gap", routing.flowlet_gap);
  section.read("flowlet", routing.flowlet);
  // What changes nothing is hardly meant; a default is what a scenario reads as when it is printed and read again.
  const RoutingConfig standard;
  const auto needs = [&](std::string_view key, bool differs, std::string_view policy, bool is_it) {
    if (!section.given(key) || !differs || is_it || !section.right({"policy"})) return;
    section.error(key, "is of the policy " + std::string{policy} + " only; it takes policy: " + std::string{policy});
  };
  const bool flowlets = routing.policy == RoutingPolicy::flowlet;
  needs("spray", routing.spray != standard.spray, "spray", routing.policy == RoutingPolicy::spray);
  needs("flowlet_gap", routing.flowlet_gap != standard.flowlet_gap, "flowlet", flowlets);
  needs("flowlet", routing.flowlet != standard.flowlet, "flowlet", flowlets);
}

}  // namespace

void read_routing(Section& parent, RoutingConfig& routing) {
  Section section{parent.reading(), parent.given("routing"), parent.at("routing"), SectionId::switch_routing,
                  parent.absent()};
  read_choice(section, routing);
}

void read_routing(Section& parent, RoutingConfig& routing, FabricRoutingConfig& fabric) {
  Section section{parent.reading(), parent.given("routing"), parent.at("routing"), SectionId::routing};
  read_choice(section, routing);
  section.read("hash_seeds", fabric.hash_seeds);
  section.read("order", fabric.order);
  section.read("reconvergence", fabric.reconvergence);
}

}  // namespace soya::reading
