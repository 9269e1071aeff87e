// Several requests of the proxy, one after another, to an upstream with any answers on open connections, and any bytes
// between them. A transfer gets only bytes that were sent for its own request. No request is sent more than twice, and
// every transfer ends.
//
// The input is a list of exchanges. Each has three bytes: the form of its answer, what follows the answer, and where
// two writes divide the answer. Some forms take more bytes. Letters from U on mark the owner of a byte.

#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/loopback.hpp"

using namespace splitproof;
using std::chrono::milliseconds;

namespace {

constexpr std::size_t kMostExchanges = 6;
constexpr char kFirstMark = 'U';  // these letters occur nowhere else
constexpr int kMostSteps = 2000;
constexpr int kSpins = 8;
constexpr int kMostWaits = 10'000;
constexpr int kMostDescriptors = 256;

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : bytes_(reinterpret_cast<const char*>(data), size) {}

  bool empty() const { return bytes_.empty(); }

  unsigned byte() {
    if (bytes_.empty()) return 0;
    const auto taken = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return taken;
  }

  // Returns raw bytes without marks.
  std::string raw() {
    const std::size_t size = std::min<std::size_t>(byte(), bytes_.size());
    std::string taken(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    for (char& c : taken)
      if (c >= kFirstMark && c < kFirstMark + static_cast<char>(kMostExchanges)) c = '.';
    return taken;
  }

 private:
  std::string_view bytes_;
};

std::string chunk(const std::string& data) {
  return data.empty() ? "" : std::string(1, "0123456789abcdef"[data.size() % 16]) + "\r\n" + data + "\r\n";
}

std::string length(std::size_t size) { return "Content-Length: " + std::to_string(size) + "\r\n"; }

// Returns an answer in one of many forms, most of them invalid HTTP.
std::string answer(unsigned form, char mark, Input& input) {
  const std::string body(1 + form / 16, mark);  // at most 16
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  const std::string ok = "HTTP/1.1 200 OK\r\nRetry-After: " + std::string(1, mark) + "\r\n";
  const std::string chunks = chunk(body.substr(0, 15)) + "0\r\n";
  switch (form % 16) {
    case 0:
      return ok + chunked + "\r\n" + chunks + "\r\n";
    case 1:
      return ok + length(body.size()) + "\r\n" + body;
    case 2:
      return ok + length(input.byte() % 32) + "\r\n" + body;
    case 3:
      return "HTTP/1.1 204 No Content\r\n\r\n";
    case 4:
      return "HTTP/1.1 304 Not Modified\r\n" + length(body.size()) + "\r\n";
    case 5:
      return "HTTP/1.1 103 Early Hints\r\n\r\n" + ok + length(body.size()) + "\r\n" + body;
    case 6:
      return "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n" + length(0) + "\r\n";
    case 7:
      return input.raw();
    case 8:
      return ok + chunked + "\r\n" + chunks;  // the end comes with later bytes, or never
    case 9:
      return ok + chunked + length(input.byte() % 32) + "\r\n" + chunks + "\r\n";
    case 10:
      return ok + length(body.size()) + length(input.byte() % 32) + "\r\n" + body;
    case 11:
      return "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n" + length(body.size()) + "\r\n" + body;
    case 12:
      return "HTTP/1.1 101 Switching Protocols\r\n\r\n" + body;
    case 13:
      return ok + input.raw() + "\r\n\r\n" + body;
    case 14:
      return ok + chunked + "\r\n" + input.raw() + body + "\r\n0\r\n\r\n";
    default:
      return {};  // no byte, and the connection closes
  }
}

// Returns the bytes on a connection after an answer.
std::string addition(unsigned form, char mark, Input& input) {
  switch (form % 8) {
    case 1:
      return answer(0, mark, input);
    case 2:
      return answer(0, mark, input).substr(0, 1 + form / 8);
    case 3:
      return "\r\n";
    case 4:
      return answer(6, mark, input);
    case 5:
      return input.raw();
    case 6:
      return "HTTP/1.1 103 Early Hints\r\n\r\n";
    default:
      return {};
  }
}

// The upstream's end of the connections.
struct Provider {
  ~Provider() {
    for (const int connection : connections) fuzz::reset(connection);
  }

