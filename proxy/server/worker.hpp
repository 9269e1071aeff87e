#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <list>
#include <memory>
#include <unordered_map>

#include "proxy/server/client_connection.hpp"
#include "proxy/server/event_loop.hpp"
#include "proxy/server/held_bodies.hpp"
#include "proxy/server/settings.hpp"
#include "proxy/server/streams.hpp"
#include "proxy/server/translations.hpp"

namespace splitproof::server {

/// State that the workers of a server share.
struct Shared {
  Shared(ServerSettings of_server, std::size_t connections)
      : settings(std::move(of_server)),
        streams(settings.limits.streams),
        bodies(std::max(settings.limits.bodies_bytes, settings.limits.request_bytes)),
        translations(settings),
        conversations(settings.limits.conversation_bytes),
        most_connections(connections) {}

  const ServerSettings settings;
  OpenStreams streams;
  HeldBodies bodies;
  Translations translations;
  ConversationMemory conversations;
  const std::size_t most_connections;
  std::atomic<std::size_t> connections = 0;
};

/// One thread's share of the connections. It accepts them from a listening socket by itself.
class Worker final : EventLoop::Watcher {
 public:
  /// `idle_upstreams`: most idle connections to the upstream.
  Worker(Shared& shared, int listening, std::size_t idle_upstreams);
  ~Worker() override;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Serves until the last connection has ended after a `stop`.
  void run() { loop_.run(); }

  /// Call from another thread; see HttpServer::stop.
  void stop();

 private:
  void ready(int descriptor, std::uint32_t events) override;
  bool make_room();
  void drain();
  void end_now();
  void note_waiting(ClientConnection& connection);
  void destroy(ClientConnection& connection);

  using Waiting = std::list<ClientConnection*>;

  Shared& shared_;
  const int listening_;
  EventLoop loop_;
  Routes routes_;
  UpstreamPool pool_;
  EventLoop::Timer timer_;  // for the end, or for accepting again
  ClientConnection::Owner owner_;
  bool draining_ = false;
  std::unordered_map<ClientConnection*, std::unique_ptr<ClientConnection>> connections_;
  Waiting waiting_;  // longest wait first
  std::unordered_map<ClientConnection*, Waiting::iterator> places_;
};

}  // namespace splitproof::server
