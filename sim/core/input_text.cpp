#include "core/input_text.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <thread>

namespace soya {

namespace {

class Descriptor final {
 public:
  // Without O_NONBLOCK the opening of a pipe would wait for its writer without end.
  explicit Descriptor(const std::string& file) : number_{::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)} {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_pipe() const {
    struct stat status {};
    return ::fstat(number_, &status) == 0 && S_ISFIFO(status.st_mode);
  }

 private:
  int number_;
};

}  // namespace

InputText read_input(const std::string& file, std::size_t limit, std::chrono::milliseconds patience) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds nap{10};
  InputText out;
  const Descriptor input{file};
  if (input.number() < 0) return {{}, InputFault::system, errno};
  const bool is_pipe = input.is_pipe();
  const Clock::time_point end_of_patience = Clock::now() + patience;
  std::array<char, 1 << 16> block{};
  while (true) {
    const ssize_t count = ::read(input.number(), block.data(), block.size());
    if (count > 0) {
      out.text.append(block.data(), static_cast<std::size_t>(count));
      if (out.text.size() > limit) return {{}, InputFault::too_large, 0};
    } else if (count == 0) {
      // A pipe without a writer reads as one that has ended.
      if (!is_pipe || !out.text.empty()) return out;
      if (Clock::now() >= end_of_patience) return {{}, InputFault::nothing_comes, 0};
      std::this_thread::sleep_for(nap);
    } else if (errno == EAGAIN) {
      // Somebody has it open and will write or go.
      pollfd ready{input.number(), POLLIN, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return {{}, InputFault::system, errno};
    }
  }
}

}  // namespace soya
