// A reliable connection between two queue pairs over paths that lose packets of every kind: all is delivered once.
#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <vector>

#include "property/random_scenario.hpp"
#include "support/units_io.hpp"
#include "transport/requester.hpp"
#include "transport/responder.hpp"

using namespace soya;

namespace {

constexpr std::int64_t mtu = 100;

struct Message {
  Operation operation;
  std::int64_t size;
};

enum class Order { kept, lost };

/// One requester and one responder, a packet per tick each way, a fixed delay, random losses. A tick is a nanosecond.
class Pair {
 public:
  Pair(std::uint64_t seed, Retransmission scheme, Order order = Order::kept) : random_{seed}, order_{order} {
    RequesterConfig config;
    config.retransmission = scheme;
    config.retry_count = 1'000'000;
    config.ack_every = pick({1, 2, 5, 64});
    config.queue_depth = pick({1, 3, 128});
    config.max_reads = pick({1, 2, 16});
    const std::int64_t window = pick({1, 2, 7, 50, 1000});
    config.max_unacked = window;
    config.initial_psn = static_cast<std::uint32_t>(pick({0, 5, 0xFFFFF0}));
    delay_ = pick({1, 10, 40});
    loss_percent_ = pick({0, 1, 5, 20});
    timeout_ = 2 * delay_ + pick({5, 300, 1000});
    ResponderConfig other;
    other.initial_psn = config.initial_psn;
    other.retransmission = scheme;
    other.reorder_window = window;
    other.mtu = Bytes{mtu};
    if (random_() % 2 == 0) other.receives = ReceiveQueue{pick({1, 2, 5}), Duration{0}};
    if (order == Order::lost && random_() % 3 != 0) {
      config.reorder_timeout = pick({1, 20, 200}) * 1_ns;
      other.reorder_timeout = pick({1, 20, 200}) * 1_ns;
    }
    requester_.emplace(config);
    responder_.emplace(other);
    has_receives_ = other.receives.has_value();
    for (int i = 0; i < 60; ++i) post();
  }

  void run() {
    for (now_ = 0; !requester_->idle() || !out_.empty() || !back_.empty(); ++now_) {
      REQUIRE(now_ < 3'000'000);
      REQUIRE_FALSE(requester_->failed());
      if (now_ == waits_until_) {
        requester_->resume();
        deadline_ = now_ + timeout_;
      }
      arrive();
      responder_->gaps_grew_old(time());
      requester_->gaps_grew_old(time());
      send();
      answer();
      if (requester_->awaits_acknowledge() && now_ >= deadline_) {
        requester_->timed_out();
        deadline_ = now_ + timeout_;
        ++timeouts_;
      }
    }
    check();
  }
  [[nodiscard]] std::int64_t lost() const { return lost_; }
  [[nodiscard]] std::int64_t refused() const { return refused_; }

 private:
  struct UnderWay {
    std::int64_t at;
    Packet packet;
  };
  [[nodiscard]] Time time() const { return Time{0} + now_ * 1_ns; }
  int pick(std::initializer_list<int> choices) { return *(choices.begin() + random_() % choices.size()); }

