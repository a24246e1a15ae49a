#include "suite/cases.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "engine/load_plan.hpp"
#include "engine/plan_input.hpp"
#include "scenario/read.hpp"
#include "suite/fabrics.hpp"

namespace soya::bench {

namespace {

// On the wire, preamble and gap included, at 80 ps per byte: 4096 B of payload and 82 B around them; 16 B more (RETH)
// in the first packet of a WRITE; an acknowledge.
constexpr std::int64_t data_wire = 4096 + 82;
constexpr std::int64_t reth = 16;
constexpr std::int64_t acknowledge_wire = 86;
constexpr Duration per_byte{80};

constexpr std::int64_t flow_wire(std::int64_t packets) {
  return packets * data_wire + reth;
}
/// First bit out to last byte in, over `hops` links with `one_way` in all; each node but the first stores and forwards.
constexpr Duration stored_and_forwarded(std::int64_t hops, std::int64_t wire, Duration one_way) {
  return one_way + hops * wire * per_byte;
}

/// From the first start to the last completion.
Duration last_finish(const RunResults& results) {
  std::int64_t last = 0;
  for (const TransferRow& row : results.transfer_rows) last = std::max(last, row.finish_ps.value_or(0));
  return Duration{last};
}

// All wait for the receiver's link. It starts when the nearest sender's first packet, one link away, is at the leaf,
// and carries every packet; the last one's acknowledge goes to a sender four links away.
End end_of_incast(const Scenario& scenario, const Amount& amount, const RunResults& results) {
  const auto flows = static_cast<std::int64_t>(scenario.nics.size()) - 1;
  const Duration expected = stored_and_forwarded(1, data_wire + reth, 1_us) +
                            flows * flow_wire(amount.size) * per_byte + 1_us +
                            stored_and_forwarded(4, acknowledge_wire, 4_us);
  return {last_finish(results), expected};
}

// Every host's link carries its own packets and the acknowledges of as many that come in; then the last packet crosses
// three more links, and its acknowledge four.
End end_of_ring(const Scenario&, const Amount& amount, const RunResults& results) {
  const std::int64_t acknowledges = (amount.size + amount.ack_every - 1) / amount.ack_every;
  const Duration expected = (flow_wire(amount.size) + acknowledges * acknowledge_wire) * per_byte +
                            stored_and_forwarded(3, data_wire, 4_us) + stored_and_forwarded(4, acknowledge_wire, 4_us);
  return {last_finish(results), expected};
}

// The first link carries every packet; behind the first one, which is larger, they cross three more; and the last
// acknowledge crosses four.
End end_of_chain(const Scenario&, const Amount& amount, const RunResults& results) {
  const Duration expected = flow_wire(amount.size) * per_byte + stored_and_forwarded(3, data_wire + reth, 1500_us) +
                            stored_and_forwarded(4, acknowledge_wire, 1500_us);
  return {last_finish(results), expected};
}

// Flows whose hashes collide share links. No run is faster than the most loaded link, by the routes that it takes,
// needs for the packets of all its flows, nor than the longest flow alone. Acknowledges are left out: one that waits
// for the wire may answer several packets.
End end_by_plan(const Scenario& scenario, const Amount&, const RunResults& results) {
  const PlannedScenario planned{scenario};
  return {last_finish(results), load_plan(planned.input()).at_least};
}

// A 64 KiB WRITE is 16 packets, and the wire of 100 Gbps, not the window of 1024 messages, is the limit: 67 MB are more
// than the 37.5 MB of a round trip. Then the last packet crosses six more links, three of 100 Gbps among them and four
// of a quarter of its time, and the acknowledge comes back, over 300 km each way and less than 1 us of cables and 4 us
// of switches' pipelines, which are left out.
End end_of_haul(const Scenario&, const Amount& amount, const RunResults& results) {
  const std::int64_t messages = amount.size * 16;  // of a MiB
  return {Duration{results.simulated_ps}, messages * (16 * data_wire + reth) * per_byte + 2 * 1500_us};
}

// By the closed form of a training step (docs/model.md section 9), for each of the steps.
End end_of_training(const Scenario&, const Amount&, const RunResults& results) {
  double expected_ms = 0;
  double simulated_ms = 0;
  for (const StepRow& step : results.steps) {
    expected_ms += step.plan_step_ms;
    simulated_ms += step.step_ms;
  }
  const auto picoseconds = [](double ms) { return Duration{static_cast<std::int64_t>(ms * 1e9)}; };
  return {picoseconds(simulated_ms), picoseconds(expected_ms)};
}

End end_of_slice(const Scenario&, const Amount&, const RunResults& results) {
  return {Duration{results.simulated_ps}, std::nullopt};
}

Scenario shipped(const std::string& name, const std::vector<std::string>& sets) {
  ReadOptions options;
  options.sets = sets;
  return read_scenario(SOYA_SOURCE_DIR "/scenarios/" + name + ".yaml", options);
}

Scenario janog55(const Amount& amount) {
  return shipped("janog55-ddp", {"workload[0].ddp.model.parameters=" + std::to_string(amount.size) + "000000"});
}

Scenario haul_300km(const Amount& amount) {
  return shipped("sapporo-wakkanai", {"workload[0].perftest.tx_depth=1024",
                                      "workload[0].perftest.iterations=" + std::to_string(amount.size * 16)});
}

/// Eight GPUs in each of two sites, 300 km apart at 400 Gbps.
Scenario two_sites(const Amount& amount) {
  return shipped("two-sites",
                 {"topology.link_types.haul.length=300km", "topology.switches.east-dci.buffer.size=256MiB",
                  "topology.switches.west-dci.buffer.size=256MiB",
                  "workload=[{ddp: {hosts: all, model: {parameters: " + std::to_string(amount.size) +
                      "000000, tensors: 40}, forward: 50ms, backward: 100ms, bucket: 100MiB, ring: {channels: 8}}}]"});
}

Scenario incast_16(const Amount& amount) {
  return leaf_spine(16, Pattern::incast, amount);
}
Scenario ring_16(const Amount& amount) {
  return leaf_spine(16, Pattern::ring, amount);
}
Scenario shift_16(const Amount& amount) {
  return leaf_spine(16, Pattern::shift, amount);
}
Scenario incast_32(const Amount& amount) {
  return leaf_spine(32, Pattern::incast, amount);
}
Scenario permutation_16(const Amount& amount) {
  return permutation(4, amount);
}
Scenario permutation_1024(const Amount& amount) {
  return permutation(16, amount);
}
Scenario permutation_8192(const Amount& amount) {
  return permutation(32, amount);
}
Scenario all_reduce_8192(const Amount& amount) {
  return all_reduce_slice(32, amount);
}

constexpr std::string_view packets = "packets of each flow";
constexpr std::string_view kilobytes = "kB of each flow";
constexpr std::string_view parameters = "million parameters";

// 1 GB is 244 141 packets; 2 MB each for 1 024 hosts, and as much in all for 16 and for 8 192.
constexpr std::array cases{
    Case{"incast-16", packets, 25'000, 400, 200, 1, Form::equal, 0.5, incast_16, end_of_incast},
    Case{"ring-16", packets, 25'000, 400, 200, 1, Form::equal, 2, ring_16, end_of_ring},
    Case{"shift-16", packets, 25'000, 400, 200, 1, Form::bound, 50, shift_16, end_by_plan},
    Case{"incast-32", packets, 25'000, 200, 100, 1, Form::equal, 0.5, incast_32, end_of_incast},
    Case{"chain-1.5ms", packets, 244'141, 4'000, 2'000, 1, Form::equal, 0.1, chain, end_of_chain},
    Case{"permutation-16", kilobytes, 128'000, 1'000, 500, 1, Form::bound, 50, permutation_16, end_by_plan},
    Case{"permutation-1024", kilobytes, 2'000, 40, 16, 1, Form::bound, 100, permutation_1024, end_by_plan},
    Case{"permutation-8192", kilobytes, 250, 8, 4, 1, Form::bound, 400, permutation_8192, end_by_plan},
    Case{"incast-16-ack64", packets, 25'000, 800, 200, 64, Form::equal, 0.5, incast_16, end_of_incast},
    Case{"ring-16-ack64", packets, 25'000, 800, 200, 64, Form::equal, 2, ring_16, end_of_ring},
    Case{"shift-16-ack64", packets, 25'000, 800, 200, 64, Form::bound, 50, shift_16, end_by_plan},
    Case{"incast-32-ack64", packets, 25'000, 400, 100, 64, Form::equal, 0.5, incast_32, end_of_incast},
    Case{"chain-1.5ms-ack64", packets, 244'141, 8'000, 2'000, 64, Form::equal, 0.1, chain, end_of_chain},
    Case{"permutation-1024-ack64", kilobytes, 2'000, 80, 16, 64, Form::bound, 100, permutation_1024, end_by_plan},
    Case{"janog55", parameters, 1'000, 10, 4, 64, Form::equal, 0.5, janog55, end_of_training},
    Case{"haul-300km", "MiB", 16'384, 64, 64, 64, Form::equal, 1, haul_300km, end_of_haul},
    Case{"two-site-ddp", parameters, 100, 2, 1, 64, Form::equal, 5, two_sites, end_of_training},
    Case{"all-reduce-8192", "us of simulated time", 40, 6, 4, 64, Form::none, 0, all_reduce_8192, end_of_slice},
};

}  // namespace

std::span<const Case> all_cases() {
  return cases;
}

const Case* find_case(std::string_view name) {
  const auto found = std::ranges::find(cases, name, &Case::name);
  return found == cases.end() ? nullptr : &*found;
}

}  // namespace soya::bench
