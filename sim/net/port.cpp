#include "net/port.hpp"

namespace soya {

void Port::start_control(Context& context) {
  Packet& packet = context.packets.take();
  packet = Packet{};
  packet.kind = PacketKind::pfc;
  packet.frame = static_cast<std::uint32_t>(pfc_frame.count());
  packet.pfc = pause_refresher.take(context);
  ++control_frames_;
  const bool pauses = !packet.pfc.paused.empty();
  if (pauses) ++pause_frames_;
  context.observe(FactKind::control_started, node_, port_, Priority{},
                  packet.pfc.paused.bits() * 256 + packet.pfc.enabled.bits());
  put_on_wire(context, packet, packet.wire_size(), Phase::control_arrival);
  if (pauses) pause_refresher.sent(context, busy_until_ + outgoing_->delay());
}

}  // namespace soya
