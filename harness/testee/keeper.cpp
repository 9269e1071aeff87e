#include "harness/testee/keeper.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/testee/descendants.hpp"
#include "harness/testee/stop_guard.hpp"

namespace splitproof::testee {
namespace {

constexpr std::chrono::milliseconds kGrace{1000};  // from SIGTERM to SIGKILL
constexpr int kKillAgain = 20;                     // milliseconds between two SIGKILLs
constexpr int kLookAtLog = 100;                    // milliseconds
constexpr off_t kMostOfLog = off_t{16} << 20;      // bytes
constexpr std::size_t kEndOfLog = 4096;            // bytes, more than any message shows of it

// Reason for a failed start, reported by the program's process before it ends.
struct KeeperFailure {
  bool in_folder = false;  // false: the start itself failed
  int error = 0;
};

void be_program(const LaunchMessage& message, pid_t keeper, int failures) {
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != keeper) _exit(1);
  if (message.input.get() >= 0) dup2(message.input.get(), STDIN_FILENO);
  dup2(message.output.get() >= 0 ? message.output.get() : message.errors.get(), STDOUT_FILENO);
  dup2(message.errors.get(), STDERR_FILENO);
  KeeperFailure failure;
  if (!message.folder.empty() && chdir(message.folder.c_str()) != 0) {
    failure = {true, errno};
  } else {
    for (const std::string& entry : message.env) {
      const std::size_t equals = entry.find('=');
      setenv(entry.substr(0, equals).c_str(), entry.c_str() + equals + 1, 1);
    }
    std::vector<char*> words;
    for (const std::string& word : message.command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    execvp(words.front(), words.data());
    failure = {false, errno};
  }
  static_cast<void>(!write(failures, &failure, sizeof failure));
  _exit(127);
}

std::string shown(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string reason(int error) {
  std::string text = std::strerror(error);
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

std::string reason(const LaunchMessage& message, const KeeperFailure& failure) {
  const std::string what = "'" + shown(message.command) + "' cannot start: ";
  if (failure.in_folder)
    return what + "its folder '" + message.folder + "' cannot be entered: " + reason(failure.error);
  return what + reason(failure.error);
}

std::string ending(int status) {
  if (!WIFSIGNALED(status)) return "exit code " + std::to_string(WEXITSTATUS(status));
  const int number = WTERMSIG(status);
  return "signal " + std::to_string(number) + " (" + strsignal(number) + ")";
}

class Keeper {
 public:
  Keeper(LaunchMessage message, const Isolation& isolation)
      : message_(std::move(message)), isolation_(isolation) {
    sigset_t watched;
    sigemptyset(&watched);
    sigaddset(&watched, SIGCHLD);
    sigaddset(&watched, SIGTERM);
    sigaddset(&watched, SIGCONT);
    signals_ = Descriptor(signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!isolation_.processes) timers_.emplace();  // the program can stop this process
  }

  void run() {
    if (const int failed = isolate(isolation_, message_.writable); failed != 0) {
      say(kFailed, "'" + shown(message_.command) + "' cannot be isolated: " + reason(failed));
      return;
    }
    if (!launch()) return;
    while (reap() && !told_) {
      if (wait(kLookAtLog)) break;
      shorten_log();
    }
    end_all();
  }

 private:
  bool launch() {
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return fail({false, errno});
    const Descriptor failures(ends[0]);
    Descriptor told(ends[1]);
    const pid_t keeper = getpid();
    program_ = fork();
    if (program_ < 0) return fail({false, errno});
    if (program_ == 0) be_program(message_, keeper, told.get());
    told.close();
    message_.input.close();
    message_.output.close();
    KeeperFailure failure;
    if (read(failures.get(), &failure, sizeof failure) == sizeof failure) {  // no data: the program has begun
      waitpid(program_, nullptr, 0);
      return fail(failure);
    }
    say(kStarted, "");
    return true;
  }

  bool fail(const KeeperFailure& failure) {
    say(kFailed, reason(message_, failure));
    return false;
  }

  // Records ended processes. Returns false if none is left: every descendant of this process is its child or
  // a descendant of one.
  bool reap() {
    while (true) {
      int status = 0;
      const pid_t pid = waitpid(-1, &status, WNOHANG);
      if (pid == 0) return true;
      if (pid < 0) {
        tell(ended_);
        return false;
      }
      const bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
      if (pid == program_ && (!well || message_.once)) tell(status);
      if (!well) ended_ = status;
    }
  }

  void tell(int status) {
    if (!told_) say(kEnded, ending(status));
    told_ = true;
  }

  void say(LeashWord word, const std::string& text) {
    const std::string bytes = static_cast<char>(word) + text;
    static_cast<void>(send(message_.leash.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
  }

  // Waits for a signal, for the request to end the program, or for the given milliseconds.
  bool wait(int milliseconds) {
    std::array<pollfd, 2> watched{
        {{signals_.get(), POLLIN, 0}, {let_go_ ? -1 : message_.leash.get(), POLLIN, 0}}};
    poll(watched.data(), watched.size(), milliseconds);
    if (watched[1].revents != 0 || drain_signals(signals_.get())) let_go_ = true;
    return let_go_;
  }

  // A program that floods its standard error must not fill the disk. It appends, so it continues at the new
  // end.
  void shorten_log() {
    struct stat about {};
    const int log = message_.errors.get();
    if (fstat(log, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size <= kMostOfLog) return;
    std::array<char, kEndOfLog> end{};
    const ssize_t kept = pread(log, end.data(), end.size(), about.st_size - static_cast<off_t>(end.size()));
    if (ftruncate(log, 0) == 0 && kept > 0)
      static_cast<void>(!write(log, end.data(), static_cast<std::size_t>(kept)));
  }

  void end_all() {
    let_go_ = true;
    signal_descendants_of(getpid(), SIGTERM);
    const auto killing = within(kGrace);
    while (reap()) {
      if (std::chrono::steady_clock::now() >= killing) kill_all();
      wait(kKillAgain);
    }
  }

  // The kernel misses no process of a namespace, however fast they fork.
  void kill_all() const {
    if (isolation_.processes)
      kill(-1, SIGKILL);
    else
      signal_descendants_of(getpid(), SIGKILL);
  }

  LaunchMessage message_;
  Isolation isolation_;
  std::optional<ContinuingTimers> timers_;
  Descriptor signals_;
  pid_t program_ = -1;
  // Last failure of the program or of its descendants. A process gets a new parent before its old parent can
  // be reaped, so it may seem to end first. 0 without a failure.
  int ended_ = 0;
  bool told_ = false;
  bool let_go_ = false;
};

}  // namespace

bool drain_signals(int signals) {
  bool asked_to_end = false;
  signalfd_siginfo signal{};
  while (read(signals, &signal, sizeof signal) == sizeof signal) {
    asked_to_end = asked_to_end || signal.ssi_signo == SIGTERM;
  }
  return asked_to_end;
}

void keep(LaunchMessage message, const Isolation& isolation) {
  prctl(PR_SET_NAME, "splitproof-keep");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  // All processes in the namespace end with this process. Without a namespace, this process must end them
  // after the zygote was killed.
  if (isolation.processes) prctl(PR_SET_PDEATHSIG, SIGKILL);
  {
    Keeper keeper(std::move(message), isolation);
    keeper.run();
  }
  _exit(0);
}

}  // namespace splitproof::testee
