// What a frame carries besides payload. Sizes are in net/frame.hpp.
// Simplifies: no jumbo options beyond the RDMA payload size; one encapsulation for the whole fabric.
// Source: IEEE 802.3, 802.1Q; RoCEv2 annex A17 (see net/frame.hpp). Validated by tests/unit/net/frame_test.cpp.
#pragma once

#include "core/units.hpp"

namespace soya {

enum class IpVersion { v4, v6 };

struct FrameConfig {
  Bytes mtu{4096};                   ///< RDMA payload of a full packet, as ibv_devinfo's active_mtu; any value ≥ 1
  bool vlan{false};                  ///< adds the 4 B 802.1Q tag to every RoCEv2 frame
  IpVersion ip{IpVersion::v4};       ///< 20 B or 40 B
};

}  // namespace soya
