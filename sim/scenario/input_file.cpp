#include "scenario/input_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace soya::reading {

namespace fs = std::filesystem;

std::string resolve(const std::string& file, const fs::path& folder) {
  return (folder / file).lexically_normal().string();
}

std::string unreadable(const std::string& reason) {
  return "cannot be read (" + reason + ')';
}

std::optional<std::string> input_fault(const std::string& file) {
  std::error_code failed;
  const fs::file_status status = fs::status(file, failed);
  if (status.type() == fs::file_type::not_found) return "no such file";
  if (failed) return unreadable(failed.message());
  if (fs::is_directory(status)) return "is a directory";
  if (fs::is_fifo(status)) return std::nullopt;  // opening it now would take what it has to say
  if (!fs::is_regular_file(status)) return "is not a regular file";
  errno = 0;
  if (!std::ifstream{file, std::ios::binary}) return unreadable(std::strerror(errno));
  return std::nullopt;
}

}  // namespace soya::reading
