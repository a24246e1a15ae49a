// A pseudo-ACK accelerator, one of the two at the ends of a long link: it acknowledges to the sender what it keeps,
// carries it over the long link with its own retransmission, and delivers what its partner sends to the NICs of its
// site. Simplifies: store and forward without a pipeline; no header beside the connection's own; it knows the
// connections and its partner's buffer from the start; what it does not relay it passes on in order, accounted in the
// same buffers. Source: the pseudo-ACK idea published by NTT, as docs/model.md, "Pseudo-ACK accelerators", reads it.
// Validated by tests/analytic/accelerator_test.cpp and tests/property/accelerator_test.cpp.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "core/ids.hpp"
#include "core/units.hpp"
#include "net/context.hpp"
#include "net/pfc_config.hpp"
#include "net/port.hpp"
#include "wan/accelerated_connection.hpp"
#include "wan/byte_meter.hpp"
#include "wan/waiting_line.hpp"

namespace soya {

/// Totals of one accelerator.
struct AcceleratorCounters {
  std::int64_t haul_payload{0};     ///< bytes from the partner, duplicates not counted
  std::int64_t haul_duplicates{0};  ///< packets
  std::int64_t lossless_drops{0};   ///< frames from the site that found no room
  std::int64_t lossy_drops{0};
  std::int64_t refused_out_of_order{0};  ///< packets from the site behind a gap that found no room
  Time first_haul_arrival{Time::never()};
  Time last_haul_arrival;
};

class Accelerator final {
 public:
  struct Setup {
    Bytes buffer;  ///< of each direction
    Bytes partner_buffer;
    Bytes headroom;  ///< of the buffer towards the haul: what may come after XOFF; 0: nothing is lossless
    Bytes largest_frame;
    Bytes acknowledge_frame;
    Duration haul_round_trip;  ///< of the long link
    Duration haul_patience;    ///< gives up after so long without a reply
    PortSetup site;
    PortSetup haul;
    SourceId timer;
  };
  Accelerator(const PfcConfig& pfc, const Setup& setup);

  /// A connection both of whose directions lead through this accelerator and its partner.
  void add_connection(const ConnectionEnd& local, const ConnectionEnd& remote);

  void arrive(Context& context, PortId port);
  void transmit(Context& context, PortId port);
  void pause_clock_fired(Context& context, PortId port);
  void pause_refresh_fired(Context& context, PortId port);
  void hold(Context& context, PortId port, bool held);
  void timer_fired(Context& context);

  [[nodiscard]] Port& port(PortId id) { return side(id).port; }
  [[nodiscard]] const Port& port(PortId id) const { return id == site_.port.id() ? site_.port : haul_.port; }
  [[nodiscard]] PortId site_port() const { return site_.port.id(); }
  [[nodiscard]] PortId haul_port() const { return haul_.port.id(); }

  /// Held for the far site, and for its own.
  [[nodiscard]] const ByteMeter& outbound() const { return outbound_; }
  [[nodiscard]] const ByteMeter& inbound() const { return inbound_; }
  [[nodiscard]] const AcceleratorCounters& counters() const { return counters_; }
  [[nodiscard]] const std::vector<ConnectionRelay>& connections() const { return connections_; }
  /// The connection whose end on this accelerator's site is `queue_pair` of `host`; null where there is none.
  [[nodiscard]] const ConnectionRelay* connection_of(HostId host, QueuePairId queue_pair) const;
  /// Time that it has asked its site to pause, until `now`.
  [[nodiscard]] Duration pausing_time(Time now) const {
    return pausing_ + (asks_pause_ ? now - asks_since_ : Duration{0});
  }

 private:
  struct Side {
    Side(const PfcConfig& pfc, const PortSetup& setup) : port{pfc, setup} {}
    Port port;
    WaitingLine control;  ///< replies
    WaitingLine again;    ///< packets of connections that were lost
    WaitingLine data;
  };
  struct Deadline {
    Time at;
    std::uint32_t connection{0};
    Wait wait{Wait::partner};
    bool operator<(const Deadline& other) const {  // for a heap with the earliest on top
      return std::tuple{other.at, other.connection, other.wait} < std::tuple{at, connection, wait};
    }
  };

  [[nodiscard]] Side& side(PortId id) { return id == site_.port.id() ? site_ : haul_; }
  [[nodiscard]] std::uint32_t index_to(HostId host, QueuePairId queue_pair) const;
  [[nodiscard]] ConnectionRelay* find(const Packet& packet);

  // accelerator.cpp: both sides
  void offer(Context& context, Side& side);
  void transmit(Context& context, Side& side);
  bool start_next(Context& context, Side& side, PrioritySet allowed);
  void start_packet(Context& context, Side& side, Packet& packet);
  [[nodiscard]] Packet& copy(Context& context, const Packet& kept) const;

