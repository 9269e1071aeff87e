#include "harness/ui/own_program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "harness/descriptor.hpp"

namespace splitproof::ui {
namespace {

constexpr std::size_t kMostOfOutput = 64 << 20;
constexpr std::chrono::milliseconds kBetweenLooks(5);

tl::unexpected<Error> failed(const char* what) {
  return tl::unexpected(Error{std::string(what) + ": " + std::strerror(errno), {}, 0, {}});
}

bool write_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(to, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return lseek(to, 0, SEEK_SET) == 0;
}

std::string text_in(int file) {
  struct stat about {};
  if (fstat(file, &about) != 0) return {};
  std::string text(std::min<std::size_t>(static_cast<std::size_t>(about.st_size), kMostOfOutput), '\0');
  std::size_t at = 0;
  while (at < text.size()) {
    const ssize_t got = pread(file, text.data() + at, text.size() - at, static_cast<off_t>(at));
    if (got <= 0) break;
    at += static_cast<std::size_t>(got);
  }
  text.resize(at);
  return text;
}

// Starts the program with files as its standard streams. Returns 0, or an error number.
int start_own_program(const std::vector<std::string>& arguments, const int (&streams)[3], pid_t& child) {
  std::vector<char*> words;
  std::string name = "splitproof";
  words.push_back(name.data());
  std::vector<std::string> kept = arguments;
  for (std::string& one : kept) words.push_back(one.data());
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < 3; ++i) posix_spawn_file_actions_adddup2(&actions, streams[i], i);
  // The server blocks signals, and the program must not.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const int error = posix_spawn(&child, "/proc/self/exe", &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

Result<ProgramRun> run_own_program(const std::vector<std::string>& arguments, std::string_view input,
                                   std::chrono::seconds limit) {
  const Descriptor in(memfd_create("in", MFD_CLOEXEC));
  const Descriptor out(memfd_create("out", MFD_CLOEXEC));
  const Descriptor err(memfd_create("err", MFD_CLOEXEC));
  if (in.get() < 0 || out.get() < 0 || err.get() < 0 || !write_all(in.get(), input))
    return failed("cannot keep the input in memory");
  pid_t child = 0;
  errno = start_own_program(arguments, {in.get(), out.get(), err.get()}, child);
  if (errno != 0) return failed("cannot run splitproof");
  const auto deadline = std::chrono::steady_clock::now() + limit;
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) return failed("cannot wait for splitproof");
    if (std::chrono::steady_clock::now() >= deadline) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return tl::unexpected(Error{"it takes more than " + std::to_string(limit.count()) + " s",
                                  {},
                                  0,
                                  "judge it with splitproof check"});
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
  return ProgramRun{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_in(out.get()),
                    text_in(err.get())};
}

}  // namespace splitproof::ui
