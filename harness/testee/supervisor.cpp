#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "harness/testee/descendants.hpp"
#include "harness/testee/launch_message.hpp"
#include "harness/testee/process.hpp"
#include "harness/testee/stop_guard.hpp"
#include "harness/testee/zygote.hpp"

namespace splitproof::testee {
namespace {

constexpr std::chrono::seconds kAnswers{30};   // maximum time for starting a program
constexpr std::chrono::seconds kEnds{15};      // maximum time for ending one; SIGKILL comes after one second
constexpr std::chrono::milliseconds kLook{2};  // between two SIGKILLs for orphans
constexpr std::chrono::seconds kJoins{1};      // a joined thread stays visible a little longer
constexpr std::size_t kMostOfAWord = 1 << 16;

Error broken(const std::string& what) { return Error{what + ": " + std::strerror(errno), {}, 0, {}}; }

// Reads one message of the keeper: empty at the end of the leash. Returns false without a message.
bool next_word(int leash, int flags, std::string& word) {
  word.resize(kMostOfAWord);
  ssize_t got = -1;
  do {
    got = recv(leash, word.data(), word.size(), flags);
  } while (got < 0 && errno == EINTR);
  const bool none = got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  word.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return !none;
}

// Processes of supervisors that this program has not waited for yet.
using Zygotes = std::set<pid_t>;

// Kills what a zygote left that was killed before it ended its programs. All of it now descends from this
// process.
void end_orphans(const Zygotes& running) {
  for (const Deadline deadline = within(kEnds); std::chrono::steady_clock::now() < deadline;) {
    const std::vector<pid_t> orphans = descendants_of(getpid(), running);
    if (orphans.empty()) return;
    for (const pid_t orphan : orphans) kill(orphan, SIGKILL);
    for (const pid_t orphan : orphans) waitpid(orphan, nullptr, WNOHANG);
    std::this_thread::sleep_for(kLook);
  }
}

// True if `socket` has something to read, or has ended, in time.
bool readable(int socket, Deadline deadline) {
  const StopToken nobody;
  return wait_for(socket, POLLIN, nobody, deadline) != Io::late;
}

class SupervisedProcess : public Process {
 public:
  SupervisedProcess(Descriptor leash, Descriptor input, Descriptor output)
      : leash_(std::move(leash)), input_(std::move(input)), output_(std::move(output)) {}

  ~SupervisedProcess() override {
    input_.close();
    output_.close();
    shutdown(leash_.get(), SHUT_WR);
    const Deadline deadline = within(kEnds);
    std::string word;
    while (readable(leash_.get(), deadline)) {
      if (next_word(leash_.get(), MSG_DONTWAIT, word) && word.empty()) return;
    }
  }

  bool running() const override { return end().empty(); }

  std::string end() const override {
    const std::lock_guard lock(mutex_);
    std::string word;
    while (end_.empty() && next_word(leash_.get(), MSG_DONTWAIT, word)) {
      if (word.empty())
        end_ = "unknown, because its keeper was killed";
      else if (word.front() == kEnded)
        end_ = word.substr(1);
    }
    return end_;
  }

  int output() const override { return output_.get(); }
  int input() const override { return input_.get(); }
  void close_input() override { input_.close(); }

 private:
  Descriptor leash_;
  Descriptor input_;
  Descriptor output_;
  mutable std::mutex mutex_;
  mutable std::string end_;  // its end, if known
};

// C texts and names of the environment cannot hold every std::string.
Result<void> check(const Launch& launch) {
  const auto has_nul = [](const std::string& text) { return text.find('\0') != std::string::npos; };
  bool nul = has_nul(launch.folder) || std::any_of(launch.command.begin(), launch.command.end(), has_nul);
  for (const auto& [name, value] : launch.env) {
    nul = nul || has_nul(name) || has_nul(value);
    if (name.empty() || name.find('=') != std::string::npos)
      return tl::unexpected(Error{"'" + name + "' cannot be the name of an environment variable", {}, 0, {}});
  }
  if (nul)
    return tl::unexpected(Error{"a command, its folder and its environment cannot hold NUL", {}, 0, {}});
  if (launch.command.empty()) return tl::unexpected(Error{"there is no command to start", {}, 0, {}});
  return {};
}

// A network whose sockets are created in the process of a supervisor.
class RemoteNetwork : public Network {
 public:
  explicit RemoteNetwork(Descriptor sockets) : sockets_(std::move(sockets)) {}

  Descriptor socket(int family, int type, int protocol) const override {
    const std::lock_guard lock(mutex_);
    return ask_for_socket(sockets_.get(), {family, type, protocol});
  }

