// The headroom modes of docs/model.md section 3, a class each. A new one needs a class here, its name in `HeadroomMode`
// and a line in `make_headroom_policy`.
// Simplifies: see headroom_policy.hpp. Source: each class's own. Validated by
// tests/unit/fabric/headroom_policies_test.cpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

#include "fabric/headroom_policy.hpp"

namespace soya {

/// Every lossless group owns its bytes; nobody else may use them. Source: IEEE 802.1Qbb, annex O.
class PerQueuePolicy final : public HeadroomPolicy {
 public:
  explicit PerQueuePolicy(const HeadroomLayout& layout) {
    for (std::size_t group = 0; group < layout.group_count(); ++group) size_.push_back(layout.size_of(group));
    free_ = size_;
  }
  [[nodiscard]] Bytes carved() const override {
    Bytes sum;
    for (const Bytes size : size_) sum += size;
    return sum;
  }
  [[nodiscard]] Bytes size(std::size_t group) const override { return size_[group]; }
  [[nodiscard]] HeadroomScope scope() const override { return HeadroomScope::group; }
  [[nodiscard]] HeadroomRoom room(std::size_t group) const override { return {free_[group], HeadroomLimit::group}; }
  void take(std::size_t group, Bytes charge) override { free_[group] -= charge; }
  void give_back(std::size_t group, Bytes charge) override { free_[group] += charge; }

 private:
  std::vector<Bytes> size_;
  std::vector<Bytes> free_;
};

/// One pool for all lossless groups of the switch, with a cap on what one group takes.
/// Source: SONiC's shared headroom pool (BUFFER_POOL.xoff, BUFFER_PROFILE.xoff).
class SharedPoolPolicy final : public HeadroomPolicy {
 public:
  SharedPoolPolicy(const SharedPoolHeadroom& config, const HeadroomLayout& layout)
      : pool_{pool_of(config, layout)},
        free_{pool_},
        cap_{std::min(config.cap.value_or(pool_), pool_)},
        held_(layout.group_count()) {}

  /// `pool` where it is given, else the sum of the groups' sizes ÷ `oversubscribe`, rounded up; 0 without groups.
  [[nodiscard]] static Bytes pool_of(const SharedPoolHeadroom& config, const HeadroomLayout& layout) {
    if (layout.lossless.empty()) return Bytes{0};
    if (config.pool) return *config.pool;
    Bytes sum;
    for (std::size_t group = 0; group < layout.group_count(); ++group) sum += layout.size_of(group);
    const auto [ratio, one] = config.oversubscribe;
    return Bytes{static_cast<std::int64_t>((static_cast<Int128>(sum.count()) * one + ratio - 1) / ratio)};
  }

  [[nodiscard]] Bytes carved() const override { return pool_; }
  [[nodiscard]] Bytes size(std::size_t) const override { return cap_; }
  [[nodiscard]] HeadroomScope scope() const override { return HeadroomScope::pool; }
  [[nodiscard]] HeadroomRoom room(std::size_t group) const override {
    const Bytes below_cap = cap_ - held_[group];
    if (free_ <= below_cap) return {free_, HeadroomLimit::pool};
    return {below_cap, HeadroomLimit::cap};
  }
  void take(std::size_t group, Bytes charge) override {
    held_[group] += charge;
    free_ -= charge;
  }
  void give_back(std::size_t group, Bytes charge) override {
    held_[group] -= charge;
    free_ += charge;
  }

 private:
  Bytes pool_;
  Bytes free_;
  Bytes cap_;
  std::vector<Bytes> held_;
};

/// All lossless priorities of a port share its bytes; they are paused together, so that no more than one loop of the
/// link arrives after the first of them is paused.
class PortSharedPolicy final : public HeadroomPolicy {
 public:
  explicit PortSharedPolicy(const HeadroomLayout& layout) : size_{layout.by_port}, free_{layout.by_port} {
    if (!layout.lossless.empty()) return;
    std::fill(size_.begin(), size_.end(), Bytes{0});
    free_ = size_;
  }
  [[nodiscard]] Bytes carved() const override {
    Bytes sum;
    for (const Bytes size : size_) sum += size;
    return sum;
  }
  [[nodiscard]] Bytes size(std::size_t group) const override { return size_[group / Priority::count]; }
  [[nodiscard]] HeadroomScope scope() const override { return HeadroomScope::port; }
  [[nodiscard]] HeadroomRoom room(std::size_t group) const override {
    return {free_[group / Priority::count], HeadroomLimit::port};
  }
  void take(std::size_t group, Bytes charge) override { free_[group / Priority::count] -= charge; }
  void give_back(std::size_t group, Bytes charge) override { free_[group / Priority::count] += charge; }
  [[nodiscard]] PauseRule pause_rule() const override { return {.whole_port = true}; }

 private:
  std::vector<Bytes> size_;
  std::vector<Bytes> free_;
};

/// DSH: the bytes of a port are its insurance, used once the whole port is paused; before that the headroom of a group
/// is in shared memory. Xqoff = T - η, Xpoff = Nq × T. Source: Shan et al., ICDCS'23.
class DynamicSharedPolicy final : public HeadroomPolicy {
 public:
  explicit DynamicSharedPolicy(const HeadroomLayout& layout)
      : insurance_{layout}, rule_{.port_multiple = std::popcount(layout.lossless.bits()), .margin = layout.by_port} {}
  [[nodiscard]] Bytes carved() const override { return insurance_.carved(); }
  [[nodiscard]] Bytes size(std::size_t group) const override { return insurance_.size(group); }
  [[nodiscard]] HeadroomScope scope() const override { return HeadroomScope::port; }
  [[nodiscard]] HeadroomRoom room(std::size_t group) const override { return insurance_.room(group); }
  void take(std::size_t group, Bytes charge) override { insurance_.take(group, charge); }
  void give_back(std::size_t group, Bytes charge) override { insurance_.give_back(group, charge); }
  [[nodiscard]] PauseRule pause_rule() const override { return rule_; }

 private:
  PortSharedPolicy insurance_;
  PauseRule rule_;
};

/// No headroom at all.
class NoHeadroomPolicy final : public HeadroomPolicy {
 public:
  [[nodiscard]] Bytes carved() const override { return Bytes{0}; }
  [[nodiscard]] Bytes size(std::size_t) const override { return Bytes{0}; }
  [[nodiscard]] HeadroomScope scope() const override { return HeadroomScope::group; }
  [[nodiscard]] HeadroomRoom room(std::size_t) const override { return {Bytes{0}, HeadroomLimit::none}; }
  void take(std::size_t, Bytes) override {}
  void give_back(std::size_t, Bytes) override {}
};

}  // namespace soya
