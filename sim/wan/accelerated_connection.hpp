// One reliable connection as an accelerator relays it: what it takes from its site towards the far one, and what it
// brings back.
// Simplifies: known at build. Source: docs/model.md, "Pseudo-ACK accelerators".
// Validated by tests/analytic/accelerator_test.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/ids.hpp"
#include "core/units.hpp"
#include "transport/responder.hpp"
#include "wan/byte_meter.hpp"
#include "wan/haul_sender.hpp"
#include "wan/site_sender.hpp"

namespace soya {

/// An end of a connection, as the accelerators between the ends know it.
struct ConnectionEnd {
  HostId host;
  QueuePairId queue_pair;
  std::uint64_t flow_hash{0};  ///< ECMP entropy of what it sends
  Priority priority;           ///< of its data
  Priority ack_priority;       ///< of its acknowledges
  std::uint32_t initial_psn{0};
  ResponderConfig responder;  ///< how it answers
  Duration timeout;           ///< of its retransmission
  int retry_count{0};
  int rnr_retry{7};  ///< 7: for ever
};

/// What a connection may wait for.
enum class Wait : std::uint8_t {
  partner,    ///< a reply over the long link
  receiver,   ///< an acknowledge of the local end
  not_ready,  ///< the local end, which has no receive posted
};
inline constexpr std::size_t waits = 3;

struct ConnectionRelay {
  ConnectionRelay(const ConnectionEnd& near_end, const ConnectionEnd& far_end)
      : local{near_end},
        remote{far_end},
        responder{as_far_end(far_end)},
        haul{near_end.initial_psn},
        site{far_end.initial_psn} {}

  /// The near side answers as the far end would, which has receives at once: here they are waited for later.
  [[nodiscard]] static ResponderConfig as_far_end(const ConnectionEnd& far_end) {
    ResponderConfig config = far_end.responder;
    config.receives.reset();
    config.reorder_timeout.reset();
    return config;
  }

  ConnectionEnd local;   ///< on the accelerator's site
  ConnectionEnd remote;  ///< on the partner's

  // Outbound: responder of the local end, sender of the long link.
  Responder responder;
  HaulSender haul;
  ByteMeter held;
  Bytes out_of_order;       ///< kept behind a gap, or since one opened
  bool replying{false};     ///< waits its turn to acknowledge or refuse
  std::int64_t unasked{0};  ///< bytes sent to the partner since it was last asked for a reply
  int packets_unasked{0};
  Time silent_since;             ///< of the partner, while packets are on the way
  std::int64_t acknowledged{0};  ///< payload bytes that the local end was told have arrived
  std::int64_t placed{0};        ///< … that the partner has told the remote end has acknowledged
  std::int64_t ahead_peak{0};    ///< the largest difference of the two
  Time last_acknowledged;        ///< when `acknowledged` last grew
  std::int64_t haul_timeouts{0};

  // Inbound: what the partner has sent, requester of the local end.
  SiteSender site;
  std::uint32_t last_arrived{0};    ///< PSN from the long link
  std::int64_t unasked_at_site{0};  ///< bytes sent to the local end since it was last asked for an acknowledge
  std::int64_t delivered{0};        ///< payload bytes that the local end has acknowledged
  Time last_delivered;
  std::int64_t site_timeouts{0};
  int not_ready{0};  ///< replies in a row that the local end has no receive

  bool failed{false};  ///< gave up: one of the two waits for a reply in vain
  std::array<Time, waits> deadlines{Time::never(), Time::never(), Time::never()};  ///< by `Wait`
  std::array<bool, waits> queued{};  ///< whether a wake-up, perhaps too early, is due for it
};

}  // namespace soya
