#include "harness/testee/launch_message.hpp"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>

namespace splitproof::testee {
namespace {

constexpr std::size_t kLargestMessage = std::size_t{1} << 20;  // a socket's send buffer is smaller by default
constexpr std::size_t kMostDescriptors = 4;

void put(std::string& bytes, std::string_view text) {
  bytes += text;
  bytes += '\0';
}

// Texts that end in NUL: the folder, "once" or nothing, how many words the command has, these, the environment.
std::string encoded(const LaunchMessage& message) {
  std::string bytes;
  put(bytes, message.folder);
  put(bytes, message.once ? "once" : "");
  put(bytes, std::to_string(message.command.size()));
  for (const std::string& word : message.command) put(bytes, word);
  for (const std::string& entry : message.env) put(bytes, entry);
  return bytes;
}

std::string next_text(std::string_view& bytes) {
  const std::size_t end = bytes.find('\0');
  std::string text(bytes.substr(0, end));
  bytes.remove_prefix(end + 1);
  return text;
}

void decode(std::string_view bytes, LaunchMessage& message) {
  message.folder = next_text(bytes);
  message.once = !next_text(bytes).empty();
  message.command.resize(std::stoul(next_text(bytes)));
  for (std::string& word : message.command) word = next_text(bytes);
  message.env.clear();
  while (!bytes.empty()) message.env.push_back(next_text(bytes));
}

// Room for a control message with every descriptor there can be.
union Ancillary {
  cmsghdr alignment;
  std::array<char, CMSG_SPACE(kMostDescriptors * sizeof(int))> bytes;
};

}  // namespace

Result<SocketPair> socket_pair() {
  std::array<int, 2> ends{-1, -1};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return tl::unexpected(Error{std::string("no pair of sockets: ") + std::strerror(errno), {}, 0, {}});
  SocketPair pair;
  pair.ours = Descriptor(ends[0]);
  pair.theirs = Descriptor(ends[1]);
  return pair;
}

Result<void> send_launch(int socket, const LaunchMessage& message) {
  std::array<int, kMostDescriptors> descriptors{message.leash.get(), message.errors.get(),
                                                message.input.get(), message.output.get()};
  const std::size_t count = message.input.get() < 0 ? 2 : 4;
  std::string bytes = encoded(message);
  iovec part{bytes.data(), bytes.size()};
  Ancillary ancillary{};
  msghdr head{};
  head.msg_iov = &part;
  head.msg_iovlen = 1;
  head.msg_control = ancillary.bytes.data();
  head.msg_controllen = CMSG_SPACE(count * sizeof(int));
  cmsghdr* rights = CMSG_FIRSTHDR(&head);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(count * sizeof(int));
  std::memcpy(CMSG_DATA(rights), descriptors.data(), count * sizeof(int));
  ssize_t sent = -1;
  do {
    sent = sendmsg(socket, &head, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent >= 0) return {};
  if (errno == EMSGSIZE) return tl::unexpected(Error{"its command and environment are too long", {}, 0, {}});
  return tl::unexpected(Error{std::string("the supervisor is gone: ") + std::strerror(errno), {}, 0, {}});
}

bool receive_launch(int socket, LaunchMessage& message) {
  std::string bytes(kLargestMessage, '\0');
  iovec part{bytes.data(), bytes.size()};
  Ancillary ancillary{};
  msghdr head{};
  head.msg_iov = &part;
  head.msg_iovlen = 1;
  head.msg_control = ancillary.bytes.data();
  head.msg_controllen = ancillary.bytes.size();
  ssize_t got = -1;
  do {
    got = recvmsg(socket, &head, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got <= 0) return false;
  decode(std::string_view(bytes).substr(0, static_cast<std::size_t>(got)), message);
  const std::array<Descriptor*, kMostDescriptors> places{&message.leash, &message.errors, &message.input,
                                                         &message.output};
  const cmsghdr* rights = CMSG_FIRSTHDR(&head);
  if (rights == nullptr || rights->cmsg_type != SCM_RIGHTS) return true;
  const std::size_t count = (rights->cmsg_len - CMSG_LEN(0)) / sizeof(int);
  for (std::size_t i = 0; i < count && i < kMostDescriptors; ++i) {
    int descriptor = -1;
    std::memcpy(&descriptor, CMSG_DATA(rights) + i * sizeof(int), sizeof descriptor);
    *places[i] = Descriptor(descriptor);
  }
  return true;
}

}  // namespace splitproof::testee
