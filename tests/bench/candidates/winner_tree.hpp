// Candidate: a winner tree with whole keys, a tournament of `Arity` children per node that stores whole keys, so that
// the loads of a path do not depend on each other. A pop leaves its leaf in place for the schedule that usually
// follows: one replay serves both.
#pragma once

#include <cstddef>
#include <vector>

#include "key.hpp"

namespace soya::bench {

template <unsigned Arity>
class WinnerTree {
 public:
  WinnerTree() { rebuild(Arity); }
  void resize_sources(std::size_t count) { leaf_of_.assign(count, absent); }
  [[nodiscard]] std::size_t size() const { return size_; }

  void schedule(const Key& key) {
    std::uint32_t leaf = leaf_of_[key.source];
    if (leaf == absent) {
      ++size_;
      if (hole_ != absent) {
        leaf = hole_;
        hole_ = absent;
        leaf_of_[key.source] = leaf;
        return replay(leaf, key.time, key.order, word(key));
      }
      if (free_.empty()) grow();
      leaf = free_.back();
      free_.pop_back();
      leaf_of_[key.source] = leaf;
    }
    replay(leaf, key.time, key.order, word(key));
  }

  void cancel(std::uint32_t source) {
    const std::uint32_t leaf = leaf_of_[source];
    if (leaf == absent) return;
    leaf_of_[source] = absent;
    --size_;
    vacate(leaf);
  }

  Key pop() {
    if (hole_ != absent) vacate(hole_);
    const Node& top = node(root);
    const Key key{top.time, top.order, static_cast<std::uint32_t>(top.word),
                  static_cast<std::uint32_t>(top.word >> 32)};
    hole_ = leaf_of_[key.source];
    leaf_of_[key.source] = absent;
    --size_;
    return key;
  }

 private:
  static constexpr std::uint32_t absent = UINT32_MAX;
  static constexpr std::uint32_t root = Arity - 1;
  static constexpr std::uint32_t shift = Arity == 2 ? 1 : 2;
  static constexpr std::uint32_t offset = Arity - 2;  // parent(p) = p / Arity + offset

  struct Node {
    std::uint64_t time{UINT64_MAX};
    std::uint64_t order{0};
    std::uint64_t word{0};  // rest, source
    std::uint64_t unused{0};
  };
  struct alignas(64) Group {
    Node nodes[Arity];
  };

  static std::uint64_t word(const Key& key) { return (static_cast<std::uint64_t>(key.rest) << 32) | key.source; }
  [[nodiscard]] Node& node(std::uint32_t p) { return groups_[p >> shift].nodes[p & (Arity - 1)]; }

  void vacate(std::uint32_t leaf) {
    replay(leaf, UINT64_MAX, leaf, 0);
    if (hole_ == leaf) hole_ = absent;
    free_.push_back(leaf);
  }

  struct Running {
    std::uint64_t time, order, word;
  };
  static void take_smaller(Running& a, const Node& b) {
    const std::uint64_t time = b.time;
    const std::uint64_t order = b.order;
    const std::uint64_t word = b.word;
    const Word128 left = (static_cast<Word128>(a.time) << 64) | a.order;
    const Word128 right = (static_cast<Word128>(time) << 64) | order;
    bool less = right < left;
    if (left == right) [[unlikely]]
      less = word < a.word;
    const bool pick = __builtin_expect_with_probability(less, 1, 0.5) != 0;
    a.time = pick ? time : a.time;
    a.order = pick ? order : a.order;
    a.word = pick ? word : a.word;
    asm("" : "+r"(a.time), "+r"(a.order), "+r"(a.word));
  }

  void replay(std::uint32_t p, std::uint64_t time, std::uint64_t order, std::uint64_t word) {
    Running now{time, order, word};
    for (;;) {
      Node& here = node(p);
      if (here.time == now.time && here.order == now.order && here.word == now.word) return;
      here.time = now.time;
      here.order = now.order;
      here.word = now.word;
      if (p == root) return;
      if constexpr (Arity == 2) {
        take_smaller(now, node(p ^ 1U));
      } else {
        const Node& sibling = node(p ^ 1U);
        Running rivals{sibling.time, sibling.order, sibling.word};
        take_smaller(rivals, node(p ^ 2U));
        take_smaller(rivals, node(p ^ 3U));
        const Node best{rivals.time, rivals.order, rivals.word, 0};
        take_smaller(now, best);
      }
      p = (p >> shift) + offset;
    }
  }

  void grow() { rebuild(leaves_ * Arity); }

  void rebuild(std::uint32_t leaves) {
    std::vector<Node> kept;
    for (std::uint32_t i = 0; i < leaves_; ++i) {
      if (node(base_ + i).time != UINT64_MAX) kept.push_back(node(base_ + i));
    }
    leaves_ = leaves;
    base_ = root;
    for (std::uint32_t width = 1; width < leaves; width *= Arity) base_ = (base_ - offset) * Arity;
    groups_.assign((base_ + leaves) / Arity + 1, Group{});
    free_.clear();
    for (std::uint32_t i = leaves; i-- > 0;) {
      Node& leaf = node(base_ + i);
      if (i < kept.size()) {
        leaf = kept[i];
        leaf_of_[static_cast<std::uint32_t>(leaf.word)] = base_ + i;
      } else {
        leaf.order = base_ + i;
        free_.push_back(base_ + i);
      }
    }
    for (std::uint32_t p = base_ + leaves; p-- > root + 1;) {
      Node& up = node((p >> shift) + offset);
      Running best{up.time, up.order, up.word};
      if (p % Arity == Arity - 1) best = {node(p).time, node(p).order, node(p).word};
      take_smaller(best, node(p));
      up = Node{best.time, best.order, best.word, 0};
    }
  }

  std::vector<Group> groups_;
  std::vector<std::uint32_t> leaf_of_;
  std::vector<std::uint32_t> free_;
  std::uint32_t leaves_{0};
  std::uint32_t base_{root};
  std::uint32_t hole_{absent};
  std::size_t size_{0};
};

}  // namespace soya::bench