  // deadlines.cpp
  void wait_until(Context& context, ConnectionRelay& relay, Wait wait, Time deadline);
  static void wait_no_more(ConnectionRelay& relay, Wait wait) {
    relay.deadlines[static_cast<std::size_t>(wait)] = Time::never();
  }
  [[nodiscard]] static bool waits_for(const ConnectionRelay& relay, Wait wait) {
    return relay.deadlines[static_cast<std::size_t>(wait)] != Time::never();
  }
  void wake_at(Context& context, Time at);
  void waited_in_vain(Context& context, ConnectionRelay& relay, Wait wait);
  [[nodiscard]] Duration haul_timeout() const;

  // outbound.cpp: from the site to the long link
  void take_from_site(Context& context, Packet& packet);
  bool admit_outbound(Context& context, Packet& packet);
  bool admit_out_of_order(Context& context, const ConnectionRelay& relay, Packet& packet);
  void send_in_order(Context& context, ConnectionRelay& relay, Span places);
  /// The site may go on when no more than this is held.
  [[nodiscard]] Bytes xon() const { return setup_.buffer - setup_.headroom - 2 * setup_.largest_frame; }
  void free_outbound(Context& context, Bytes bytes);
  void relay_outbound(Context& context, ConnectionRelay& relay, Packet& packet);
  void start_reply_to_site(Context& context, ConnectionRelay& relay);
  bool start_haul_packet(Context& context, WaitingLine& queue, Priority priority);
  void send_over_haul(Context& context, ConnectionRelay& relay, Sequence place, const HaulSender::Kept& kept);
  void haul_replied(Context& context, ConnectionRelay& relay, const HaulReply& reply);
  void send_again(Context& context, const ConnectionRelay& relay);
  void note_credit(Context& context, const HaulCredit& credit);
  void note_freed(Context& context, std::uint32_t freed);
  void wait_for_room(Context& context);
  void send_probe(Context& context);
  [[nodiscard]] Bytes room_at_partner() const;

  // inbound.cpp: from the long link to the site
  void take_from_haul(Context& context, Packet& packet);
  void relay_inbound(Context& context, ConnectionRelay& relay, Packet& packet);
  void reply_over_haul(Context& context, ConnectionRelay& relay, Span gap);
  void send_credit(Context& context, std::uint32_t probe);
  void free_inbound(Context& context, Bytes bytes);
  bool start_site_packet(Context& context, Priority priority);
  bool note_reply(Context& context, ConnectionRelay& relay, const Packet& packet);
  void site_replied(Context& context, ConnectionRelay& relay, const Packet& packet);
  void queue_for_site(Context& context, ConnectionRelay& relay, std::int64_t packets);
  [[nodiscard]] Packet& new_message(Context& context, Priority priority);
  [[nodiscard]] std::uint32_t index_of(const ConnectionRelay& relay) const {
    return static_cast<std::uint32_t>(&relay - connections_.data());
  }

  Setup setup_;
  PrioritySet lossless_;
  Side site_;
  Side haul_;
  std::vector<ConnectionRelay> connections_;
  std::vector<std::vector<std::uint32_t>>
      by_destination_;               ///< connection, by host and queue pair; none: only passed on
  std::vector<Deadline> deadlines_;  ///< a heap, the earliest first; of each wait one at most
  Time probe_at_{Time::never()};
  AcceleratorCounters counters_;

  ByteMeter outbound_;
  Bytes out_of_order_;  ///< of that behind gaps, sum over connections; too much while one is open
  bool asks_pause_{false};
  Time asks_since_;
  Duration pausing_;

  // What the partner has room for: all that was sent, less what was lost or has left its store again.
  std::int64_t sent_{0};              ///< bytes, first transmissions
  std::int64_t freed_{0};             ///< … that the partner says have left its store
  std::int64_t passing_sent_{0};      ///< … of frames that are only passed on
  std::int64_t passing_lost_{0};      ///< … of them that never arrived
  std::int64_t passing_at_probe_{0};  ///< `passing_sent_` when the last probe left
  std::int64_t passing_probed_{0};    ///< … received, by the answers to probes
  std::uint32_t probe_{0};            ///< number of the last probe
  bool probe_answered_{true};
  std::int64_t unasked_{0};  ///< sum over connections
  bool waits_for_room_{false};

  ByteMeter inbound_;
  std::int64_t freed_here_{0};  ///< bytes that have left the store towards the site
  std::int64_t freed_told_{0};
  std::int64_t passing_received_{0};
  std::int64_t unasked_at_site_{0};  ///< sum over connections

  std::vector<HaulSender::Kept> stored_;     ///< scratch
  std::vector<SiteSender::Kept> delivered_;  ///< scratch
  std::vector<Sequence> lost_;               ///< scratch
};

}  // namespace soya
