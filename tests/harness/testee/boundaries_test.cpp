#include "harness/testee/boundaries.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>

namespace splitproof::testee::boundaries_test {
namespace {

constexpr std::chrono::seconds kTimeout{20};
constexpr std::chrono::milliseconds kShort{30};

// Two ends of a connection. `connect_pair` takes the reader's address family and the writer's host.
struct Pair {
  Descriptor reader;
  Descriptor writer;
};

std::optional<Pair> connect_pair(int family, const std::string& host, const std::string& address) {
  const StopToken stop;
  const auto listener = listen_on(host, 0);
  if (!listener) return std::nullopt;
  const std::string local = local_address(listener->get());
  const auto port = htons(static_cast<std::uint16_t>(std::stoi(local.substr(local.rfind(':') + 1))));
  Pair pair;
  pair.reader = Descriptor(socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_storage to{};
  to.ss_family = static_cast<sa_family_t>(family);
  void* place = nullptr;
  if (family == AF_INET) {
    auto* v4 = reinterpret_cast<sockaddr_in*>(&to);
    v4->sin_port = port;
    place = &v4->sin_addr;
  } else {
    auto* v6 = reinterpret_cast<sockaddr_in6*>(&to);
    v6->sin6_port = port;
    place = &v6->sin6_addr;
  }
  if (inet_pton(family, address.c_str(), place) != 1 ||
      connect(pair.reader.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
    return std::nullopt;
  }
  Io io = Io::done;
  pair.writer = accept_from(listener->get(), stop, within(kTimeout), io);
  if (io != Io::done) return std::nullopt;
  return pair;
}

void read_bytes(const Pair& pair, std::size_t count) {
  std::array<char, 64> room{};
  ASSERT_EQ(recv(pair.reader.get(), room.data(), count, MSG_WAITALL), static_cast<ssize_t>(count));
}

// Covers each kind of socket of a local client, IPv4 inside IPv6 included.
TEST(PeerSocket, KnowsWhatItsPeerHasRead) {
  if (!prove_boundaries()) GTEST_SKIP() << "boundaries unproven: " << prove_boundaries().error().what;
  struct Kind {
    int family;
    std::string host;
    std::string address;
  };
  std::size_t tried = 0;
  for (const Kind& kind : {Kind{AF_INET, "127.0.0.1", "127.0.0.1"}, Kind{AF_INET6, "::1", "::1"},
                           Kind{AF_INET6, "127.0.0.1", "::ffff:127.0.0.1"}, Kind{AF_INET, "::", "127.0.0.1"},
                           Kind{AF_INET6, "::", "::ffff:127.0.0.1"}}) {
    SCOPED_TRACE(kind.host + " from " + kind.address);
    const auto pair = connect_pair(kind.family, kind.host, kind.address);
    if (!pair) continue;  // no IPv6 here
    ++tried;
    const StopToken stop;
    auto peer = PeerSocket::of(pair->writer.get());
    ASSERT_TRUE(peer.has_value());
    EXPECT_EQ(peer->wait_until_read(0, stop, within(kTimeout)), Io::done);
    // The waited size is more than has arrived: an empty queue is not enough.
    EXPECT_EQ(peer->wait_until_read(1, stop, within(kShort)), Io::late);
    ASSERT_EQ(send_all(pair->writer.get(), "hello", stop, within(kTimeout)), Io::done);
    EXPECT_EQ(peer->wait_until_read(5, stop, within(kShort)), Io::late);
    read_bytes(*pair, 4);
    EXPECT_EQ(peer->wait_until_read(5, stop, within(kShort)), Io::late);
    read_bytes(*pair, 1);
    EXPECT_EQ(peer->wait_until_read(5, stop, within(kTimeout)), Io::done);
    ASSERT_EQ(send_all(pair->writer.get(), "world", stop, within(kTimeout)), Io::done);
    read_bytes(*pair, 5);
    EXPECT_EQ(peer->wait_until_read(10, stop, within(kTimeout)), Io::done);
    EXPECT_EQ(peer->wait_until_read(11, stop, within(kShort)), Io::late);
  }
  EXPECT_GE(tried, 1u);
  std::cout << tried << " kinds of sockets\n";
}

TEST(PeerSocket, SeesItsPeerGoAndTheStop) {
  if (!prove_boundaries()) GTEST_SKIP() << "boundaries unproven: " << prove_boundaries().error().what;
  for (const bool unread : {false, true}) {
    auto pair = connect_pair(AF_INET, "127.0.0.1", "127.0.0.1");
    ASSERT_TRUE(pair.has_value());
    auto peer = PeerSocket::of(pair->writer.get());
    ASSERT_TRUE(peer.has_value());
    StopToken stop;
    ASSERT_EQ(send_all(pair->writer.get(), "hello", stop, within(kTimeout)), Io::done);
    if (!unread) read_bytes(*pair, 5);
    pair->reader.close();
    EXPECT_EQ(peer->wait_until_read(6, stop, within(kTimeout)), Io::gone);
  }
  auto pair = connect_pair(AF_INET, "127.0.0.1", "127.0.0.1");
  ASSERT_TRUE(pair.has_value());
  auto peer = PeerSocket::of(pair->writer.get());
  StopToken stop;
  stop.request_stop();
  EXPECT_EQ(peer->wait_until_read(1, stop, within(kTimeout)), Io::stopped);
}

TEST(PeerSocket, IsNotThereForWhatIsNoConnection) {
  const Descriptor unconnected(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_FALSE(PeerSocket::of(unconnected.get()).has_value());
  std::array<int, 2> local{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, local.data()), 0);
  const Descriptor one(local[0]);
  const Descriptor other(local[1]);
  EXPECT_FALSE(PeerSocket::of(one.get()).has_value());
}

}  // namespace
}  // namespace splitproof::testee::boundaries_test