  // Returns the connection with a complete request, or -1.
  int asked() {
    if (const int connection = upstream.accept(); connection >= 0) connections.push_back(connection);
    for (const int connection : connections) {
      char request[4096];
      if (recv(connection, request, sizeof request, MSG_DONTWAIT) > 0) return connection;
    }
    return -1;
  }

  void end(int connection, bool resets) {
    connections.erase(std::find(connections.begin(), connections.end(), connection));
    if (!resets) shutdown(connection, SHUT_RDWR);
    fuzz::reset(connection);
  }

  fuzz::Loopback& upstream;
  std::vector<int> connections;
};

using Name = int (*)(int, sockaddr*, socklen_t*);

int port_of(int descriptor, Name name) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  return name(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0 ? address.sin_port : 0;
}

// Returns the unread bytes at the proxy's end of a connection, which is in this process too, or -1 if it is closed.
int unread(int connection) {
  const int port = port_of(connection, &getpeername);
  for (int descriptor = 3; port != 0 && descriptor < kMostDescriptors; ++descriptor) {
    int size = 0;
    if (port_of(descriptor, &getsockname) == port && ioctl(descriptor, FIONREAD, &size) == 0) return size;
  }
  return -1;
}

// Returns after the bytes have arrived: bytes between two requests must come before the second.
void write(int connection, std::string_view bytes) {
  const int before = unread(connection);
  const auto size = static_cast<int>(bytes.size());
  if (size == 0 || send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT) != size) return;
  for (int i = 0; i < kMostWaits; ++i) {
    const int now = unread(connection);
    if (now < 0 || now >= before + size) return;
    usleep(20);
  }
}

void check(const server::Transfer& transfer, std::string_view came, char mark) {
  const auto crossed = [mark](char c) {
    return c >= kFirstMark && c < kFirstMark + static_cast<char>(kMostExchanges) && c != mark;
  };
  if (std::any_of(came.begin(), came.end(), crossed)) std::abort();
  const std::string& later = transfer.retry_after();
  if (std::any_of(later.begin(), later.end(), crossed)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // the library must not be ended
  static fuzz::Loopback* const upstream = new fuzz::Loopback(milliseconds(0));
  Input input(data, size);
  Provider provider{*upstream, {}};
  server::UpstreamTimeouts timeouts;
  timeouts.idle = milliseconds(1000);
  for (std::size_t number = 0; number < kMostExchanges && !input.empty(); ++number) {
    const auto mark = static_cast<char>(kFirstMark + static_cast<char>(number));
    const unsigned form = input.byte();
    const unsigned after = input.byte();
    const unsigned cut = input.byte();
    const std::string first = answer(form, mark, input);
    const std::string second = addition(after, mark, input);
    // Bytes that come with the answer. The rest comes between the answers.
    const std::size_t with = after % 16 < 8 ? second.size() : after % 32 < 16 ? second.size() / 2 : 0;
    std::string came;
    int asked = 0;
    int connection = -1;
    int idle = 0;  // steps without a request
    server::Transfer transfer({upstream->url, {}, "{}", "text/event-stream"}, timeouts, upstream->pool,
                              [] {});
    const auto step = [&came, &transfer](int wait) {
      upstream->loop.step(milliseconds(wait));
      came += transfer.body();
      transfer.body().clear();
    };
    for (int steps = 0; !transfer.end(); ++steps) {
      if (steps > kMostSteps) std::abort();  // it never ends
      const int at = provider.asked();
      if (at < 0) {
        step(++idle > kSpins ? 1 : 0);
        // Nothing more follows, so an answer without an end is ended.
        if (connection >= 0 && idle > kSpins) provider.end(std::exchange(connection, -1), cut % 2 == 0);
        continue;
      }
      if (++asked > 2) std::abort();
      idle = 0;
      connection = at;
      const std::size_t split = first.empty() ? 0 : cut % (first.size() + 1);
      write(connection, std::string_view(first).substr(0, split));
      step(0);
      write(connection, first.substr(split) + second.substr(0, with));
      step(0);
      if (first.empty()) provider.end(std::exchange(connection, -1), cut % 2 == 0);
    }
    check(transfer, came, mark);
    // On the connection that the next request would use.
    if (connection >= 0) write(connection, second.substr(with));
    if (connection >= 0 && after % 8 == 7) provider.end(connection, cut % 2 == 0);
    if (cut % 4 == 3) upstream->loop.step(milliseconds(0));
  }
  return 0;
}
