#include "workload/ring_group.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/check.hpp"

namespace soya {
namespace {

// A tag is the ordinal of a slice or, with the top bit, of a clear-to-send.
constexpr std::uint64_t clear_to_send_bit = std::uint64_t{1} << 63;

bool is_clear_to_send(std::uint64_t tag) {
  return (tag & clear_to_send_bit) != 0;
}
std::int64_t ordinal(std::uint64_t tag) {
  return static_cast<std::int64_t>(tag & ~clear_to_send_bit);
}

}  // namespace

/// Posts what a rank asks for on one of its channels.
class RingGroup::Actions final : public RingActions {
 public:
  Actions(RingGroup& group, HostContext& context, const RingPlace& at) : group_{group}, context_{context}, at_{at} {}

  void send_slice(const RingSlice& slice) override {
    post({.connection = static_cast<std::uint32_t>(group_.index(at_)),
          .size = slice.size,
          .operation = Operation::write_immediate,
          .tag = static_cast<std::uint64_t>(slice.ordinal),
          .is_transfer = true,
          .series = group_.by_series_ ? group_.place(at_).unposted-- : 1});
  }

  void send_clear_to_send(std::int64_t ordinal) override {
    post({.connection = static_cast<std::uint32_t>(group_.index({group_.previous(at_.rank), at_.channel})),
          .size = group_.members_.ring.clear_to_send,
          .operation = Operation::write_immediate,
          .tag = static_cast<std::uint64_t>(ordinal) | clear_to_send_bit,
          .is_transfer = false});
  }

  void reduce() override { group_.place(at_).reduction_end = context_.now() + group_.members_.ring.reduce_time; }

 private:
  void post(const WorkRequest& request) {
    ++group_.outstanding_[static_cast<std::size_t>(at_.rank)];
    context_.post(request);
  }

  RingGroup& group_;
  HostContext& context_;
  RingPlace at_;
};

RingGroup::RingGroup(RingMembers members, const std::vector<std::string>& host_names)
    : members_{std::move(members)}, outstanding_(members_.hosts.size(), 0) {
  const auto& hosts = members_.hosts;
  SOYA_CHECK(!hosts.empty(), "a ring has hosts");
  rank_by_host_.assign(std::max_element(hosts.begin(), hosts.end())->index() + 1, ranks());
  for (int rank = 0; rank < ranks(); ++rank) {
    const HostId host = hosts[static_cast<std::size_t>(rank)];
    rank_by_host_[host.index()] = rank;
    names_.push_back(host_names.at(host.index()));
    for (int channel = 0; channel < members_.ring.channels; ++channel) {
      places_.push_back({RingRank{{rank, channel}, members_.ring}});
    }
  }
  if (ranks() == 1) return;
  for (int rank = 0; rank < ranks(); ++rank) {
    const auto from = static_cast<std::size_t>(rank);
    const auto to = static_cast<std::size_t>(next(rank));
    for (int channel = 0; channel < members_.ring.channels; ++channel) {
      connections_.push_back({hosts[from], hosts[to], members_.priority,
                              fmt::format("{}/{}>{}/{}", members_.name, names_[from], names_[to], channel)});
    }
  }
}

std::size_t RingGroup::index(const RingPlace& at) const {
  return static_cast<std::size_t>(at.rank) * static_cast<std::size_t>(members_.ring.channels) +
         static_cast<std::size_t>(at.channel);
}

bool RingGroup::has(HostId host) const {
  return host.index() < rank_by_host_.size() && rank_by_host_[host.index()] < ranks();
}

int RingGroup::rank_of(HostId host) const {
  SOYA_CHECK(has(host), "the host is in the ring");
  return rank_by_host_[host.index()];
}

RingPlace RingGroup::place_of(const HostContext& context, std::uint32_t connection) const {
  const auto channels = static_cast<std::uint32_t>(members_.ring.channels);
  return {rank_of(context.host()), static_cast<int>(connection % channels)};
}

void RingGroup::begin(HostContext& context, const RingLayout& layout) {
  const int rank = rank_of(context.host());
  for (int channel = 0; channel < members_.ring.channels; ++channel) {
    Actions actions{*this, context, {rank, channel}};
    if (by_series_) place({rank, channel}).unposted += layout.slices_sent({rank, channel});
    place({rank, channel}).ring.begin(layout, actions);
  }
}

void RingGroup::sent(HostContext& context, const Completion& completion) {
  const RingPlace at = place_of(context, completion.connection);
  --outstanding_[static_cast<std::size_t>(at.rank)];
  if (is_clear_to_send(completion.tag)) return;
  Actions actions{*this, context, at};
  place(at).ring.slice_sent(actions);
}

void RingGroup::received(HostContext& context, const Completion& completion) {
  const RingPlace at = place_of(context, completion.connection);
  Actions actions{*this, context, at};
  if (is_clear_to_send(completion.tag)) {
    place(at).ring.clear_to_send_received(ordinal(completion.tag), actions);
  } else {
    place(at).ring.slice_received(ordinal(completion.tag), actions);
  }
}

void RingGroup::woke(HostContext& context) {
  const int rank = rank_of(context.host());
  for (int channel = 0; channel < members_.ring.channels; ++channel) {
    Place& here = place({rank, channel});
    if (here.reduction_end > context.now()) continue;
    here.reduction_end = Time::never();
    Actions actions{*this, context, {rank, channel}};
    here.ring.slice_reduced(actions);
  }
}

bool RingGroup::finished(int rank) const {
  for (int channel = 0; channel < members_.ring.channels; ++channel) {
    if (!place({rank, channel}).ring.finished()) return false;
  }
  return true;
}

Time RingGroup::next_reduction(int rank) const {
  Time next = Time::never();
  for (int channel = 0; channel < members_.ring.channels; ++channel) {
    next = std::min(next, place({rank, channel}).reduction_end);
  }
  return next;
}

Bytes RingGroup::sent_bytes(int rank) const {
  Bytes total{0};
  for (int channel = 0; channel < members_.ring.channels; ++channel) {
    total += place({rank, channel}).ring.placed_bytes();
  }
  return total;
}

std::string RingGroup::describe(int rank) const {
  return fmt::format("rank {} ({})", rank, names_[static_cast<std::size_t>(rank)]);
}

std::string RingGroup::waiting(int rank) const {
  for (int channel = 0; channel < members_.ring.channels; ++channel) {
    const RingRank& ring = place({rank, channel}).ring;
    const std::string here =
        fmt::format(" on channel {}, {} of {} slices taken", channel, ring.slices_taken(), ring.slices_to_take());
    switch (ring.waits_for()) {
      case RingWait::nothing:
        break;
      case RingWait::slice:
        return fmt::format("{} waits for a slice of {}{}", describe(rank), describe(previous(rank)), here);
      case RingWait::reduction:
        return fmt::format("{} reduces{}", describe(rank), here);
      case RingWait::clear_to_send:
        return fmt::format("{} waits for a clear-to-send of {}{}", describe(rank), describe(next(rank)), here);
      case RingWait::acknowledge:
        return fmt::format("{} waits for an acknowledge of {}{}", describe(rank), describe(next(rank)), here);
    }
  }
  return fmt::format("{} waits for the acknowledge of its last {} messages", describe(rank),
                     outstanding_[static_cast<std::size_t>(rank)]);
}

}  // namespace soya
