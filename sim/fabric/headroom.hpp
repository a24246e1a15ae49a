// Headroom: where the frames go that arrive between the decision to pause and its effect.
// Simplifies: one mode so far, `per-queue`; a mode is one class with the members of PerQueueHeadroomPool.
// Source: IEEE 802.1Qbb; docs/model.md sections 3 and 5.
// Validated by tests/unit/fabric/headroom_test.cpp and shared_buffer_reference_test.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "core/units.hpp"
#include "fabric/fabric_config.hpp"

namespace soya {

/// Every priority group owns its bytes; nobody else may use them. Groups are indexed port × 8 + priority.
class PerQueueHeadroomPool final {
 public:
  /// `sizes`: bytes of each group; 0 for a lossy one.
  explicit PerQueueHeadroomPool(const std::vector<Bytes>& sizes);

  /// Bytes the pool takes away from the buffer at build.
  [[nodiscard]] Bytes carved() const { return carved_; }

  /// Charges the whole of `charge` to `group` and returns 0, or charges nothing and returns what is missing.
  [[nodiscard]] Bytes take(std::size_t group, Bytes charge) {
    Account& account = accounts_[group];
    const Bytes missing = account.use + charge - account.size;
    if (missing <= Bytes{0}) {
      account.use += charge;
      account.peak = std::max(account.peak, account.use);
    } else {
      account.refused += charge;
    }
    account.needed = std::max(account.needed, account.use + account.refused);
    return std::max(missing, Bytes{0});
  }

  /// Releases at most `charge` from `group`; returns what the group held of it.
  [[nodiscard]] Bytes give_back(std::size_t group, Bytes charge) {
    Account& account = accounts_[group];
    const Bytes released = std::min(account.use, charge);
    account.use -= released;
    return released;
  }

  /// `group` is on again: what it was refused belongs to an off period that is over.
  void resumed(std::size_t group) { accounts_[group].refused = Bytes{0}; }

  [[nodiscard]] Bytes size(std::size_t group) const { return accounts_[group].size; }
  [[nodiscard]] Bytes use(std::size_t group) const { return accounts_[group].use; }
  [[nodiscard]] Bytes peak(std::size_t group) const { return accounts_[group].peak; }
  /// The most that was held and refused together within one off period: no smaller size is enough.
  [[nodiscard]] Bytes needed(std::size_t group) const { return accounts_[group].needed; }

 private:
  struct Account {
    Bytes size;
    Bytes use;
    Bytes peak;
    Bytes refused;  ///< since the group went off
    Bytes needed;
  };
  std::vector<Account> accounts_;
  Bytes carved_;
};

/// The modes. A new mode is an alternative here and in `HeadroomConfig`; a forgotten case does not compile.
using HeadroomPool = std::variant<PerQueueHeadroomPool>;

/// The pool of the configured mode. `sizes`: bytes of each group with `auto` resolved.
[[nodiscard]] HeadroomPool make_headroom_pool(const HeadroomConfig& config, const std::vector<Bytes>& sizes);

}  // namespace soya
