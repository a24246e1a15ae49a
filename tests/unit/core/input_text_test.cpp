#include "core/input_text.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "support/temporary_folder.hpp"

using namespace soya;
using std::chrono::milliseconds;

TEST_CASE("a file is read to its end, up to the limit") {
  const test::TemporaryFolder folder;
  const std::string file = folder / "f";
  test::write_text(file, std::string(200'000, 'x'));
  CHECK(read_input(file, 200'000).text == std::string(200'000, 'x'));
  CHECK(read_input(file, 199'999).fault == InputFault::too_large);
  test::write_text(file, "");
  CHECK(read_input(file, 1).fault == InputFault::none);
  CHECK(read_input(folder / "nothing", 1).error == ENOENT);
  // A folder opens and does not read.
  CHECK(read_input(folder.path(), 1).error == EISDIR);
}

TEST_CASE("a pipe without a writer ends the wait, one whose writer is slow does not") {
  const test::TemporaryFolder folder;
  const std::string pipe = folder / "p";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(read_input(pipe, 10, milliseconds{20}).fault == InputFault::nothing_comes);

  // Open already, and ten times as slow as the patience for a writer that is not there.
  const int writer = ::open(pipe.c_str(), O_RDWR | O_CLOEXEC);
  std::jthread slow{[&] {
    std::this_thread::sleep_for(milliseconds{100});
    CHECK(::write(writer, "a", 1) == 1);
    std::this_thread::sleep_for(milliseconds{100});
    CHECK(::write(writer, "b", 1) == 1);
    ::close(writer);
  }};
  CHECK(read_input(pipe, 10, milliseconds{10}).text == "ab");
}

TEST_CASE("a writer that comes while a pipe is waited for is heard") {
  const test::TemporaryFolder folder;
  const std::string pipe = folder / "p";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::jthread late{[&] {
    std::this_thread::sleep_for(milliseconds{50});
    test::write_text(pipe, "late");
  }};
  CHECK(read_input(pipe, 10, std::chrono::seconds{20}).text == "late");
}
