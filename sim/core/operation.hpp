// The kinds of one-way message a reliable connection carries, as workloads post them and the transport sends them.
// Simplifies: READ and atomics are not modelled.
// Source: InfiniBand Architecture Specification vol. 1, 9.4. Validated by tests/unit/transport.
#pragma once

#include <cstdint>

namespace soya {

enum class Operation : std::uint8_t {
  write,            ///< RDMA WRITE: RETH on First and Only; the responder's host sees nothing
  write_immediate,  ///< RDMA WRITE with immediate: as WRITE, and the last packet tells the responder's host
  send,             ///< SEND: no RETH; the last packet tells the responder's host
};

/// Whether the host of the responder learns that the message has arrived.
[[nodiscard]] constexpr bool notifies_receiver(Operation operation) { return operation != Operation::write; }

}  // namespace soya
