#include "planning/pause_cycle.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "net/frame.hpp"

namespace soya {

Duration resume_time(const ResumeQuery& query) {
  SOYA_CHECK(query.rate > Rate{0} && query.reverse_rate > Rate{0}, "a link has a rate each way");
  return serialisation(pfc_frame + wire_gap, query.reverse_rate) + query.way_back + query.response +
         serialisation(query.frame + wire_gap, query.rate) + query.one_way;
}

Duration idle_per_cycle(const ResumeQuery& query, Duration drained) {
  return std::max(Duration{0}, resume_time(query) - drained);
}

Duration drain_time(Bytes stored, Bytes frame, Rate egress) {
  SOYA_CHECK(frame > Bytes{0}, "a frame has bytes");
  const Int128 picoseconds =
      static_cast<Int128>(stored.count()) * serialisation(frame + wire_gap, egress).picoseconds() / frame.count();
  return Duration{static_cast<std::int64_t>(picoseconds)};
}

Bytes stored_for_full_rate(const ResumeQuery& query) {
  const std::int64_t time = serialisation(query.frame + wire_gap, query.rate).picoseconds();
  const std::int64_t frames = (resume_time(query).picoseconds() + time - 1) / time;
  return frames * query.frame;
}

}  // namespace soya
