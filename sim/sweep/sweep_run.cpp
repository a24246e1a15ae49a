#include "sweep/sweep_run.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "core/check.hpp"
#include "results/files.hpp"
#include "sweep/parallel.hpp"
#include "sweep/point_id.hpp"
#include "sweep/shard.hpp"

namespace soya {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds between_signs_of_life{20};
constexpr std::chrono::milliseconds between_tellings{100};

StoreHead head_of(const SweepConfig& sweep, const PointSpace& space, const SweepRunOptions& options) {
  StoreHead head;
  head.version = SOYA_VERSION;
  head.name = sweep.name;
  head.sweep = sweep.text;
  head.columns = columns_of(sweep);
  for (const Written& kept : sweep.keep) head.keep.push_back(kept.text);
  head.points = space.count();
  head.shard = options.shard;
  if (sweep.search) head.answer = {sweep.search->path.text, sweep.search->unit};
  head.base = PointRunner{sweep, space, options.read}.base_id();
  return head;
}

/// Tells readers of the store that its writer lives, however long its points take. Any thread may call it.
class SignsOfLife final {
 public:
  explicit SignsOfLife(SweepStore& store) : store_{store} {}
  void give_when_due() {
    Clock::duration last = last_;
    const Clock::duration now = Clock::now().time_since_epoch();
    if (now - last > between_signs_of_life && last_.compare_exchange_strong(last, now)) store_.keep_alive();
  }

 private:
  SweepStore& store_;
  std::atomic<Clock::duration> last_{Clock::now().time_since_epoch()};
};

}  // namespace

/// The threads of one call, and what they share.
class SweepRun::Crew final {
 public:
  explicit Crew(SweepRun& run)
      : run_{run},
        store_{run.options_.folder, run.head_},
        queue_{run.space_, run.options_.shard},
        gate_{run.options_.memory_limit} {
    if (run.options_.retry_crashed) store_.forget(PointOutcome::crashed);
    progress_.points = points_in(run.options_.shard, run.head_.points);
  }

  SweepOutcome work() {
    const int threads = std::max(run_.options_.threads, 1);
    // Threads build their own readers; an exception of one ends them all, and is thrown here.
    for_each_index(static_cast<std::size_t>(threads), {.threads = threads, .stopped = {}, .progress = {}},
                   [this](std::size_t) {
                     try {
                       work_alone();
                     } catch (...) {
                       failed_ = true;
                       throw;
                     }
                   });
    adopt_twins();
    return outcome_;
  }

 private:
  [[nodiscard]] bool stopping() const { return failed_ || run_.board_.stop_signal() != 0; }

  /// Every run asks it again and again; one that takes long shows so that the sweep lives.
  bool asked_to_stop() {
    if (Clock::now().time_since_epoch() - told_.load() > between_tellings) tell([] {});
    return run_.board_.stop_signal() != 0;
  }

  void work_alone() {
    PointRunner runner{run_.sweep_, run_.space_, run_.options_.read};
    while (!stopping()) {
      if (const auto point = queue_.to_prepare()) {
        look_at(runner, *point);
      } else if (const auto waiting = queue_.longest()) {
        run_waiting(runner, *waiting);
      } else {
        return;
      }
    }
  }

  void look_at(PointRunner& runner, const Point& point) {
    WaitingPoint waiting{point, runner.prepare(point)};
    const std::string& id = waiting.prepared.id;
    if (store_.has(id)) {
      store_.adopt(point.number, id, run_.space_.cells(point));
      return tell([&] { ++progress_.done; });
    }
    if (!gate_.ever_fits(waiting.prepared.memory_bytes)) {
      return tell([&] {
        ++outcome_.too_large;
        outcome_.largest_need = std::max(outcome_.largest_need, waiting.prepared.memory_bytes);
      });
    }
    {
      // Two combinations may be the same scenario: one runs, and both have its result.
      const std::lock_guard lock{mutex_};
      if (!ids_.insert(id).second) return twins_.push_back(std::move(waiting));
    }
    queue_.add(std::move(waiting));
    tell([] {});
  }

