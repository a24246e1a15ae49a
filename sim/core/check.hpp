// Checks that stay on in release. A failed check is a defect of Soya, reported as such with exit status 1.
// Simplifies: nothing. Bad input never reaches a check: it throws `ScenarioError` (core/diagnostic.hpp).
// Validated by tests/unit/core/check_test.cpp.
#pragma once

#include <stdexcept>
#include <string>

namespace soya {

/// A law of the model does not hold: a defect of Soya, not of its input.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn, gnu::cold, gnu::noinline]] inline void check_failed(const char* condition, const char* message,
                                                                const char* file, int line) {
  throw InternalError(std::string(file) + ":" + std::to_string(line) + ": " + message + " (" + condition + ")");
}

}  // namespace soya

/// Stays on in release: conservation laws and whatever is not on the packet path.
#define SOYA_CHECK(condition, message) \
  (static_cast<bool>(condition) ? void(0) : ::soya::check_failed(#condition, message, __FILE__, __LINE__))

/// On in debug builds only: invariants of the packet path.
#ifdef NDEBUG
#define SOYA_DCHECK(condition, message) void(0)
#else
#define SOYA_DCHECK(condition, message) SOYA_CHECK(condition, message)
#endif
