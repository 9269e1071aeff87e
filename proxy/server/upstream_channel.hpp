#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/server/event_loop.hpp"

namespace splitproof::server {

/// Must live in `main` while there are connections, and before there are threads.
class UpstreamLibrary {
 public:
  UpstreamLibrary();
  ~UpstreamLibrary();
  UpstreamLibrary(const UpstreamLibrary&) = delete;
  UpstreamLibrary& operator=(const UpstreamLibrary&) = delete;
};

/// Where requests go, taken apart.
struct UpstreamAddress {
  std::string url;
  std::string origin;  ///< "https://api.example.com:8443"
  std::string host;    ///< for the field `Host`: with its port, unless that is the scheme's own
  std::string path;
  bool secure = false;
};

/// Of a URL with the scheme http or https. Throws std::bad_alloc, and std::invalid_argument if it is no such URL.
UpstreamAddress upstream_address(const std::string& url);

class UpstreamPool;

/// A connection to the upstream that carries bytes both ways. The HTTP client library resolves names, connects, speaks TLS
/// and passes forward proxies; this file's source alone knows it. HTTP is the business of the connection's user, who has to
/// know to the byte where an answer ended.
class UpstreamChannel final : EventLoop::Watcher {
 public:
  enum class Io : std::uint8_t { done, again, closed, broken };
  enum class Failure : std::uint8_t { unreachable, late };  ///< why no connection came about

  /// Who uses the connection. It must not destroy the connection while it is called.
  class User {
   public:
    virtual ~User() = default;
    virtual void connected(std::optional<Failure> failure) = 0;
    virtual void ready() = 0;  ///< something can be read or written, or the connection has ended
  };

  ~UpstreamChannel() override;
  UpstreamChannel(const UpstreamChannel&) = delete;
  UpstreamChannel& operator=(const UpstreamChannel&) = delete;

  /// Sends some of `bytes`, and takes that from its front.
  Io send(std::string_view& bytes);

  /// Appends what has come, at most 4 kB, to `bytes`.
  Io receive(std::string& bytes);

  /// The upstream's kernel has all that was sent. What arrives before that does not answer it.
  bool delivered() const;

  /// What `ready` waits for. To read: also that it ends.
  void wait_for(bool reads, bool writes);

  /// Nobody is called any more.
  void leave() { user_ = nullptr; }

 private:
  friend class UpstreamPool;

  UpstreamChannel(UpstreamPool& pool, std::string origin);
  void begin(const UpstreamAddress& address, std::chrono::milliseconds within);
  void finish_connecting(int result);
  void ready(int descriptor, std::uint32_t events) override;
  bool is_silent();
  void read_again();

  UpstreamPool& pool_;
  EventLoop& loop_;
  const std::string origin_;
  User* user_ = nullptr;
  void* easy_;                // the library's
  int descriptor_ = -1;       // once it is connected
  std::uint32_t events_ = 0;  // that are waited for
  EventLoop::Timer
      more_;  // more has come than was read: the library holds it, and the kernel knows nothing of it
  EventLoop::Clock::time_point idle_since_;
};

/// Makes connections, and keeps those that are open and idle for the next request.
///
/// An idle connection has to be silent: an answer that nobody asked for must never be taken for that to the next request. So
/// a connection is dropped as soon as anything comes on it or it ends, and it rests for a moment before it is used again, as
/// an upstream that says more than its answer mostly says it at once.
class UpstreamPool final : EventLoop::Watcher {
 public:
  static constexpr std::chrono::milliseconds kRest{10};

  /// `idle`: how many connections wait for the next request. `forward_proxy`: the URL of a proxy that all of them go
  /// through; empty: they go straight, whatever the environment says. `rest`: how long a connection rests after an answer.
  UpstreamPool(EventLoop& loop, std::size_t idle, std::string forward_proxy,
               std::chrono::milliseconds rest = kRest);
  ~UpstreamPool() override;
  UpstreamPool(const UpstreamPool&) = delete;
  UpstreamPool& operator=(const UpstreamPool&) = delete;

  /// A connection to that address that is idle, rested, open and silent; null: there is none.
  std::unique_ptr<UpstreamChannel> take_idle(const UpstreamAddress& address, UpstreamChannel::User& user);

  /// A new connection. `user` is told once it is there, or will not be `within` that time.
  std::unique_ptr<UpstreamChannel> connect(const UpstreamAddress& address, std::chrono::milliseconds within,
                                           UpstreamChannel::User& user);

  /// Takes back a connection. `reusable`: it is at the end of an answer, and nothing is under way on it. Call it from
  /// anywhere, also from a call of the connection.
  void give_back(std::unique_ptr<UpstreamChannel> connection, bool reusable);

  /// Requests for http:// name the whole URL: a forward proxy reads them.
  bool is_forwarded(const UpstreamAddress& address) const {
    return !forward_proxy_.empty() && !address.secure;
  }

  EventLoop& loop() { return loop_; }

 private:
  friend class UpstreamChannel;
  struct Library;  // what its callbacks are

  void ready(int descriptor, std::uint32_t events) override;
  void act(int descriptor, int events);
  void destroy(std::unique_ptr<UpstreamChannel> connection);
  void look_at_idle(const UpstreamChannel& connection);

  EventLoop& loop_;
  EventLoop::Timer timer_;
  const std::string forward_proxy_;
  const std::size_t most_idle_;
  const std::chrono::milliseconds rest_;
  void* multi_;                                       // the library's
  std::list<std::unique_ptr<UpstreamChannel>> idle_;  // the one that has been idle longest first
  std::list<std::unique_ptr<UpstreamChannel>> dead_;  // may be what is calling: destroyed by the loop
};

}  // namespace splitproof::server
