#include "harness/testee/boundaries.hpp"

// <netinet/tcp.h> declares an older tcp_info and conflicts with this header.
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace splitproof::testee {
namespace {

constexpr int kEager = 400;  // polls before a slow reader is polled less often
constexpr auto kPause = std::chrono::microseconds(200);
constexpr auto kSelfTest = std::chrono::seconds(5);
constexpr std::size_t kSelfTestPieces = 64;

struct Request {
  nlmsghdr head;
  inet_diag_req_v2 what;
};

using SocketAddress = sockaddr_storage;

// Stores the address in network order, as the kernel requires.
bool put(const SocketAddress& address, __be16& port, __be32 (&words)[4]) {
  if (address.ss_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &address, sizeof v4);
    port = v4.sin_port;
    words[0] = v4.sin_addr.s_addr;
    return true;
  }
  if (address.ss_family != AF_INET6) return false;
  sockaddr_in6 v6{};
  std::memcpy(&v6, &address, sizeof v6);
  port = v6.sin6_port;
  std::memcpy(words, &v6.sin6_addr, sizeof v6.sin6_addr);
  return true;
}

// Builds the query for the socket whose local address is `socket`'s remote address, and vice versa.
std::optional<std::string> question_about_peer(int socket) {
  SocketAddress ours{};
  SocketAddress theirs{};
  socklen_t size = sizeof ours;
  if (getsockname(socket, reinterpret_cast<sockaddr*>(&ours), &size) != 0) return std::nullopt;
  size = sizeof theirs;
  if (getpeername(socket, reinterpret_cast<sockaddr*>(&theirs), &size) != 0) return std::nullopt;
  Request request{};
  request.head.nlmsg_len = sizeof request;
  request.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  request.head.nlmsg_flags = NLM_F_REQUEST;
  request.what.sdiag_family = static_cast<__u8>(theirs.ss_family);
  request.what.sdiag_protocol = IPPROTO_TCP;
  request.what.idiag_ext = 1 << (INET_DIAG_INFO - 1);
  request.what.idiag_states = ~0U;
  inet_diag_sockid& id = request.what.id;
  if (!put(theirs, id.idiag_sport, id.idiag_src) || !put(ours, id.idiag_dport, id.idiag_dst))
    return std::nullopt;
  id.idiag_cookie[0] = INET_DIAG_NOCOOKIE;
  id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  return std::string(reinterpret_cast<const char*>(&request), sizeof request);
}

}  // namespace

