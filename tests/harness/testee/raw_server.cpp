#include "tests/harness/testee/raw_server.hpp"

#include <cstdlib>
#include <iostream>
#include <utility>

#include "tests/harness/testee/reading_client.hpp"

namespace splitproof::testee {

bool RawConnection::send(std::string_view bytes) {
  return send_all(socket_.get(), bytes, stop_, within(kTimeout)) == Io::done;
}

bool RawConnection::wait_for_end() {
  std::string ignored;
  while (true) {
    const Io io = receive(socket_.get(), ignored, stop_, within(kTimeout));
    if (io == Io::gone) return true;
    if (io != Io::done) return false;
  }
}

RawServer::RawServer(Serve serve, std::uint16_t port) : serve_(std::move(serve)) {
  Result<Descriptor> listener = listen_on("127.0.0.1", port);
  if (!listener) {
    std::cerr << describe(listener.error()) << "\n";
    std::abort();
  }
  listener_ = *std::move(listener);
  base_url_ = "http://" + local_address(listener_.get());
  accepting_ = std::thread([this] { accept_all(); });
}

RawServer::~RawServer() {
  stop_.request_stop();
  accepting_.join();
  for (std::thread& thread : threads_) thread.join();
}

std::vector<UpstreamRequest> RawServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void RawServer::accept_all() {
  while (true) {
    Io io = Io::done;
    Descriptor socket = accept_from(listener_.get(), stop_, within(kTimeout), io);
    if (io == Io::stopped) return;
    if (io != Io::done) continue;
    threads_.emplace_back([this, socket = std::move(socket)]() mutable {
      RawConnection connection(std::move(socket), stop_);
      RequestReader reader;
      std::string bytes;
      while (!reader.done()) {
        if (receive(connection.socket(), bytes, stop_, within(kTimeout)) != Io::done) return;
        bytes.erase(0, reader.feed(bytes));
      }
      {
        const std::lock_guard lock(mutex_);
        requests_.push_back(reader.request());
      }
      serve_(connection, reader.request());
    });
  }
}

}  // namespace splitproof::testee
