#include "harness/read_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "harness/built_in.hpp"
#include "harness/descriptor.hpp"
#include "harness/pipe_waits.hpp"

namespace splitproof {

Result<std::string> read_file(const std::string& path) {
  const auto too_large = [&] {
    return tl::unexpected(Error{"is larger than " + std::to_string(kLargestInput >> 20) + " MB", path, 0,
                                "split the file; for a report, use more shards"});
  };
  struct stat about {};
  if (!built_in_file(path) && stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode) &&
      static_cast<std::size_t>(about.st_size) > kLargestInput)
    return too_large();
  Result<std::string> bytes = read_start(path, kLargestInput);
  if (bytes && bytes->size() > kLargestInput) return too_large();
  return bytes;
}

Result<std::string> read_start(const std::string& path, std::size_t most) {
  if (const auto bytes = built_in_file(path)) return std::string(*bytes);
  const auto refused = [&](const std::string& why) { return tl::unexpected(Error{why, path, 0, {}}); };
  const auto failed = [&] { return refused(std::string("cannot be read: ") + std::strerror(errno)); };
  const Descriptor file(path == "-" ? dup(STDIN_FILENO)
                                    : open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat about {};
  if (file.get() < 0 || fstat(file.get(), &about) != 0) return failed();
  if (S_ISDIR(about.st_mode)) return refused("is a folder, not a file");
  // A system file may report a size of 0, and a growing file has more bytes than it reports.
  const auto size = static_cast<std::size_t>(about.st_size);
  constexpr std::size_t kAtOnce = std::size_t{64} << 10;
  constexpr std::size_t kMuch = std::size_t{4} << 20;  // bytes of a file with unknown size
  std::string bytes;
  bytes.reserve(S_ISREG(about.st_mode) ? std::min(size, most + 2 * kAtOnce) : 0);
  bool has_writer = path == "-" || !S_ISFIFO(about.st_mode);
  for (std::size_t read_so_far = 0;;) {
    bytes.resize(std::max(read_so_far + kAtOnce, bytes.size()));
    const ssize_t got = read(file.get(), bytes.data() + read_so_far, bytes.size() - read_so_far);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN && path != "-") {
      has_writer = true;
      if (is_ready(file.get(), POLLIN, kOtherEndGoesOn)) continue;
      return refused("cannot be read: no byte came for " + std::to_string(kOtherEndGoesOn.count()) + " s");
    }
    if (got < 0) return failed();
    read_so_far += static_cast<std::size_t>(got);
    has_writer = has_writer || got > 0;
    if (!has_writer) {  // an empty pipe may not have been opened by its writer yet
      has_writer = is_ready(file.get(), POLLIN, kOtherEnd);
      if (has_writer) continue;
      return refused("cannot be read: nobody writes to this pipe");
    }
    // Doubling would need twice the memory. Reserved pages that are not written take no memory.
    if (read_so_far > kMuch) bytes.reserve(most + 2 * kAtOnce);
    if (got > 0 && read_so_far <= most) continue;
    bytes.resize(read_so_far);
    return bytes;
  }
}

}  // namespace splitproof
