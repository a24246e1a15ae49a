#include "core/check.hpp"

#include <doctest/doctest.h>

#include <string>

namespace soya {

TEST_CASE("a check that holds evaluates its condition once and says nothing") {
  int evaluated = 0;
  CHECK_NOTHROW(SOYA_CHECK(++evaluated == 1, "evaluated once"));
  CHECK(evaluated == 1);
}

TEST_CASE("a check that fails says where, what and which condition") {
  const int occupancy = -1;
  std::string message;
  const std::string line = std::to_string(__LINE__ + 2);
  try {
    SOYA_CHECK(occupancy >= 0, "a buffer is emptier than empty");
  } catch (const InternalError& error) {
    message = error.what();
  }
  CHECK(message == std::string(__FILE__) + ":" + line + ": a buffer is emptier than empty (occupancy >= 0)");
}

TEST_CASE("a debug check is a check in a debug build and not evaluated in a release build") {
  int evaluated = 0;
  const auto fails = [&evaluated] {
    ++evaluated;
    return false;
  };
#ifdef NDEBUG
  CHECK_NOTHROW(SOYA_DCHECK(fails(), "not looked at"));
  static_cast<void>(fails);
  CHECK(evaluated == 0);
#else
  CHECK_THROWS_AS(SOYA_DCHECK(fails(), "looked at"), InternalError);
  CHECK(evaluated == 1);
#endif
}

}  // namespace soya
