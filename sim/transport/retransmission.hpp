// How a reliable connection makes lost packets good.
// Simplifies: both ends of a connection do the same. Source: InfiniBand Architecture vol. 1, 9.7; docs/model.md
// section 6. Validated by tests/bench_top/selective_repeat_test.cpp and tests/property/reliable_test.cpp.
#pragma once

#include <cstdint>

namespace soya {

enum class Retransmission : std::uint8_t {
  go_back_n,         ///< what follows a lost packet is dropped, and sent again with it
  selective_repeat,  ///< what follows is placed; only what is missing is sent again
};

}  // namespace soya
