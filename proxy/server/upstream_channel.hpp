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

/// Create it in `main` before any thread, and keep it until the last connection has ended.
class UpstreamLibrary {
 public:
  UpstreamLibrary();
  ~UpstreamLibrary();
  UpstreamLibrary(const UpstreamLibrary&) = delete;
  UpstreamLibrary& operator=(const UpstreamLibrary&) = delete;
};

/// A request's URL in parts.
struct UpstreamAddress {
  std::string url;
  std::string origin;  ///< for example "https://api.example.com:8443"
  std::string host;    ///< for the field `Host`; with the port unless it is the scheme's default
  std::string path;
  bool secure = false;
};

/// Splits an http or https URL. Throws std::bad_alloc, and std::invalid_argument for any other text.
UpstreamAddress upstream_address(const std::string& url);

class UpstreamPool;

/// A connection to the upstream that carries bytes both ways. libcurl resolves names, connects, and handles TLS and
/// forward proxies; only this class's source uses it. The user of the connection handles HTTP, because it has to know
/// the exact last byte of an answer.
class UpstreamChannel final : EventLoop::Watcher {
 public:
  enum class Io : std::uint8_t { done, again, closed, broken };
  enum class Failure : std::uint8_t { unreachable, late };  ///< the reason for a failed connection

  /// The user of the connection. It must not destroy the connection during a call.
  class User {
   public:
    virtual ~User() = default;
    virtual void connected(std::optional<Failure> failure) = 0;
    virtual void ready() = 0;  ///< it can read or write, or the connection has ended
  };

  ~UpstreamChannel() override;
  UpstreamChannel(const UpstreamChannel&) = delete;
  UpstreamChannel& operator=(const UpstreamChannel&) = delete;

  /// Sends some of `bytes`, and removes them from its front.
  Io send(std::string_view& bytes);

  /// Appends what has come, at most 4 kB, to `bytes`.
  Io receive(std::string& bytes);

  /// True if the upstream's kernel has all sent bytes. Bytes that arrive before that are no answer to them.
  bool delivered() const;

  /// Sets the events for `ready`. Reading includes the end of the connection.
  void wait_for(bool reads, bool writes);

  /// Stops all calls to the user.
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
  void* easy_;                // handle of the library
  int descriptor_ = -1;       // once it is connected
  std::uint32_t events_ = 0;  // watched events
  EventLoop::Timer more_;     // for bytes that the library holds and the kernel no longer reports
  EventLoop::Clock::time_point idle_since_;
};

/// Makes connections, and keeps open idle ones for the next request.
///
/// An idle connection has to be silent: an unrequested answer must never be taken for the next request's. So the pool
/// drops a connection when anything arrives on it. It also rests a moment before reuse, because surplus bytes usually
/// come at once.
class UpstreamPool final : EventLoop::Watcher {
 public:
  static constexpr std::chrono::milliseconds kRest{10};

  /// `idle`: most idle connections. `forward_proxy`: the URL of a proxy for all of them; empty: none, and the
  /// environment is ignored. `rest`: pause of a connection after an answer.
  UpstreamPool(EventLoop& loop, std::size_t idle, std::string forward_proxy,
               std::chrono::milliseconds rest = kRest);
  ~UpstreamPool() override;
  UpstreamPool(const UpstreamPool&) = delete;
  UpstreamPool& operator=(const UpstreamPool&) = delete;

  /// Returns an idle, rested, open and silent connection to that address, or null.
  std::unique_ptr<UpstreamChannel> take_idle(const UpstreamAddress& address, UpstreamChannel::User& user);

  /// Opens a connection. Calls `user` when it is ready, or has failed, or `within` is over.
  std::unique_ptr<UpstreamChannel> connect(const UpstreamAddress& address, std::chrono::milliseconds within,
                                           UpstreamChannel::User& user);

  /// Takes back a connection. `reusable`: its answer has ended, and nothing else is pending. May be called during a
  /// call of the connection.
  void give_back(std::unique_ptr<UpstreamChannel> connection, bool reusable);

  /// True if requests have to name the whole URL: a forward proxy reads requests for http://.
  bool is_forwarded(const UpstreamAddress& address) const {
    return !forward_proxy_.empty() && !address.secure;
  }

  EventLoop& loop() { return loop_; }

 private:
  friend class UpstreamChannel;
  struct Library;  // callbacks of the library

  void ready(int descriptor, std::uint32_t events) override;
  void act(int descriptor, int events);
  void destroy(std::unique_ptr<UpstreamChannel> connection);
  void look_at_idle(const UpstreamChannel& connection);

  EventLoop& loop_;
  EventLoop::Timer timer_;
  const std::string forward_proxy_;
  const std::size_t most_idle_;
  const std::chrono::milliseconds rest_;
  void* multi_;                                       // handle of the library
  std::list<std::unique_ptr<UpstreamChannel>> idle_;  // longest idle first
  std::list<std::unique_ptr<UpstreamChannel>> dead_;  // possibly the caller: the loop destroys them
};

}  // namespace splitproof::server
