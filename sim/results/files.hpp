// Files that appear under their final name only when whole: temporary beside the target, fsync, rename, fsync of the
// folder. Simplifies: POSIX only; a set of files becomes visible one rename after another (results_folder.hpp orders
// them). Source: POSIX.1-2017 rename() and fsync(). Validated by tests/unit/results/files_test.cpp.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace soya {

/// The machine refuses: a full disk, an unwritable place, a size limit. `what()` is "cannot write PATH: REASON".
class MachineError : public std::runtime_error {
 public:
  MachineError(std::string path, std::string reason);
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  std::string path_;
  std::string reason_;
};

/// Text of the system error `number`, such as "No space left on device".
[[nodiscard]] std::string system_reason(int number);

/// Suffix of everything that is not whole yet.
inline constexpr std::string_view partial_suffix = ".partial";

/// A file under way. It lives as `TARGET.partial` until `publish`, and is removed if it never comes to that.
class PendingFile final {
 public:
  /// Opens `TARGET.partial`, replacing what an earlier, killed run left under that name. Throws `MachineError`.
  explicit PendingFile(std::filesystem::path target);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  void write(std::string_view text);
  /// Everything is on the disk: flush, fsync, close. After this only `publish` remains.
  void finish();
  /// Renames to the target. The caller syncs the folder once for all its files.
  void publish();

 private:
  void flush();

  std::filesystem::path target_;
  std::filesystem::path temporary_;
  std::string buffer_;
  int descriptor_{-1};
  bool published_{false};
};

/// Writes `text` to `target` as a whole: the earlier content or the new one, never a part. A symbolic link stays, and
/// the file it leads to is written; a pipe or a device stays, too, and is written as it comes. Throws `MachineError`.
void atomic_write(const std::filesystem::path& target, std::string_view text);

/// fsync of a file written by someone else, such as SQLite. Throws `MachineError`.
void sync_file(const std::filesystem::path& file);
/// fsync of a folder, so that its renames survive a power failure. A file system that cannot do it is left alone.
void sync_folder(const std::filesystem::path& folder);
/// rename(2). Throws `MachineError` with the target's path.
void rename_file(const std::filesystem::path& from, const std::filesystem::path& to);
/// Removes a file if it is there; never throws.
void remove_quietly(const std::filesystem::path& file) noexcept;

/// Holds a folder for one writer: a second process that asks for it is refused. Ends with the object or the process.
class FolderLock final {
 public:
  /// Throws `MachineError` with `taken` as its reason when another process holds the folder. A file system without
  /// locks gives none.
  explicit FolderLock(const std::filesystem::path& folder,
                      const std::string& taken = "another run is writing its results there");
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_{-1};
};

/// Whether a process of this host holds the folder. Asking takes moments, in which a `FolderLock` waits.
[[nodiscard]] bool is_held(const std::filesystem::path& folder);

/// Whether the folder is on a file system that other hosts may write to: NFS, SMB, Lustre and their like. Its locks may
/// be of no use, and memory that is mapped from it is not shared between hosts.
[[nodiscard]] bool is_shared_by_hosts(const std::filesystem::path& folder);

}  // namespace soya
