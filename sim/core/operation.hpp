// The kinds of message a reliable connection carries, as workloads post them and the transport sends them.
// Simplifies: atomics are not modelled; a host that polls its memory learns of a message when its last byte is placed.
// Source: InfiniBand Architecture Specification vol. 1, 9.4. Validated by tests/unit/transport.
#pragma once

#include <cstdint>

namespace soya {

enum class Operation : std::uint8_t {
  write,            ///< RDMA WRITE: RETH on First and Only; the responder's host sees nothing
  write_immediate,  ///< RDMA WRITE with immediate: as WRITE, and the last packet tells the responder's host
  send,             ///< SEND: no RETH; the last packet tells the responder's host
  read,             ///< RDMA READ: the data flow from the responder to the requester
  write_polled,     ///< on the wire a WRITE; the responder's host polls the memory it goes to (perftest's write_lat)
};

/// Whether the host of the responder learns that the message has arrived.
[[nodiscard]] constexpr bool notifies_receiver(Operation operation) {
  return operation != Operation::write && operation != Operation::read;
}
/// Whether the message takes a receive that the responder's host has posted.
[[nodiscard]] constexpr bool takes_receive(Operation operation) {
  return operation == Operation::send || operation == Operation::write_immediate;
}

}  // namespace soya
