// The run as a whole: windows in which partitions run apart, and between them the script, the mail and the end.
//
// A window ends before anything that a partition does in it can reach another one: at the earliest over partitions of
// its next event and its shortest link to another partition. It also ends at the next event of the script, which sees
// all of the fabric. A partition that is quiet stops there. So when all are quiet and no mail is under way, the run is
// over, at the last event that made one of them quiet, and nobody has gone beyond it. Where not all are, somebody was
// not quiet all through the window: the run was not over at any time in it, and those that have stopped go on.
//
// Where partitions have two sides (topology/layer_cuts.hpp) these take turns. What one side has done is known to the
// other when it begins, so it may go as far beyond that as its own news takes to come back: windows are two links long.
#include <algorithm>
#include <utility>

#include "engine/crew.hpp"
#include "engine/look_ahead.hpp"
#include "engine/state.hpp"

namespace soya {

namespace {

/// A monitor is asked this often: every 2^13 events.
constexpr std::int64_t events_between_reports = 1 << 13;

/// A window with fewer events is over before another thread has begun its share.
constexpr std::int64_t least_to_share = 128;

/// A monitor looks between windows: every 0.1 s or so.
constexpr std::int64_t most_events_in_a_window = 1 << 20;

constexpr EventKey before_all{Time{INT64_MIN}, Phase::wire_free, 0};

/// What comes right behind `key`: nothing lies between.
[[nodiscard]] EventKey behind(EventKey key) {
  ++key.identity;  // no source has the last of all identities, but for one in 2^64
  return key;
}

class Windows final {
 public:
  explicit Windows(SimulationState& state)
      : state_{state},
        behind_last_{Time{0} + std::min(state.scenario.stop.after.value_or(longest_run), longest_run) + Duration{1},
                     Phase::wire_free, 0},
        plans_(state.partitions.size()),
        crew_{state.members, [this](std::size_t thread) {
                // A machine that gives fewer threads than there are members has some do the work of several.
                for (std::size_t member = thread; member < state_.members; member += crew_.size()) run_member(member);
              }} {}

  void run() {
    const bool in_order = state_.partitions.front()->context.observer != nullptr && plans_.size() > 1;
    if (state_.is_over()) return finish(before_all);
    while (!ended_) in_order ? step() : advance();
  }

 private:
  /// One partition's share of a window.
  struct alignas(64) Plan {
    bool runs{false};
    Time mail{Time::never()};       ///< when the first of what others have sent arrives
    EventKey quiet_at{before_all};  ///< the event that has made it quiet when it last became so in a window
    LookAhead ahead;
  };

  void run_member(std::size_t member) {
    for (std::size_t p = 0; p < plans_.size(); ++p) {
      if (state_.member_of(p) == member) run_share(p);
    }
  }

  void run_share(std::size_t p) {
    Plan& plan = plans_[p];
    if (!plan.runs) return;
    state_.deliver_mail(p);
    Partition& partition = *state_.partitions[p];
    if (state_.is_large) plan.ahead.fetch(state_, partition, end_.time);
    state_.run_before(partition, std::min(released_, end_));
    if (partition.quiet()) return;
    state_.run_until_quiet(partition, end_, most_);
    if (partition.quiet()) plan.quiet_at = partition.context.key();
  }

  /// When the first of what others have sent to a partition arrives.
  [[nodiscard]] Time mail_of(std::size_t p) const {
    Time first = Time::never();
    for (std::size_t member = 0; member < state_.members; ++member) {
      first = std::min(first, state_.mail_from(member, p).earliest());
    }
    return first;
  }

  /// No longer than what a monitor waits for: half as long as the one before if that held too much.
  [[nodiscard]] Time latest_end() {
    Time first = Time::never();
    for (std::size_t p = 0; p < plans_.size(); ++p) {
      first = std::min({first, state_.partitions[p]->events.next_time(), plans_[p].mail});
    }
    const std::int64_t handled = std::max(handled_[0], handled_[1]);
    longest_ = handled > most_events_in_a_window ? std::max(Duration{longest_.picoseconds() / 2}, Duration{1})
                                                  : std::min(longest_ + longest_, state_.longest_window);
    return first == Time::never() ? first : first + longest_;
  }

