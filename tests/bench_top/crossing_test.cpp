// A link between two partitions: what leaves one at its sender's time reaches the other at the link's, and what the
// sender's side knows of the far pause clock.
#include "net/crossing.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "net/far_clock.hpp"
#include "net/link.hpp"
#include "support/fabric_bench.hpp"
#include "support/greedy_port.hpp"

using namespace soya;
using namespace soya::test;

namespace {

constexpr std::uint64_t far_arrival = 7;
constexpr std::uint64_t far_clock = 8;

PfcConfig quick_pfc() {
  PfcConfig pfc;
  pfc.priorities = PrioritySet{0b1000};
  pfc.response = Duration{0};
  return pfc;
}

/// Both halves of a link of 1 us, each in a partition of its own.
struct CutBench {
  Workbench near;
  Workbench far;
  Mailbox mail;
  PfcConfig pfc = quick_pfc();
  PauseRefresher asker{pfc, 100_Gbps, near.source(1, EventKind::switch_pause_refresh)};
  FarClock clock{pfc, {1, far_arrival, far_clock, 100_Gbps}, asker};
  Link incoming{1_us, far.source(2, EventKind::switch_arrival)};
  Link sending{1_us, SourceId::none()};
  Crossing crossing{&mail, &incoming, &clock, Time{0}};

  CutBench() { sending.cut(crossing); }

  void carry(Time start, Time last_bit) {
    near.context.now = start;
    sending.carry(near.context, near.packet(PacketKind::data, 1062_B), last_bit, Phase::data_arrival);
  }
  void deliver() {
    mail.turn();
    mail.deliver(far.context);
  }
  [[nodiscard]] std::vector<Time> arrivals() {
    std::vector<Time> times;
    while (!far.events.empty()) {
      far.context.now = far.events.pop().time;
      times.push_back(far.context.now);
      far.packets.release(incoming.take(far.context));
    }
    return times;
  }
};

}  // namespace

TEST_CASE("frames cross by value, in order, and only what was written before the turn is read") {
  CutBench bench;
  bench.carry(Time{0}, Time{0} + 100_ns);
  bench.carry(Time{0} + 100_ns, Time{0} + 200_ns);
  CHECK(bench.near.packets.in_use() == 0);
  CHECK(bench.mail.readable() == 0);
  CHECK_FALSE(bench.mail.empty());
  bench.mail.turn();
  CHECK(bench.mail.readable() == 2);
  CHECK(bench.mail.earliest() == Time{0} + 1'100_ns);
  // A second turn before the first is read adds to it.
  bench.carry(Time{0} + 200_ns, Time{0} + 300_ns);
  CHECK(bench.mail.readable() == 2);
  bench.deliver();
  CHECK(bench.mail.empty());
  CHECK(bench.mail.earliest() == Time::never());
  CHECK(bench.arrivals() == std::vector{Time{0} + 1'100_ns, Time{0} + 1'200_ns, Time{0} + 1'300_ns});
  CHECK(bench.far.packets.in_use() == 0);
}

TEST_CASE("losses of a cut link are decided where frames start, and a cut loses what is on the other half") {
  CutBench bench;
  bench.sending.lose_nth(PacketKind::data, 2);
  for (int i = 0; i < 3; ++i) bench.carry(Time{0} + i * 100_ns, Time{0} + (i + 1) * 100_ns);
  bench.deliver();
  CHECK(bench.sending.lost() == 1);
  CHECK(bench.incoming.in_flight() == 2);
  bench.sending.down(bench.far.context);
  bench.incoming.lose_in_flight(bench.far.context);
  CHECK(bench.incoming.lost() == 2);
  CHECK(bench.far.events.empty());
  bench.carry(Time{0} + 300_ns, Time{0} + 400_ns);
  CHECK(bench.mail.empty());
  CHECK(bench.sending.lost() == 2);
  bench.sending.up();
  bench.carry(Time{0} + 400_ns, Time{0} + 500_ns);
  bench.deliver();
  CHECK(bench.arrivals() == std::vector{Time{0} + 1'500_ns});
}

TEST_CASE("on a shorter way frames stay behind those before, whichever half they are on") {
  CutBench bench;
  bench.carry(Time{0}, Time{0} + 100_ns);  // arrives at 1.1 us
  bench.deliver();
  bench.sending.reroute(Duration{100'000});
  bench.carry(Time{0} + 100_ns, Time{0} + 250_ns);  // 0.35 us alone; its 150 ns behind the other
  bench.carry(Time{0} + 2_us, Time{0} + 2'100_ns);  // 2.2 us: nobody is before it any more
  bench.deliver();
  CHECK(bench.arrivals() == std::vector{Time{0} + 1'100_ns, Time{0} + 1'250_ns, Time{0} + 2'200_ns});
}

TEST_CASE("the image of a far clock pauses, runs out and counts as the clock itself does") {
  CutBench bench;
  const Priority priority{3};
  bench.asker.pause(bench.near.context, priority);
  // 65 535 quanta of 512 bit times at 100 Gbps are 65 535 x 5.12 ns = 335.5392 us.
  PfcFields pause{PrioritySet{0b1000}, PrioritySet{0b1000}, 65'535};
  bench.clock.coming(Time{0} + 1_us, pause);
  bench.clock.look({Time{0} + 1_us, Phase::wire_free, 0});
  CHECK_FALSE(bench.clock.clock().paused().contains(priority));
  bench.clock.look({Time{0} + 1_us, Phase::data_arrival, 0});
  CHECK(bench.clock.clock().paused().contains(priority));
  bench.clock.look({Time{0} + 1_us + Duration{335'539'200}, Phase::data_arrival, 0});
  CHECK(bench.clock.clock().paused().contains(priority));
  bench.clock.look({Time{0} + 1_us + Duration{335'539'200}, Phase::workload, 0});
  CHECK_FALSE(bench.clock.clock().paused().contains(priority));
  CHECK(bench.clock.clock().expired_while_meant()[3] == 1);
  CHECK(bench.clock.clock().free_since(priority) == Time{0} + 1_us + Duration{335'539'200});

  // What is on a link that goes down never arrives, and the pause in force ends.
  bench.clock.coming(Time{0} + 400_us, pause);
  bench.clock.look({Time{0} + 401_us, Phase::wire_free, 0});
  CHECK(bench.clock.clock().paused().contains(priority));
  bench.clock.coming(Time{0} + 403_us, pause);
  bench.clock.link_lost({Time{0} + 402_us, Phase::wire_free, 0}, true);
  CHECK_FALSE(bench.clock.clock().paused().contains(priority));
  bench.clock.look({Time{0} + 500_us, Phase::wire_free, 0});
  CHECK(bench.clock.clock().free_since(priority) == Time{0} + 402_us);
  CHECK(bench.clock.clock().expired_while_meant()[3] == 1);
}
