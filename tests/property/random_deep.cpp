#include "property/random_deep.hpp"

#include <algorithm>
#include <cstdint>

#include "engine/headroom_auto.hpp"

namespace soya::test {

void make_random_deep(Dice& dice, Scenario& scenario, const PortMap& ports, SwitchId id,
                      const std::vector<Bytes>& budgets) {
  BufferConfig& buffer = scenario.switches[id.index()].buffer;
  const std::int64_t cell = buffer.cell ? buffer.cell->count() : 1;
  const Bytes frame{(largest_frame(scenario).count() + cell - 1) / cell * cell};
  DeepConfig deep;
  deep.size = buffer.size;
  deep.bandwidth = Rate{std::int64_t{1'000'000'000} * dice.one_of({20, 50, 130, 400, 900, 10'000})};
  deep.threshold = Bytes{dice.chance(30) ? 0 : dice.between(0, 10 * frame.count())};
  deep.headroom = dice.chance(70) ? LandingPlace::off_chip : LandingPlace::on_chip;
  buffer.deep = deep;
  const SharedBufferSetup setup = buffer_setup_of(scenario, ports, id, budgets);
  buffer.size =
      SharedBuffer::smallest_on_chip(setup, frame) + Bytes{dice.between(0, dice.one_of({1, 40}) * frame.count())};
  buffer.deep->threshold = std::min(deep.threshold, buffer.size);
}

}  // namespace soya::test
