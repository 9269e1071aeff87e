#include "harness/write_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "harness/pipe_waits.hpp"

namespace splitproof {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLookAgain{20};
constexpr std::chrono::seconds kMostOfLock{60};  // nobody holds it longer than it takes to write a file

struct OutputPlace {
  std::string file;    // after following links
  std::string folder;  // its folder
  bool exists = false;
  mode_t mode = 0;          // existing files only
  bool replaceable = true;  // a file next to it can take its name
};

// A file to which this program prints must stay the same file under any name.
bool is_printed_to(const struct stat& file) {
  const auto is = [&](int descriptor) {
    struct stat open {};
    return fstat(descriptor, &open) == 0 && open.st_dev == file.st_dev && open.st_ino == file.st_ino;
  };
  return is(STDOUT_FILENO) || is(STDERR_FILENO);
}

tl::unexpected<Error> unwritable(const std::string& path, int reason) {
  return tl::unexpected(Error{std::string("cannot be written: ") + std::strerror(reason), path, 0, {}});
}

Result<OutputPlace> place_of(const std::string& path) {
  if (path.empty()) return unwritable(path, ENOENT);
  std::error_code failed;
  fs::path file = fs::absolute(path, failed);
  constexpr int kMostLinks = 40;  // as in Linux
  for (int links = 0; fs::is_symlink(file, failed); ++links) {
    if (links == kMostLinks) return unwritable(path, ELOOP);
    file = file.parent_path() / fs::read_symlink(file, failed);
  }
  OutputPlace place{file.string(), file.parent_path().string()};
  struct stat about {};
  place.exists = stat(path.c_str(), &about) == 0;
  if (!place.exists && errno != ENOENT) return unwritable(path, errno);
  if (place.exists) {
    if (S_ISDIR(about.st_mode)) return unwritable(path, EISDIR);
    place.mode = about.st_mode & 07777;
    place.replaceable = S_ISREG(about.st_mode) && !is_printed_to(about);
    if (access(path.c_str(), W_OK) != 0) return unwritable(path, errno);
  }
  if (place.replaceable && access(place.folder.c_str(), W_OK | X_OK) != 0) return unwritable(path, errno);
  return place;
}

// Returns errno, or 0.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EAGAIN) {
      if (is_ready(file, POLLOUT, kOtherEndGoesOn)) continue;
      return ETIMEDOUT;
    }
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

