#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "harness/testee/launch_message.hpp"
#include "harness/testee/process.hpp"
#include "harness/testee/zygote.hpp"

namespace splitproof::testee {
namespace {

constexpr std::chrono::seconds kAnswers{30};  // how long starting a program may take
constexpr std::chrono::seconds kEnds{15};     // how long ending one may take; SIGKILL comes after one second
constexpr std::chrono::seconds kJoins{1};     // a thread that was joined is seen a little longer
constexpr std::size_t kMostOfAWord = 1 << 16;

Error broken(const std::string& what) { return Error{what + ": " + std::strerror(errno), {}, 0, {}}; }

// One message of the keeper: empty at the end of the leash. None where there is no message yet.
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

// Whether `socket` has something to read, or has ended, in time.
bool readable(int socket, Deadline deadline) {
  const StopToken nobody;
  return wait_for(socket, POLLIN, nobody, deadline) != Io::late;
}

class Leashed : public Process {
 public:
  Leashed(Descriptor leash, Descriptor input, Descriptor output)
      : leash_(std::move(leash)), input_(std::move(input)), output_(std::move(output)) {}

  ~Leashed() override {
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
  mutable std::string end_;  // what has been heard of it
};

// Texts of C, and names of the environment, cannot be everything that a std::string can.
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

class ForkedSupervisor : public Supervisor {
 public:
  ForkedSupervisor(pid_t zygote, Descriptor control) : zygote_(zygote), control_(std::move(control)) {}

  ~ForkedSupervisor() override {
    shutdown(control_.get(), SHUT_WR);
    // It says nothing, so what can be read is its end.
    const bool over = readable(control_.get(), within(kEnds));
    while (waitpid(zygote_, nullptr, over ? 0 : WNOHANG) < 0 && errno == EINTR) continue;
  }

  Result<std::unique_ptr<Process>> launch(const Launch& launch) override {
    if (const Result<void> sound = check(launch); !sound) return tl::unexpected(sound.error());
    const std::string errors = launch.errors.empty() ? "/dev/null" : launch.errors;
    LaunchMessage message;
    message.errors =
        Descriptor(open(errors.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600));
    if (message.errors.get() < 0) {
      Error error = broken("the file for what a program says cannot be written");
      error.file = errors;
      return tl::unexpected(std::move(error));
    }
    Descriptor input;
    Descriptor output;
    if (launch.pipes && !(make_pipe(message.input, input) && make_pipe(output, message.output)))
      return tl::unexpected(broken("no pipe to '" + launch.command.front() + "'"));
    if (launch.pipes) {
      fcntl(input.get(), F_SETFL, O_NONBLOCK);
      fcntl(output.get(), F_SETFL, O_NONBLOCK);
    }
    message.command = launch.command;
    message.folder = launch.folder;
    message.once = launch.once;
    for (const auto& [name, value] : launch.env) message.env.push_back(name + "=" + value);
    Result<SocketPair> leash = socket_pair();
    if (!leash) return tl::unexpected(std::move(leash.error()));
    message.leash = std::move(leash->theirs);
    if (const Result<void> sent = send_launch(control_.get(), message); !sent) {
      return tl::unexpected(
          Error{"'" + launch.command.front() + "' cannot be started: " + sent.error().what, {}, 0, {}});
    }
    message = {};
    std::string word;
    if (!readable(leash->ours.get(), within(kAnswers)) || !next_word(leash->ours.get(), 0, word) ||
        word.empty()) {
      return tl::unexpected(Error{
          "'" + launch.command.front() + "' cannot be started: the supervisor does not answer", {}, 0, {}});
    }
    if (word.front() == kFailed) return tl::unexpected(Error{word.substr(1), {}, 0, {}});
    return std::make_unique<Leashed>(std::move(leash->ours), std::move(input), std::move(output));
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
};

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

Result<std::unique_ptr<Supervisor>> Supervisor::start() {
  if (!has_one_thread())
    return tl::unexpected(
        Error{"the supervisor of programs must be started before there are threads", {}, 0, {}});
  Result<SocketPair> control = socket_pair();
  if (!control) return tl::unexpected(std::move(control.error()));
  const pid_t zygote = fork();
  if (zygote < 0) return tl::unexpected(broken("no process for the supervisor of programs"));
  if (zygote == 0) serve_launches(control->theirs.get());
  return std::make_unique<ForkedSupervisor>(zygote, std::move(control->ours));
}

}  // namespace splitproof::testee
