// What a requester knows to be missing at the far end: places of its stream to send again, and those sent again that
// have not been heard of since. Simplifies: paths are first in, first out, so that a place is lost again when something
// sent after it has arrived. Source: docs/model.md section 6. Validated by tests/unit/transport/resend_list_test.cpp.
#pragma once

#include <cstddef>
#include <vector>

#include "transport/arrival_window.hpp"
#include "transport/psn.hpp"

namespace soya {

class ResendList {
 public:
  /// `missing` is to be sent; what of it is listed already stays as it is.
  void add(Span missing);
  /// Whether something waits to be sent.
  [[nodiscard]] bool due() const { return due_ > 0; }
  /// The first places that wait. Some do.
  [[nodiscard]] Span next() const;
  /// [next().first, end) have been sent, when the stream's next new packet was `position`.
  void sent(Sequence end, Sequence position);
  /// [next().first, end) need not be sent.
  void drop(Sequence end);

  /// Everything before `end` has arrived.
  void forget_before(Sequence end);
  /// Nothing of `places` is missing, as far as is known.
  void forget(Span places);
  /// The packet before `arrived_end` has arrived, `missing` is missing still: what of it was sent before is lost again.
  void missing_still(Span missing, Sequence arrived_end);
  /// Everything listed waits to be sent again.
  void send_all_again();

  [[nodiscard]] bool empty() const { return ranges_.empty(); }
  [[nodiscard]] bool covers(Sequence at) const;

 private:
  struct Range {
    Span places;
    Sequence position{0};  ///< of what was sent
    bool due{true};
  };
  [[nodiscard]] std::size_t first_after(Sequence at) const;
  void cut(Sequence at);
  void insert(std::size_t index, const Range& range);
  void erase(std::size_t first, std::size_t end);
  void found_oldest();

  std::vector<Range> ranges_;            // in the order of the stream, apart from each other
  std::size_t due_{0};                   // ranges that wait
  Sequence oldest_position_{INT64_MAX};  // at most the smallest position of what was sent
};

}  // namespace soya
