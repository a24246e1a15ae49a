// The headroom of one switch: its policy, and the books of who held how much of it and for how long.
// Simplifies: use is measured as a share of all that was set aside, in hundredths.
// Source: docs/model.md section 3; Shan et al., ICDCS'23, measures the unused share over time.
// Validated by tests/unit/fabric/headroom_test.cpp and shared_buffer_reference_test.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/units.hpp"
#include "fabric/headroom_policy.hpp"

namespace soya {

/// Whether a frame found room.
struct HeadroomAnswer {
  Bytes missing;  ///< 0: the frame is charged
  HeadroomLimit limit{HeadroomLimit::group};
};

class Headroom final {
 public:
  /// Time is counted by hundredths of the headroom in use: 0 %, up to 1 %, … up to 100 %.
  static constexpr std::size_t shares = 101;

  Headroom(std::unique_ptr<HeadroomPolicy> policy, const HeadroomLayout& layout);

  /// Charges the whole of `charge` to `group`, or nothing of it.
  [[nodiscard]] HeadroomAnswer take(std::size_t group, Bytes charge, Time now);
  /// Releases at most `charge` from `group`; returns what the group held of it.
  [[nodiscard]] Bytes give_back(std::size_t group, Bytes charge, Time now);
  /// `group` is on again: earlier than with enough headroom, if it was refused a frame.
  void resumed(std::size_t group);
  /// From now on frames leave that a loss has moved up. What comes is not what would come with enough headroom, so a
  /// refused frame counts alone.
  void loss_shows();

  [[nodiscard]] PauseRule pause_rule() const { return policy_->pause_rule(); }
  [[nodiscard]] Bytes carved() const { return carved_; }
  [[nodiscard]] HeadroomScope scope() const { return scope_; }

  // Of one group.
  [[nodiscard]] Bytes size(std::size_t group) const { return policy_->size(group); }
  [[nodiscard]] Bytes use(std::size_t group) const { return accounts_[group].use; }
  [[nodiscard]] Bytes peak(std::size_t group) const { return accounts_[group].peak; }
  /// The most that would have been held with room for all, until a loss shows; after that, the most that was held and
  /// one frame. No smaller size is enough.
  [[nodiscard]] Bytes needed(std::size_t group) const { return accounts_[group].needed; }
  /// How long the group has held headroom until `now`.
  [[nodiscard]] Duration time_in_headroom(std::size_t group, Time now) const;

  /// Of all groups of the port of `group` together.
  [[nodiscard]] Bytes port_needed(std::size_t group) const { return ports_[group / Priority::count].needed; }
  /// What is left of the tightest bytes that `group` draws on, at the worst moment; below 0: what was missing.
  [[nodiscard]] Bytes margin(std::size_t group) const;

  // Of all groups together.
  [[nodiscard]] Bytes total_use() const { return total_.use; }
  [[nodiscard]] Bytes total_peak() const { return total_.peak; }
  [[nodiscard]] Bytes total_needed() const { return total_.needed; }
  [[nodiscard]] std::size_t lossless_groups() const { return lossless_groups_; }
  /// The most groups that held headroom at one time.
  [[nodiscard]] std::size_t groups_peak() const { return groups_peak_; }
  /// How long each share of the headroom was in use until `now`; the times add up to `now`.
  [[nodiscard]] std::array<Duration, shares> time_by_share(Time now) const;

 private:
  struct Account {
    Bytes use;
    Bytes peak;
    Bytes refused;  ///< and would not have been released yet
    Bytes needed;

    void note_peaks();
    void refuse(Bytes charge, bool alone);
  };
  struct GroupAccount : Account {
    Time since;  ///< of the use that is not 0
    Duration time;
    bool lost{false};  ///< was refused a frame
  };
  /// Adds the time since the last change to the share that was in use.
  void book_time(Time now);

  std::unique_ptr<HeadroomPolicy> policy_;
  Bytes carved_;
  HeadroomScope scope_;
  std::size_t lossless_groups_{0};
  std::vector<GroupAccount> accounts_;
  std::vector<Account> ports_;
  Account total_{};
  std::size_t groups_{0};
  std::size_t groups_peak_{0};
  bool loss_shows_{false};
  Time changed_;
  std::array<Duration, shares> time_by_share_{};
};

}  // namespace soya