  [[nodiscard]] bool is_two_sided() const { return !state_.cuts.sides.empty(); }
  [[nodiscard]] bool has_turn(std::size_t p) const { return !is_two_sided() || state_.cuts.sides[p] == turn_; }

  /// When something that nobody knows of yet may reach a partition that has its turn: from a partition that it has a
  /// link to, or from itself and back.
  [[nodiscard]] Time horizon() const {
    Time from_others = Time::never();
    Time from_own = Time::never();
    Duration back{INT64_MAX};
    for (std::size_t p = 0; p < plans_.size(); ++p) {
      if (state_.reach[p] == Duration{INT64_MAX}) continue;
      if (!has_turn(p)) back = std::min(back, state_.reach[p]);
      const Time next = std::min(state_.partitions[p]->events.next_time(), plans_[p].mail);
      if (next == Time::never()) continue;
      Time& first = has_turn(p) ? from_own : from_others;
      first = std::min(first, next + state_.reach[p]);
    }
    if (!is_two_sided() || from_own == Time::never()) return std::min(from_own, from_others);
    return std::min(from_others, from_own + back);
  }

  /// Sets the end of the next window; returns how many partitions have something to do in it.
  std::size_t plan() {
    end_ = std::min(state_.script.next_key(), behind_last_);
    const std::size_t count = plans_.size();
    if (count > 1) {
      for (std::size_t p = 0; p < count; ++p) plans_[p].mail = mail_of(p);
      end_ = std::min(end_, EventKey{std::min(latest_end(), horizon()), Phase::wire_free, 0});
    }
    std::size_t running = 0;
    for (std::size_t p = 0; p < count; ++p) {
      // What arrives at the end of the window may lie before it or not: on its link, it is an event like others.
      Plan& plan = plans_[p];
      plan.runs = has_turn(p) && (plan.mail <= end_.time || state_.partitions[p]->events.is_next_before(end_));
      running += plan.runs ? 1U : 0U;
    }
    return running;
  }

  /// One window; what ends it, where nothing is left to do before that.
  void advance() {
    const std::size_t running = plan();
    if (running == 0) return rest();
    rested_ = false;
    const bool alone = plans_.size() == 1;
    most_ = alone && state_.monitor != nullptr ? events_between_reports : UINT64_MAX;
    // Tests want threads to meet now and then however little there is to do.
    const std::uint64_t every = windows_ < 4096 ? 64 : 8192;
    const bool in_turn = state_.threads.at_any_cost && ++windows_ % every == 0;
    std::int64_t& handled = handled_[static_cast<std::size_t>(turn_)];
    if (running == 1 || (handled < least_to_share && !in_turn)) {
      for (std::size_t p = 0; p < plans_.size(); ++p) run_share(p);
    } else {
      crew_.work();
    }
    const std::int64_t before = std::exchange(handled_in_all_, state_.events_handled());
    handled = handled_in_all_ - before;
    for (Mailbox& box : state_.mail) box.turn();
    if (state_.is_over()) return settle();
    if (!alone || !state_.partitions.front()->events.is_next_before(end_)) release();
    change_turns();
    report();
  }

  /// The side that has its turn has nothing to do; where the other has nothing either, nobody has before the end.
  void rest() {
    if (!is_two_sided() || std::exchange(rested_, true)) {
      rested_ = false;
      return reach_end();
    }
    release();
    change_turns();
  }

  void change_turns() {
    if (is_two_sided()) turn_ = turn_ == Side::islands ? Side::between : Side::islands;
  }