// Opens a pipe only when somebody reads it.
int write_to_device(const std::string& path, std::string_view text) {
  const auto deadline = std::chrono::steady_clock::now() + kOtherEnd;
  while (true) {
    const Descriptor device(open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    if (device.get() >= 0) return write_all(device.get(), text);
    if (errno != ENXIO || std::chrono::steady_clock::now() >= deadline) return errno;
    std::this_thread::sleep_for(kLookAgain);
  }
}

// Removes the file of this name if no program writes it any more. Writers hold a lock on their file. Returns
// true if it is gone.
bool remove_abandoned(const std::string& name) {
  const Descriptor file(open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat opened {};
  struct stat named {};
  return file.get() >= 0 && flock(file.get(), LOCK_EX | LOCK_NB) == 0 && fstat(file.get(), &opened) == 0 &&
         lstat(name.c_str(), &named) == 0 && S_ISREG(opened.st_mode) && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev && unlink(name.c_str()) == 0;
}

// A file in progress. While it has no name, the kernel removes it if the program is killed. A temporary name
// may remain. The next program that writes the same file finds it abandoned.
class Unfinished {
 public:
  Descriptor file;

  // Returns errno on failure.
  static tl::expected<Unfinished, int> begin(const OutputPlace& place) {
    Unfinished made(place);
    const bool can_be_named = access("/proc/self/fd", X_OK) == 0;
    if (can_be_named)
      made.file = Descriptor(open(place.folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
    if (!can_be_named ||
        (made.file.get() < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT))) {
      const int failed = made.with_name([&](const std::string& name) {
        made.file = Descriptor(open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
        return made.file.get() >= 0;
      });
      if (failed != 0) return tl::unexpected(failed);
    }
    if (made.file.get() < 0) return tl::unexpected(errno);
    static_cast<void>(flock(made.file.get(), LOCK_EX | LOCK_NB));
    return made;
  }

  Unfinished(Unfinished&& other) noexcept
      : file(std::move(other.file)), final_(other.final_), name_(std::exchange(other.name_, {})) {}
  Unfinished& operator=(Unfinished&&) = delete;
  ~Unfinished() {
    if (!name_.empty()) unlink(name_.c_str());
  }

  // Returns 0, or errno without any change.
  int take_name() {
    if (name_.empty()) {
      if (link_to(final_)) return 0;
      if (errno != EEXIST) return errno;
      if (const int failed = with_name([this](const std::string& name) { return link_to(name); });
          failed != 0)
        return failed;
    }
    if (std::rename(name_.c_str(), final_.c_str()) != 0) return errno;
    name_.clear();
    return 0;
  }

 private:
  explicit Unfinished(const OutputPlace& place) : final_(place.file) {}

  bool link_to(const std::string& name) const {
    const std::string self = "/proc/self/fd/" + std::to_string(file.get());
    return linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  }

  // Calls `make` with the first name that is free or abandoned. Returns 0, or errno.
  template <typename Make>
  int with_name(const Make& make) {
    for (int number = 1;; ++number) {
      const std::string name = final_ + ".splitproof-" + std::to_string(number) + ".new";
      for (bool again = true; again;) {
        if (make(name)) {
          name_ = name;
          return 0;
        }
        if (errno != EEXIST) return errno;
        again = remove_abandoned(name);
      }
    }
  }

  std::string final_;
  std::string name_;  // current name; empty: none
};

}  // namespace

Result<void> write_file(const std::string& path, std::string_view text) {
  const Result<OutputPlace> place = place_of(path);
  if (!place) return tl::unexpected(place.error());
  if (!place->replaceable) {
    if (const int failed = write_to_device(path, text); failed != 0) return unwritable(path, failed);
    return {};
  }
  tl::expected<Unfinished, int> unfinished = Unfinished::begin(*place);
  if (!unfinished) return unwritable(path, unfinished.error());
  const int file = unfinished->file.get();
  int failed = write_all(file, text);
  if (failed == 0 && ((place->exists && fchmod(file, place->mode) != 0) || fsync(file) != 0)) failed = errno;
  if (failed == 0) failed = unfinished->take_name();
  if (failed != 0) return unwritable(path, failed);
  // Syncing the folder puts the new name on the disk. Without it, the file is still complete.
  const Descriptor folder(open(place->folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) static_cast<void>(fsync(folder.get()));
  return {};
}

std::string PartOfFile::path_of(const std::string& path) { return path + ".part"; }

Result<PartOfFile> PartOfFile::begin(const std::string& path, std::string_view text) {
  const Result<OutputPlace> place = place_of(path);
  if (!place) return tl::unexpected(place.error());
  PartOfFile part;
  if (!place->replaceable) return part;
  part.path_ = path_of(path);
  std::error_code ignored;
  if (!fs::is_regular_file(fs::symlink_status(part.path_, ignored))) unlink(part.path_.c_str());  // no links
  if (const auto begun = write_file(part.path_, text); !begun) return tl::unexpected(begun.error());
  part.file_ = Descriptor(open(part.path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW));
  if (part.file_.get() < 0) return unwritable(part.path_, errno);
  return part;
}

Result<void> PartOfFile::append(std::string_view lines) {
  if (file_.get() < 0) return {};
  const int failed = write_all(file_.get(), lines);
  if (failed == 0) return {};
  file_.close();
  return unwritable(path_, failed);
}

void PartOfFile::remove() {
  file_.close();
  if (!path_.empty()) unlink(path_.c_str());
}

Result<Descriptor> lock_folder_of(const std::string& path) {
  const Result<OutputPlace> place = place_of(path);
  if (!place) return tl::unexpected(place.error());
  Descriptor folder(open(place->folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0) return unwritable(path, errno);
  const auto deadline = std::chrono::steady_clock::now() + kMostOfLock;
  while (flock(folder.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(kLookAgain);
    else if (errno != EINTR)
      return unwritable(path, errno);
  }
  return folder;
}

Result<void> make_folder(const std::string& path) {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (!failed) return {};
  return tl::unexpected(Error{"cannot make the folder: " + failed.message(), path, 0, {}});
}

Result<void> check_writable(const std::string& path, const std::string& hint) {
  return place_of(path).map([](const OutputPlace&) {}).map_error([&](Error error) {
    error.hint = hint;
    return error;
  });
}

}  // namespace splitproof
