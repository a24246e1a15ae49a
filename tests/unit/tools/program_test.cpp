#include "soya/program.hpp"

#include <doctest/doctest.h>

namespace soya::cli {
namespace {

TEST_CASE("a program gets its input and gives its output, notes and status") {
  const auto end = run_program({"sh", "-c", "cat; echo \"$1\" >&2; exit 7", "sh", "it's"}, "a\nb");
  REQUIRE(end);
  CHECK(end->status == 7);
  CHECK(end->out == "a\nb");
  CHECK(end->notes == "it's\n");
}

TEST_CASE("more than a pipe holds goes in and comes out") {
  const std::string much(1'000'000, 'x');
  const auto end = run_program({"cat"}, much);
  REQUIRE(end);
  CHECK(end->out == much);
}

TEST_CASE("a program that a signal ends, and one that is not there") {
  const auto end = run_program({"sh", "-c", "kill -KILL $$"});
  REQUIRE(end);
  CHECK(end->status == 128 + 9);
  CHECK_FALSE(run_program({"soya-no-such-program"}));
}

}  // namespace
}  // namespace soya::cli
