#include "proxy/server/worker.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <vector>

namespace splitproof::server {
namespace {

constexpr std::uint32_t kListening = EPOLLIN | EPOLLEXCLUSIVE;  // a connection wakes one worker
constexpr int kAtOnce = 4;  // connections accepted before others are served
constexpr std::size_t kRefused = 64;
constexpr std::chrono::milliseconds kWithoutDescriptors{100};

}  // namespace

Worker::Worker(Shared& shared, int listening, std::size_t idle_upstreams)
    : shared_(shared),
      listening_(listening),
      routes_(shared.settings),
      pool_(loop_, idle_upstreams, shared.settings.forward_proxy),
      timer_(loop_, [this] { draining_ ? end_now() : loop_.watch(listening_, kListening, *this); }),
      owner_{{shared.settings, loop_, pool_, routes_, shared.streams, shared.bodies, shared.translations,
              shared.conversations},
             [this](ClientConnection& connection) { note_waiting(connection); },
             [this](ClientConnection& connection) { destroy(connection); }} {
  loop_.watch(listening_, kListening, *this);
}

Worker::~Worker() { connections_.clear(); }

void Worker::stop() {
  loop_.post([this] { draining_ ? end_now() : drain(); });
}

void Worker::ready(int, std::uint32_t) {
  for (int i = 0; i < kAtOnce && !draining_; ++i) {
    const int descriptor = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (descriptor < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)) {
      // If no connection gives way, new ones stay in the system's queue for a moment.
      if (make_room()) return;
      loop_.forget(listening_);
      timer_.set(loop_.now() + kWithoutDescriptors);
      return;
    }
    if (descriptor < 0) return;
    const std::size_t others = shared_.connections.fetch_add(1);
    const bool full = others >= shared_.most_connections && !make_room();
    if (full && others >= shared_.most_connections + kRefused) {
      ::close(descriptor);
      --shared_.connections;
      continue;
    }
    auto connection = std::make_unique<ClientConnection>(owner_, descriptor);
    ClientConnection& made = *connection;
    connections_.emplace(&made, std::move(connection));
    note_waiting(made);
    if (full) made.refuse();
  }
}

// Returns false if all connections are busy with a request.
bool Worker::make_room() {
  if (waiting_.empty()) return false;
  waiting_.front()->give_way();
  return true;
}

void Worker::note_waiting(ClientConnection& connection) {
  if (const auto place = places_.find(&connection); place != places_.end()) {
    waiting_.erase(place->second);
    places_.erase(place);
  }
  if (connection.waits()) places_.emplace(&connection, waiting_.insert(waiting_.end(), &connection));
}

void Worker::destroy(ClientConnection& connection) {
  --shared_.connections;
  loop_.later([this, &connection] {
    connections_.erase(&connection);
    if (draining_ && connections_.empty()) loop_.end();
  });
}

void Worker::drain() {
  draining_ = true;
  loop_.forget(listening_);
  std::vector<ClientConnection*> all;
  for (const auto& [connection, owned] : connections_) all.push_back(connection);
  for (ClientConnection* connection : all) connection->drain();
  timer_.set(loop_.now() + shared_.settings.shutdown);
  if (connections_.empty()) loop_.end();
}

void Worker::end_now() {
  std::vector<ClientConnection*> all;
  for (const auto& [connection, owned] : connections_) all.push_back(connection);
  for (ClientConnection* connection : all) connection->stop();
  loop_.end();
}

}  // namespace splitproof::server