  /// The run is not over, and was not before a time when somebody was not quiet, or a frame under way. Of one side all
  /// were in the window that has ended; two sides are not at the same time.
  void release() {
    if (!is_two_sided()) {
      released_ = end_;
      return;
    }
    for (std::size_t p = 0; p < plans_.size(); ++p) {
      if (has_turn(p) && !state_.partitions[p]->quiet()) released_ = std::max(released_, end_);
    }
    for (const Mailbox& box : state_.mail) {
      if (!box.empty()) released_ = std::max(released_, EventKey{box.earliest(), Phase::wire_free, 0});
    }
  }

  /// All are quiet: lets clocks run that are due before the last event that made one so. The run is over if they all
  /// are quiet still.
  void settle() {
    EventKey last = before_all;
    for (const Plan& plan : plans_) last = std::max(last, plan.quiet_at);
    SOYA_CHECK(last > before_all, "an event makes a run quiet");
    released_ = behind(last);
    for (const auto& one : state_.partitions) state_.run_before(*one, released_);
    for (Mailbox& box : state_.mail) box.turn();
    if (!state_.is_over()) return;
    state_.now = last.time;
    finish(released_);
  }

  void reach_end() {
    for (std::size_t p = 0; p < plans_.size(); ++p) state_.deliver_mail(p);
    if (end_ == behind_last_) {
      stop();
      return finish(end_);
    }
    state_.step_script();
    released_ = behind(end_);
    if (state_.ending != Ending::done || state_.is_over()) finish(released_);
  }

  /// Nothing is left before the last instant of the run, or at all.
  void stop() {
    const bool is_empty = state_.script.empty() &&
                          std::ranges::all_of(state_.partitions, [](const auto& one) { return one->events.empty(); });
    state_.ending = is_empty ? Ending::drained : Ending::stopped;
    state_.now = is_empty ? latest() : behind_last_.time - Duration{1};
  }

  /// One event, in the order of all, for an observer.
  void step() {
    const EventKey key = state_.next_key();
    if (!(key < behind_last_)) {
      stop();
      return finish(behind_last_);
    }
    state_.step();
    if (state_.ending != Ending::done || state_.is_over()) return finish(behind(key));
    report();
  }

  void report() {
    if (state_.monitor == nullptr) return;
    const std::int64_t handled_so_far = state_.events_handled();
    if (handled_so_far - reported_ < events_between_reports) return;
    reported_ = handled_so_far;
    state_.now = latest();
    if (state_.report_progress()) return;
    state_.ending = Ending::interrupted;
    finish(released_);
  }

  [[nodiscard]] Time latest() const {
    Time latest = state_.now;
    for (const auto& one : state_.partitions) latest = std::max(latest, one->context.now);
    return latest;
  }

  /// The run has ended, with all events before `end`.
  void finish(const EventKey& end) {
    for (const auto& cut : state_.cut_links) cut->clock.look(end);
    state_.gather_transfers();
    ended_ = true;
  }

  SimulationState& state_;
  EventKey behind_last_;
  EventKey released_{before_all};  ///< the run is not over before
  EventKey end_;                   ///< of the window
  Duration longest_{state_.longest_window};
  std::uint64_t most_{UINT64_MAX};
  std::vector<Plan> plans_;
  Crew crew_;
  bool ended_{false};
  std::int64_t reported_{0};
  std::uint64_t windows_{0};
  std::int64_t handled_in_all_{0};
  Side turn_{Side::islands};   ///< where there are two
  bool rested_{false};         ///< the other side had nothing to do in its turn
  std::int64_t handled_[2]{};  ///< events of the last window of a side: the next one will be like it
};

}  // namespace

void SimulationState::run() {
  Windows{*this}.run();
}

/// What other partitions have sent to this one goes onto its links.
void SimulationState::deliver_mail(std::size_t to) {
  for (std::size_t member = 0; member < members; ++member) mail_from(member, to).deliver(partitions[to]->context);
}

/// What any partition has sent goes onto the links of the others at once.
void SimulationState::deliver_all_mail() {
  for (Mailbox& box : mail) box.turn();
  for (std::size_t to = 0; to < partitions.size(); ++to) deliver_mail(to);
}

}  // namespace soya
