#include "harness/testee/zygote.hpp"

#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <set>
#include <string>
#include <utility>

#include "harness/testee/descendants.hpp"
#include "harness/testee/isolation.hpp"
#include "harness/testee/keeper.hpp"
#include "harness/testee/launch_message.hpp"
#include "harness/testee/stop_guard.hpp"

namespace splitproof::testee {
namespace {

constexpr int kControl = STDERR_FILENO + 1;
constexpr int kSockets = kControl + 1;
constexpr int kEndAgain = 20;                // milliseconds
constexpr std::size_t kKernelSignalSet = 8;  // bytes

void let_go_of_what_was_inherited(int control, int sockets) {
  prctl(PR_SET_NAME, "splitproof-zygo");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  setsid();
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  // The kernel itself does this, because the C library reserves two signals, which may be ignored initially.
  constexpr std::array<unsigned long, 8> kDefault{};  // as the kernel lays out its sigaction, and longer
  for (int number = 1; number <= SIGRTMAX; ++number)
    syscall(SYS_rt_sigaction, number, kDefault.data(), nullptr, kKernelSignalSet);

  // The sockets first, because they may have the number of a standard descriptor, or of each other.
  const int safe = fcntl(control, F_DUPFD_CLOEXEC, kSockets + 1);
  const int safe_sockets = sockets < 0 ? -1 : fcntl(sockets, F_DUPFD_CLOEXEC, kSockets + 1);
  const int nowhere = open("/dev/null", O_RDWR);
  for (int standard = STDIN_FILENO; standard <= STDERR_FILENO; ++standard) {
    if (nowhere != standard) dup2(nowhere, standard);
  }
  dup3(safe, kControl, O_CLOEXEC);
  if (safe_sockets >= 0) dup3(safe_sockets, kSockets, O_CLOEXEC);
  closefrom(safe_sockets >= 0 ? kSockets + 1 : kSockets);
}

// Moves this process into a network with only a loopback, and into a namespace with only this user. Returns
// 0, or errno.
int leave_the_network() {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return errno;
  if (const int failed = map_user(user, group); failed != 0) return failed;
  const Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq loopback{};
  std::strcpy(loopback.ifr_name, "lo");
  loopback.ifr_flags = IFF_UP;
  return ioctl(socket.get(), SIOCSIFFLAGS, &loopback) == 0 ? 0 : errno;
}

class Zygote {
 public:
  Zygote(bool serves_sockets, const Isolation& isolation)
      : isolation_(isolation), sockets_(serves_sockets ? kSockets : -1) {
    sigset_t watched;
    sigemptyset(&watched);
    sigaddset(&watched, SIGCHLD);
    sigaddset(&watched, SIGCONT);
    signals_ = Descriptor(signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
  }

  void run() {
    while (wait_for_launch()) {
      LaunchMessage message;
      if (!receive_launch(kControl, message)) break;
      if (message.leash.get() >= 0) start_keeper(std::move(message));
    }
    close(kControl);
    for (const pid_t keeper : keepers_) kill(keeper, SIGTERM);
    while (reap()) wait(-1, deserted_ ? kEndAgain : -1);
  }

 private:
  bool wait_for_launch() {
    while (true) {
      reap();
      if (wait(kControl, deserted_ ? kEndAgain : -1)) return true;
    }
  }

  // Waits for a signal, for data on `socket`, or for the given milliseconds. Returns true if `socket` has
  // data.
  bool wait(int socket, int milliseconds) {
    std::array<pollfd, 3> watched{{{signals_.get(), POLLIN, 0}, {socket, POLLIN, 0}, {sockets_, POLLIN, 0}}};
    if (poll(watched.data(), watched.size(), milliseconds) < 0) return false;
    drain_signals(signals_.get());
    if (watched[2].revents != 0 && !serve_socket(sockets_)) sockets_ = -1;
    return watched[1].revents != 0;
  }

  // Returns false if no process is left. Kills the processes that a keeper left if it ended abnormally.
  bool reap() {
    while (true) {
      int status = 0;
      const pid_t pid = waitpid(-1, &status, WNOHANG);
      if (pid < 0) return deserted_ = false;
      if (pid == 0) break;
      if (keepers_.erase(pid) != 0 && status != 0) deserted_ = true;
    }
    if (deserted_) {
      deserted_ = !descendants_of(getpid(), keepers_).empty();
      signal_descendants_of(getpid(), SIGKILL, keepers_);
    }
    return true;
  }

  void start_keeper(LaunchMessage message) {
    const Isolation isolation = message.confined ? isolation_ : Isolation();
    const pid_t keeper = fork_isolated(isolation);
    if (keeper == 0) {
      signals_.close();
      close(kControl);
      close(kSockets);
      keep(std::move(message), isolation);
    }
    if (keeper > 0) {
      keepers_.insert(keeper);
      return;
    }
    const std::string word =
        static_cast<char>(kFailed) + std::string("cannot start a process: ") + std::strerror(errno);
    static_cast<void>(send(message.leash.get(), word.data(), word.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
  }

  Isolation isolation_;
  ContinuingTimers timers_;  // an unconfined program can stop this process
  Descriptor signals_;
  std::set<pid_t> keepers_;
  int sockets_;            // answers socket requests; -1: none
  bool deserted_ = false;  // there may be processes whose keeper was killed
};

}  // namespace

void serve_launches(int control, int sockets) {
  let_go_of_what_was_inherited(control, sockets);
  ZygoteState state;
  if (sockets >= 0) state.failed = leave_the_network();
  Isolation isolation;
  if (state.failed == 0) isolation = find_isolation(sockets >= 0, state.failed);
  state.isolates_processes = isolation.processes;
  if (send(kControl, &state, sizeof state, MSG_NOSIGNAL) != sizeof state || state.failed != 0) _exit(0);
  Zygote(sockets >= 0, isolation).run();
  _exit(0);
}

}  // namespace splitproof::testee
