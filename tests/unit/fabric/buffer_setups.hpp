// Setups of a shared buffer that several tests start from.
#pragma once

#include <cstddef>
#include <vector>

#include "fabric/shared_buffer.hpp"

namespace soya {

inline constexpr Priority lossless_priority{3};
inline constexpr Priority second_lossless_priority{4};
inline constexpr Priority lossy_priority{0};

inline constexpr PrioritySet one_lossless{0b0000'1000};
inline constexpr PrioritySet two_lossless{0b0001'1000};
inline constexpr PrioritySet no_lossless{0};

// 4096 B of payload and 62 B of headers.
inline constexpr Bytes full_frame{4158};

/// A switch whose ports all have the same headroom for each of their `lossless` groups.
inline SharedBufferSetup uniform_setup(std::size_t ports, PrioritySet lossless, Bytes headroom) {
  SharedBufferSetup setup;
  setup.lossless = lossless;
  setup.group_headroom = std::vector<Bytes>(ports, headroom);
  return setup;
}

inline PortId port(std::size_t index) {
  return PortId{index};
}

/// Two ports, one lossless priority. A group has 1000 B reserved, a static threshold of 3000 B and 2000 B of headroom;
/// it is on again at 3000 - 1000 = 2000 B.
inline SharedBufferSetup small_setup() {
  SharedBufferSetup setup = uniform_setup(2, one_lossless, 2000_B);
  setup.buffer.size = 20'000_B;
  setup.buffer.reserved = 1000_B;
  setup.buffer.threshold = StaticThreshold{3000_B};
  setup.buffer.xon_offset = 1000_B;
  return setup;
}

/// Nothing is stored, nobody is off, and the counters agree.
inline bool is_empty(const SharedBuffer& buffer) {
  for (std::size_t p = 0; p < buffer.ports(); ++p) {
    for (std::uint8_t i = 0; i < Priority::count; ++i) {
      const Priority priority{i};
      if (buffer.off(port(p), priority) || buffer.queue_bytes(port(p), priority) != 0_B ||
          buffer.reserved_use(port(p), priority) != 0_B || buffer.shared_use(port(p), priority) != 0_B ||
          buffer.headroom_use(port(p), priority) != 0_B) {
        return false;
      }
    }
  }
  buffer.check_invariants();
  return buffer.occupancy() == 0_B && buffer.free_shared() == buffer.shared_size();
}

}  // namespace soya
