// A few threads that do the same thing at the same time, again and again: everybody's share of one window of a run.
// They look for the next round for a moment and then sleep, so that a crew larger than the machine neither burns nor
// crawls. Simplifies: nothing. Source: docs/architecture.md, "Partitions".
// Validated by tests/unit/engine/crew_test.cpp.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace soya {

class Crew {
 public:
  /// `share(member)` is called for each member from 0, that of member 0 on the caller's thread. There are fewer, at
  /// least one, where the machine gives no more threads.
  Crew(std::size_t members, std::function<void(std::size_t)> share);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  [[nodiscard]] std::size_t size() const { return failures_.size(); }
  /// One round: returns when every member has done its share. Throws what the first member in order threw.
  void work();

 private:
  void serve(std::size_t member);
  void do_share(std::size_t member);
  void wait_while(std::atomic<std::uint32_t>& word, std::uint32_t value) const;

  std::function<void(std::size_t)> share_;
  std::vector<std::exception_ptr> failures_;  ///< by member
  int looks_;                                 ///< before a thread sleeps
  bool over_{false};
  alignas(64) std::atomic<std::uint32_t> round_{0};
  alignas(64) std::atomic<std::uint32_t> busy_{0};
  std::vector<std::jthread> threads_;
};

}  // namespace soya
