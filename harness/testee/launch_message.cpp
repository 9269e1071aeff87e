#include "harness/testee/launch_message.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>
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

// Texts that end in NUL: the folder, "once" or nothing, "confined" or nothing, the number of words of the
// command, these words, the number of writable folders, these folders, the environment.
std::string encoded(const LaunchMessage& message) {
  std::string bytes;
  put(bytes, message.folder);
  put(bytes, message.once ? "once" : "");
  put(bytes, message.confined ? "confined" : "");
  put(bytes, std::to_string(message.command.size()));
  for (const std::string& word : message.command) put(bytes, word);
  put(bytes, std::to_string(message.writable.size()));
  for (const std::string& folder : message.writable) put(bytes, folder);
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
  message.confined = !next_text(bytes).empty();
  message.command.resize(std::stoul(next_text(bytes)));
  for (std::string& word : message.command) word = next_text(bytes);
  message.writable.resize(std::stoul(next_text(bytes)));
  for (std::string& folder : message.writable) folder = next_text(bytes);
  message.env.clear();
  while (!bytes.empty()) message.env.push_back(next_text(bytes));
}

// Space for a control message with the maximum number of descriptors.
union Ancillary {
  cmsghdr alignment;
  std::array<char, CMSG_SPACE(kMostDescriptors * sizeof(int))> bytes;
};

// Sends one message with these descriptors. Returns false and sets errno on failure.
bool send_with(int socket, std::string_view bytes, std::span<const int> descriptors) {
  iovec part{const_cast<char*>(bytes.data()), bytes.size()};
  Ancillary ancillary{};
  msghdr head{};
  head.msg_iov = &part;
  head.msg_iovlen = 1;
  if (!descriptors.empty()) {
    head.msg_control = ancillary.bytes.data();
    head.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* rights = CMSG_FIRSTHDR(&head);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(rights), descriptors.data(), descriptors.size_bytes());
  }
  ssize_t sent = -1;
  do {
    sent = sendmsg(socket, &head, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent >= 0;
}

// Waits for one message of at most the size of `bytes`, and shrinks `bytes` to it: 0 at the end of the
// connection.
void receive_with(int socket, std::string& bytes, std::span<Descriptor* const> descriptors) {
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
  bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  const cmsghdr* rights = got > 0 ? CMSG_FIRSTHDR(&head) : nullptr;
  if (rights == nullptr || rights->cmsg_type != SCM_RIGHTS) return;
  const std::size_t count = (rights->cmsg_len - CMSG_LEN(0)) / sizeof(int);
  for (std::size_t i = 0; i < count && i < descriptors.size(); ++i) {
    int descriptor = -1;
    std::memcpy(&descriptor, CMSG_DATA(rights) + i * sizeof(int), sizeof descriptor);
    *descriptors[i] = Descriptor(descriptor);
  }
}

}  // namespace

Result<SocketPair> socket_pair() {
  std::array<int, 2> ends{-1, -1};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return tl::unexpected(
        Error{std::string("cannot make a pair of sockets: ") + std::strerror(errno), {}, 0, {}});
  SocketPair pair;
  pair.ours = Descriptor(ends[0]);
  pair.theirs = Descriptor(ends[1]);
  return pair;
}

Descriptor ask_for_socket(int socket, const SocketMessage& message) {
  const std::string_view question(reinterpret_cast<const char*>(&message), sizeof message);
  int error = EIO;
  std::string answer(sizeof error, '\0');
  Descriptor made;
  if (!send_with(socket, question, {})) return made;
  receive_with(socket, answer, std::array{&made});
  if (answer.size() == sizeof error) std::memcpy(&error, answer.data(), sizeof error);
  errno = error;
  return made;
}

bool serve_socket(int socket) {
  SocketMessage message;
  if (recv(socket, &message, sizeof message, 0) != sizeof message) return false;
  const Descriptor made(::socket(message.family, message.type | SOCK_CLOEXEC, message.protocol));
  const int error = made.get() < 0 ? errno : 0;
  const std::array<int, 1> descriptor{made.get()};
  return send_with(socket, {reinterpret_cast<const char*>(&error), sizeof error},
                   std::span(descriptor).first(error == 0 ? 1 : 0));
}

Result<void> send_launch(int socket, const LaunchMessage& message) {
  const std::array<int, kMostDescriptors> descriptors{message.leash.get(), message.errors.get(),
                                                      message.input.get(), message.output.get()};
  const std::size_t count = message.input.get() < 0 ? 2 : 4;
  if (send_with(socket, encoded(message), std::span(descriptors).first(count))) return {};
  if (errno == EMSGSIZE) return tl::unexpected(Error{"its command and environment are too long", {}, 0, {}});
  return tl::unexpected(Error{std::string("the supervisor has ended: ") + std::strerror(errno), {}, 0, {}});
}

bool receive_launch(int socket, LaunchMessage& message) {
  std::string bytes(kLargestMessage, '\0');
  receive_with(socket, bytes, std::array{&message.leash, &message.errors, &message.input, &message.output});
  if (bytes.empty()) return false;
  decode(bytes, message);
  return true;
}

}  // namespace splitproof::testee
