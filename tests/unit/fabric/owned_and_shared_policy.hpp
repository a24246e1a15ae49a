// The example of docs/adding-a-headroom-policy.md: every lossless group owns half of its size, and the other halves are
// a pool of which whoever comes first takes. Simplifies: the halves are fixed. Source: none, an example. Validated by
// tests/unit/fabric/new_policy_test.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "fabric/headroom_policy.hpp"

namespace soya {

class OwnedAndSharedPolicy final : public HeadroomPolicy {
 public:
  explicit OwnedAndSharedPolicy(const HeadroomLayout& layout) : held_(layout.group_count()) {
    for (std::size_t group = 0; group < layout.group_count(); ++group) {
      owned_.push_back(layout.size_of(group) / 2);
      pool_ += layout.size_of(group) / 4;  // half of all other halves: 2 : 1
      carved_ += layout.size_of(group) / 2 + layout.size_of(group) / 4;
    }
    free_ = pool_;
  }
  [[nodiscard]] Bytes carved() const override { return carved_; }
  [[nodiscard]] Bytes size(std::size_t group) const override {
    return owned_[group] == Bytes{0} ? Bytes{0} : owned_[group] + pool_;
  }
  [[nodiscard]] HeadroomScope scope() const override { return HeadroomScope::pool; }
  [[nodiscard]] HeadroomRoom room(std::size_t group) const override {
    if (owned_[group] == Bytes{0}) return {Bytes{0}, HeadroomLimit::group};
    return {std::max(owned_[group] - held_[group], Bytes{0}) + free_, HeadroomLimit::pool};
  }
  void take(std::size_t group, Bytes charge) override {
    free_ -= from_pool(group, held_[group] + charge) - from_pool(group, held_[group]);
    held_[group] += charge;
  }
  void give_back(std::size_t group, Bytes charge) override {
    free_ += from_pool(group, held_[group]) - from_pool(group, held_[group] - charge);
    held_[group] -= charge;
  }

 private:
  /// Of `held` bytes those beyond what the group owns.
  [[nodiscard]] Bytes from_pool(std::size_t group, Bytes held) const {
    return std::max(held - owned_[group], Bytes{0});
  }

  std::vector<Bytes> owned_;
  std::vector<Bytes> held_;
  Bytes pool_;
  Bytes free_;
  Bytes carved_;
};

}  // namespace soya
