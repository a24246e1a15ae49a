#include "fabric/headroom.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "fabric/headroom_policies.hpp"

namespace soya {

namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
// clang 14 does not deduce aggregates by itself.
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

/// `use` in hundredths of `whole`, rounded up, so that only nothing is 0.
std::size_t share_of(Bytes use, Bytes whole) {
  if (use == Bytes{0}) return 0;
  const auto hundredths = (use.count() * 100 + whole.count() - 1) / whole.count();
  return std::min(static_cast<std::size_t>(hundredths), Headroom::shares - 1);
}

}  // namespace

std::unique_ptr<HeadroomPolicy> make_headroom_policy(const HeadroomMode& mode, const HeadroomLayout& layout) {
  using Policy = std::unique_ptr<HeadroomPolicy>;
  return std::visit(
      Overloaded{
          [&](const PerQueueHeadroom&) -> Policy { return std::make_unique<PerQueuePolicy>(layout); },
          [&](const SharedPoolHeadroom& pool) -> Policy { return std::make_unique<SharedPoolPolicy>(pool, layout); },
          [&](const PortSharedHeadroom&) -> Policy { return std::make_unique<PortSharedPolicy>(layout); },
          [&](const DynamicSharedHeadroom&) -> Policy { return std::make_unique<DynamicSharedPolicy>(layout); },
          [](const NoHeadroom&) -> Policy { return std::make_unique<NoHeadroomPolicy>(); },
      },
      mode);
}

Headroom::Headroom(std::unique_ptr<HeadroomPolicy> policy, const HeadroomLayout& layout)
    : policy_{std::move(policy)},
      carved_{policy_->carved()},
      scope_{policy_->scope()},
      accounts_(layout.group_count()),
      ports_(layout.by_port.size()) {
  for (std::size_t group = 0; group < accounts_.size(); ++group) {
    if (layout.is_lossless(group)) ++lossless_groups_;
  }
}

void Headroom::book_time(Time now) {
  time_by_share_[share_of(total_.use, carved_)] += now - changed_;
  changed_ = now;
}

void Headroom::Account::note_peaks() {
  peak = std::max(peak, use);
  needed = std::max(needed, use + refused);
}

void Headroom::Account::refuse(Bytes charge, bool alone) {
  if (!alone) refused += charge;
  needed = std::max(needed, use + (alone ? charge : refused));
}

HeadroomAnswer Headroom::take(std::size_t group, Bytes charge, Time now) {
  GroupAccount& account = accounts_[group];
  Account& port = ports_[group / Priority::count];
  const HeadroomRoom room = policy_->room(group);
  if (charge <= room.bytes) {
    book_time(now);
    policy_->take(group, charge);
    if (account.use == Bytes{0}) {
      account.since = now;
      groups_peak_ = std::max(groups_peak_, ++groups_);
    }
    for (Bytes* use : {&account.use, &port.use, &total_.use}) *use += charge;
  } else {
    for (Account* each : {static_cast<Account*>(&account), &port, &total_}) each->refuse(charge, loss_shows_);
    account.lost = true;
  }
  account.note_peaks();
  port.note_peaks();
  total_.note_peaks();
  return {std::max(charge - room.bytes, Bytes{0}), room.limit};
}

Bytes Headroom::give_back(std::size_t group, Bytes charge, Time now) {
  GroupAccount& account = accounts_[group];
  Account& port = ports_[group / Priority::count];
  const Bytes released = std::min(account.use, charge);
  // What was refused would leave headroom here, before shared memory is released.
  if (const Bytes refused = std::min(account.refused, charge - released); refused > Bytes{0}) {
    for (Bytes* sum : {&account.refused, &port.refused, &total_.refused}) *sum -= refused;
  }
  if (released == Bytes{0}) return released;
  book_time(now);
  policy_->give_back(group, released);
  for (Bytes* use : {&account.use, &port.use, &total_.use}) *use -= released;
  if (account.use == Bytes{0}) {
    account.time += now - account.since;
    --groups_;
  }
  return released;
}

void Headroom::resumed(std::size_t group) {
  if (accounts_[group].lost) loss_shows();
}

void Headroom::loss_shows() {
  loss_shows_ = true;
  for (GroupAccount& account : accounts_) account.refused = Bytes{0};
  for (Account& port : ports_) port.refused = Bytes{0};
  total_.refused = Bytes{0};
}

Bytes Headroom::margin(std::size_t group) const {
  if (scope_ == HeadroomScope::port) return policy_->size(group) - port_needed(group);
  const Bytes own = policy_->size(group) - needed(group);
  return scope_ == HeadroomScope::pool ? std::min(own, carved_ - total_.needed) : own;
}

Duration Headroom::time_in_headroom(std::size_t group, Time now) const {
  const GroupAccount& account = accounts_[group];
  return account.use > Bytes{0} ? account.time + (now - account.since) : account.time;
}

std::array<Duration, Headroom::shares> Headroom::time_by_share(Time now) const {
  std::array<Duration, shares> times = time_by_share_;
  times[share_of(total_.use, carved_)] += now - changed_;
  return times;
}

}  // namespace soya