 private:
  const Descriptor sockets_;
  mutable std::mutex mutex_;
};

// Returns the sum of these kernel counters for the network of `process`. The files have a line of names and a
// line of values (/proc/PID/net/snmp), or a name and its value on each line (snmp6).
std::size_t counted(pid_t process, const char* file, const std::set<std::string>& names) {
  std::ifstream lines("/proc/" + std::to_string(process) + "/net/" + file);
  std::size_t sum = 0;
  for (std::string first; std::getline(lines, first);) {
    std::istringstream keys(first);
    std::string key;
    keys >> key;
    if (!key.ends_with(':')) {
      std::size_t value = 0;
      if (keys >> value && names.count(key) > 0) sum += value;
      continue;
    }
    std::string second;
    std::getline(lines, second);
    std::istringstream values(second);
    const std::string group = key;
    std::string value;
    values >> value;
    while (keys >> key && values >> value)
      if (names.count(group + key) > 0) sum += std::stoull(value);
  }
  return sum;
}

struct Forked {
  pid_t process = -1;
  Descriptor control;
  Descriptor sockets;  // none: it has this program's network
};

class ForkedSupervisor : public Supervisor {
 public:
  ForkedSupervisor(Forked forked, std::shared_ptr<Zygotes> zygotes)
      : zygote_(forked.process), control_(std::move(forked.control)), zygotes_(std::move(zygotes)) {
    // The supervisor's process has left the network.
    if (forked.sockets.get() >= 0) network_ = std::make_unique<RemoteNetwork>(std::move(forked.sockets));
  }

  void add(Result<std::unique_ptr<Supervisor>> apart) { apart_.push_back(std::move(apart)); }

  // Guards this process. Call it when all others have been forked.
  void guard_against_stops() { guard_.emplace(); }

  Result<Supervisor*> without_network() override {
    const std::lock_guard lock(giving_);
    if (given_ == apart_.size()) return tl::unexpected(Error{"no network of its own was made", {}, 0, {}});
    const Result<std::unique_ptr<Supervisor>>& next = apart_[given_++];
    if (!next) return tl::unexpected(next.error());
    return next->get();
  }

  const Network& network() const override { return network_ ? *network_ : own_network(); }

  // Counts packets without a route, and packets that nobody takes on the loopback, where a program may look
  // for a name resolver.
  std::size_t calls_elsewhere() const override {
    if (!network_) return 0;
    return counted(zygote_, "snmp", {"Ip:OutNoRoutes", "Udp:NoPorts"}) +
           counted(zygote_, "snmp6", {"Ip6OutNoRoutes", "Udp6NoPorts"});
  }

  ~ForkedSupervisor() override {
    shutdown(control_.get(), SHUT_WR);
    // It sends nothing, so readable means that it has ended.
    if (!readable(control_.get(), within(kEnds))) kill(zygote_, SIGKILL);
    int status = 0;
    while (waitpid(zygote_, &status, 0) < 0 && errno == EINTR) continue;
    zygotes_->erase(zygote_);
    if (status != 0) end_orphans(*zygotes_);
  }

  Result<std::unique_ptr<Process>> launch(const Launch& launch) override {
    if (const Result<void> sound = check(launch); !sound) return tl::unexpected(sound.error());
    const std::string errors = launch.errors.empty() ? "/dev/null" : launch.errors;
    LaunchMessage message;
    message.errors =
        Descriptor(open(errors.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600));
    if (message.errors.get() < 0) {
      Error error = broken("cannot write the file for a program's output");
      error.file = errors;
      return tl::unexpected(std::move(error));
    }
    Descriptor input;
    Descriptor output;
    if (launch.pipes && !(make_pipe(message.input, input) && make_pipe(output, message.output)))
      return tl::unexpected(broken("cannot make a pipe to '" + launch.command.front() + "'"));
    if (launch.pipes) {
      fcntl(input.get(), F_SETFL, O_NONBLOCK);
      fcntl(output.get(), F_SETFL, O_NONBLOCK);
    }
    message.command = launch.command;
    message.folder = launch.folder;
    message.once = launch.once;
    message.confined = launch.confined;
    message.writable = launch.writable;
    for (const auto& [name, value] : launch.env) message.env.push_back(name + "=" + value);
    Result<SocketPair> leash = socket_pair();
    if (!leash) return tl::unexpected(std::move(leash.error()));
    message.leash = std::move(leash->theirs);
    if (const Result<void> sent = send_launch(control_.get(), message); !sent) {
      return tl::unexpected(
          Error{"'" + launch.command.front() + "' cannot start: " + sent.error().what, {}, 0, {}});
    }
    message = {};
    std::string word;
    if (!readable(leash->ours.get(), within(kAnswers)) || !next_word(leash->ours.get(), 0, word) ||
        word.empty()) {
      return tl::unexpected(
          Error{"'" + launch.command.front() + "' cannot start: the supervisor does not answer", {}, 0, {}});
    }
    if (word.front() == kFailed) return tl::unexpected(Error{word.substr(1), {}, 0, {}});
    return std::make_unique<SupervisedProcess>(std::move(leash->ours), std::move(input), std::move(output));
  }

