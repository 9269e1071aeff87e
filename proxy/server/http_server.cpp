#include "proxy/server/http_server.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include "proxy/server/address.hpp"
#include "proxy/server/worker.hpp"

namespace splitproof::server {
namespace {

constexpr int kBacklog = 4096;
constexpr std::size_t kWaiting = 1024;  // connections besides the streams
constexpr std::size_t kFewestWaiting = 16;
constexpr std::size_t kOtherDescriptors =
    96;  // descriptors of the process and of idle connections to the upstream
constexpr std::size_t kIdleUpstreams = 64;
constexpr unsigned kMostWorkers = 4;

// Returns a listening socket, or -1 on failure.
int listen_on(const std::string& host, int port) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found) != 0) return -1;
  int listening = -1;
  for (const addrinfo* at = found; at != nullptr && listening < 0; at = at->ai_next) {
    listening = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, at->ai_protocol);
    if (listening < 0) continue;
    const int yes = 1;
    // Without SO_REUSEPORT: with it a second server would silently share the port.
    setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listening, at->ai_addr, at->ai_addrlen) == 0 && listen(listening, kBacklog) == 0) break;
    close(listening);
    listening = -1;
  }
  freeaddrinfo(found);
  return listening;
}

int port_of(int listening) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getsockname(listening, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                                             : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

// Raises the limit of descriptors to the maximum, and returns it.
std::size_t raised_descriptors() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  const rlimit raised{limit.rlim_max, limit.rlim_max};
  return setrlimit(RLIMIT_NOFILE, &raised) == 0 ? limit.rlim_max : limit.rlim_cur;
}

}  // namespace

std::size_t waiting_connections(std::size_t streams, std::size_t descriptors) {
  // A stream needs two descriptors. An idle connection to the upstream needs one.
  const std::size_t taken = kOtherDescriptors + kIdleUpstreams;
  if (descriptors < taken || (descriptors - taken) / 2 < streams) return 0;
  const std::size_t left = std::min(descriptors - taken - 2 * streams, kWaiting);
  return left < kFewestWaiting ? 0 : left;
}

struct HttpServer::State {
  State(ServerSettings settings, int descriptor, std::size_t connections)
      : shared(std::move(settings), connections), listening(descriptor) {
    const unsigned count = std::clamp(std::thread::hardware_concurrency(), 1U, kMostWorkers);
    for (unsigned i = 0; i < count; ++i) {
      workers.push_back(std::make_unique<Worker>(shared, listening, kIdleUpstreams / count));
    }
  }
  ~State() { close(listening); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void run() {
    std::vector<std::thread> threads;
    std::vector<std::thread> translators;
    const auto join = [&] {
      for (std::thread& thread : threads) thread.join();
      shared.translations.end();
      for (std::thread& thread : translators) thread.join();
    };
    try {
      // Half as many, because each may use a processor for seconds and much memory.
      for (std::size_t i = 0; i < (workers.size() + 1) / 2; ++i)
        translators.emplace_back([this] { shared.translations.run(); });
      for (std::size_t i = 1; i < workers.size(); ++i)
        threads.emplace_back([worker = workers[i].get()] { worker->run(); });
    } catch (...) {
      for (const auto& worker : workers) worker->stop();
      join();
      throw;
    }
    workers.front()->run();
    join();
    ended = true;
  }

  Shared shared;
  const int listening;
  std::vector<std::unique_ptr<Worker>> workers;
  std::atomic<bool> ended = false;
};

HttpServer::HttpServer(std::unique_ptr<State> state) : state_(std::move(state)) {}
HttpServer::HttpServer(HttpServer&&) noexcept = default;
HttpServer::~HttpServer() = default;

tl::expected<HttpServer, std::string> HttpServer::bind(const std::string& host, int port,
                                                       ServerSettings settings) {
  const std::size_t streams = settings.limits.streams;
  settings.loopback = is_loopback(host);
  settings.told = std::make_shared<ToldItems>(settings.limits.told_bytes);
  const std::size_t descriptors = raised_descriptors();
  const std::size_t waiting = waiting_connections(streams, descriptors);
  if (waiting == 0) {
    return tl::make_unexpected("limits: streams: the system allows " + std::to_string(descriptors) +
                               " open files (ulimit -Hn), which is not enough for " +
                               std::to_string(streams) + " streams with two files each");
  }
  const int listening = listen_on(host, port);
  if (listening < 0) return tl::make_unexpected("cannot listen on " + host + " port " + std::to_string(port));
  return HttpServer(std::make_unique<State>(std::move(settings), listening, streams + waiting));
}

int HttpServer::port() const { return port_of(state_->listening); }

void HttpServer::run() { state_->run(); }

bool HttpServer::ended() const { return state_->ended; }

void HttpServer::stop() {
  for (const auto& worker : state_->workers) worker->stop();
}

}  // namespace splitproof::server
