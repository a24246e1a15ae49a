// The list of what a job has not finished, kept short: the first lines, then how many more there are.
// Simplifies: nothing.
// Source: JobReport::unfinished (workload/job.hpp). Validated by tests/unit/workload/flows_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace soya {

/// A flow in a line of its own, "storage: flow h1>h2/0"; a job that has kept its default name has nothing to add.
[[nodiscard]] inline std::string flow_label(const std::string& job, const std::string& flow) {
  return (job == "flows" ? "flow " : job + ": flow ") + flow;
}

class UnfinishedLines {
 public:
  static constexpr std::size_t most = 20;

  /// `line()` makes the text; it is not called for lines beyond the first `most`.
  template <class Line>
  void add(Line line) {
    if (count_++ < most) lines_.push_back(line());
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::vector<std::string> take() && {
    if (count_ > most) lines_.push_back("and " + std::to_string(count_ - most) + " more");
    return std::move(lines_);
  }

 private:
  std::size_t count_{0};
  std::vector<std::string> lines_;
};

}  // namespace soya