  void post() {
    constexpr Operation kinds[] = {Operation::write, Operation::write_immediate, Operation::send, Operation::read,
                                   Operation::write_polled};
    const Message message{kinds[random_() % 5], pick({0, 1, 99, 100, 101, 250, 1000, 3210})};
    requester_->post({Bytes{message.size}, message.operation, messages_.size(), 0}, sizes_);
    messages_.push_back(message);
  }
  void put(std::deque<UnderWay>& path, const Packet& packet) {
    if (static_cast<int>(random_() % 100) < loss_percent_) {
      ++lost_;
      return;
    }
    const std::int64_t detour = order_ == Order::lost ? static_cast<std::int64_t>(random_() % 60) : 0;
    const std::int64_t at = now_ + delay_ + detour;
    const auto place = std::ranges::upper_bound(path, at, {}, &UnderWay::at);
    path.insert(place, {at, packet});
  }
  void send() {
    if (!requester_->can_send()) return;
    const bool was_waiting = requester_->awaits_acknowledge();
    Packet packet;
    requester_->fill_next(packet, sizes_);
    if (!was_waiting) deadline_ = now_ + timeout_;
    put(out_, packet);
  }
  void answer() {
    Packet packet;
    if (responder_->owed() != Reply::none && random_() % 3 != 0) {
      responder_->fill_reply(packet);
      put(back_, packet);
    } else if (responder_->has_response()) {
      responder_->fill_response(packet, sizes_);
      put(back_, packet);
    }
  }
  void arrive() {
    for (; !out_.empty() && out_.front().at <= now_; out_.pop_front()) {
      responder_->receive(out_.front().packet, Time{0} + now_ * 1_ns);
      for (const Responder::Received& received : responder_->received()) {
        received_.push_back(received);
        if (received.took_receive && has_receives_) responder_->post_receive(Time{0} + (now_ + 20) * 1_ns);
      }
      responder_->received().clear();
    }
    for (; !back_.empty() && back_.front().at <= now_; back_.pop_front()) {
      const Packet& packet = back_.front().packet;
      bool news = false;
      if (packet.kind == PacketKind::read_response) {
        news = requester_->responded(packet, time());
      } else if (packet.kind == PacketKind::rnr_nak) {
        ++refused_;
        news = requester_->receiver_not_ready(packet);
        if (news) waits_until_ = now_ + 30;
      } else {
        news = requester_->replied(packet);
      }
      if (news) deadline_ = now_ + timeout_;
      for (const SendCompletion& done : requester_->completions()) completed_.push_back(done.tag);
      requester_->completions().clear();
    }
  }
  void check() {
    std::vector<std::uint64_t> all;
    std::int64_t there = 0;
    std::int64_t back = 0;
    std::size_t next = 0;
    for (std::size_t m = 0; m < messages_.size(); ++m) {
      all.push_back(m);
      (messages_[m].operation == Operation::read ? back : there) += messages_[m].size;
      if (!notifies_receiver(messages_[m].operation)) continue;
      REQUIRE(next < received_.size());
      CHECK(received_[next].tag == m);
      CHECK(received_[next].size == Bytes{messages_[m].size});
      ++next;
    }
    CHECK(next == received_.size());
    CHECK(completed_ == all);
    CHECK(responder_->delivered() == there);
    CHECK(requester_->delivered() == back);
    if (order_ == Order::lost) return;
    if (lost_ == 0) CHECK(responder_->gaps() + requester_->gaps() == 0);
    if (lost_ == 0 && timeouts_ == 0 && refused_ == 0) CHECK(requester_->retransmitted() == 0);
  }

  std::mt19937_64 random_;
  Order order_;
  FrameSizes sizes_{FrameConfig{.mtu = Bytes{mtu}}};
  std::optional<Requester> requester_;
  std::optional<Responder> responder_;
  std::vector<Message> messages_;
  std::vector<std::uint64_t> completed_;
  std::vector<Responder::Received> received_;
  std::deque<UnderWay> out_;
  std::deque<UnderWay> back_;
  std::int64_t now_{0};
  std::int64_t deadline_{0};
  std::int64_t waits_until_{-1};
  std::int64_t delay_{1};
  std::int64_t timeout_{0};
  int loss_percent_{0};
  bool has_receives_{false};
  std::int64_t lost_{0};
  std::int64_t refused_{0};
  std::int64_t timeouts_{0};
};

}  // namespace

TEST_CASE("every message of every operation is delivered once and in order, whatever is lost") {
  std::int64_t lost = 0;
  std::int64_t refused = 0;
  for (std::uint64_t seed = 1; seed <= 2 * test::property_seeds(); ++seed) {
    for (const Retransmission scheme : {Retransmission::go_back_n, Retransmission::selective_repeat}) {
      CAPTURE(seed);
      CAPTURE(static_cast<int>(scheme));
      Pair pair{seed, scheme};
      pair.run();
      lost += pair.lost();
      refused += pair.refused();
    }
  }
  MESSAGE(lost << " packets lost, " << refused << " requests without a receive");
  CHECK(lost > 0);
  CHECK(refused > 0);
}

TEST_CASE("so it is where packets overtake each other, with and without patience") {
  for (std::uint64_t seed = 1; seed <= 2 * test::property_seeds(); ++seed) {
    for (const Retransmission scheme : {Retransmission::go_back_n, Retransmission::selective_repeat}) {
      CAPTURE(seed);
      CAPTURE(static_cast<int>(scheme));
      Pair pair{seed, scheme, Order::lost};
      pair.run();
    }
  }
}
