#include "fabric/path_choice.hpp"

#include <algorithm>

#include "core/hash.hpp"

namespace soya {

/// Each set of ports has a turn of its own, which starts anywhere: switches do not go round in step.
PortId PathChoice::next_in_turn(std::span<const PortId> ports) {
  auto turn = std::ranges::find(turns_, ports.data(), &Turn::set);
  if (turn == turns_.end()) {
    turns_.push_back({ports.data(), static_cast<std::uint32_t>(part_of(stream_(), ports.size()))});
    turn = turns_.end() - 1;
  }
  const PortId port = ports[turn->next];
  turn->next = (turn->next + 1) % static_cast<std::uint32_t>(ports.size());
  return port;
}

PathChoice::Flowlet& PathChoice::flowlet_of(std::uint64_t flow_hash) {
  if (2 * flows_ >= flowlets_.size()) grow();
  const std::size_t mask = flowlets_.size() - 1;
  std::size_t place = mix(flow_hash) & mask;
  while (flowlets_[place].last != Time::never() && flowlets_[place].flow_hash != flow_hash) place = (place + 1) & mask;
  Flowlet& flowlet = flowlets_[place];
  if (flowlet.last == Time::never()) {
    flowlet.flow_hash = flow_hash;
    flowlet.port = PortId::none();
    ++flows_;
  }
  return flowlet;
}

/// Its first frame, one after a gap, or one whose way is gone.
bool PathChoice::is_new(const Flowlet& flowlet, std::span<const PortId> ports, Time now) const {
  if (flowlet.port.is_none() || now - flowlet.last >= config_.flowlet_gap) return true;
  return std::ranges::find(ports, flowlet.port) == ports.end();
}

void PathChoice::grow() {
  constexpr std::size_t first_size = 16;
  std::vector<Flowlet> old(std::max(first_size, 2 * flowlets_.size()));
  old.swap(flowlets_);
  const std::size_t mask = flowlets_.size() - 1;
  for (const Flowlet& flowlet : old) {
    if (flowlet.last == Time::never()) continue;
    std::size_t place = mix(flowlet.flow_hash) & mask;
    while (flowlets_[place].last != Time::never()) place = (place + 1) & mask;
    flowlets_[place] = flowlet;
  }
}

}  // namespace soya