  void run_waiting(PointRunner& runner, const WaitingPoint& waiting) {
    gate_.take(waiting.prepared.memory_bytes);
    bool ran = false;
    try {
      ran = run_.run_guarded(runner, store_, waiting.point, waiting.prepared.id, [this] { return asked_to_stop(); });
    } catch (...) {
      gate_.give_back(waiting.prepared.memory_bytes);
      throw;
    }
    gate_.give_back(waiting.prepared.memory_bytes);
    if (!ran) return;
    tell([&] {
      ++outcome_.ran;
      ++progress_.done;
      ++progress_.ended;
      progress_.hops_ended += waiting.prepared.packet_hops;
    });
  }

  void adopt_twins() {
    for (const WaitingPoint& twin : twins_) {
      if (!store_.has(twin.prepared.id)) continue;
      store_.adopt(twin.point.number, twin.prepared.id, run_.space_.cells(twin.point));
    }
    store_.commit();
  }

  template <class Change>
  void tell(const Change& change) {
    const std::lock_guard lock{mutex_};
    change();
    told_ = Clock::now().time_since_epoch();
    signs_of_life_.give_when_due();
    if (!run_.options_.progress) return;
    const PointQueue::Outlook outlook = queue_.outlook();
    progress_.hops_waiting = outlook.packet_hops;
    progress_.all_known = outlook.all_known;
    run_.options_.progress(progress_);
  }

  SweepRun& run_;
  SweepStore store_;
  SignsOfLife signs_of_life_{store_};
  PointQueue queue_;
  MemoryGate gate_;
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::set<std::string> ids_;
  std::vector<WaitingPoint> twins_;
  SweepProgress progress_;
  SweepOutcome outcome_;
  std::atomic<Clock::duration> told_{Clock::now().time_since_epoch()};
};

SweepRun::SweepRun(const SweepConfig& sweep, const PointSpace& space, SweepRunOptions options, RunningBoard& board)
    : sweep_{sweep},
      space_{space},
      options_{std::move(options)},
      board_{board},
      head_{head_of(sweep, space, options_)} {}

SweepOutcome SweepRun::run_all() {
  return Crew{*this}.work();
}

bool SweepRun::run_guarded(PointRunner& runner, SweepStore& store, const Point& point, const std::string& id,
                           const StopQuestion& stopped) {
  UnderWay under_way{board_, point.number};
  store.begin(point.number, id);
  std::optional<StoredPoint> result;
  try {
    result = runner.run(point, id, stopped);
  } catch (const std::bad_alloc&) {
    under_way.give_up("out of memory");
  } catch (const std::exception& error) {
    under_way.give_up(error.what());
  }
  if (result) store.finish(*result);
  return result.has_value();
}

Point SweepRun::point_of(std::int64_t number) const {
  PointSpace::Cursor cursor{space_, {number % space_.count(), space_.count()}};
  const auto point = cursor.next();
  SOYA_CHECK(point && point->number == number, "a point has its number");
  return *point;
}

void SweepRun::run_one(std::int64_t number) {
  const Point point = point_of(number);
  PointRunner runner{sweep_, space_, options_.read};
  SweepStore store{options_.folder, head_};
  SignsOfLife signs_of_life{store};
  (void)run_guarded(runner, store, point, runner.prepare(point).id, [&] {
    signs_of_life.give_when_due();
    return board_.stop_signal() != 0;
  });
}

bool SweepRun::has_result(std::int64_t number) {
  PointRunner runner{sweep_, space_, options_.read};
  const std::string id = runner.prepare(point_of(number)).id;
  return SweepStore{options_.folder, head_}.has(id);
}

void SweepRun::record_crash(std::int64_t number, const std::string& what) {
  const Point point = point_of(number);
  PointRunner runner{sweep_, space_, options_.read};
  StoredPoint crashed{number, runner.prepare(point).id, space_.cells(point), PointOutcome::crashed, what, {}, {}, {}};
  SweepStore{options_.folder, head_}.finish(crashed);
}

}  // namespace soya