std::optional<PeerSocket> PeerSocket::of(int socket, const Network& network) {
  Descriptor netlink = network.socket(AF_NETLINK, SOCK_RAW, NETLINK_SOCK_DIAG);
  std::optional<std::string> question = question_about_peer(socket);
  if (netlink.get() < 0 || !question) return std::nullopt;
  const timeval second{1, 0};
  setsockopt(netlink.get(), SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
  PeerSocket peer(std::move(netlink), socket, *std::move(question));
  const std::optional<Look> look = peer.look();
  if (!look || !look->there) return std::nullopt;
  return peer;
}

// Returns nullopt if the kernel does not answer. A missing socket is an answer.
std::optional<PeerSocket::Look> PeerSocket::look() {
  ++sequence_;
  std::memcpy(question_.data() + offsetof(nlmsghdr, nlmsg_seq), &sequence_, sizeof sequence_);
  if (send(netlink_.get(), question_.data(), question_.size(), 0) != static_cast<ssize_t>(question_.size()))
    return std::nullopt;
  alignas(nlmsghdr) std::array<char, 4096> answer{};
  while (true) {
    const ssize_t got = recv(netlink_.get(), answer.data(), answer.size(), 0);
    if (got < static_cast<ssize_t>(sizeof(nlmsghdr))) return std::nullopt;
    nlmsghdr head{};
    std::memcpy(&head, answer.data(), sizeof head);
    if (head.nlmsg_seq != sequence_) continue;
    if (head.nlmsg_type == NLMSG_ERROR) {
      nlmsgerr error{};
      std::memcpy(&error, answer.data() + NLMSG_HDRLEN, sizeof error);
      return error.error == -ENOENT ? std::optional(Look{}) : std::nullopt;
    }
    inet_diag_msg message{};
    std::memcpy(&message, answer.data() + NLMSG_HDRLEN, sizeof message);
    // Attributes follow, each with its length. A socket in TIME-WAIT has no TCP_INFO.
    std::size_t at = NLMSG_HDRLEN + NLMSG_ALIGN(sizeof message);
    const std::size_t end = std::min<std::size_t>(head.nlmsg_len, static_cast<std::size_t>(got));
    while (at + sizeof(rtattr) <= end) {
      rtattr attribute{};
      std::memcpy(&attribute, answer.data() + at, sizeof attribute);
      constexpr std::size_t kReceived = offsetof(tcp_info, tcpi_bytes_received);
      if (attribute.rta_type == INET_DIAG_INFO &&
          attribute.rta_len >= RTA_LENGTH(kReceived + sizeof(std::uint64_t))) {
        Look look{true, 0, message.idiag_rqueue};
        std::memcpy(&look.received, answer.data() + at + RTA_LENGTH(0) + kReceived, sizeof look.received);
        return look;
      }
      if (attribute.rta_len < sizeof attribute) break;
      at += RTA_ALIGN(attribute.rta_len);
    }
    return Look{};
  }
}

bool PeerSocket::is_open() {
  const std::optional<Look> look = this->look();
  return look && look->there;
}

Io PeerSocket::wait_until_read(std::uint64_t sent, const StopToken& stop, Deadline deadline) {
  bool arrived = false;
  for (int looks = 0;; ++looks) {
    const std::optional<Look> look = this->look();
    if (!look || !look->there) return Io::gone;
    if (arrived && look->unread == 0) return Io::done;
    arrived = arrived || look->received >= sent;
    // A broken connection may be listed for a while.
    const Io io = wait_for(socket_, 0, stop, std::chrono::steady_clock::now());
    if (io != Io::late) return io;
    if (std::chrono::steady_clock::now() >= deadline) return Io::late;
    if (looks < kEager) {
      sched_yield();
    } else {
      std::this_thread::sleep_for(kPause);
    }
  }
}

Result<void> prove_boundaries() {
  const auto unproven = [](std::string why) { return tl::unexpected(Error{std::move(why), {}, 0, {}}); };
  const Deadline deadline = within(kSelfTest);
  const StopToken stop;
  const Result<Descriptor> listener = listen_on("127.0.0.1", 0);
  if (!listener) return tl::unexpected(listener.error());
  SocketAddress address{};
  socklen_t size = sizeof address;
  getsockname(listener->get(), reinterpret_cast<sockaddr*>(&address), &size);
  Descriptor reader(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (connect(reader.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0)
    return unproven("splitproof cannot connect to the loopback address");
  Io io = Io::done;
  Descriptor writer = accept_from(listener->get(), stop, deadline, io);
  if (io != Io::done) return unproven("splitproof cannot connect to the loopback address");
  std::optional<PeerSocket> peer = PeerSocket::of(writer.get());
  if (!peer) return unproven("the kernel does not show the socket of the other side");

  std::vector<std::size_t> taken;
  std::thread reading([&] {
    std::vector<char> room(65536);
    while (true) {
      const ssize_t got = recv(reader.get(), room.data(), room.size(), 0);
      if (got <= 0) return;
      taken.push_back(static_cast<std::size_t>(got));
    }
  });
  std::vector<std::size_t> given;
  std::uint64_t sent = 0;
  for (std::size_t i = 0; io == Io::done && i < kSelfTestPieces; ++i) {
    given.push_back(1 + i * i % 1400);
    sent += given.back();
    io = send_all(writer.get(), std::string(given.back(), 'x'), stop, deadline);
    if (io == Io::done) io = peer->wait_until_read(sent, stop, deadline);
  }
  writer.close();
  reading.join();
  if (io != Io::done) return unproven("the kernel does not show when the other side has read");
  if (given != taken)
    return unproven(
        "a reader received other pieces than splitproof wrote, although the kernel reported the same "
        "pieces");
  return {};
}

}  // namespace splitproof::testee