 private:
  static bool make_pipe(Descriptor& reading, Descriptor& writing) {
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    reading = Descriptor(ends[0]);
    writing = Descriptor(ends[1]);
    return true;
  }

  pid_t zygote_;
  Descriptor control_;
  std::shared_ptr<Zygotes> zygotes_;
  std::unique_ptr<const RemoteNetwork> network_;  // null: this program's
  std::vector<Result<std::unique_ptr<Supervisor>>> apart_;
  std::mutex giving_;
  std::size_t given_ = 0;  // guarded by giving_; index in `apart_`
  std::optional<StopGuard> guard_;
};

Result<Forked> fork_zygote(bool apart, Zygotes& zygotes) {
  Result<SocketPair> control = socket_pair();
  if (!control) return tl::unexpected(std::move(control.error()));
  SocketPair sockets;
  if (apart) {
    Result<SocketPair> made = socket_pair();
    if (!made) return tl::unexpected(std::move(made.error()));
    sockets = *std::move(made);
  }
  Forked forked{fork(), std::move(control->ours), std::move(sockets.ours)};
  if (forked.process < 0) return tl::unexpected(broken("cannot start the supervisor of programs"));
  if (forked.process == 0) serve_launches(control->theirs.get(), sockets.theirs.get());
  zygotes.insert(forked.process);
  return forked;
}

// Reads a zygote's first message.
ZygoteState state_of(const Forked& forked) {
  std::string word;
  ZygoteState state{EIO};
  if (readable(forked.control.get(), within(kAnswers)) && next_word(forked.control.get(), 0, word) &&
      word.size() == sizeof state)
    std::memcpy(&state, word.data(), sizeof state);
  return state;
}

tl::unexpected<Error> no_network_of_its_own(int failed) {
  return tl::unexpected(Error{
      std::string("this system does not allow programs to have their own network: ") + std::strerror(failed),
      {},
      0,
      "allow user namespaces, or remove 'network: none' and run splitproof without access to a "
      "network"});
}

// True if a user can stop this program from a terminal and expects it to stay stopped.
bool has_terminal() { return Descriptor(open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)).get() >= 0; }

bool has_one_thread() {
  const auto threads = [] {
    std::error_code failed;
    const std::filesystem::directory_iterator tasks("/proc/self/task", failed);
    return std::distance(begin(tasks), end(tasks));
  };
  for (const Deadline deadline = within(kJoins); threads() > 1;) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace

std::string remark_on_calls(const Supervisor& supervisor) {
  const std::size_t calls = supervisor.calls_elsewhere();
  if (calls == 0) return {};
  return "the target has no network, and tried " + (calls == 1 ? "once" : std::to_string(calls) + " times") +
         " to connect elsewhere";
}

Result<std::unique_ptr<Supervisor>> Supervisor::start(std::size_t apart) {
  if (!has_one_thread())
    return tl::unexpected(Error{"the supervisor of programs must start before any thread", {}, 0, {}});
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // if the supervisor is killed, this program adopts its processes
  prctl(PR_SET_DUMPABLE, 0);         // this user's programs cannot read this process or a zygote
  const auto zygotes = std::make_shared<Zygotes>();
  Result<Forked> forked = fork_zygote(false, *zygotes);
  if (!forked) return tl::unexpected(std::move(forked.error()));
  const ZygoteState state = state_of(*forked);
  bool isolated = state.isolates_processes;
  auto supervisor = std::make_unique<ForkedSupervisor>(*std::move(forked), zygotes);
  if (state.failed != 0)
    return tl::unexpected(Error{
        std::string("cannot start the supervisor of programs: ") + std::strerror(state.failed), {}, 0, {}});
  for (std::size_t i = 0; i < apart; ++i) {
    Result<Forked> next = fork_zygote(true, *zygotes);
    if (!next) return tl::unexpected(std::move(next.error()));
    const ZygoteState of_next = state_of(*next);
    isolated = isolated && (of_next.failed != 0 || of_next.isolates_processes);
    auto made = std::make_unique<ForkedSupervisor>(*std::move(next), zygotes);
    if (of_next.failed == 0)
      supervisor->add(std::move(made));
    else
      supervisor->add(no_network_of_its_own(of_next.failed));
  }
  if (!isolated && !has_terminal()) supervisor->guard_against_stops();
  return Result<std::unique_ptr<Supervisor>>(std::move(supervisor));
}

}  // namespace splitproof::testee
