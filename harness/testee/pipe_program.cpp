#include "harness/testee/pipe_program.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>
#include <utility>

#include "harness/testee/socket.hpp"

namespace splitproof::testee {
namespace {

// Interval of checks. A program may end and leave a child that holds the pipe open, and no event reports
// that.
constexpr std::chrono::milliseconds kLook{20};

// Maximum time from the end of a program's output to its reported end.
constexpr std::chrono::milliseconds kFarewell{500};

// Maximum bytes that are read before they are examined.
constexpr std::size_t kMostAtOnce = std::size_t{1} << 20U;

// JSON may need six bytes for one, and adds its own syntax.
constexpr std::size_t kForEachByte = 8;

// write(2) on a pipe without a reader raises SIGPIPE, and has no flag against it, unlike send(2). So the
// thread blocks the signal, and removes the one that it caused.
ssize_t write_quietly(int pipe, std::string_view bytes) {
  sigset_t broken;
  sigset_t before;
  sigset_t pending;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &broken, &before);
  const ssize_t written = write(pipe, bytes.data(), bytes.size());
  const int error = errno;
  if (written < 0 && error == EPIPE && sigismember(&pending, SIGPIPE) == 0) {
    const timespec at_once{};
    while (sigtimedwait(&broken, nullptr, &at_once) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

PipeReply garbage(std::string detail) { return {PipeReply::Kind::garbage, std::move(detail)}; }

std::string shown(std::chrono::milliseconds wait) {
  return wait.count() % 1000 == 0 ? std::to_string(wait.count() / 1000) + " s"
                                  : std::to_string(wait.count()) + " ms";
}

}  // namespace

PipeProgram::~PipeProgram() {
  process_.reset();
  std::error_code absent;
  if (std::filesystem::file_size(errors_, absent) == 0) std::filesystem::remove(errors_, absent);
}

PipeReply PipeProgram::tell(std::string_view line, std::chrono::milliseconds wait, std::string& body,
                            std::size_t most, const std::function<void()>& on_output) {
  const Deadline deadline = within(wait);
  const bool wants_digest = line == kDigestLine;
  bool cut = false;
  std::vector<std::string> asks;
  std::size_t asked = 0;  // bytes of `asks`
  const std::size_t longest = std::min(kMaxPipeLine, kForEachByte * most);
  const bool is_ahead = line.empty() && owes_answers();
  std::string_view& unsent = is_ahead ? unsent_ : line;
  if (!is_ahead) {
    const Pipe before = read_what_is_there();
    if (!lines_.rest().empty())
      return garbage("the program wrote without a request: " + in_backticks(lines_.rest()));
    if (before == Pipe::closed) return ended();
  }
  while (true) {
    // In this order: the bytes that a program wrote before its end are there once its end is known.
    const bool running = process_->running();
    const Pipe pipe = read_what_is_there();
    while (const std::optional<std::string> said = lines_.next()) {
      const PipeWord word = read_pipe_word(*said, role_);
      switch (word.kind) {
        case PipeWord::Kind::answer:
        case PipeWord::Kind::out:
          if (cut) return garbage("the program wrote output for a message that it had cut off");
          if (word.text.size() > most - body.size())
            return garbage("the program wrote more than " + std::to_string(most) + " bytes of output");
          body += word.text;
          if (on_output) on_output();
          if (word.kind == PipeWord::Kind::answer) break;
          continue;
        case PipeWord::Kind::ask:
          asked += word.text.size();
          if (asked > most)
            return garbage("the program requests from its upstream more than " + std::to_string(most) +
                           " bytes");
          asks.push_back(word.text);
          continue;
        case PipeWord::Kind::cut:
          cut = true;
          continue;
        case PipeWord::Kind::garbage:
          return garbage(word.text);
        case PipeWord::Kind::skip:
          return {PipeReply::Kind::skip,
                  word.issue.empty() ? word.text : word.text + " (" + word.issue + ")"};
        case PipeWord::Kind::error:
          return {PipeReply::Kind::error, "the program reports a failure: " + in_backticks(word.text)};
        case PipeWord::Kind::digest:
          if (!wants_digest)
            return garbage("the program wrote a digest that nobody asked for: " + in_backticks(*said));
          break;
        case PipeWord::Kind::ack:
          if (wants_digest) return garbage("the program answered without the digest: " + in_backticks(*said));
          break;
      }
      if (is_ahead) --owed_;
      if (!owes_answers() && (!unsent.empty() || unread_input()))
        return garbage("the program answered before it had read the whole line");
      if (!owes_answers() && !lines_.rest().empty())
        return garbage("the program wrote more after its answer: " + in_backticks(lines_.rest()));
      PipeReply done;
      done.cut = cut;
      done.asks = std::move(asks);
      if (word.kind == PipeWord::Kind::digest) done.digest = word.text;
      return done;
    }
    if (lines_.rest().size() > longest)
      return garbage("the program wrote a line of more than " + std::to_string(longest) +
                     " bytes: " + in_backticks(lines_.rest()));
    if (pipe == Pipe::closed || (pipe == Pipe::empty && !running)) return ended();
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      const std::string_view rest = lines_.rest();
      return {PipeReply::Kind::hung,
              "the program did not answer within " + shown(wait) +
                  (rest.empty() ? "" : "; it began a line without an end: " + in_backticks(rest))};
    }
    std::array<pollfd, 3> ready{{{process_->output(), POLLIN, 0},
                                 {unsent.empty() ? -1 : process_->input(), POLLOUT, 0},
                                 {stop_.descriptor(), POLLIN, 0}}};
    poll(ready.data(), ready.size(), static_cast<int>(std::min(left, kLook).count()));
    if (ready[2].revents != 0) return {PipeReply::Kind::stopped, "stopped"};
    // If nobody reads any more, earlier output still counts. The rest of the line is not written.
    if (ready[1].revents != 0 && !write_some(unsent)) {
      std::this_thread::sleep_for(std::min(left, kLook));
    }
  }
}

void PipeProgram::send_ahead(std::string lines, std::size_t count) {
  ahead_ = std::move(lines);
  unsent_ = ahead_;
  owed_ = count;
}

std::string_view PipeProgram::overhear(std::chrono::milliseconds wait) {
  pollfd output{process_->output(), POLLIN, 0};
  if (poll(&output, 1, static_cast<int>(wait.count())) > 0) read_what_is_there();
  return lines_.rest();
}

PipeReply PipeProgram::look() {
  const bool running = process_->running();
  const Pipe pipe = read_what_is_there();
  if (!lines_.rest().empty())
    return garbage("the program wrote without a request: " + in_backticks(lines_.rest()));
  return running && pipe == Pipe::empty ? PipeReply() : ended();
}

PipeProgram::Pipe PipeProgram::read_what_is_there() {
  std::array<char, 65536> piece;
  for (std::size_t got = 0; got < kMostAtOnce;) {
    const ssize_t n = read(process_->output(), piece.data(), piece.size());
    if (n == 0) return Pipe::closed;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? Pipe::empty : Pipe::closed;
    lines_.add({piece.data(), static_cast<std::size_t>(n)});
    got += static_cast<std::size_t>(n);
  }
  return Pipe::more;
}

bool PipeProgram::write_some(std::string_view& line) {
  const ssize_t n = write_quietly(process_->input(), line);
  if (n >= 0) line.remove_prefix(static_cast<std::size_t>(n));
  return n >= 0 || errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

bool PipeProgram::unread_input() const {
  int unread = 0;
  return ioctl(process_->input(), FIONREAD, &unread) == 0 && unread > 0;
}

PipeReply PipeProgram::ended() const {
  const Deadline deadline = within(kFarewell);
  while (process_->running() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const bool running = process_->running();
  const std::string end = process_->end();
  const bool well = !running && lines_.rest().empty() && end == "exit code 0";
  std::string detail =
      running ? "the program closed its standard output and still runs" : "the program ended (" + end + ")";
  if (!lines_.rest().empty()) detail += " inside the line " + in_backticks(lines_.rest());
  const std::string error = last_error();
  if (!error.empty()) detail += "; the last line on its standard error is " + in_backticks(error);
  return {PipeReply::Kind::crashed, std::move(detail), well};
}

std::string PipeProgram::last_error() const {
  static constexpr std::streamoff kTail = 4096;
  std::ifstream file(errors_, std::ios::binary | std::ios::ate);
  if (!file) return {};
  file.seekg(std::max<std::streamoff>(0, file.tellg() - kTail));
  std::string last;
  for (std::string line; std::getline(file, line);) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = std::move(line);
  }
  return last;
}

}  // namespace splitproof::testee
