#include "tests/harness/testee/relay.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <utility>

#include "harness/testee/http_client.hpp"
#include "tests/harness/testee/reading_client.hpp"

namespace splitproof::testee {
namespace {

constexpr auto kStalled = std::chrono::milliseconds(100);

std::string request_for_upstream(const Manners& manners, const UpstreamRequest& request) {
  const std::string body = manners.hides_message ? R"({"messages":[],"stream":true})" : request.body;
  std::string bytes =
      request.method + " " + request.target + " HTTP/1.1\r\nhost: upstream\r\nconnection: close\r\n";
  return bytes + "content-length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

// Returns true if the client is still connected at the end.
bool pass_on(int upstream, const Manners& manners, RawConnection& client) {
  std::string held;
  std::array<char, 65536> room;
  while (true) {
    const short leaving = manners.notices_leaving ? POLLRDHUP : 0;
    std::array<pollfd, 3> watched{
        {{upstream, POLLIN, 0}, {client.socket(), leaving, 0}, {client.stop().descriptor(), POLLIN, 0}}};
    const int ready =
        poll(watched.data(), watched.size(),
             static_cast<int>((manners.hangs_on_stall ? kTimeout : kStalled) / std::chrono::milliseconds(1)));
    if (ready == 0) return client.send(held);
    if (watched[2].revents != 0 || (manners.notices_leaving && watched[1].revents != 0)) return false;
    if (watched[0].revents == 0) continue;
    const ssize_t got = recv(upstream, room.data(), room.size(), 0);
    if (got < 0) return false;
    if (got == 0) return client.send(held);
    held.append(room.data(), static_cast<std::size_t>(got));
    if (manners.buffers) continue;
    if (!client.send(held)) return false;
    held.clear();
  }
}

}  // namespace

void relay(const std::string& upstream_url, const Manners& manners, RawConnection& client,
           const UpstreamRequest& request) {
  const HttpAddress endpoint = *http_address(upstream_url);
  Descriptor upstream;
  for (std::size_t i = 0; i < manners.asks; ++i) {
    upstream = connect_to(endpoint, client.stop(), within(kTimeout));
    if (upstream.get() < 0 || send_all(upstream.get(), request_for_upstream(manners, request), client.stop(),
                                       within(kTimeout)) != Io::done) {
      return client.reset();
    }
    std::string ignored;
    while (i + 1 < manners.asks &&
           receive(upstream.get(), ignored, client.stop(), within(kTimeout)) == Io::done) {
    }
  }
  if (!pass_on(upstream.get(), manners, client)) client.reset();
}

RelayedTestee::RelayedTestee(Serve serve, const std::function<void(TargetFile&)>& set_up,
                             const HttpTimeouts& timeouts)
    : supervisor_(supervisor_for_test()) {
  server_ = std::make_unique<RawServer>(
      [this, serve = std::move(serve)](RawConnection& client, const UpstreamRequest& request) {
        serve(upstream_url_, client, request);
      });
  TargetFile file;
  file.name = "relay";
  file.client = "openai.chat";
  file.upstream = "openai.chat";
  file.listen = server_->base_url();
  file.request_path = "/v1/chat/completions";
  file.model = "m";
  file.timeout = kTimeout;
  file.ready_within = std::chrono::milliseconds(300);
  file.max_concurrency = 4;
  if (set_up) set_up(file);
  // Another test may take the unused address before the stand-in listens there.
  for (int tries_left = 10; tries_left-- > 0;) {
    file.upstream_listen = unused_address();
    upstream_url_ = "http://" + file.upstream_listen;
    testee_ = std::make_unique<HttpTestee>(file, *supervisor_, stop_, timeouts);
    const Result<void> started = testee_->start();
    if (started) return;
    std::cerr << describe(started.error()) << "\n";
  }
  std::abort();
}

RelayedTestee::RelayedTestee(const Manners& manners, const std::function<void(TargetFile&)>& set_up,
                             const HttpTimeouts& timeouts)
    : RelayedTestee(
          [manners](const std::string& upstream_url, RawConnection& client, const UpstreamRequest& request) {
            relay(upstream_url, manners, client, request);
          },
          set_up, timeouts) {}

std::unique_ptr<Supervisor> supervisor_for_test() {
  Result<std::unique_ptr<Supervisor>> supervisor = Supervisor::start();
  if (supervisor) return *std::move(supervisor);
  std::cerr << describe(supervisor.error()) << "\n";
  std::abort();
}

std::string unused_address() {
  const Result<Descriptor> socket = listen_on("127.0.0.1", 0);
  if (!socket) std::abort();
  return local_address(socket->get());
}

}  // namespace splitproof::testee
