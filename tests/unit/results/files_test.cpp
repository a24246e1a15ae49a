#include "results/files.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "support/temporary_folder.hpp"

using namespace soya;

namespace {

/// Files of this process cannot grow beyond `bytes` while this lives: a full disk that needs no full disk.
class FileSizeLimit final {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_{std::signal(SIGXFSZ, SIG_IGN)} {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

std::size_t entries(const test::TemporaryFolder& folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++count;
  return count;
}

std::string refusal(const std::filesystem::path& target, const std::string& text) {
  try {
    atomic_write(target, text);
  } catch (const MachineError& error) {
    return error.what();
  }
  return "written";
}

}  // namespace

TEST_CASE("a pending file is under its final name only once published") {
  const test::TemporaryFolder folder;
  PendingFile file{folder / "a.txt"};
  file.write("hello");
  file.finish();
  CHECK_FALSE(std::filesystem::exists(folder / "a.txt"));
  CHECK(test::read_text(folder / "a.txt.partial") == "hello");
  file.publish();
  CHECK(test::read_text(folder / "a.txt") == "hello");
  CHECK(entries(folder) == 1);
}

TEST_CASE("a pending file that is dropped leaves nothing, and the earlier content stays") {
  const test::TemporaryFolder folder;
  atomic_write(folder / "a.txt", "earlier");
  {
    PendingFile file{folder / "a.txt"};
    file.write(std::string(200'000, 'x'));
  }
  CHECK(test::read_text(folder / "a.txt") == "earlier");
  CHECK(entries(folder) == 1);
}

TEST_CASE("a temporary that a killed run left is replaced") {
  const test::TemporaryFolder folder;
  test::write_text(folder / "a.txt.partial", "rest of a killed run");
  atomic_write(folder / "a.txt", "new");
  CHECK(test::read_text(folder / "a.txt") == "new");
  CHECK(entries(folder) == 1);
}

TEST_CASE("a file that cannot grow is refused with path and reason, nothing is left behind") {
  const test::TemporaryFolder folder;
  const std::string target = folder / "a.txt";
  atomic_write(target, "earlier");
  const FileSizeLimit limit{1'000};
  CHECK(refusal(target, std::string(1'001, 'x')) == "cannot write " + target + ": File too large");
  CHECK(test::read_text(target) == "earlier");
  CHECK(entries(folder) == 1);
  // Exactly at the limit it fits.
  CHECK(refusal(target, std::string(1'000, 'y')) == "written");
}

TEST_CASE("a file as parent folder and a folder in the way are refused with the system's reason") {
  const test::TemporaryFolder folder;
  test::write_text(folder / "file", "");
  std::filesystem::create_directory(folder / "taken");
  CHECK(refusal(folder / "file/a.txt", "x") ==
        "cannot write " + (folder / "file/a.txt").string() + ": Not a directory");
  CHECK(refusal(folder / "taken", "x") == "cannot write " + (folder / "taken").string() + ": Is a directory");
  CHECK(entries(folder) == 2);
}

TEST_CASE("a symbolic link and a pipe stay what they are") {
  const test::TemporaryFolder folder;
  test::write_text(folder / "file", "before");
  std::filesystem::create_symlink("file", folder / "link");
  CHECK(refusal(folder / "link", "after") == "written");
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(test::read_text(folder / "file") == "after");

  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  const int reader = ::open((folder / "pipe").c_str(), O_RDONLY | O_NONBLOCK);
  REQUIRE(reader >= 0);
  CHECK(refusal(folder / "pipe", "through") == "written");
  char text[16]{};
  CHECK(::read(reader, text, sizeof text) == 7);
  CHECK(std::string{text} == "through");
  ::close(reader);
  CHECK(std::filesystem::is_fifo(folder / "pipe"));
  CHECK(entries(folder) == 3);
}

TEST_CASE("a folder has one writer at a time") {
  const test::TemporaryFolder folder;
  {
    const FolderLock first{folder.path()};
    CHECK_THROWS_AS(FolderLock{folder.path()}, MachineError);
  }
  CHECK_NOTHROW(FolderLock{folder.path()});
}
