// Facts: what happens in the model, told once at the place where it happens, as ids and numbers.
// Simplifies: nothing. Measurements are made of facts in probes/; model code never formats, logs or opens a file.
// Source: docs/architecture.md, "Two channels of measurement". Validated by tests/bench_top, whose timelines are facts.
#pragma once

#include <cstdint>

#include "core/ids.hpp"
#include "core/units.hpp"

namespace soya {

enum class FactKind : std::uint8_t {
  frame_started,     ///< first bit of a data, acknowledge or NAK frame leaves `node`/`port`; value: frame bytes
  control_started,   ///< first bit of a PFC frame leaves; value: paused priorities × 256 + enabled priorities
  frame_lost,        ///< a frame sent by `node`/`port` is lost on its link; value: frame bytes
  frame_dropped,     ///< `node` refuses a frame that came in by `port`; value: frame bytes
  xoff,              ///< the priority group (`port`, `priority`) of `node` is to be paused
  xon,               ///< … is to be resumed
  paused,            ///< a pause of `priority` takes effect on the egress of `node`/`port`; value: its length in ps
  resumed,           ///< … ends
  retransmission,    ///< `node` goes back; value: the sequence number it goes back to
  timed_out,         ///< a queue pair of `node` times out; value: retries so far
};

struct Fact {
  FactKind kind{};
  Time time;
  NodeId node;
  PortId port;
  Priority priority;
  std::int64_t value{0};
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void observe(const Fact& fact) = 0;
};

}  // namespace soya
