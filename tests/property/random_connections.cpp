#include "property/random_connections.hpp"

#include "transport/rnr_timer.hpp"

namespace soya::test {

void make_connections(Dice& dice, NicConfig& nic, Losses losses) {
  constexpr std::int64_t microsecond = 1'000'000;
  const auto up_to_a_microsecond = [&] { return Duration{dice.between(1, microsecond)}; };
  if (dice.chance(50)) nic.retransmission = Retransmission::selective_repeat;
  if (dice.chance(30)) nic.reorder_window = dice.between(1, 50);
  nic.max_reads = dice.chance(50) ? 16 : dice.small(1, 3);
  if (dice.chance(20)) nic.ack_delay = up_to_a_microsecond();
  if (dice.chance(15)) nic.message_rate = dice.between(100'000, 10'000'000);
  if (dice.chance(15)) nic.completion_queue = CompletionQueue{dice.small(1, 3), up_to_a_microsecond()};
  if (losses == Losses::none) return;
  nic.adaptive_retransmission = dice.chance(20);
  if (dice.chance(30)) nic.receive_queue = ReceiveQueue{dice.small(1, 4), up_to_a_microsecond()};
  nic.rnr_timer = rnr_time(static_cast<std::uint32_t>(dice.small(1, 12)));
}

}  // namespace soya::test
