#include "results/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <system_error>
#include <utility>

#include "core/utf8.hpp"

namespace soya {

namespace {

constexpr std::size_t buffer_limit = 1 << 16;

// Somebody who only asks whether a folder is held holds it for microseconds.
constexpr int lock_attempts = 3;
constexpr unsigned lock_pause_us = 20'000;

void sync_descriptor(int descriptor, const std::filesystem::path& path) {
  // EINVAL and EROFS: the file system has nothing to sync (a pipe, a special file), which is not a lost write.
  if (::fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS) {
    throw MachineError(path.string(), system_reason(errno));
  }
}

void write_all(int descriptor, std::string_view text, const std::filesystem::path& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw MachineError(path.string(), system_reason(errno));
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Into a pipe or a device, which no file may take the place of.
void write_through(const std::filesystem::path& target, std::string_view text) {
  const int descriptor = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) throw MachineError(target.string(), system_reason(errno));
  try {
    write_all(descriptor, text, target);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  if (::close(descriptor) != 0) throw MachineError(target.string(), system_reason(errno));
}

/// Where a symbolic link leads, so that the link stays; `target` itself where there is nothing yet.
std::filesystem::path resolved(const std::filesystem::path& target) {
  std::error_code none;
  std::filesystem::path real = std::filesystem::canonical(target, none);
  return none ? target : real;
}

}  // namespace

MachineError::MachineError(std::string path, std::string reason)
    : std::runtime_error("cannot write " + visible(path) + ": " + visible(reason)),
      path_{std::move(path)},
      reason_{std::move(reason)} {}

std::string system_reason(int number) {
  return std::generic_category().message(number);
}

PendingFile::PendingFile(std::filesystem::path target) : target_{std::move(target)}, temporary_{target_} {
  temporary_ += partial_suffix;
  remove_quietly(temporary_);
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw MachineError(target_.string(), system_reason(errno));
}

PendingFile::~PendingFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!published_) remove_quietly(temporary_);
}

void PendingFile::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= buffer_limit) flush();
}

void PendingFile::flush() {
  write_all(descriptor_, buffer_, target_);
  buffer_.clear();
}

void PendingFile::finish() {
  flush();
  sync_descriptor(descriptor_, target_);
  // Network file systems report a full disk at close.
  if (::close(std::exchange(descriptor_, -1)) != 0) throw MachineError(target_.string(), system_reason(errno));
}

void PendingFile::publish() {
  rename_file(temporary_, target_);
  published_ = true;
}

void atomic_write(const std::filesystem::path& target, std::string_view text) {
  struct stat there {};
  if (::stat(target.c_str(), &there) == 0) {
    if (S_ISDIR(there.st_mode)) throw MachineError(target.string(), system_reason(EISDIR));
    if (!S_ISREG(there.st_mode)) return write_through(target, text);
  }
  const std::filesystem::path real = resolved(target);
  PendingFile file{real};
  file.write(text);
  file.finish();
  file.publish();
  sync_folder(real.has_parent_path() ? real.parent_path() : std::filesystem::path{"."});
}

void sync_file(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw MachineError(file.string(), system_reason(errno));
  try {
    sync_descriptor(descriptor, file);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  ::close(descriptor);
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

void rename_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) throw MachineError(to.string(), system_reason(errno));
}

void remove_quietly(const std::filesystem::path& file) noexcept {
  ::unlink(file.c_str());
}

FolderLock::FolderLock(const std::filesystem::path& folder, const std::string& taken) {
  descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) throw MachineError(folder.string(), system_reason(errno));
  for (int attempt = 0; attempt < lock_attempts; ++attempt) {
    if (attempt > 0) ::usleep(lock_pause_us);
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  }
  ::close(std::exchange(descriptor_, -1));
  throw MachineError(folder.string(), taken);
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool is_held(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return false;
  // Shared, so that two who ask at a time do not take each other for a holder.
  const bool held = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(descriptor);
  return held;
}

bool is_shared_by_hosts(const std::filesystem::path& folder) {
  // linux/magic.h, and the headers of the file systems that live outside the kernel.
  static constexpr std::array<std::uint32_t, 14> shared{
      0x00006969,  // NFS
      0x0000517B,  // SMB
      0xFF534D42,  // CIFS
      0xFE534D42,  // SMB 2
      0x0BD00BD0,  // Lustre
      0x00C36400,  // Ceph
      0x47504653,  // GPFS
      0x19830326,  // BeeGFS
      0x65735546,  // FUSE: sshfs, GlusterFS and others
      0x01021997,  // 9P
      0x5346414F,  // AFS
      0x7461636F,  // OCFS2
      0x01161970,  // GFS2
      0x20030528,  // OrangeFS
  };
  struct statfs about {};
  if (::statfs(folder.c_str(), &about) != 0) return false;
  return std::ranges::find(shared, static_cast<std::uint32_t>(about.f_type)) != shared.end();
}

}  // namespace soya
