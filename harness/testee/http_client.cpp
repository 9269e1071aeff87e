#include "harness/testee/http_client.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "harness/testee/message_reader.hpp"

namespace splitproof::testee {
namespace {

constexpr std::size_t kRoom = 65536;

std::string request_bytes(const HttpAddress& to, const Post& what) {
  const bool v6 = to.host.find(':') != std::string::npos;
  std::string bytes = what.method + " " + to.prefix + what.path + " HTTP/1.1\r\n";
  bytes += "host: " + (v6 ? "[" + to.host + "]" : to.host) + ":" + std::to_string(to.port) + "\r\n";
  for (const Header& header : what.headers) bytes += header.name + ": " + header.value + "\r\n";
  bytes += "content-length: " + std::to_string(what.body.size()) + "\r\nconnection: close\r\n\r\n";
  return bytes + what.body;
}

std::string in_seconds(std::chrono::milliseconds time) {
  std::string text = std::to_string(time.count() / 1000);
  if (time.count() % 1000 != 0) text += "." + std::to_string(1000 + time.count() % 1000).substr(1);
  return text + " s";
}

// Reads the reply of one exchange after the request was sent.
class ReplyReader {
 public:
  ReplyReader(int socket, std::size_t most, const ClientTimeouts& timeouts, const ClientEvents& events,
              const StopToken& leave, Deadline sent)
      : socket_(socket),
        timeouts_(timeouts),
        events_(events),
        leave_(leave),
        sent_(sent),
        last_(sent),
        reader_(most) {}

  Reply read() {
    while (!reader_.over() && !reader_.broken()) {
      const Io io = wait_for(socket_, POLLIN, leave_, give_up_at());
      if (io == Io::stopped) return reply(Ending::left, {});
      const bool silent = io == Io::late && has_passed(give_up_at());
      if (silent || has_passed(sent_ + timeouts_.whole)) return hung();
      if (io != Io::late) take();
    }
    return reply(reader_.ending(), reader_.detail());
  }

 private:
  Deadline give_up_at() const {
    Deadline since = last_;
    if (events_.excused) since = std::max(since, events_.excused());
    return std::min(since + timeouts_.silence, sent_ + timeouts_.whole);
  }

  void take() {
    const ssize_t got = recv(socket_, room_.data(), room_.size(), 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    last_ = std::chrono::steady_clock::now();
    const double at = seconds(sent_, last_);
    if (got <= 0) return reader_.finish(got < 0, at);
    const std::size_t before = reader_.body().size();
    reader_.feed(std::string_view(room_.data(), static_cast<std::size_t>(got)), at);
    if (events_.read && reader_.body().size() > before) events_.read(reader_.body());
    if (reader_.over()) read_on();
  }

  // Reads bytes after the message, until the connection ends.
  void read_on() {
    const Deadline deadline = within(timeouts_.closing);
    kept_open_ = true;
    while (wait_for(socket_, POLLIN, leave_, deadline) == Io::done && !has_passed(deadline)) {
      const ssize_t got = recv(socket_, room_.data(), room_.size(), 0);
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      kept_open_ = false;
      if (got <= 0) return;
      reader_.feed(std::string_view(room_.data(), static_cast<std::size_t>(got)), seconds(sent_, last_));
    }
  }

  Reply hung() const {
    if (!has_passed(sent_ + timeouts_.whole))
      return reply(Ending::hung, "no byte arrived for " + in_seconds(timeouts_.silence));
    Reply endless = reply(Ending::hung, "the answer did not end within " + in_seconds(timeouts_.whole));
    endless.endless = true;
    return endless;
  }

  Reply reply(Ending ending, std::string detail) const {
    Reply reply{reader_.body(), ending, std::move(detail), reader_.message(), kept_open_, sent_};
    if (reply.http && !reader_.over())
      reply.http->ended_at = seconds(sent_, std::chrono::steady_clock::now());
    return reply;
  }

  const int socket_;
  const ClientTimeouts& timeouts_;
  const ClientEvents& events_;
  const StopToken& leave_;
  const Deadline sent_;
  Deadline last_;  // time of the last byte
  MessageReader reader_;
  bool kept_open_ = false;
  std::array<char, kRoom> room_;
};

}  // namespace

Descriptor connect_to_target(const HttpAddress& to, const ClientTimeouts& timeouts, const StopToken& leave,
                             Reply& reply) {
  reply.sent = std::chrono::steady_clock::now();
  const Deadline connecting = within(timeouts.silence);
  Descriptor socket = connect_to(to, leave, connecting);
  if (socket.get() >= 0) return socket;
  const bool left = sleep_until(leave, std::chrono::steady_clock::now()) == Io::stopped;
  const bool late = std::chrono::steady_clock::now() >= connecting;
  reply.ending = left ? Ending::left : late ? Ending::hung : Ending::crashed;
  if (!left)
    reply.detail = std::string(late ? "the target accepts no connection on " : kNobodyListens) + to.host +
                   ":" + std::to_string(to.port);
  return socket;
}

Reply post(const HttpAddress& to, const Post& what, const ClientTimeouts& timeouts,
           const ClientEvents& events, const StopToken& leave) {
  Reply reply;
  const Descriptor socket = connect_to_target(to, timeouts, leave, reply);
  if (socket.get() < 0) return reply;
  reply.sent = std::chrono::steady_clock::now();
  const Io io = send_all(socket.get(), request_bytes(to, what), leave, within(timeouts.silence));
  // A testee may answer and close before it has read the request. Its answer still counts.
  if (io == Io::done || io == Io::gone)
    return ReplyReader(socket.get(), what.most_of_answer, timeouts, events, leave, reply.sent).read();
  reply.ending = io == Io::stopped ? Ending::left : Ending::hung;
  if (io == Io::late)
    reply.detail = "the target does not read the request on " + to.host + ":" + std::to_string(to.port);
  return reply;
}

}  // namespace splitproof::testee
