// Packets for tests that look only at which packet it is.
#pragma once

#include <array>
#include <cstddef>

#include "net/packet.hpp"

namespace soya::test {

/// The packet of this number, below 4 096.
inline Packet* numbered_packet(std::size_t number) {
  static std::array<Packet, 4096> packets;
  return &packets.at(number);
}

}  // namespace soya::test
